/** Quiet hours: bulk waits until they end, keeps its order, and can be cancelled until then. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { messageClasses } from "../../src/domain/message.ts";
import { describeReason } from "../../src/domain/reason.ts";
import { AccountTimeZones } from "../../src/messaging/directory/account-time-zones.ts";
import type { Account } from "../../src/messaging/directory/directory.ts";
import { ClaimChecks } from "../../src/messaging/rules/claim-checks.ts";
import { AccountQuietHours } from "../../src/messaging/rules/quiet-hours.ts";
import { type Remark, TrafficRules } from "../../src/messaging/rules/traffic-rules.ts";
import { waitOf } from "../../src/operator/waiting.ts";
import { until } from "../support/manual-clock.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";
import { createSendingServer, numbersCsv, requestOf, type SendingServer } from "../support/sending-server.ts";

const { bulk, single, otp } = messageClasses;
const hourMs = 3_600_000;
/** The clock begins at 12:00 UTC. */
const [nine, noon, night] = ["21:00", "12:00", "22:00"].map((time) => Date.parse(`2026-01-05T${time}:00Z`)) as [
  number,
  number,
  number,
];
const morning = Date.parse("2026-01-06T08:00:00Z");

let server: SendingServer;
let quietHours: AccountQuietHours;
let providers: ScriptedProvider[];

async function open(settings = { windows: [] as string[], singles: false }): Promise<void> {
  const lateDirectory = { account: (id: number) => server.directory.account(id) };
  const timeZones = new AccountTimeZones({ directory: lateDirectory, timeZone: "UTC" });
  quietHours = new AccountQuietHours({ directory: lateDirectory, timeZones, settings });
  providers = [];
  server = await createSendingServer({
    rules: new TrafficRules([quietHours], []),
    claimRules: (directory) => new ClaimChecks({ directory, quietHours }),
    build: (_, events) => {
      const provider = new ScriptedProvider(events, {});
      providers.push(provider);
      return provider;
    },
  });
}

async function setAccount(change: Partial<Account>): Promise<void> {
  const account = await server.store.write((tables) => tables.accounts.update(1, change));
  if (account !== null) server.directory.putAccount(account);
}

beforeEach(() => open());
afterEach(() => server.stop());

const rowOf = (code: string) => {
  const row = server.store.tables.messages.byCodeAnywhere(code);
  if (row === null) throw new Error(`There is no message ${code}`);
  return row;
};
const dueAt = (code: string) => rowOf(code).dueAt;
const wait = (code: string) => {
  const sending = { heldSince: () => null };
  const reason = waitOf({ ...server, running: server.routes, sending, quietHours }, rowOf(code));
  return reason === null ? null : describeReason(reason);
};
/** Most of the time passes at once, as for somebody asleep. */
async function passUntil(at: number): Promise<void> {
  server.clock.jump(at - server.clock.now() - 1_500);
  await server.clock.advance(1_500);
}

describe("during quiet hours", () => {
  test("bulk messages wait for their end, and one-time passwords and single messages are sent", async () => {
    await setAccount({ quietHours: "22:00-08:00" });
    await server.start();
    server.clock.jump(night + hourMs - noon);
    const [first, second] = [await server.send({ class: bulk }), await server.send({ class: bulk })];
    const others = [await server.send({ class: single }), await server.send({ class: otp })];
    const unruled = await server.send({ class: bulk, account: 2 });
    await until(() => [...others, unruled].every((code) => server.statusOf(code) === "sent"));
    expect([first, second].map(dueAt)).toEqual([morning, morning]);
    expect([first, second].map((code) => server.statusOf(code))).toEqual(["queued", "queued"]);
    expect(wait(first)).toBe("quiet hours of its account: it waits until 2026-01-06 08:00:00Z");
    await passUntil(morning - 1);
    expect(server.statusOf(first)).toBe("queued");
    await passUntil(morning + 1_000);
    await until(() => server.statusOf(second) === "sent");
    const sent = [first, second].map((code) => rowOf(code).processingAt ?? 0);
    expect(sent[0]).toBeLessThanOrEqual(sent[1] ?? 0);
  });

  test("single messages wait if the account or the settings say so, and one-time passwords never", async () => {
    await setAccount({ quietHours: "10:00-13:00", quietSingles: true });
    const codes = [await server.send({ class: single }), await server.send({ class: otp })];
    expect(codes.map(dueAt)).toEqual([noon + hourMs, noon]);
    await setAccount({ quietSingles: null });
    expect(dueAt(await server.send({ class: single }))).toBe(noon);
  });

  test("messages due then wait for their end, and messages scheduled for later keep their time", async () => {
    await setAccount({ quietHours: "22:00-08:00" });
    const inside = await server.send({ class: bulk, sendAt: night + 1 });
    const outside = await server.send({ class: bulk, sendAt: morning + 5 });
    expect([inside, outside].map(dueAt)).toEqual([morning, morning + 5]);
    expect(rowOf(inside)).toMatchObject({ sendAt: night + 1, validUntil: morning + 48 * hourMs });
    expect(wait(inside)).toContain("quiet hours");
    expect(wait(outside)).toBe("due at 2026-01-06 08:00:00Z");
  });

  test("waiting messages can be cancelled and never reach a carrier", async () => {
    await setAccount({ quietHours: "10:00-13:00" });
    await server.start();
    const code = await server.send({ class: bulk });
    await server.canceller.cancel(1, code);
    await passUntil(noon + 2 * hourMs);
    expect(rowOf(code)).toMatchObject({ state: "cancelled", attempts: 0 });
  });

  test("a group waits as a whole", async () => {
    await setAccount({ quietHours: "10:00-13:00" });
    await server.start();
    await server.approvedGroup("all", numbersCsv(600));
    const request = requestOf("POST /v1/groups/all/messages");
    await server.groupSender.send(server.caller(), request, "all", { sender: "30001", message: "hi" });
    await server.settled();
    await server.clock.advance(3_000);
    const rows = server.store.tables.messages.run(1, 600).map(({ trackingCode }) => rowOf(trackingCode));
    expect(new Set(rows.map((row) => `${row.state} ${row.dueAt}`))).toEqual(new Set([`ready ${noon + hourMs}`]));
    await passUntil(noon + 2 * hourMs);
    await until(() => server.store.tables.queue.lanes().length === 0);
  });
});

describe("a backlog at the start of quiet hours", () => {
  test("moves to their end in order and with its validity, and none of it is sent", async () => {
    await setAccount({ quietHours: "22:00-08:00" });
    server.clock.jump(nine - noon);
    const codes: string[] = [];
    for (let index = 0; index < 600; index += 1) codes.push(await server.send({ class: bulk }));
    const kept = await server.send({ class: single });
    server.clock.jump(night - nine);
    await server.start();
    await server.clock.advance(2_000);
    await until(() => codes.every((code) => dueAt(code) === morning));
    const validity = codes.map((code) => rowOf(code).validUntil - nine);
    // A second or two of the night had passed when they were moved.
    expect(Math.min(...validity)).toBeGreaterThanOrEqual(58 * hourMs - 5_000);
    expect(Math.max(...validity)).toBeLessThanOrEqual(58 * hourMs);
    expect(codes.filter((code) => server.statusOf(code) !== "queued")).toEqual([]);
    expect(server.statusOf(kept)).toBe("sent");
    await passUntil(morning + 5_000);
    await until(() => codes.every((code) => server.statusOf(code) === "sent"));
    const order = codes.map((code) => rowOf(code)).sort((a, b) => (a.processingAt ?? 0) - (b.processingAt ?? 0));
    expect(order.map(({ id }) => id)).toEqual(codes.map((code) => rowOf(code).id));
  });

  test("includes messages waiting for their next attempt", async () => {
    await setAccount({ quietHours: "22:00-08:00" });
    server.clock.jump(night - noon - 2_000);
    await server.start();
    const [provider] = providers;
    provider?.answerWith({
      kind: "temporary",
      reason: { code: "simulated_temporary_refusal", refusal: 1, refusals: 1 },
    });
    const code = await server.send({ class: bulk });
    await until(() => rowOf(code).state === "retry_wait");
    provider?.answerWith(null);
    await passUntil(morning - 1_000);
    expect(rowOf(code)).toMatchObject({ state: "retry_wait", attempts: 1 });
    expect(wait(code)).toBe("quiet hours of its account: it waits until 2026-01-06 08:00:00Z");
    await passUntil(morning + 5_000);
    await until(() => server.statusOf(code) === "sent");
  });
});

describe("the quiet-hours rule explains", () => {
  const message = {
    accountId: 1,
    apiKeyId: 1,
    senderId: 1,
    class: bulk,
    recipient: "+989120000010",
    partCount: 1,
    submittedAt: night,
    sendAt: null,
  };
  const wordsOf = (change: object) => {
    const remarks: Remark[] = [];
    new TrafficRules([quietHours], []).decide({ ...message, ...change }, remarks);
    return remarks.map(({ words }) => words);
  };

  test("its decision, and nothing if an account has no quiet hours", async () => {
    expect(wordsOf({})).toEqual([]);
    await setAccount({ quietHours: "22:00-08:00,13:00-14:00 Fri", timeZone: "UTC" });
    expect(wordsOf({})).toEqual([
      "Quiet hours are 22:00-08:00, 13:00-14:00 Fri in UTC: it waits until 2026-01-06 08:00:00Z.",
    ]);
    expect(wordsOf({ submittedAt: noon })).toEqual([
      "Quiet hours are 22:00-08:00, 13:00-14:00 Fri in UTC: it need not wait.",
    ]);
    expect(wordsOf({ class: otp })).toEqual([]);
  });

  test("the quiet hours of the settings, in the account's time zone, if it has none of its own", async () => {
    await server.stop();
    await open({ windows: ["22:00-08:00"], singles: true });
    await setAccount({ timeZone: "Asia/Tehran" });
    expect(wordsOf({ class: single, submittedAt: Date.parse("2026-01-05T18:30:00Z") })[0]).toEndWith(
      "it waits until 2026-01-06 04:30:00Z.",
    );
    await setAccount({ quietHours: "" });
    expect(wordsOf({})).toEqual([]);
  });
});
