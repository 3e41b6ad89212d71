/** Lines follow each other by number, whatever time they are booked under, and the settled amount before a time is the sum of the lines before it. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { openDatabase } from "../../src/store/database.ts";
import type { LedgerTable } from "../../src/store/ledger.ts";
import { migrations } from "../../src/store/migrations.ts";
import type { Store } from "../../src/store/store.ts";
import { openMigratedStore } from "../support/migrated-store.ts";
import { temporaryFolder } from "../support/test-server.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const began = Date.UTC(2026, 10, 20);

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
let bookedAt: number;

beforeEach(() => {
  folder = temporaryFolder();
  bookedAt = began;
  open();
});
afterEach(() => {
  store.close();
  folder.remove();
});

function open(): void {
  store = openMigratedStore({ folder: folder.path, now: began });
  store.tables.ledger.bookBy(() => ({ at: bookedAt + 1, bookedAt }));
}

const entry = { kind: "topup", note: null, actor: "test", reference: null, currency: "IRR" } as const;
const enter = (accountId: number, amount: number) =>
  store.write(({ ledger }) => ledger.enter(accountId, { ...entry, amount }));

interface Line {
  number: number;
  at: number;
  bookedAt: number;
  change: number;
}

const linesOf = (accountId: number): Line[] => {
  const database = new Database(join(folder.path, "peyk.db"), { readonly: true });
  const columns = "number, at, booked_at AS bookedAt, amount - captured AS change";
  const sql = `SELECT ${columns} FROM ledger WHERE account_id = ? ORDER BY number`;
  const lines = database.query<Line, [number]>(sql).all(accountId);
  database.close();
  return lines;
};

function expectSums(ledger: LedgerTable, accountId: number): void {
  const lines = linesOf(accountId);
  const times = lines.flatMap((line) => [line.bookedAt - 1, line.bookedAt, line.bookedAt + 1]);
  for (const at of [0, ...times, Number.MAX_SAFE_INTEGER]) {
    const sum = lines.reduce((total, line) => total + (line.bookedAt < at ? line.change : 0), 0);
    expect(ledger.settledBefore(accountId, at)).toBe(sum);
  }
}

test("a ledger line keeps its clock time and its booking time", async () => {
  await enter(1, 5);
  expect(linesOf(1)).toEqual([{ number: 1, at: began + 1, bookedAt: began, change: 5 }]);
});

test("after a crash a ledger waits for a clock that is up to an hour behind its last line", async () => {
  await enter(1, 1);
  bookedAt = began - hourMs;
  await enter(1, 1);
  await enter(2, 1);
  bookedAt = began - hourMs - 1;
  await enter(1, 1);
  expect(linesOf(1).map((line) => line.bookedAt)).toEqual([began, began, began - hourMs - 1]);
  expect(linesOf(2).map((line) => line.bookedAt)).toEqual([began - hourMs]);
  expectSums(store.tables.ledger, 1);
});

test("lines that an earlier release left in the future stay there, and new ones use the clock's time", async () => {
  store.close();
  folder.remove();
  folder = temporaryFolder();
  const former = openDatabase(
    folder.path,
    began,
    migrations.slice(
      0,
      migrations.findIndex(({ name }) => name === "booked_time"),
    ),
  );
  const line = former.database.prepare(
    `INSERT INTO ledger (account_id, at, number, kind, amount, reserved, captured, released, settled_after, reserved_after)
     VALUES (?, ?, ?, 'topup', 10, 0, 0, 0, ?, 0)`,
  );
  const times = [began - dayMs, began - 1, began + 40 * dayMs, began + 40 * dayMs];
  for (const [index, at] of times.entries()) {
    for (const account of [1, 2]) line.run(account, at, index + 1, (index + 1) * 10);
  }
  line.run(3, began + 50 * dayMs, 1, 10);
  former.close();
  open();
  for (const amount of [1, 2]) await enter(1, amount);
  bookedAt += dayMs;
  await enter(1, 3);
  const after = (account: number) => linesOf(account).map((one) => [one.at, one.bookedAt]);
  const old = times.map((at) => [at, at]);
  const fresh = [began, began, began + dayMs].map((at) => [at + 1, at]);
  expect(after(1)).toEqual([...old, ...fresh]);
  expect(after(2)).toEqual(old);
  const { ledger } = store.tables;
  expect([1, 2, 3].map((account) => ledger.balanceOf(account).settled)).toEqual([46, 40, 10]);
  expect(ledger.settledBefore(1, began + 30 * dayMs)).toBe(26);
  expect(ledger.page(1, null, 3).map(({ number }) => number)).toEqual([7, 6, 5]);
  expect(ledger.page(1, 5, 10).map(({ number }) => number)).toEqual([4, 3, 2, 1]);
  expect(ledger.entered(1, began, began + 2 * dayMs).map(({ amount }) => amount)).toEqual([1, 2, 3]);
  for (const account of [1, 2, 3, 4]) expectSums(ledger, account);
  store.close();
  open();
  await enter(1, 4);
  expect(after(1).at(-1)).toEqual([began + dayMs + 1, began + dayMs]);
  expectSums(store.tables.ledger, 1);
});

test("whatever the booking time does, sums are right, also after a restart", async () => {
  const steps = fc.array(
    fc.record({
      goMs: fc.oneof(fc.integer({ min: 0, max: dayMs }), fc.integer({ min: -5 * dayMs, max: 0 })),
      amount: fc.integer({ min: 1, max: 100 }),
      account: fc.constantFrom(1, 2),
      restarts: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
    }),
    { minLength: 5, maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      for (const { goMs, amount, account, restarts } of taken) {
        bookedAt += goMs;
        await enter(account, amount);
        if (restarts) {
          store.close();
          open();
        }
      }
      for (const account of [1, 2]) expectSums(store.tables.ledger, account);
    }),
    { numRuns: 10 },
  );
});

test("what is left to spend counts what the same transaction reserved and gave back, also for the next in its group", async () => {
  await enter(1, 100);
  const left = await Promise.all([
    store.write(({ ledger }) => {
      ledger.reserve(1, 60);
      return ledger.availableOf(1);
    }),
    store.write(({ ledger }) => {
      const before = ledger.availableOf(1);
      ledger.release(1, 25);
      return [before, ledger.availableOf(1)];
    }),
  ]);
  expect(left).toEqual([40, [40, 65]]);
  expect(store.tables.ledger.availableOf(1)).toBe(65);
  expect(store.tables.ledger.page(1, null, 1)).toMatchObject([
    { kind: "messages", amount: 0, reserved: 60, released: 25, note: null, actor: null, reference: null },
  ]);
});

test("nothing is booked before somebody has said by which clock", async () => {
  store.close();
  store = openMigratedStore({ folder: folder.path, now: began });
  await expect(enter(1, 100)).rejects.toThrow("Nobody has said by which clock the ledger is booked");
});
