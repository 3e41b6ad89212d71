/** Takes out of answers to customers what only operators see: routes, carriers' words and ids, and routing plans. */

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** In an answer, a reason or an entry of a timeline. */
const namesRoute = (value: unknown): boolean =>
  isPlain(value) && ["route", "routes", "plan"].some((name) => (value[name] ?? null) !== null);

const isOfRoute = (entry: unknown): boolean => isPlain(entry) && (namesRoute(entry) || namesRoute(entry.reason));

const itself = (value: unknown): unknown => value;

const inQueue = "its turn comes";

/** By their names, wherever they stand. */
const replaced: ReadonlyMap<string, (value: unknown) => unknown> = new Map([
  ["route", () => null],
  ["routes", () => []],
  ["plan", () => null],
  ["providerId", () => null],
  ["remarks", () => []],
  // Of a challenge, its later steps.
  ["otp", (value: unknown) => (isPlain(value) && "steps" in value ? null : value)],
  ["timeline", (value: unknown) => (Array.isArray(value) ? value.filter((entry) => !isOfRoute(entry)) : value)],
]);

/** Files are streamed, and name no route where a customer may have them. */
export function withoutRoutes(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withoutRoutes);
  if (!isPlain(answer)) return answer;
  const shown = namesRoute(answer.waitReason) ? { ...answer, waits: inQueue, waitReason: null } : answer;
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [name, withoutRoutes((replaced.get(name) ?? itself)(value))]),
  );
}
