/** Quotas by the command line: set, shown with what is used, lifted, and warned of in time. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { QuotaGuard } from "../../src/messaging/quotas/quota-guard.ts";
import { Demand } from "../../src/messaging/rules/traffic-rules.ts";
import { believedBy } from "../support/booking.ts";
import { callerAt } from "../support/caller.ts";
import { type CliRun, runCli } from "../support/cli.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  await server.call("POST", "/accounts", { name: "Clinic" });
  await server.call("POST", "/keys", { account: "acc_1", name: "backend" });
});
afterEach(() => server.close());

const peyk = (...argv: string[]): Promise<CliRun> => runCli([...argv, "--data-dir", server.folder]);

/** A guard as in the server, with its log. */
function guarded() {
  const logged: object[] = [];
  const guard = new QuotaGuard({
    quotas: server.store.tables.quotas,
    bookingClock: believedBy(server.clock),
    directory: server.directory,
    timeZones: { of: () => "Asia/Tehran" },
    calendar: "gregory",
    log: { warn: (fields: object) => void logged.push(fields) },
  });
  const use = (parts: number, at = server.clock.now()) =>
    server.store.write((tables) => {
      guard.reserve(tables, callerAt(at), Demand.ofMessages(parts));
    });
  return { use, logged };
}

test("quotas are set, shown and removed", async () => {
  expect((await peyk("quota", "show")).out).toContain("There is no quota");
  const set = await peyk("quota", "set", "acc_1", "--day", "100", "--month", "1000");
  expect(set.out).toMatch(/acc_1 +day +0 +100 +100 +2026-01-05 20:30:00Z\nacc_1 +month +0 +1000 +1000 +2026-01-31/);
  await peyk("quota", "set", "key_1", "--day", "7");
  await guarded().use(5);
  const { out } = await peyk("quota", "show", "--json");
  expect(JSON.parse(out)).toMatchObject([
    { of: "acc_1", period: "day", partsMax: 100, partsUsed: 5 },
    { of: "acc_1", period: "month", partsMax: 1000, partsUsed: 5 },
    { of: "key_1", period: "day", partsMax: 7, partsUsed: 5, resetsAt: "2026-01-05T20:30:00.000Z" },
  ]);
  await peyk("quota", "set", "acc_1", "--month", "none");
  expect(JSON.parse((await peyk("quota", "show", "acc_1", "--json")).out)).toHaveLength(1);
});

test("an invalid quota is refused with the reason", async () => {
  expect((await peyk("quota", "set", "acc_9", "--day", "1")).err).toContain("There is no such account.");
  expect((await peyk("quota", "set", "key_9", "--day", "1")).err).toContain("There is no such key.");
  expect((await peyk("quota", "set", "acc_1", "--day", "many")).err).toContain("--day must be a whole number");
  expect(await peyk("quota", "set", "acc_1")).toMatchObject({ code: 2 });
});

test("at four fifths the log warns once per period, and status as long as it lasts", async () => {
  await peyk("quota", "set", "acc_1", "--day", "10");
  const { use, logged } = guarded();
  const nearly = { account: 1, period: "day", partsMax: 10, partsUsed: 8 };
  await use(7);
  expect(logged).toEqual([]);
  await use(1);
  await use(1);
  expect(logged).toEqual([nearly]);
  await expect(use(2)).rejects.toMatchObject({ code: "quota_exceeded" });
  expect((await peyk("status")).out).toContain("! acc_1 has sent 9 of the 10 parts");
  await server.clock.advance(24 * 3_600_000);
  expect((await peyk("status")).out).not.toContain("of the 10 parts");
  await use(8);
  expect(logged).toEqual([nearly, nearly]);
});

test("a revoked key's quota is neither listed nor warned of, and no new one is accepted", async () => {
  await peyk("quota", "set", "key_1", "--day", "10");
  await guarded().use(9);
  expect((await peyk("status")).out).toContain("! key_1 has sent 9 of the 10 parts");
  await server.call("POST", "/keys/key_1/revoke", {});
  expect((await peyk("status")).out).not.toContain("of the 10 parts");
  expect((await peyk("quota", "show")).out).toContain("There is no quota");
  expect((await peyk("quota", "show", "key_1")).out).toMatch(/key_1 +day +9 +10/);
  expect((await peyk("quota", "set", "key_1", "--day", "20")).err).toContain("The key was revoked");
});

test("parts used by a transaction that was rolled back are not counted", async () => {
  await peyk("quota", "set", "acc_1", "--day", "10");
  const { use } = guarded();
  const failing = server.store.write(() => {
    throw new Error("refused");
  });
  const asked = await Promise.allSettled([use(3), failing, use(3), use(5)]);
  expect(asked.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "rejected"]);
  expect(server.quotas.all().map(({ partsUsed }) => partsUsed)).toEqual([6]);
});

test("an evening request stored after midnight counts in its day, or in the next if that has begun", async () => {
  await peyk("quota", "set", "acc_1", "--day", "10");
  const { use } = guarded();
  const shown = async () => {
    const [{ partsUsed, startsAt }] = JSON.parse((await peyk("quota", "show", "--json")).out);
    return { partsUsed, startsAt };
  };
  const midnight = Date.parse("2026-01-05T20:30:00Z");
  const before = midnight - 1_000;
  await server.clock.advance(midnight + 5_000 - server.clock.now());
  await use(4, before);
  expect(await shown()).toEqual({ partsUsed: 0, startsAt: "2026-01-05T20:30:00.000Z" });
  await use(3);
  await use(2, before);
  expect(await shown()).toEqual({ partsUsed: 5, startsAt: "2026-01-05T20:30:00.000Z" });
  await expect(use(6, before)).rejects.toThrow("day");
  await use(5, before);
  expect(await shown()).toMatchObject({ partsUsed: 10 });
  // No request takes an hour: the clock was wrong.
  await use(1, midnight - 3_600_001);
});
