/** Figures equal a full count after any write, roll-back, upgrade or pruning. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { deliveryTimeClass, deliveryTimeWithin } from "../../src/domain/delivery-time.ts";
import {
  type MessageClass,
  type MessageErrorCode,
  type MessageState,
  messageStates,
} from "../../src/domain/message.ts";
import { canMove } from "../../src/domain/status.ts";
import { forgetOld } from "../../src/messaging/messages/retention.ts";
import { silentLog } from "../../src/platform/log.ts";
import { CatchUp } from "../../src/reports/catch-up.ts";
import { openDatabase } from "../../src/store/database.ts";
import { migrations } from "../../src/store/migrations.ts";
import { openStore, type Store, type Tables } from "../../src/store/store.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { figuresOf } from "../support/rollups.ts";
import { createSendingServer, numbersCsv, requestOf } from "../support/sending-server.ts";
import { createTestServer, temporaryFolder } from "../support/test-server.ts";

const dayMs = 86_400_000;
let folder: ReturnType<typeof temporaryFolder>;
let reader: Database | null = null;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  reader?.close();
  reader = null;
  folder.remove();
});

function expectEqual(path = folder.path): void {
  reader?.close();
  reader = new Database(join(path, "peyk.db"), { readonly: true });
  const { rollups, counted } = figuresOf(reader);
  expect(rollups).toEqual(counted);
}

const accepted = fc.record({
  accountId: fc.integer({ min: 1, max: 3 }),
  senderId: fc.integer({ min: 1, max: 4 }),
  class: fc.constantFrom<MessageClass>(0, 1, 2),
  network: fc.integer({ min: 0, max: 2 }),
  partCount: fc.integer({ min: 1, max: 5 }),
  submittedAt: fc.integer({ min: 1_790_000_000_000, max: 1_790_000_000_000 + 4 * 3_600_000 }),
  sendAt: fc.option(fc.constant(1_790_000_000_000 + 3_600_000)),
  isTest: fc.constantFrom<0 | 1>(0, 0, 0, 1),
});
type Accepted = typeof accepted extends fc.Arbitrary<infer Row> ? Row : never;

const step = fc.record({
  /** Of all messages so far. */
  which: fc.nat(),
  to: fc.constantFrom<MessageState>(...messageStates),
  afterMs: fc.integer({ min: 0, max: 3 * dayMs }),
  routeId: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  errorCode: fc.constantFrom<MessageErrorCode>("expired", "undeliverable", "rejected_by_network"),
});

type Change = { accept: Accepted } | { move: typeof step extends fc.Arbitrary<infer Step> ? Step : never } | "throws";

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ accept: accepted }) },
  { weight: 8, arbitrary: fc.record({ move: step }) },
  { weight: 1, arbitrary: fc.constant("throws" as const) },
);

let codes = 0;

function insert(tables: Tables, row: Accepted): void {
  codes += 1;
  tables.messages.insert({
    ...row,
    trackingCode: `R${codes}`,
    sender: "3000",
    recipient: "+989120000010",
    text: "x",
    clientReference: null,
    encoding: "Latin",
    characterCount: 1,
    validUntil: row.submittedAt + dayMs,
  });
}

/** Runs a possible write of the service in its transaction; transitions outside the status graph are left out. */
function apply(tables: Tables, one: Change, newestId: number): void {
  if (one === "throws") throw new Error("a defect");
  if ("accept" in one) {
    insert(tables, one.accept);
    return;
  }
  const { which, to, afterMs, routeId, errorCode } = one.move;
  const row = newestId === 0 ? null : tables.messages.byId(1 + (which % newestId));
  if (row === null || !canMove(row.state, to)) return;
  tables.messages.move(row, {
    to,
    at: row.updatedAt + afterMs,
    ...(to === "submitting" && routeId !== undefined && { routeId }),
    ...(to === "failed" && { errorCode }),
  });
}

/** Every inner list is a commit. */
async function run(store: Store, commits: readonly (readonly Change[])[]): Promise<void> {
  for (const changes of commits) {
    const newestId = store.tables.messageSearch.end() - 1;
    await Promise.allSettled(changes.map((one) => store.write((tables) => apply(tables, one, newestId))));
  }
}

const commits = fc.array(fc.array(change, { minLength: 1, maxLength: 12 }), { maxLength: 25 });

describe("figures equal a full count", () => {
  test("after any writes, even if one of a group throws and the others run again", async () => {
    await fc.assert(
      fc.asyncProperty(commits, async (made) => {
        const own = temporaryFolder();
        const store = openStore({ folder: own.path, now: 1 });
        await run(store, made);
        store.close();
        expectEqual(own.path);
        own.remove();
      }),
      { numRuns: 20 },
    );
  }, 180_000);

  test("after an upgrade from the first schema, whatever changes while old messages are counted", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 60 }),
        commits,
        fc.array(fc.integer({ min: 1, max: 30 })),
        async (count, made, fills) => {
          const own = temporaryFolder();
          oldFolder(own.path, count);
          const store = openStore({ folder: own.path, now: 1 });
          for (const [index, changes] of made.entries()) {
            const fill = store.write((tables) => tables.rollups.fill(fills[index] ?? 3));
            const rest = run(store, [changes]);
            await Promise.all([fill, rest]);
          }
          const catchUp = new CatchUp({ store, clock: { after: (_, task) => immediately(task) }, log: silentLog });
          catchUp.start();
          while (catchUp.progress().counted < 1) await new Promise<void>((resolve) => setImmediate(resolve));
          await catchUp.stop();
          store.close();
          expectEqual(own.path);
          own.remove();
        },
      ),
      { numRuns: 15 },
    );
  }, 180_000);

  test("when a group is sent, published or given up, and when messages are cancelled before the queue has them", async () => {
    const server = await createSendingServer();
    await server.start();
    await server.approvedGroup("friends", numbersCsv(300));
    const sent = await server.groupSender.send(server.caller(), requestOf("a"), "friends", {
      sender: "30001",
      message: "سلام {{mobile}}",
    });
    expectEqual(server.folder);
    const cancelled = server.store.tables.messages.byId(sent.firstMessageId + 290);
    await server.canceller.cancel(1, cancelled?.trackingCode ?? "");
    const refused = server.groupSender.send(server.caller(), requestOf("b"), "friends", {
      sender: "30001",
      message: "x",
    });
    await server.store.write((tables) => expect(tables.rollups.filledShare()).toBe(1));
    await refused;
    await server.settled();
    await server.clock.advance(5_000);
    expectEqual(server.folder);
    await server.stop();
  }, 180_000);
});

const immediately = (task: () => void) => {
  setImmediate(task);
  return { cancel: () => {} };
};

/** As version 0.1.0 left it: messages in every state. */
function oldFolder(path: string, count: number): void {
  const { database, close } = openDatabase(path, 1, migrations.slice(0, 4));
  const insertOld = database.prepare(
    `INSERT INTO message (tracking_code, account_id, sender_id, class, state, due_at, sender, recipient, text, encoding,
       character_count, part_count, route_id, error_code, submitted_at, valid_until, final_at, updated_at)
     VALUES (?, 1, 1, 1, ?, 5, '3000', '+989120000010', 'x', 'Latin', 1, 2, ?, ?, ?, 9, ?, 9)`,
  );
  for (let index = 0; index < count; index += 1) {
    const state = messageStates[index % messageStates.length] ?? "ready";
    const at = 1_790_000_000_000 + index * 300_000;
    const final = ["delivered", "failed", "cancelled"].includes(state);
    const error = state === "failed" ? "expired" : null;
    insertOld.run(`OLD${index}`, state, state === "ready" ? null : 1, error, at, final ? at + 7_000 : null);
  }
  close();
}

test("figures stay when their messages are deleted, and are deleted after their own time", async () => {
  const clock = new ManualClock();
  const server = await createTestServer({ clock });
  await server.start();
  await server.sendAll(Array.from({ length: 30 }, () => ({ recipient: "+989121234500" })));
  await clock.advance(5_000);
  const database = () => new Database(join(server.folder, "peyk.db"), { readonly: true });
  const rows = () => {
    reader?.close();
    reader = database();
    return figuresOf(reader);
  };
  const before = rows().rollups;
  const settings = { messageDays: 90, idempotencyDays: 30, rollupDays: 730 };
  clock.jump(91 * dayMs);
  // The newest of all keeps its row.
  expect(await forgetOld(server.store, clock.now(), settings)).toBe(29);
  expect(rows().rollups).toEqual(before);
  expect(before.reduce((sum, [, { messages }]) => sum + messages, 0)).toBe(30);
  clock.jump(640 * dayMs);
  await forgetOld(server.store, clock.now(), settings);
  expect(rows().rollups).toEqual([]);
  await server.stop();
});

test("nothing is deleted before it is counted", async () => {
  oldFolder(folder.path, 40);
  const store = openStore({ folder: folder.path, now: 1 });
  const later = 1_790_000_000_000 + 200 * dayMs;
  const settings = { messageDays: 90, idempotencyDays: 30, rollupDays: 730 };
  await store.write((tables) => tables.rollups.fill(10));
  expect(await forgetOld(store, later, settings)).toBe(0);
  while (await store.write((tables) => tables.rollups.fill(10)));
  expect(await forgetOld(store, later, settings)).toBe(19);
  store.close();
});

test("the median and 95th percentile of each class are within a fifth of the exact values", () => {
  const times = fc.array(fc.double({ min: 60, max: 3 * dayMs, noNaN: true }), { minLength: 1, maxLength: 400 });
  fc.assert(
    fc.property(times, fc.constantFrom(0.5, 0.95), (list, share) => {
      const classes = new Map<number, number>();
      for (const ms of list) {
        const timeClass = deliveryTimeClass(ms);
        classes.set(timeClass, (classes.get(timeClass) ?? 0) + 1);
      }
      const sorted = [...list].sort((a, b) => a - b);
      const exact = sorted[Math.ceil(share * list.length) - 1] ?? 0;
      const told = deliveryTimeWithin(classes, share) ?? 0;
      // A class spans a factor of √2, and the first one reaches from 0 to 100 ms.
      expect(told).toBeLessThanOrEqual(Math.max(exact * Math.SQRT2, 100) + 1);
      expect(told).toBeGreaterThanOrEqual(exact <= 100 ? 0 : exact / Math.SQRT2 - 1);
    }),
  );
  expect(deliveryTimeWithin(new Map(), 0.5)).toBeNull();
});
