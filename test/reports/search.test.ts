/** A search finds what a scan of every message would, in runs and after them, and does not block the event loop. */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { MessageState } from "../../src/domain/message.ts";
import { forgetOld } from "../../src/messaging/messages/retention.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { CatchUp } from "../../src/reports/catch-up.ts";
import { ReadThread } from "../../src/reports/read-thread.ts";
import { Reports } from "../../src/reports/reports.ts";
import type { MessageFilter } from "../../src/store/message-search.ts";
import { runIds } from "../../src/store/search-keys.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { PeykProcess } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

const dayMs = 86_400_000;
const begunAt = 1_790_000_000_000;
const runs = 2;
/** The last of them are after the runs. */
const count = runs * runIds + 3_000;

interface Known {
  id: number;
  recipient: string;
  reference: string | null;
  accountId: number;
}

/** Numbers of 10 to 15 digits, many of them repeated and with common endings. */
function recipientOf(id: number): string {
  if (id % 5 === 0) return "+989121234567";
  if (id % 7 === 0) return `+98912${String((id * 7_919) % 10_000_000).padStart(7, "0")}`;
  if (id % 11 === 0) return `+4790${String(id % 1_000_000).padStart(6, "0")}`;
  return `+${String(100_000_000_000_000 + ((id * 104_729) % 900_000_000) * 1_000_000)}`;
}

const known: Known[] = Array.from({ length: count }, (_, index) => ({
  id: index + 1,
  recipient: recipientOf(index + 1),
  reference: index % 3 === 0 ? `order-${index % 999}` : null,
  accountId: 1 + (index % 2),
}));

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
let thread: ReadThread;
let reports: Reports;

function fill(path: string): void {
  const database = new Database(join(path, "peyk.db"));
  const insert = database.prepare(
    `INSERT INTO message (tracking_code, account_id, sender_id, class, state, sender, recipient, text, client_reference,
       encoding, character_count, part_count, submitted_at, valid_until, final_at, updated_at)
     VALUES ('C' || ?1, ?2, 1, 1, 'delivered', '3000', ?3, 'x', ?4, 'Latin', 1, 1, ?5, ?5, ?5 + 4000, ?5)`,
  );
  database.transaction(() => {
    for (const { id, accountId, recipient, reference } of known) {
      insert.run(id, accountId, recipient, reference, begunAt + id);
    }
    database.run(
      "INSERT INTO smpp_submit (credential_id, message_id, registered_delivery, created_at) SELECT 3, id, 0, 1 FROM message WHERE id % 1000 = 7",
    );
    // As an upgrade finds them: not counted in the figures yet.
    database.run("UPDATE rollup_state SET fill_end = ?", [count]);
  })();
  database.close();
}

async function caughtUp(opened: Store): Promise<void> {
  const catchUp = new CatchUp({ store: opened, clock: systemClock, log: silentLog });
  catchUp.start();
  while (opened.tables.searchIndex.nextRun() !== null) await Bun.sleep(20);
  await catchUp.stop();
}

beforeAll(async () => {
  folder = temporaryFolder();
  openStore({ folder: folder.path, now: 1 }).close();
  fill(folder.path);
  store = openStore({ folder: folder.path, now: 1 });
  await caughtUp(store);
  thread = new ReadThread(store.path, systemClock);
  reports = new Reports(thread);
}, 180_000);
afterAll(async () => {
  await thread.stop();
  store.close();
  folder.remove();
});

function matches(message: Known, { recipient, recipientEnd, clientReference, accountId }: MessageFilter): boolean {
  return (
    (recipient === undefined || message.recipient === recipient) &&
    (recipientEnd === undefined || message.recipient.endsWith(recipientEnd)) &&
    (clientReference === undefined || message.reference === clientReference) &&
    (accountId === undefined || message.accountId === accountId)
  );
}

const anyOne = fc
  .nat(count - 1)
  .map((index) => known[index] ?? { id: 0, recipient: "+1", reference: null, accountId: 1 });
const filters: fc.Arbitrary<MessageFilter> = fc.oneof(
  anyOne.map(({ recipient }) => ({ recipient })),
  fc.record({ one: anyOne, digits: fc.integer({ min: 4, max: 14 }) }).map(({ one, digits }) => ({
    recipientEnd: one.recipient.slice(1).slice(-digits),
  })),
  anyOne.map(({ reference }) => ({ clientReference: reference ?? "none" })),
  anyOne.map(({ recipient, accountId }) => ({ recipientEnd: recipient.slice(-5), accountId })),
  fc.constant({ recipientEnd: "0000" }),
);

/** Up to the limit or the end: on a busy machine a page ends before. */
async function wholeSearch(filter: MessageFilter, before: number | null, limit: number) {
  const page = await reports.search(filter, before, limit);
  const { continueBefore, messages } = page;
  if (continueBefore === null || messages.length === limit) return page;
  const rest: typeof page = await wholeSearch(filter, continueBefore, limit - messages.length);
  return { ...rest, messages: [...messages, ...rest.messages] };
}

describe("a search", () => {
  test("finds by number, last digits and reference what a look at every message finds, page by page", async () => {
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 90, max: 900 }), async (filter, limit) => {
        const wanted = known
          .filter((message) => matches(message, filter))
          .map(({ id }) => id)
          .reverse();
        const found: number[] = [];
        for (let before: number | null = null; found.length < 1_000; ) {
          const page = await reports.search(filter, before, limit);
          found.push(...page.messages.map(({ id }) => id));
          before = page.continueBefore;
          if (before === null) break;
        }
        expect(found).toEqual(wanted.slice(0, found.length));
        if (found.length < 1_000) expect(found.length).toBe(wanted.length);
      }),
      { numRuns: 40 },
    );
  }, 180_000);

  test("reports how far it looked, and reads every message where there is no index", async () => {
    const page = await wholeSearch({ sender: "nobody" }, null, 10);
    expect(page).toEqual({ messages: [], continueBefore: null, lookedBackTo: begunAt + 1 });
    const some = await reports.search({ accountId: 2 }, 101, 5);
    expect(some.messages.map(({ id }) => id)).toEqual([100, 98, 96, 94, 92]);
    expect(some).toMatchObject({ continueBefore: 92, lookedBackTo: begunAt + 92 });
  });

  test("finds by class, slowness, due time and SMPP credential, which have no index, and says how far it looked", async () => {
    const found = async (filter: MessageFilter, limit = 5) => {
      const { messages } = await wholeSearch(filter, null, limit);
      return messages.map(({ id }) => id);
    };
    const newest = [count, count - 1];
    const slowerThan = (thanMs: number) => ({ slower: { thanMs, now: 0 } });
    expect(await found(slowerThan(3_999), 2)).toEqual(newest);
    expect(await found(slowerThan(4_000), 2)).toEqual([]);
    expect(await found({ class: 1 }, 2)).toEqual(newest);
    expect(await found({ class: 0 }, 2)).toEqual([]);
    expect(await found({ network: 0 }, 2)).toEqual(newest);
    expect(await found({ dueFrom: begunAt + 40, dueTo: begunAt + 43 })).toEqual([42, 41, 40]);
    const submitted = await found({ smppCredentialId: 3 });
    expect(submitted.map((id) => id % 1_000)).toEqual([7, 7, 7, 7, 7]);
    expect(await found({ smppCredentialId: 4 })).toEqual([]);
  });

  test("counts messages accepted since, by the filter and up to a limit", async () => {
    const { count: none, newest } = await reports.newer({}, { after: null, limit: 10, shown: 0 });
    expect([none, newest]).toEqual([0, count]);
    expect(await reports.newer({}, { after: newest, limit: 10, shown: 0 })).toMatchObject({ count: 0, newest });
    expect(await reports.newer({}, { after: newest - 7, limit: 10, shown: 0 })).toMatchObject({ count: 7, newest });
    expect(await reports.newer({}, { after: newest - 70, limit: 10, shown: 0 })).toMatchObject({ count: 10, newest });
    expect(await reports.newer({ accountId: 2 }, { after: newest - 7, limit: 10, shown: 2 })).toMatchObject({
      count: known.filter(({ id, accountId }) => id > newest - 7 && accountId === 2).length,
      newest,
    });
    // The search index has runs that contain more than is asked for.
    for (const after of [runs * runIds - 300, runs * runIds - 1, runs * runIds + 5]) {
      const wanted = known.filter(({ id, recipient }) => id > after && recipient.endsWith("4567")).length;
      const counted = async () =>
        (await reports.newer({ recipientEnd: "4567" }, { after: after, limit: 1_000_000, shown: 0 })).count;
      // On a busy machine a tenth of a second may not reach all of them.
      let count = await counted();
      while (count < wanted) count = await counted();
      expect(count).toBe(wanted);
    }
  });

  test("for failed messages reads only these, wherever they are", () => {
    const once = (states: MessageFilter["states"]) => {
      const { user, system } = process.threadCpuUsage();
      for (let round = 0; round < 20; round += 1) {
        expect(store.tables.messageSearch.slice({ states }, 1, count + 1, 50)).toEqual([]);
      }
      const used = process.threadCpuUsage({ user, system });
      return (used.user + used.system) / 1_000;
    };
    /** Other programs evict the processor's caches. */
    const cpuMs = (state: MessageState) => Math.min(...Array.from({ length: 3 }, () => once([state])));
    expect(5 * cpuMs("failed")).toBeLessThan(cpuMs("cancelled"));
  });

  test("that was abandoned ends, and the next one is answered", async () => {
    const given = new AbortController();
    const asked = Array.from({ length: 20 }, () => reports.search({ sender: "nobody" }, null, 10, given.signal));
    given.abort();
    const rejected = { status: "rejected" as const, reason: expect.objectContaining({ name: "AbortError" }) };
    expect(await Promise.allSettled(asked)).toEqual(Array.from(asked, () => rejected));
    expect((await reports.search({ clientReference: "order-0" }, null, 1)).messages).toHaveLength(1);
    await expect(reports.search({}, null, 1, given.signal)).rejects.toThrow();
  });

  test("does not see messages of a run that is not published", async () => {
    const row = { accountId: 1, senderId: 1, class: 2 as const, sender: "3000", text: "x", clientReference: "hidden" };
    const rest = { encoding: "Latin" as const, characterCount: 1, partCount: 1, submittedAt: 1, sendAt: null };
    const run = await store.write((tables) => {
      const reserved = tables.stagedRuns.reserve(2);
      for (const index of [0, 1]) {
        const message = { ...row, ...rest, trackingCode: `H${index}`, recipient: "+15550001111", validUntil: 2 };
        tables.messages.insertStaged(reserved.firstMessageId + index, message);
      }
      return reserved;
    });
    store.tables.stagedRuns.hide(run);
    expect((await reports.search({ clientReference: "hidden" }, null, 5)).messages).toEqual([]);
    await store.write((tables) => tables.stagedRuns.publish(run, 3));
    store.tables.stagedRuns.reveal(run);
    expect((await reports.search({ clientReference: "hidden" }, null, 5)).messages).toHaveLength(2);
    await store.write((tables) => tables.stagedRuns.release(run, 2));
  });

  test("is exported whole, page by page", async () => {
    const pieces = await Array.fromAsync(
      reports.export({ clientReference: "order-3" }, { routeNames: { 1: "operator-a" } }),
    );
    const [head, ...lines] = pieces.join("").split("\r\n").slice(0, -1);
    expect(head).toStartWith("trackingCode,account,sender,recipient,status,");
    const ids = lines.map((line) => Number(/^C(\d+),/.exec(line)?.[1]));
    expect(ids).toEqual(
      known
        .filter(({ reference }) => reference === "order-3")
        .map(({ id }) => id)
        .reverse(),
    );
  });

  test("finds messages that reuse ids of deleted ones, and runs are deleted with their messages", async () => {
    const settings = { messageDays: 90, idempotencyDays: 30, rollupDays: 730 };
    // The two of the published run wait, so they stay.
    expect(await forgetOld(store, begunAt + 200 * dayMs, settings)).toBe(count);
    const database = new Database(store.path, { readonly: true });
    const left = database.query("SELECT count(*) AS runs FROM search_run").get();
    const pages = database.query("SELECT count(*) AS pages FROM search_page").get();
    database.close();
    expect([left, pages]).toEqual([{ runs: 0 }, { pages: 0 }]);
    expect((await reports.search({ recipientEnd: "1234567" }, null, 5)).messages).toEqual([]);
    expect((await reports.search({ recipientEnd: "1111" }, null, 5)).messages).toHaveLength(2);
  }, 180_000);
});

test("figures are added up by day of the zone and by the requested grouping", async () => {
  const own = temporaryFolder();
  const opened = openStore({ folder: own.path, now: 1 });
  const reading = new ReadThread(opened.path, systemClock);
  // 20:15 UTC is 23:45 in Tehran; 20:45 is 00:15 of the next day.
  const evening = Date.parse("2026-11-20T20:15:00Z");
  const row = { senderId: 1, class: 1 as const, sender: "3000", recipient: "+989120000010", text: "x" };
  const rest = {
    clientReference: null,
    encoding: "Latin" as const,
    characterCount: 1,
    sendAt: null,
    validUntil: 2 ** 45,
  };
  await opened.write((tables) => {
    for (const [index, at] of [evening, evening + 30 * 60_000, evening + 31 * 60_000].entries()) {
      const message = { ...row, ...rest, accountId: 1 + (index % 2), partCount: 2, trackingCode: `F${index}` };
      const stored = tables.messages.byId(tables.messages.insert({ ...message, submittedAt: at }));
      const claimed = stored && tables.messages.move(stored, { to: "submitting", at, routeId: 7 });
      const sent = claimed && tables.messages.move(claimed, { to: "submitted", at });
      if (sent !== null && index < 2) tables.messages.move(sent, { to: "delivered", at: at + 3_000 });
      else if (sent !== null) tables.messages.move(sent, { to: "failed", at, errorCode: "undeliverable" });
    }
  });
  const asked = { from: evening, to: evening + dayMs, timeZone: "Asia/Tehran", filter: {} } as const;
  const days = await new Reports(reading).figures({ ...asked, by: [], period: "day", calendar: "persian" });
  expect(
    days.map(({ period, messages, parts, statuses, errors }) => ({ period, messages, parts, statuses, errors })),
  ).toEqual([
    { period: "1405-08-29", messages: 1, parts: 2, statuses: { delivered: 1 }, errors: {} },
    {
      period: "1405-08-30",
      messages: 2,
      parts: 4,
      statuses: { delivered: 1, failed: 1 },
      errors: { undeliverable: 1 },
    },
  ]);
  expect(days[0]?.deliveryMedianMs).toBeGreaterThan(2_400);
  expect(days[0]?.deliveryMedianMs).toBeLessThan(3_600);
  const accounts = await new Reports(reading).figures({
    ...asked,
    by: ["accountId", "routeId"],
    period: "all",
    calendar: "gregory",
    filter: { accountId: 1 },
  });
  expect(accounts).toMatchObject([{ period: "", accountId: 1, routeId: 7, messages: 2, parts: 4 }]);
  await reading.stop();
  opened.close();
  own.remove();
});

/** A thread's nice value, see proc(5). */
function niceOf(pid: number, thread = pid): number {
  const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
}

test("the built server searches in its reading thread", async () => {
  const folder = temporaryFolder();
  const before = niceOf(process.pid);
  const peyk = await PeykProcess.start({ folder: folder.path, cwd: folder.path });
  const customer = await peyk.customer();
  await peyk.send(customer, { recipient: "09121234567" });
  for (const recipient of ["۰۹۱۲۱۲۳۴۵۶۷", "4567", "+98 912 123 4567"]) {
    const found = await peyk.operate("GET", `/messages?recipient=${encodeURIComponent(recipient)}`);
    expect(found).toMatchObject({ messages: [{ recipient: "+989121234567" }], nextCursor: null });
  }
  expect(await peyk.operate("GET", "/status")).toMatchObject({ reports: { counted: 1, indexed: 1 } });
  // The serving thread is never slowed down with it, and neither is faster than what started them, under `nice` too.
  const own = niceOf(peyk.pid);
  expect(own).toBe(before);
  const threads = readdirSync(`/proc/${peyk.pid}/task`).map((thread) => niceOf(peyk.pid, Number(thread)));
  expect({ fastest: Math.min(...threads), slowest: Math.max(...threads) }).toEqual({
    fastest: own,
    slowest: Math.max(own, 10),
  });
  expect(await peyk.stop()).toBe(0);
  folder.remove();
}, 180_000);

test("a client that leaves in the middle of its search causes no error in the log", async () => {
  const own = temporaryFolder();
  const peyk = await PeykProcess.start({ folder: own.path });
  const unix = join(own.path, "peyk.sock");
  for (let round = 0; round < 5; round += 1) {
    const given = new AbortController();
    const asked = fetch("http://localhost/messages?sender=nobody", { unix, signal: given.signal });
    setTimeout(() => given.abort(), round * 3);
    await asked.catch(() => null);
  }
  expect(await peyk.operate("GET", "/messages")).toMatchObject({ messages: [] });
  expect(await peyk.stop()).toBe(0);
  expect(peyk.log).not.toContain("operator API");
  own.remove();
}, 180_000);
