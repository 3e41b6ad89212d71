/** Prices in memory: the lists, and which accounts and routes use them. Consulted at every acceptance. */
import { type PriceLine, PriceList } from "../../domain/price-list.ts";
import type { BillingMode, PriceListRow } from "../../store/price-lists.ts";
import type { Tables } from "../../store/store.ts";

/** How an account pays. */
export interface Billing {
  mode: BillingMode;
  listId: number;
}

export class PriceBook {
  readonly #rows = new Map<number, PriceListRow>();
  readonly #lists = new Map<number, PriceList>();
  #billing: ReadonlyMap<number, Billing> = new Map();
  #costs: ReadonlyMap<number, number> = new Map();

  constructor({ priceLists }: Pick<Tables, "priceLists">) {
    for (const row of priceLists.all()) this.putList(row, new PriceList(priceLists.linesOf(row.versionId)));
    this.putUses({ priceLists });
  }

  /** Sorted by name. */
  lists(): PriceListRow[] {
    return [...this.#rows.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  list(name: string): PriceListRow | null {
    return this.lists().find((row) => row.name === name) ?? null;
  }

  nameOf(listId: number): string {
    return this.#rows.get(listId)?.name ?? "";
  }

  pricesOf(listId: number): PriceList {
    return this.#lists.get(listId) ?? emptyList;
  }

  /** Null for an account that sends free of charge. */
  billingOf(accountId: number): Billing | null {
    return this.#billing.get(accountId) ?? null;
  }

  /** The list that gives a route's costs; null if they are unknown. */
  costListOf(routeId: number): number | null {
    return this.#costs.get(routeId) ?? null;
  }

  /** The price of a part for the account; null if it sends free of charge. */
  priceFor(accountId: number, recipient: string, at: number): PriceLine | null {
    const billing = this.#billing.get(accountId);
    return billing === undefined ? null : this.pricesOf(billing.listId).lineFor(recipient, at);
  }

  /** The cost of a part on the route; null if unknown. */
  costFor(routeId: number, recipient: string, at: number): number | null {
    const listId = this.#costs.get(routeId);
    return listId === undefined ? null : (this.pricesOf(listId).lineFor(recipient, at)?.amount ?? null);
  }

  /** The accounts charged by the list. */
  chargedBy(listId: number): { accountId: number; mode: BillingMode }[] {
    return [...this.#billing].flatMap(([accountId, billing]) =>
      billing.listId === listId ? [{ accountId, mode: billing.mode }] : [],
    );
  }

  /** Like `putLine`, `endLines` and `putUses`: call after committing the change. */
  putList(row: PriceListRow, list: PriceList): void {
    this.#rows.set(row.id, row);
    this.#lists.set(row.id, list);
  }

  /** Adds to a list, creating it if needed. */
  putLine(row: PriceListRow, line: PriceLine): void {
    const list = this.#lists.get(row.id) ?? new PriceList();
    list.put(line);
    this.putList(row, list);
  }

  endLines({ id }: PriceListRow, prefix: string, validFrom: number | null): void {
    this.#lists.get(id)?.remove(prefix, validFrom);
  }

  /** Loads which accounts and routes use which lists. */
  putUses({ priceLists }: Pick<Tables, "priceLists">): void {
    this.#billing = new Map(priceLists.billing().map(({ accountId, mode, listId }) => [accountId, { mode, listId }]));
    this.#costs = new Map(priceLists.costs().map(({ routeId, listId }) => [routeId, listId]));
  }
}

const emptyList = new PriceList();
