/** Hundreds try passwords at the portal at once: few are checked, and nobody at the console waits for them. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Clock, systemClock } from "../../src/platform/clock.ts";
import { PasswordHasher } from "../../src/users/password.ts";
import { ofClientMax, waitingMax } from "../../src/users/password-lanes.ts";
import { type ConsoleProcess, FormClient, goodPassword, signedInAs, startConsole } from "../support/console.ts";

/** While it is stopped, a slow machine gives no new attempts to those who tried too often. */
let stands = false;
const clock: Clock = {
  ...systemClock,
  monotonic: () => (stands ? Number.MAX_SAFE_INTEGER / 2 ** 20 : systemClock.monotonic()),
};

let server: ConsoleProcess;
beforeAll(async () => {
  server = await startConsole(
    ({ http }) => ({
      portalListen: "127.0.0.1:0",
      http: { ...http, trustedProxies: ["127.0.0.1"] },
    }),
    // The real one: its cost is what they wait for.
    { hasher: new PasswordHasher(), clock },
  );
});
afterAll(() => server.stop());

test("240 strangers at the portal do not keep the owner out of the console", async () => {
  const owner = await signedInAs(server, "owner", { name: "olga" });
  const before = new FormClient(server.consoleUrl);
  await before.post("/sign-in", { user: "olga", password: goodPassword, to: "/" });
  const portalUrl = server.portalUrl ?? "";
  const answers: Response[] = [];
  const strangers = Array.from({ length: 240 }, async (_, index) => {
    const from = { "X-Forwarded-For": `198.51.100.${index}` };
    const form = { user: `customer${index}`, password: "seven red kettles", to: "/" };
    answers.push(await new FormClient(portalUrl).post("/sign-in", form, from));
  });
  const looked = () => answers.filter(({ status }) => status === 422).length;
  // The first of them has been answered, so all are in the queue.
  await Promise.race(strangers);
  const came = await new FormClient(server.consoleUrl).post("/sign-in", {
    user: "olga",
    password: goodPassword,
    to: "/",
  });
  expect([came.status, came.headers.get("Location")]).toEqual([303, "/"]);
  expect(looked()).toBeLessThanOrEqual(waitingMax);
  const change = { current: goodPassword, password: "eight green kettles", again: "eight green kettles" };
  expect((await owner.post("/settings/password", change)).status).toBe(303);
  await Promise.all(strangers);

  expect(answers.map(({ status }) => status).every((status) => status === 422 || status === 429)).toBe(true);
  expect(looked()).toBeLessThanOrEqual(2 * (1 + waitingMax));
  const later = answers.find(({ status }) => status === 429);
  expect(later?.headers.get("Retry-After")).toBe("1");
  const page = (await later?.text()) ?? "";
  expect(page).toContain("Many people are signing in right now");
  // The typed text is kept, and the attempt does not count.
  expect(page).toMatch(/value="customer\d+"/);
});

test("a user's password attempts wait for one another, and one too many is refused", async () => {
  stands = true;
  const client = await signedInAs(server, "operator", { name: "otto" });
  const change = { current: "not this one", password: "eight green kettles", again: "eight green kettles" };
  const answers = await Promise.all(
    Array.from({ length: ofClientMax + 1 }, () => client.post("/settings/password", change)),
  );
  const busy = answers.filter(({ status }) => status === 429);
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(ofClientMax);
  expect(busy.map(({ headers }) => headers.get("Retry-After"))).toEqual(["1"]);
  expect(await busy[0]?.text()).toContain("Many people are signing in right now");
  // It was not a failure: there is one more free attempt.
  expect((await client.post("/settings/password", change)).status).toBe(422);
  expect(await (await client.post("/settings/password", change)).text()).toContain("Too many attempts");
});
