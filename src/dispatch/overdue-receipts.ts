/** Asks carriers about messages whose receipt stays out, for the routes that can ask. The answers come as receipts. */
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { OverduePart, ReceiptQueries } from "../providers/provider.ts";
import type { AwaitedReceiptRow } from "../store/awaited-receipts.ts";
import { isDecided } from "../store/parts.ts";
import type { Store, Tables } from "../store/store.ts";
import type { RunningRoute } from "./route-set.ts";

const everyMs = 1_000;
/** Rows in one transaction: a few milliseconds. */
const sliceRows = 500;
/** How often one message is asked about, each time after twice as long: from ten minutes on, over 42 hours. */
const asksMax = 8;
/** What could not be asked for so long is not asked about any more: a carrier that never reports must not fill the disk. */
const lateMsMax = 24 * 3_600_000;

export interface OverdueReceiptsDeps {
  store: Store;
  clock: Clock;
  log: Logger;
}

export class OverdueReceipts {
  readonly #deps: OverdueReceiptsDeps;
  #lookAt = 0;
  #looking: Promise<void> | null = null;

  constructor(deps: OverdueReceiptsDeps) {
    this.#deps = deps;
  }

  /** To be called often: looks once a second, and not while it still does. */
  look(routes: Iterable<RunningRoute>): void {
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
  async forgetOthers(routes: Iterable<RunningRoute>): Promise<void> {
    const { store } = this.#deps;
    const asking = new Set([...routes].filter(asks).map(({ configuration }) => configuration.id));
    for (const routeId of store.tables.awaitedReceipts.routeIds()) {
      if (asking.has(routeId)) continue;
      while ((await store.write((tables) => tables.awaitedReceipts.forget(routeId, sliceRows))) === sliceRows);
    }
  }

  async #ask(routes: readonly RunningRoute[]): Promise<void> {
    for (const { configuration, provider } of routes) {
      const { receiptQueries } = provider;
      if (receiptQueries != null) await this.#askRoute(configuration.id, receiptQueries);
    }
  }

  async #askRoute(routeId: number, queries: ReceiptQueries): Promise<void> {
    const { store, clock } = this.#deps;
    for (;;) {
      const room = queries.room();
      const now = clock.now();
      const due = store.tables.awaitedReceipts.due(routeId, now, sliceRows);
      if (due.length === 0 || room === 0) return;
      const looked = await store.write((tables) => lookAt(tables, due, { afterMs: queries.afterMs, room, now }));
      if (looked.parts.length > 0) queries.ask(looked.parts);
      if (looked.rows < sliceRows) return;
    }
  }
}

const asks = ({ provider }: RunningRoute) => provider.receiptQueries != null;

/** Plans the next look at what is still open, until there is no room for more questions. Returns what to ask about now. */
function lookAt(
  tables: Tables,
  due: readonly AwaitedReceiptRow[],
  { afterMs, room, now }: { afterMs: number; room: number; now: number },
): { parts: OverduePart[]; rows: number } {
  const parts: OverduePart[] = [];
  let rows = 0;
  for (const row of due) {
    const open = row.dueAt + lateMsMax < now ? [] : openParts(tables, row);
    if (open.length > 0 && parts.length >= room) break;
    rows += 1;
    tables.awaitedReceipts.remove(row);
    parts.push(...open);
    const asked = row.asked + 1;
    if (open.length === 0 || asked >= asksMax) continue;
    tables.awaitedReceipts.insert({ ...row, dueAt: now + afterMs * 2 ** asked, asked });
  }
  return { parts, rows };
}

function openParts(tables: Tables, { messageId, routeId }: AwaitedReceiptRow): OverduePart[] {
  const message = tables.messages.byId(messageId);
  if (message?.state !== "submitted" || message.routeId !== routeId) return [];
  const { sender, recipient } = message;
  const open = tables.parts.ofMessage(message.id).filter((part) => part.routeId === routeId && !isDecided(part));
  return open.flatMap(({ providerId }) => (providerId === null ? [] : [{ providerId, sender, recipient }]));
}
