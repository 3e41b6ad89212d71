/** The further steps of one-time passwords: when they begin, what ends them, and that none is lost or doubled. */
import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { OtpStep } from "../../src/domain/otp-steps.ts";
import { accountService, keyService } from "../../src/messaging/directory/account-service.ts";
import { systemRandom } from "../../src/platform/random.ts";
import type { MessageRow } from "../../src/store/messages.ts";
import { ManualClock, settleLoop } from "../support/manual-clock.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";
import {
  createSendingServer,
  makeChannel,
  requestOf,
  type SendingOptions,
  type SendingServer,
} from "../support/sending-server.ts";
import { senderOf } from "../support/test-server.ts";

let server: SendingServer;
let routes: ScriptedProvider[] = [];
/** Changes of status that customers were told of. */
let told: string[] = [];
afterEach(() => server.stop());

const sms = (waitSeconds: number): OtpStep => ({ by: "sms", waitSeconds });
const byChannel = (waitSeconds: number): OtpStep => ({ by: "channel", channel: "route-3", waitSeconds });

async function open(steps: readonly OtpStep[], routeCount = 2, options: SendingOptions = {}): Promise<void> {
  routes = [];
  server = await createSendingServer({
    routes: Array.from({ length: routeCount }, () => ({})),
    build: (_, events) => {
      const route = new ScriptedProvider(events);
      routes.push(route);
      return route;
    },
    ...options,
  });
  told = [];
  server.store.onStatus(({ trackingCode }, status) => void told.push(`${trackingCode} ${status}`));
  if (steps.some(({ channel }) => channel !== undefined)) await makeChannel(server, 3, { kind: "channel" });
  await server.start();
  if (server.otp.plans.all().length === 0) await server.otp.plans.set({ accountId: 0, pattern: "", steps });
}

const recipient = "+989121234567";

const challenge = (wish: { ttlSeconds?: number; recipient?: string; patternCode?: string } = {}, account = 1) =>
  server.otp.challenges.send(server.caller(account), requestOf("POST /v1/otp/challenges"), {
    sender: senderOf(account),
    recipient,
    codeLength: 6,
    ttlSeconds: 300,
    ...wish,
  });

const sentBy = (route: number) => routes[route]?.submissions ?? [];
const codeIn = (text = "") => /\d{6}/.exec(text)?.[0] ?? "";
const messages = (): MessageRow[] =>
  Array.from({ length: server.store.tables.messageSearch.end() }, (_, id) =>
    server.store.tables.messages.byId(id),
  ).filter((row) => row !== null);
const sequence = () => server.store.tables.otpSteps.sequenceOf(1);

/** The receipt of a message's only part, by the route that took it. */
async function receipt(row: MessageRow | undefined, state: "delivered" | "failed"): Promise<void> {
  const route = routes[(row?.routeId ?? 1) - 1];
  void route?.events.receipt({ ids: [`${row?.id}-1`], state, detail: "", at: server.clock.now() });
  await settleLoop();
}

describe("a second step", () => {
  test("goes by the next route with the same code after the wait, to the millisecond, and not earlier", async () => {
    await open([sms(5)]);
    const { trackingCode } = await challenge();
    await settleLoop();
    await server.clock.advance(4_999);
    expect([sentBy(0).length, sentBy(1).length]).toEqual([1, 0]);
    await server.clock.advance(1);
    expect([sentBy(0).length, sentBy(1).length]).toEqual([1, 1]);
    expect(sentBy(1)[0]?.text).toBe(sentBy(0)[0]?.text ?? "");
    await server.clock.advance(400_000);
    expect(messages()).toHaveLength(2);
    expect(sequence()).toMatchObject({ outcome: "completed", sealed: null, dueAt: null });
    expect(told).toEqual([`${trackingCode} processing`, `${trackingCode} sent`]);
  });

  test("goes by the same route where there is no other, and by a third where the second is down", async () => {
    await open([sms(5)], 1);
    await challenge();
    await server.clock.advance(5_000);
    expect(sentBy(0)).toHaveLength(2);
    await server.stop();
    await open([sms(5)], 3);
    routes[1]?.goDown();
    await challenge();
    await server.clock.advance(5_000);
    expect(routes.map(({ submissions }) => submissions.length)).toEqual([1, 0, 1]);
  });

  test("is told to nobody, and the first message keeps its own status", async () => {
    await open([sms(20)]);
    const { trackingCode } = await challenge();
    await server.clock.advance(20_000);
    await receipt(messages()[1], "delivered");
    expect(messages().map(({ state }) => state)).toEqual(["submitted", "delivered"]);
    expect(told.filter((one) => !one.startsWith(trackingCode))).toEqual([]);
    expect(server.statusOf(trackingCode)).toBe("sent");
  });

  test("does not count for the limits of the recipient, and keeps one code", async () => {
    await open([sms(5)], 2, { fraudGuard: true });
    const { challengeId } = await challenge();
    await server.clock.advance(60_000);
    expect(server.guard.overview().ranges).toMatchObject([{ sends: 1, challenges: 1 }]);
    const verified = await server.otp.challenges.verify(1, challengeId, codeIn(sentBy(1)[0]?.text));
    expect(verified.status).toBe("verified");
    await challenge();
  });

  test("is postponed while the first is not handed over, so that never two wait", async () => {
    await open([sms(5)]);
    for (const route of routes) route.goDown();
    await challenge();
    await server.clock.advance(60_000);
    expect(messages()).toHaveLength(1);
    routes[0]?.comeUp();
    await server.clock.advance(5_000);
    expect(messages()).toHaveLength(2);
  });

  test("begins at once if the first fails", async () => {
    await open([sms(300)]);
    await challenge();
    await settleLoop();
    await receipt(messages()[0], "failed");
    await server.clock.advance(1_000);
    expect(messages()).toHaveLength(2);
  });

  test("is not brought forward by the failure of a message before the newest", async () => {
    await open([sms(5), sms(100)]);
    await challenge();
    await server.clock.advance(5_000);
    await receipt(messages()[0], "failed");
    await server.clock.advance(90_000);
    expect(messages()).toHaveLength(2);
    await server.clock.advance(10_000);
    expect(messages()).toHaveLength(3);
  });
});

describe("the steps end", () => {
  const ends: readonly [string, string, () => Promise<unknown>][] = [
    ["with a receipt", "delivered", () => receipt(messages()[0], "delivered")],
    ["with a newer challenge", "replaced", () => server.clock.advance(60_000).then(() => challenge())],
    ["at expiry", "expired", () => server.clock.advance(90_000)],
    ["with the suspension of the account", "suspended", () => suspend()],
  ];
  const suspend = () => accountService({ ...server, random: systemRandom }).suspend(1);

  for (const [how, outcome, end] of ends) {
    test(how, async () => {
      await open([sms(100)]);
      await challenge({ ttlSeconds: 90 });
      await settleLoop();
      expect(sequence()?.sealed).not.toBeNull();
      await end();
      expect(sequence()).toMatchObject({ outcome, dueAt: null, sealed: null });
      const before = messages().length;
      await server.clock.advance(60_000);
      expect(messages()).toHaveLength(before);
    });
  }

  for (const templateId of [null, "77"])
    test(`with the suspension of its pattern, ${templateId === null ? "without a" : "with a"} template id`, async () => {
      await open([sms(20), sms(20)]);
      const pattern = { accountId: 1, code: "login" };
      await server.patterns.add({
        ...{ ...pattern, name: "x", text: "{{code}}", sender: null, maxLengths: {}, templateId },
      });
      await server.patterns.approve(pattern, "ali");
      await challenge({ patternCode: "login" });
      await server.clock.advance(20_000);
      expect(messages()).toHaveLength(2);
      await server.patterns.suspend(pattern, "ali");
      await server.clock.advance(60_000);
      expect(messages()).toHaveLength(2);
      expect(sequence()).toMatchObject({ outcome: "refused", sealed: null });
    });

  test("with the right code, or the last wrong one", async () => {
    await open([sms(100)]);
    const { challengeId } = await challenge();
    await settleLoop();
    await server.otp.challenges.verify(1, challengeId, codeIn(sentBy(0)[0]?.text));
    expect(sequence()).toMatchObject({ outcome: "verified", sealed: null });
    const other = await challenge({ recipient: "+989121234568" });
    for (let count = 0; count < 5; count += 1) await server.otp.challenges.verify(1, other.challengeId, "x");
    expect(server.store.tables.otpSteps.sequenceOf(2)).toMatchObject({ outcome: "locked", sealed: null });
  });

  test("with a cancel of what waits", async () => {
    await open([sms(100)]);
    for (const route of routes) route.goDown();
    const { trackingCode } = await challenge();
    await server.canceller.cancel(1, trackingCode);
    expect(sequence()).toMatchObject({ outcome: "cancelled", sealed: null });
  });

  test("when their key is revoked", async () => {
    await open([sms(10)]);
    await challenge();
    const keys = keyService({ ...server, random: systemRandom });
    const { key } = await keys.create(1, { name: "x", permissions: [], requestsPerMinute: null, expiresAt: null });
    expect(key.id).toBe(1);
    await keys.revoke(1);
    await server.clock.advance(10_000);
    expect(sequence()).toMatchObject({ outcome: "refused", sealed: null });
  });

  test("with the erasure of the recipient, without a trace", async () => {
    await open([sms(10)]);
    await challenge();
    await server.store.write((tables) => tables.recipientData.eraseOtpSend(1));
    await server.clock.advance(20_000);
    expect(sequence()).toBeNull();
    expect(messages()).toHaveLength(1);
  });
});

test("the most specific steps apply: of a pattern, of an account, of everybody; none is a choice too", async () => {
  await open([sms(10)]);
  await server.patterns.add({
    ...{ accountId: 1, code: "login", name: "x", text: "{{code}}", sender: null, maxLengths: {} },
  });
  const { plans } = server.otp;
  await plans.set({ accountId: 1, pattern: "", steps: [sms(20), sms(30)] });
  await plans.set({ accountId: 1, pattern: "login", steps: [] });
  expect(plans.stepsFor(2, "login")).toEqual([sms(10)]);
  expect(plans.stepsFor(1, "other")).toHaveLength(2);
  expect(plans.stepsFor(1, "login")).toEqual([]);
  await expect(plans.set({ accountId: 9, pattern: "", steps: [] })).rejects.toMatchObject({
    code: "account_not_found",
  });
  await expect(plans.set({ accountId: 2, pattern: "login", steps: [] })).rejects.toMatchObject({
    code: "pattern_not_found",
  });
  await plans.remove({ accountId: 1, pattern: "" });
  expect(plans.stepsFor(1, null)).toEqual([sms(10)]);
});

test("figures tell after how many messages codes were verified, by which route, and how soon", async () => {
  await open([sms(10)]);
  const codeOf = (row: number) => codeIn([...sentBy(0), ...sentBy(1)][row]?.text);
  const { challengeId } = await challenge();
  await server.clock.advance(4_000);
  await server.otp.challenges.verify(1, challengeId, codeOf(0));
  const second = await challenge({ recipient: "+989121234568" });
  await server.clock.advance(12_000);
  await server.otp.challenges.verify(1, second.challengeId, codeIn(sentBy(1)[0]?.text));
  await challenge({ recipient: "+989121234569" });
  await settleLoop();
  expect(server.otp.plans.tried(0)).toEqual([
    { messages: 1, routeId: 1, network: 0, challenges: 2, verified: 1, medianMs: 4_000 },
    { messages: 2, routeId: 2, network: 0, challenges: 1, verified: 1, medianMs: 12_000 },
  ]);
  expect(server.otp.plans.tried(server.clock.now() + 1)).toEqual([]);
});

test("a clock set back delays a step by its longest wait at most, and one in doubt begins and ends nothing", async () => {
  let isBelieved = true;
  await open([sms(300)], 2, { mayExpire: () => isBelieved });
  await challenge({ ttlSeconds: 900 });
  server.clock.jump(-3_600_000);
  await server.clock.advance(301_000);
  expect(messages()).toHaveLength(2);
  await challenge({ recipient: "+989121234568" });
  isBelieved = false;
  server.clock.jump(86_400_000);
  await server.clock.advance(5_000);
  expect(messages()).toHaveLength(3);
  expect(server.store.tables.otpSteps.sequenceOf(3)?.outcome).toBeNull();
});

type Act =
  | { do: "pass"; ms: number }
  | { do: "kill" | "verify" | "cancel" | "race" }
  | { do: "receipt"; of: number; state: "delivered" | "failed" }
  | { do: "up" | "down"; route: number };

const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: 20_000 }) }) },
  { weight: 3, arbitrary: fc.constant({ do: "kill" as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("verify" as const, "cancel" as const, "race" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("receipt" as const),
      of: fc.nat(3),
      state: fc.constantFrom("delivered" as const, "failed" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom("up" as const, "down" as const), route: fc.nat(2) }),
  },
);

/** What must hold at any time, whatever happened. */
function check(steps: readonly OtpStep[]): void {
  const rows = messages();
  const one = sequence();
  const begun = server.store.tables.otpSteps.stepsOf(1);
  expect(rows.length).toBe(1 + begun.length);
  expect(begun.length).toBeLessThanOrEqual(steps.length);
  expect(new Set(begun.map(({ position }) => position)).size).toBe(begun.length);
  // Never two of a challenge that both wait to be handed over by the same way.
  const waiting = rows.filter(({ state }) => ["ready", "retry_wait"].includes(state));
  expect(new Set(waiting.map(({ targetId }) => targetId)).size).toBe(waiting.length);
  for (const { position, messageId } of begun)
    expect(rows.find(({ id }) => id === messageId)?.targetId).toBe(steps[position]?.channel === undefined ? 0 : -4);
  expect(one?.sealed === null).toBe(one?.dueAt === null);
  expect(one?.outcome === null).toBe(one?.dueAt !== null);
  if (rows.some(({ state }) => state === "delivered" || state === "cancelled")) expect(one?.dueAt).toBeNull();
}

async function act(one: Act, challengeId: string, trackingCode: string): Promise<void> {
  const verify = (text: string) => server.otp.challenges.verify(1, challengeId, text).catch(() => null);
  const right = () => codeIn([...sentBy(0), ...sentBy(1), ...sentBy(2)][0]?.text);
  if (one.do === "pass") await server.clock.advance(one.ms);
  else if (one.do === "verify") await verify(right());
  else if (one.do === "cancel") await server.canceller.cancel(1, trackingCode).catch(() => null);
  else if (one.do === "receipt") await receipt(messages()[one.of], one.state);
  else if (one.do === "up") routes[one.route]?.comeUp();
  else if (one.do === "down") routes[one.route]?.goDown();
  else if (one.do === "race") {
    // The step is due in the same turn as the right code comes.
    const due = sequence()?.dueAt ?? server.clock.now();
    await server.clock.advance(Math.max(0, due - server.clock.now() - 1));
    const passing = server.clock.advance(1);
    await Promise.all([verify(right()), passing, verify(right())]);
  } else {
    const { folder, clock } = server;
    // In the middle of whatever is being written.
    await settleLoop(1);
    server.crash();
    await open([], 3, { folder, clock });
  }
}

test("whatever happens and wherever it dies, no step is lost or doubled, and none begins after the end", async () => {
  const wait = fc.integer({ min: 5, max: 40 });
  const given = fc.array(fc.oneof(wait.map(sms), wait.map(byChannel)), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(given, fc.array(acts, { maxLength: 15 }), async (steps, all) => {
      await open(steps, 3, { clock: new ManualClock() });
      try {
        const { challengeId, trackingCode } = await challenge({ ttlSeconds: 120 });
        let ended = false;
        let count = 0;
        for (const one of all) {
          await act(one, challengeId, trackingCode);
          check(steps);
          if (ended) expect(messages().length).toBe(count);
          ended = sequence()?.dueAt === null;
          count = messages().length;
        }
        for (const route of routes) route.comeUp();
        await server.clock.advance(130_000);
        check(steps);
        expect(sequence()?.outcome).not.toBeNull();
        // All routes were up long enough: what was not ended otherwise ran to its end.
        if (sequence()?.outcome === "completed") expect(sequence()?.begun).toBe(steps.length);
      } finally {
        await server.stop();
      }
    }),
    { numRuns: 25 },
  );
  await open([]);
}, 180_000);
