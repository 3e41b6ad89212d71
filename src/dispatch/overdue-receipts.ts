/** Asks carriers about messages whose receipt stays out, for the routes that can ask. The answers come as receipts. */
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import { nextTurn } from "../platform/next-turn.ts";
import type { OverduePart, Provider, ReceiptQueries } from "../providers/provider.ts";
import type { AwaitedReceiptRow } from "../store/awaited-receipts.ts";
import { isDecided } from "../store/parts.ts";
import type { Store, Tables } from "../store/store.ts";

const everyMs = 1_000;
/** Rows in one transaction: a few milliseconds. */
const sliceRows = 500;
/** Messages that are looked through where a route begins to ask. */
const enrolledMax = 100_000;
/** Older ones were asked about before, or never will be reported on. */
const enrolledMsMax = 72 * 3_600_000;
/** What could not be asked for so long is not asked about any more: a carrier that never reports must not fill the disk. */
const lateMsMax = 24 * 3_600_000;

export interface OverdueReceiptsDeps {
  store: Store;
  clock: Clock;
  log: Logger;
}

/** A running route, as far as it is of interest here. */
interface AskingRoute {
  configuration: { id: number };
  provider: Pick<Provider, "receiptQueries">;
}

export class OverdueReceipts {
  readonly #deps: OverdueReceiptsDeps;
  /** Those whose earlier messages were looked for. */
  readonly #enrolled = new WeakSet<ReceiptQueries>();
  #lookAt = 0;
  #looking: Promise<void> | null = null;

  constructor(deps: OverdueReceiptsDeps) {
    this.#deps = deps;
  }

  /** To be called often: looks once a second, and not while it still does. */
  look(routes: Iterable<AskingRoute>): void {
    const { clock, log } = this.#deps;
    if (this.#looking !== null || clock.monotonic() < this.#lookAt) return;
    this.#lookAt = clock.monotonic() + everyMs;
    const asking = [...routes].filter(({ provider }) => provider.receiptQueries != null);
    if (asking.length === 0) return;
    this.#looking = this.#ask(asking)
      .catch((reason: unknown) => log.error({ err: reason }, "carriers were not asked about receipts that stay out"))
      .finally(() => {
        this.#looking = null;
      });
  }

  /** Resolves when nothing is being looked at. */
  async settled(): Promise<void> {
    await this.#looking;
  }

  /** Forgets what routes that ask no more have left. */
  async forgetOthers(routes: Iterable<AskingRoute>): Promise<void> {
    const { store } = this.#deps;
    const asking = new Set([...routes].filter(asks).map(({ configuration }) => configuration.id));
    for (const routeId of store.tables.awaitedReceipts.routeIds()) {
      if (asking.has(routeId)) continue;
      while ((await store.write((tables) => tables.awaitedReceipts.forget(routeId, sliceRows))) === sliceRows);
    }
  }

  async #ask(routes: readonly AskingRoute[]): Promise<void> {
    for (const { configuration, provider } of routes) {
      const { receiptQueries } = provider;
      if (receiptQueries == null) continue;
      await this.#enrol(configuration.id, receiptQueries);
      await this.#askRoute(configuration.id, receiptQueries);
    }
  }

  /** Where a route begins to ask, the newest of the messages that it sent before are asked about, too. */
  async #enrol(routeId: number, queries: ReceiptQueries): Promise<void> {
    if (this.#enrolled.has(queries)) return;
    this.#enrolled.add(queries);
    const { store, clock } = this.#deps;
    if (store.tables.awaitedReceipts.routeIds().includes(routeId)) return;
    const end = store.tables.messageSearch.end();
    const first = Math.max(end - enrolledMax, 1);
    for (let before = end; before > first; before -= sliceRows) {
      const parts = store.tables.parts.unreported(Math.max(before - sliceRows, first), before);
      const found = new Set(parts.filter((part) => part.routeId === routeId).map(({ messageId }) => messageId));
      if (found.size > 0) await store.write((tables) => planFirst(tables, routeId, found, queries, clock.now()));
      await nextTurn();
    }
  }

  async #askRoute(routeId: number, queries: ReceiptQueries): Promise<void> {
    const { store, clock } = this.#deps;
    for (;;) {
      const room = queries.room();
      const now = clock.now();
      const due = store.tables.awaitedReceipts.due(routeId, now, sliceRows);
      if (due.length === 0 || room === 0) return;
      const looked = await store.write((tables) => lookAt(tables, due, queries, { room, now }));
      if (looked.parts.length > 0) queries.ask(looked.parts);
      if (looked.rows < sliceRows) return;
    }
  }
}

const asks = ({ provider }: AskingRoute) => provider.receiptQueries != null;

function planFirst(
  tables: Tables,
  routeId: number,
  messageIds: Iterable<number>,
  queries: ReceiptQueries,
  now: number,
): void {
  for (const messageId of messageIds) {
    const sentAt = tables.messages.byId(messageId)?.sentAt ?? 0;
    const dueAt = sentAt < now - enrolledMsMax ? null : queries.nextAt({ asked: 0, sentAt }, now);
    if (dueAt !== null) tables.awaitedReceipts.insert({ routeId, dueAt, messageId, asked: 0 });
  }
}

/** Plans the next look at what is still open, until there is no room for more questions. Returns what to ask about now. */
function lookAt(
  tables: Tables,
  due: readonly AwaitedReceiptRow[],
  queries: ReceiptQueries,
  { room, now }: { room: number; now: number },
): { parts: OverduePart[]; rows: number } {
  const parts: OverduePart[] = [];
  let rows = 0;
  for (const row of due) {
    const open = row.dueAt + lateMsMax < now ? nothingOpen : openParts(tables, row);
    if (open.parts.length > 0 && parts.length >= room) break;
    rows += 1;
    tables.awaitedReceipts.remove(row);
    parts.push(...open.parts);
    const asked = row.asked + 1;
    const dueAt = open.parts.length === 0 ? null : queries.nextAt({ asked, sentAt: open.sentAt }, now);
    if (dueAt !== null) tables.awaitedReceipts.insert({ ...row, dueAt, asked });
  }
  return { parts, rows };
}

interface OpenMessage {
  parts: OverduePart[];
  sentAt: number;
}

const nothingOpen: OpenMessage = { parts: [], sentAt: 0 };

function openParts(tables: Tables, { messageId, routeId }: AwaitedReceiptRow): OpenMessage {
  const message = tables.messages.byId(messageId);
  if (message?.state !== "submitted" || message.routeId !== routeId) return nothingOpen;
  const { sender, recipient, sentAt, updatedAt } = message;
  const open = tables.parts.ofMessage(message.id).filter((part) => part.routeId === routeId && !isDecided(part));
  const parts = open.flatMap(({ providerId }) => (providerId === null ? [] : [{ providerId, sender, recipient }]));
  return { parts, sentAt: sentAt ?? updatedAt };
}
