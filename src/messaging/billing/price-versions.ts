/**
 * Writes price lists: single lines into the current version, or many lines into a new version that then replaces it as
 * a whole.
 */
import { byPrefixAndTime, type PriceLine, PriceList } from "../../domain/price-list.ts";
import type { Logger } from "../../platform/log.ts";
import { mergeSorted } from "../../platform/merge-sorted.ts";
import { nextTurn } from "../../platform/next-turn.ts";
import type { PriceListRow } from "../../store/price-lists.ts";
import type { Store } from "../../store/store.ts";
import type { PriceBook } from "./price-book.ts";

export interface PriceVersionsDeps {
  store: Store;
  clock: { now(): number };
  log: Pick<Logger, "error">;
  book: PriceBook;
  /** The currency of every price. */
  currency: string;
}

/** Lines sorted, merged, stored or removed per turn of the event loop: one to four milliseconds. */
const sliceLines = 1_000;

/** Changes of an import that are kept for later inspection. */
const changesToldMax = 100;

/** The first changes, in file order. Amounts are per part. */
export interface PriceChanges {
  count: number;
  first: { prefix: string; validFrom: number; before: number; after: number }[];
}

/** Rejects with StoreUnavailable when the disk refuses; the list is then unchanged. */
export class PriceVersions {
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: PriceVersionsDeps) {}

  /** Adds to a list, creating it if needed. */
  putLine(name: string, line: PriceLine): Promise<PriceListRow> {
    const { store, clock, book, currency } = this.deps;
    return this.#inTurn(async () => {
      const row = await store.write(({ priceLists }) => {
        const now = clock.now();
        const list = priceLists.byName(name) ?? priceLists.use(name, priceLists.unusedVersion(), { now, currency });
        priceLists.put({ ...line, versionId: list.versionId });
        return list;
      });
      book.putLine(row, line);
      return row;
    });
  }

  /** Removes all lines of a prefix, or the one with this start time. `assertMay` throws if the list must keep them. */
  endLines(row: PriceListRow, prefix: string, validFrom: number | null, assertMay: () => void): Promise<void> {
    const { store, book } = this.deps;
    return this.#inTurn(async () => {
      assertMay();
      await store.write(({ priceLists }) => {
        const list = priceLists.byName(row.name);
        if (list !== null) priceLists.end(list.versionId, prefix, validFrom);
      });
      book.endLines(row, prefix, validFrom);
    });
  }

  /**
   * Like `putLine` for many lines, all of them or none: fifty thousand in one transaction blocked the event loop for a
   * second.
   */
  putLines(name: string, lines: readonly PriceLine[]): Promise<{ row: PriceListRow; changes: PriceChanges }> {
    const written = this.#inTurn(() => this.#change(name, lines));
    this.tidy();
    return written;
  }

  /** Removes versions that no list uses: the one replaced by an import, and the remains of an unfinished import. */
  tidy(): void {
    const failed = (reason: unknown) =>
      this.deps.log.error({ err: reason }, "prices of an import that did not end stay on disk");
    void this.#inTurn(() => this.#removeUnused()).catch(failed);
  }

  /** Resolves once no write or removal is running. */
  async settled(): Promise<void> {
    await this.#lastChange;
  }

  async #change(name: string, lines: readonly PriceLine[]) {
    const { store, clock, book, currency } = this.deps;
    const present = book.list(name);
    const before = present === null ? new PriceList() : book.pricesOf(present.id);
    const changes = await changesBy(lines, before);
    const next = await merged(before.lines, lines);
    const versionId = store.tables.priceLists.unusedVersion();
    for (let from = 0; from < next.lines.length; from += sliceLines) {
      const slice = next.lines.slice(from, from + sliceLines);
      await store.write(({ priceLists }) => {
        for (const line of slice) priceLists.put({ ...line, versionId });
      });
    }
    const row = await store.write(({ priceLists }) => priceLists.use(name, versionId, { now: clock.now(), currency }));
    book.putList(row, next);
    return { row, changes };
  }

  async #removeUnused(): Promise<void> {
    const { store } = this.deps;
    const used = new Set(store.tables.priceLists.all().map(({ versionId }) => versionId));
    for (const versionId of store.tables.priceLists.versions().filter((id) => !used.has(id))) {
      for (let isEmpty = false; !isEmpty; ) {
        isEmpty = await store.write(({ priceLists }) => priceLists.removeLines(versionId, sliceLines));
      }
    }
  }

  /** One change at a time: a line written during an import is applied after it. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#lastChange.then(change);
    const ended = () => {};
    this.#lastChange = changed.then(ended, ended);
    return changed;
  }
}

/** The prefixes whose price differed on the day from which the new line applies. */
async function changesBy(lines: readonly PriceLine[], before: PriceList): Promise<PriceChanges> {
  const changes: PriceChanges = { count: 0, first: [] };
  for (const [index, { prefix, validFrom, amount }] of lines.entries()) {
    const old = before.lineOf(prefix, validFrom)?.amount ?? null;
    if (old !== null && old !== amount) {
      changes.count += 1;
      if (changes.count <= changesToldMax) changes.first.push({ prefix, validFrom, before: old, after: amount });
    }
    if (index % sliceLines === 0) await nextTurn();
  }
  return changes;
}

/** The lines of a list, overridden by those of a file. */
async function merged(present: readonly PriceLine[], lines: readonly PriceLine[]): Promise<PriceList> {
  const runs: PriceLine[][] = [];
  for (let from = 0; from < lines.length; from += sliceLines) {
    runs.push(lines.slice(from, from + sliceLines).sort(byPrefixAndTime));
    await nextTurn();
  }
  const list = new PriceList();
  let count = 0;
  for (const line of mergeSorted([present, ...runs], byPrefixAndTime)) {
    list.put(line);
    count += 1;
    if (count % sliceLines === 0) await nextTurn();
  }
  return list;
}
