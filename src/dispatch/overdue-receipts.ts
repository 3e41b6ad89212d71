/**
 * Asks carriers about messages whose receipt is overdue, on routes that support it. The answers are handled as
 * receipts.
 */
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import { nextTurn } from "../platform/next-turn.ts";
import type { OverduePart, Provider, ReceiptQueries } from "../providers/provider.ts";
import type { AwaitedReceiptRow } from "../store/awaited-receipts.ts";
import { isDecided } from "../store/parts.ts";
import type { Store, Tables } from "../store/store.ts";

const everyMs = 1_000;
/** Rows per transaction: a few milliseconds. */
const sliceRows = 500;
/** Messages examined when a route starts asking. */
const enrolledMax = 100_000;
/** Older messages were asked about before, or will never be reported on. */
const enrolledMsMax = 72 * 3_600_000;
/**
 * Messages that could not be asked about for this long are dropped: a carrier that never reports must not fill the
 * disk.
 */
const lateMsMax = 24 * 3_600_000;

export interface OverdueReceiptsDeps {
  store: Store;
  clock: Clock;
  log: Logger;
}

/** The part of a running route needed here. */
interface AskingRoute {
  configuration: { id: number };
  provider: Pick<Provider, "receiptQueries">;
}

export class OverdueReceipts {
  /** Routes whose earlier messages have been examined. */
  readonly #enrolled = new WeakSet<ReceiptQueries>();
  #lookAt = 0;
  #looking: Promise<void> | null = null;

  constructor(private readonly deps: OverdueReceiptsDeps) {}

  /** Call often: it runs at most once a second, and never twice at the same time. */
  look(routes: Iterable<AskingRoute>): void {
    const { clock, log } = this.deps;
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

  /** Resolves once no check is running. */
  async settled(): Promise<void> {
    await this.#looking;
  }

  /** Removes the rows of routes that no longer ask. */
  async forgetOthers(routes: Iterable<AskingRoute>): Promise<void> {
    const { store } = this.deps;
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

  /** When a route starts asking, includes the newest messages it sent before. */
  async #enrol(routeId: number, queries: ReceiptQueries): Promise<void> {
    if (this.#enrolled.has(queries)) return;
    this.#enrolled.add(queries);
    const { store, clock } = this.deps;
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
    const { store, clock } = this.deps;
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

/**
 * Schedules the next check of what is still open, as far as there is room for questions. Returns what to ask about now.
 */
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
