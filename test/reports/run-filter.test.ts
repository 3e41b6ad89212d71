/** A search that skips runs of messages finds what a scan of every message finds, whatever was accepted, moved or deleted. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type MessageClass,
  type MessageErrorCode,
  type MessageState,
  messageErrorCodes,
  messageStates,
} from "../../src/domain/message.ts";
import { canMove } from "../../src/domain/status.ts";
import { forgetOld } from "../../src/messaging/messages/retention.ts";
import { ExportTask, RunFilter, SearchTask } from "../../src/reports/search-task.ts";
import type { MessageFilter } from "../../src/store/message-search.ts";
import type { NewMessage } from "../../src/store/messages.ts";
import { openReader, type Reader } from "../../src/store/reader.ts";
import { RollupCounts, slotMs } from "../../src/store/rollup-counts.ts";
import { runIds } from "../../src/store/search-keys.ts";
import type { Store, Tables } from "../../src/store/store.ts";
import { openMigratedStore } from "../support/migrated-store.ts";
import { temporaryFolder } from "../support/test-server.ts";

const dayMs = 86_400_000;
const begunAt = 1_790_000_000_000;
/** Ids without a message between two that have one, so that a run fills up soon. */
const gap = 3_000;

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
let reader: Reader;

function open(): void {
  folder = temporaryFolder();
  store = openMigratedStore({ folder: folder.path, now: 1 });
  reader = openReader(store.path);
}
function close(): void {
  reader.close();
  store.close();
  folder.remove();
}
beforeEach(open);
afterEach(close);

type Accepted = Pick<NewMessage, "accountId" | "class" | "submittedAt"> & { isTest?: 0 | 1 };

let codes = 0;

function rowOf(accepted: Accepted): NewMessage {
  codes += 1;
  return {
    senderId: 1,
    isTest: 0,
    ...accepted,
    trackingCode: `RF${codes}`,
    sender: "3000",
    recipient: "+989120000010",
    text: "x",
    clientReference: null,
    encoding: "Latin",
    characterCount: 1,
    partCount: 1,
    sendAt: null,
    validUntil: accepted.submittedAt + dayMs,
  };
}

/** The next message, after a gap. */
function accept(tables: Tables, accepted: Accepted): number {
  const id = tables.messageSearch.end() + gap;
  const row = rowOf(accepted);
  tables.rollups.accepted(row);
  tables.messages.insertStaged(id, row);
  return id;
}

/** Moves a message as far as the status graph allows. */
function move(tables: Tables, id: number, to: MessageState, routeId: number, errorCode: MessageErrorCode): void {
  const row = tables.messages.byId(id);
  if (row === null || !canMove(row.state, to)) return;
  const at = row.updatedAt + 1_000;
  tables.messages.move(row, {
    to,
    at,
    ...(to === "submitting" && { routeId }),
    ...(to === "failed" && { errorCode }),
  });
}

/** Adds full runs to the index. */
async function indexed(): Promise<void> {
  for (let run = store.tables.searchIndex.nextRun(); run !== null; run = store.tables.searchIndex.nextRun()) {
    const growing = run;
    while (store.tables.searchIndex.read(growing, runIds));
    await store.write((tables) => tables.searchIndex.insert(growing));
  }
}

/** All pages of a search, as the reading thread would answer them. */
function searched(filter: MessageFilter, limit: number): number[] {
  const found: number[] = [];
  for (let before: number | null = null; ; ) {
    const task = new SearchTask(reader, { filter, before, limit, workMs: 60_000 }, () => 0);
    let page = reader.within(() => task.step());
    while (page === null) page = reader.within(() => task.step());
    found.push(...page.messages.map(({ id }) => id));
    before = page.continueBefore;
    if (before === null) return found;
  }
}

/** Every message, one statement. */
const scanned = (filter: MessageFilter): number[] =>
  reader.messages.slice(filter, 1, reader.messages.end(), 1_000_000).map(({ id }) => id);

const accepted = fc.record({
  accountId: fc.integer({ min: 1, max: 3 }),
  class: fc.constantFrom<MessageClass>(0, 1, 2),
  /** Since the last one; a clock that is set back is not an hour wrong. */
  laterMs: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: slotMs }) },
    { weight: 1, arbitrary: fc.integer({ min: -3_600_000, max: 0 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 * dayMs }) },
  ),
  isTest: fc.constantFrom<0 | 1>(0, 0, 0, 0, 0, 0, 0, 0, 1),
});
const moved = fc.record({
  which: fc.nat(),
  to: fc.constantFrom<MessageState>(...messageStates, "submitting", "failed", "failed"),
  routeId: fc.integer({ min: 1, max: 3 }),
  errorCode: fc.constantFrom<MessageErrorCode>(...messageErrorCodes),
});
const change = fc.oneof(
  { weight: 10, arbitrary: fc.record({ accept: fc.array(accepted, { minLength: 1, maxLength: 25 }) }) },
  { weight: 8, arbitrary: fc.record({ move: fc.array(moved, { minLength: 1, maxLength: 25 }) }) },
  { weight: 2, arbitrary: fc.record({ publish: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 2, arbitrary: fc.record({ hide: fc.integer({ min: 1, max: 40 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      forget: fc.record({ messages: fc.integer({ min: 1, max: 9 }), figures: fc.integer({ min: 1, max: 9 }) }),
    }),
  },
  { weight: 6, arbitrary: fc.constant("index" as const) },
);
type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;

const filters = fc.array(
  fc.record(
    {
      accountId: fc.integer({ min: 1, max: 4 }),
      routeIds: fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 2 }),
      errorCode: fc.constantFrom<MessageErrorCode>(...messageErrorCodes),
      states: fc.uniqueArray(fc.constantFrom<MessageState>(...messageStates), { minLength: 1, maxLength: 3 }),
      from: fc.integer({ min: begunAt, max: begunAt + 9 * dayMs }),
      to: fc.integer({ min: begunAt, max: begunAt + 9 * dayMs }),
    },
    { requiredKeys: [] },
  ),
  { minLength: 12, maxLength: 12 },
);

/** Applied in order, with the time at which the last message was accepted. */
class History {
  #at = begunAt;
  readonly #ids: number[] = [];

  async apply(one: Change): Promise<void> {
    if (one === "index") await indexed();
    else if ("accept" in one) {
      for (const { laterMs, ...rest } of one.accept) {
        this.#at += laterMs;
        const message = { ...rest, submittedAt: this.#at };
        this.#ids.push(await store.write((tables) => accept(tables, message)));
      }
    } else if ("move" in one) {
      await store.write((tables) => {
        for (const { which, to, routeId, errorCode } of one.move) {
          move(tables, this.#ids[which % this.#ids.length] ?? 0, to, routeId, errorCode);
        }
      });
    } else if ("forget" in one) {
      const { messages, figures } = one.forget;
      const settings = { messageDays: messages, idempotencyDays: 30, rollupDays: figures };
      await forgetOld(store, this.#at, settings);
    } else await this.#stage("publish" in one ? one.publish : one.hide, "publish" in one);
  }

  async #stage(count: number, isPublished: boolean): Promise<void> {
    const rows = Array.from({ length: count }, () => rowOf({ accountId: 2, class: 2, submittedAt: this.#at }));
    const counts = new RollupCounts();
    for (const row of rows) counts.addAccepted(row);
    const run = await store.write((tables) => {
      const reserved = tables.stagedRuns.reserve(count);
      for (const [index, row] of rows.entries()) tables.messages.insertStaged(reserved.firstMessageId + index, row);
      return reserved;
    });
    store.tables.stagedRuns.hide(run);
    if (!isPublished) return;
    await store.write((tables) => {
      tables.rollups.acceptedRun(counts);
      tables.stagedRuns.publish(run, this.#at);
    });
    store.tables.stagedRuns.reveal(run);
    await store.write((tables) => tables.stagedRuns.release(run, count));
  }
}

test("a filtered search finds what a look at every message finds, page by page", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 4, maxLength: 30 }),
      filters,
      fc.integer({ min: 1, max: 30 }),
      async (changes, asked, limit) => {
        close();
        open();
        const history = new History();
        for (const one of changes) await history.apply(one);
        for (const filter of asked) expect(searched(filter, limit)).toEqual(scanned(filter));
      },
    ),
    { numRuns: 40 },
  );
}, 180_000);

/** Two runs: messages of one account in the first quarter of an hour, of another in the second; and one after the runs. */
async function twoRuns(isTest: 0 | 1 = 0): Promise<void> {
  for (let id = 0; id <= 2 * runIds; ) {
    const run = Math.floor((id + gap) / runIds);
    const message = { accountId: 1 + run, class: 1 as const, submittedAt: begunAt + run * slotMs, isTest };
    id = await store.write((tables) => accept(tables, message));
  }
  await indexed();
}

/** Ids of the runs that are searched, by the index of the run. */
function lookedAt(filter: MessageFilter): number[] {
  const runs = new RunFilter(reader.rollups, filter);
  const newest = reader.lookup.runBefore(reader.messages.end());
  const oldest = newest && reader.lookup.runBefore(newest.firstMessageId);
  return [oldest, newest].flatMap((run, index) => (run !== null && runs.mayHold(run) ? [index] : []));
}

test("a filtered search skips runs that times and figures rule out", async () => {
  await twoRuns();
  expect(lookedAt({})).toEqual([0, 1]);
  expect(lookedAt({ sender: "nobody" })).toEqual([0, 1]);
  expect(lookedAt({ accountId: 1 })).toEqual([0]);
  expect(lookedAt({ accountId: 7 })).toEqual([]);
  expect(lookedAt({ states: ["failed"] })).toEqual([]);
  expect(lookedAt({ states: ["ready", "failed"] })).toEqual([0, 1]);
  expect(lookedAt({ errorCode: "expired" })).toEqual([]);
  expect(lookedAt({ routeIds: [1] })).toEqual([]);
  expect(lookedAt({ to: begunAt + 1 })).toEqual([0]);
  expect(lookedAt({ from: begunAt + slotMs - 1 })).toEqual([1]);
  const [first] = scanned({ accountId: 1 }).toReversed();
  await store.write((tables) => move(tables, first ?? 0, "failed", 1, "expired"));
  expect(lookedAt({ states: ["failed"], errorCode: "expired" })).toEqual([0]);
  expect(lookedAt({ states: ["failed"], errorCode: "blocked" })).toEqual([]);
});

test("a filtered search reads everything where figures do not suffice: tests, deleted or uncounted figures", async () => {
  await twoRuns(1);
  expect(lookedAt({ states: ["failed"] })).toEqual([0, 1]);
  expect(searched({ accountId: 2 }, 50)).toEqual(scanned({ accountId: 2 }));
  close();
  open();
  await twoRuns();
  expect(lookedAt({ states: ["failed"] })).toEqual([]);
  await store.write((tables) => tables.rollups.removeSlot(begunAt + 1));
  expect(lookedAt({ states: ["failed"] })).toEqual([0]);
  const database = new Database(store.path);
  database.run("UPDATE rollup_state SET fill_end = 1");
  database.close();
  expect(lookedAt({ states: ["failed"] })).toEqual([0, 1]);
});

test("an export skips the same runs as a search", async () => {
  await twoRuns();
  const task = new ExportTask(reader, { filter: { accountId: 1 }, before: null, writing: { routeNames: {} } }, () => 0);
  let page = task.step();
  while (page === null) page = task.step();
  expect(page.lines.trim().split("\r\n")).toHaveLength(scanned({ accountId: 1 }).length);
});

test("a filtered search finds messages that arrived after all others were deleted, before their runs were", async () => {
  await twoRuns();
  await store.write((tables) => {
    // The oldest still waits, so it stays; the newest keeps its id.
    for (const id of scanned({}).slice(0, -1)) move(tables, id, "failed", 1, "expired");
    tables.retention.prune(0, begunAt + dayMs, 1_000, { since: 0 });
    tables.searchIndex.removed();
  });
  const [newest = 0, ...others] = scanned({});
  expect(others).toHaveLength(1);
  const message = { accountId: 3, class: 1 as const, submittedAt: begunAt + dayMs };
  const id = await store.write((tables) => accept(tables, message));
  expect(id).toBeGreaterThan(newest);
  await indexed();
  const found = searched({ accountId: 3 }, 10);
  expect(found).toEqual(scanned({ accountId: 3 }));
  expect(found).toContain(id);
});
