/** For each invariant a defect that it must find alone, with all others switched off. */
import type { Invariant } from "./invariants.ts";
import { type PlantedDefect, planted, plantedDefects } from "./planted-defects.ts";
import { plantedInClusters } from "./planted-in-clusters.ts";
import { plantedLater } from "./planted-later.ts";
import { plantedMistakes } from "./planted-mistakes.ts";

const status = "src/domain/status.ts";
const outcome = "src/dispatch/submit-outcome.ts";
const track = "src/messaging/messages/track.ts";

function named(planted: readonly PlantedDefect[], title: string): PlantedDefect {
  const found = planted.find((one) => one.title === title);
  if (found === undefined) throw new Error(`Nothing planted is called “${title}”`);
  return found;
}

export const plantedForInvariants: Readonly<Record<Invariant, PlantedDefect | readonly PlantedDefect[]>> = {
  stored: named(plantedDefects, "writes are answered before COMMIT"),
  "one request": planted(
    "the Idempotency-Key is not stored",
    "src/messaging/messages/accept.ts",
    "tables.idempotency.append(caller.apiKeyId, key, row, caller.at);",
    "void [key, row];",
  ),
  forward: planted("a retry is shown as queued", status, 'retry_wait: "processing",', 'retry_wait: "queued",'),
  cancelled: named(plantedDefects, "a cancel wins after the claim"),
  stopped: named(plantedMistakes, "an operator's opt-out does not reach what already waits"),
  "doubles told": named(plantedDefects, "it is recovered without a word in the timeline"),
  "doubles needed": planted(
    "one accepted answer in ten is taken for a refusal",
    outcome,
    '  if (outcome.kind === "accepted") return accepted(',
    '  if (outcome.kind === "accepted" && context.jitter < 0.1) return retried(tables, message, context.now, 1, context); if (outcome.kind === "accepted") return accepted(',
  ),
  "submits bounded": named(plantedDefects, "uncertain attempts are not counted"),
  refusals: named(plantedDefects, "a temporary refusal is not stored"),
  receipts: named(plantedMistakes, "one failed part of a long message does not fail it"),
  texts: planted(
    "every text from a phone is its own message",
    "src/providers/smpp/inbound.ts",
    "...(concat === null ? {} : { concat }),",
    "...(concat === null || concat.parts > 0 ? {} : { concat }),",
  ),
  steps: named(plantedLater, "a further step of a code begins while the message before it waits"),
  replies: named(plantedLater, "a line's rules are asked some time after the text is stored"),
  lookups: named(plantedLater, "a number that the table has is looked up"),
  rules: named(plantedLater, "the last rule that takes a text decides"),
  forwards: named(plantedLater, "what a rule calls is stored some time after its text"),
  budget: named(plantedLater, "a restart begins the day's budget of look-ups anew"),
  needed: named(plantedLater, "one known number is enough for a request that needs them all"),
  ported: named(plantedLater, "a table of ported numbers is named before it is on disk"),
  "window and rate": planted(
    "an HTTP route says that it has twice its window",
    "src/providers/http/http-provider.ts",
    "window: isOpen ? openWindow : 0,",
    "window: isOpen ? 2 * openWindow : 0,",
  ),
  events: named(plantedDefects, "a message's callbacks lose their order"),
  "events once": named(plantedDefects, "callbacks' outcomes are gathered for 5 s"),
  answers: planted(
    "a message that cannot be cancelled any more is a defect",
    "src/messaging/messages/cancel.ts",
    'if (!isCancellable(message.state)) return "message_not_cancellable";',
    'if (!isCancellable(message.state)) throw new Error("message_not_cancellable");',
  ),
  "on time": planted(
    "an accepted message is put into its lane as due, whatever its time",
    "src/dispatch/dispatcher.ts",
    "this.#lanes.offer(message, message, message.submittedAt);",
    "this.#lanes.offer(message, message, message.dueAt);",
  ),
  prompt: planted(
    "the queue looks again only after a minute",
    "src/dispatch/dispatcher.ts",
    "const tickMsMax = 1_000;",
    "const tickMsMax = 60_000;",
    {
      file: "src/dispatch/dispatcher.ts",
      find: "this.#lanes.offer(message, message, message.submittedAt);\n    this.changed();",
      replace: "this.#lanes.offer(message, message, message.submittedAt);",
    },
  ),
  ends: named(plantedDefects, "what a crash left submitting is not recovered"),
  starts: planted(
    "what is left of a crash fails the start",
    "src/dispatch/sweep.ts",
    'const reason = { code: "stopped_unanswered" } as const;',
    'const reason = { code: "stopped_unanswered" } as const; if (message.id > 0) throw new Error("left");',
  ),
  whole: planted(
    "the wiping of free space takes inner pages for leaves",
    "src/store/free-space.ts",
    "{ 2: 12, 5: 12, 10: 8, 13: 8 }",
    "{ 2: 8, 5: 8, 10: 8, 13: 8 }",
  ),
  sums: planted(
    "a change of status is counted twice",
    "src/store/messages.ts",
    "this.#rollups.moved(row, next);",
    'this.#rollups.moved(row, next); if (next.state === "failed") this.#rollups.moved(row, next);',
  ),
  quota: planted(
    "a quota counts messages in place of parts",
    "src/messaging/quotas/quota-guard.ts",
    "      quotas.use(one, periodOf(one, calendar, bookedAt).startsAt, parts);\n    for",
    "      quotas.use(one, periodOf(one, calendar, bookedAt).startsAt, 1);\n    for",
  ),
  attempts: named(plantedLater, "a throttled submit costs an attempt"),
  validity: named(plantedLater, "the validity of a scheduled message begins when it is accepted"),
  guesses: named(plantedLater, "guesses at a code are stored some time later"),
  revoked: planted(
    "a revoked key goes on until the next start",
    "src/messaging/directory/directory.ts",
    "const good = row.revokedAt === null ? secretsOf(row) : [];",
    "const good = secretsOf(row);",
  ),
  erased: named(plantedLater, "an erasure leaves the events of a message, which its callbacks have told"),
  secrets: planted(
    "a one-time password rests in plain",
    "src/messaging/otp/otp-texts.ts",
    "const masked = renderTemplate(template, { code: maskedCode(code) });",
    "const masked = renderTemplate(template, { code: maskedCode(code) + code });",
  ),
  bounded: [
    planted(
      "each look at a message that is not there leaves a timer",
      track,
      'if (message === null) throw new ApiError("message_not_found");',
      'if (message === null) { setInterval(() => {}, 3_600_000); throw new ApiError("message_not_found"); }',
    ),
    planted(
      "codes that were not found are remembered for good",
      track,
      'if (message === null) throw new ApiError("message_not_found");',
      'if (message === null) { missed.set(trackingCode, { accountId }); throw new ApiError("message_not_found"); }',
      {
        file: track,
        find: "export function tracker(store: Store) {",
        replace: "const missed = new Map<string, { accountId: number }>();\nexport function tracker(store: Store) {",
      },
    ),
  ],
  "one leader": named(plantedInClusters, "the engine takes entries of any epoch"),
  defects: planted(
    "one answer in ten throws",
    outcome,
    '  if (outcome.kind === "accepted") return accepted(',
    '  if (context.jitter < 0.1) throw new TypeError("planted"); if (outcome.kind === "accepted") return accepted(',
  ),
};
