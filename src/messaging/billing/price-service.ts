/** Operator actions on prices: editing lists, and choosing which accounts and routes use them. */
import { dayNamed } from "../../domain/local-calendar.ts";
import { invalidRequest, OperatorError } from "../../domain/operator-error.ts";
import { latinDigits } from "../../domain/phone-number.ts";
import type { PriceLine } from "../../domain/price-list.ts";
import type { BillingMode, PriceListRow } from "../../store/price-lists.ts";
import type { Directory } from "../directory/directory.ts";
import { type PriceClock, prefixOf, priceLineOf, readPriceFile, type WrittenPrice } from "./price-lines.ts";
import { type PriceChanges, PriceVersions, type PriceVersionsDeps } from "./price-versions.ts";

export interface PriceServiceDeps extends PriceVersionsDeps {
  directory: Pick<Directory, "account" | "route" | "routes">;
  /** Defines when days begin, and with them the prices valid from a day. */
  timeZone: string;
}

export interface ShownPriceList {
  row: PriceListRow;
  /** Sorted by prefix, earliest first. */
  lines: readonly PriceLine[];
  accounts: readonly { accountId: number; mode: BillingMode }[];
  /** Names of the routes that take their costs from it. */
  routes: readonly string[];
}

export interface ImportedPrices {
  list: ShownPriceList;
  imported: number;
  /** Wrong lines. */
  leftOut: number;
  changes: PriceChanges;
}

/**
 * Throws OperatorError; rejects with StoreUnavailable when the disk refuses. Every change applies from the next message
 * on.
 */
export class PriceService {
  readonly #versions: PriceVersions;

  constructor(private readonly deps: PriceServiceDeps) {
    this.#versions = new PriceVersions(deps);
  }

  all(): ShownPriceList[] {
    return this.deps.book.lists().map((row) => this.#shown(row));
  }

  /** Throws `price_list_not_found`. */
  show(name: string): ShownPriceList {
    return this.#shown(this.#list(name));
  }

  /** The accounts charged by it. Throws `price_list_not_found`. */
  accountsOf(name: string): ReadonlySet<number> {
    return new Set(this.deps.book.chargedBy(this.#list(name).id).map(({ accountId }) => accountId));
  }

  /** Adds a line to a list, creating it if needed. Throws `invalid` if the line is malformed. */
  async set(name: string, written: WrittenPrice): Promise<ShownPriceList> {
    const line = priceLineOf(written, this.#clock());
    if ("problem" in line) throw invalidRequest([line.problem]);
    return this.#shown(await this.#versions.putLine(name, line));
  }

  /**
   * Ends the prices of a prefix, so that its numbers fall back to the next shorter one; with `from`, only the price
   * that begins then, a day such as `2026-12-01` or a time. Throws `price_list_not_found`, `price_not_found`,
   * `price_list_charges`.
   */
  async end(name: string, written: string, from: string): Promise<ShownPriceList> {
    const row = this.#list(name);
    const prefix = prefixOf(written);
    if (prefix === null) throw new OperatorError("price_not_found");
    const validFrom = from === "" ? null : this.#comingPrice(row, prefix, from);
    const { book } = this.deps;
    await this.#versions.endLines(row, prefix, validFrom, () => {
      if (book.pricesOf(row.id).linesOf(prefix).length === 0) throw new OperatorError("price_not_found");
      const isNeeded = prefix === "" && validFrom === null && book.chargedBy(row.id).length > 0;
      if (isNeeded) throw new OperatorError("price_list_charges");
    });
    return this.#shown(row);
  }

  /** The price of a part for exactly this prefix, now or from a future day on; null if the list has none. */
  priceOf(name: string, written: string, from: string): number | null {
    const { book } = this.deps;
    const [list, prefix, { now }] = [book.list(name), prefixOf(written), this.#clock()];
    if (list === null || prefix === null) return null;
    const at = from === "" ? now : Math.max(now, this.#dayOf(from).startsAt || now);
    return book.pricesOf(list.id).lineOf(prefix, at)?.amount ?? null;
  }

  /** The price of a part to this number, in E.164, now; null if the list has none. Throws `price_list_not_found`. */
  lineFor(name: string, recipient: string): PriceLine | null {
    const { book, clock } = this.deps;
    return book.pricesOf(this.#list(name).id).lineFor(recipient, clock.now());
  }

  /** A day such as `2026-12-01`, or a time. */
  #dayOf(from: string): { startsAt: number; endsAt: number } {
    const at = Date.parse(from);
    return dayNamed(latinDigits(from), this.#clock().timeZone) ?? { startsAt: at, endsAt: at + 1 };
  }

  /** A price already in effect has been given to messages, so only the whole prefix can end. */
  #comingPrice(row: PriceListRow, prefix: string, from: string): number {
    const { now } = this.#clock();
    const day = this.#dayOf(from);
    const found = this.deps.book
      .pricesOf(row.id)
      .linesOf(prefix)
      .find(({ validFrom }) => validFrom > now && validFrom >= day.startsAt && validFrom < day.endsAt);
    if (found === undefined) throw new OperatorError("price_not_found");
    return found.validFrom;
  }

  /**
   * Like `set`, for the lines of a CSV file: all or none, but for up to `leaveOutMax` wrong lines. Throws `invalid`,
   * which names each wrong line.
   */
  async import(name: string, file: string, leaveOutMax = 0): Promise<ImportedPrices> {
    const { lines, problems, stops } = await readPriceFile(file, this.#clock());
    if (stops || problems.length > leaveOutMax) throw invalidRequest(problems);
    const { row, changes } = await this.#versions.putLines(name, lines);
    return { list: this.#shown(row), imported: lines.length, leftOut: problems.length, changes };
  }

  /** Removes what an import interrupted by a crash left behind; its prices never took effect. */
  tidy(): void {
    this.#versions.tidy();
  }

  settled(): Promise<void> {
    return this.#versions.settled();
  }

  /** How the account pays, and by which list; null if it sends free of charge. Throws `account_not_found`. */
  billingOf(accountId: number): { mode: BillingMode; list: string } | null {
    this.#assertAccount(accountId);
    const { book } = this.deps;
    const billing = book.billingOf(accountId);
    return billing === null ? null : { mode: billing.mode, list: book.nameOf(billing.listId) };
  }

  /** Throws `account_not_found`, `price_list_not_found`, `price_list_incomplete`. Null: free of charge. */
  async charge(accountId: number, by: { list: string; mode: BillingMode } | null): Promise<void> {
    this.#assertAccount(accountId);
    const billing = by === null ? null : { mode: by.mode, listId: this.#completeList(by.list).id };
    await this.deps.store.write(({ priceLists }) => priceLists.bill(accountId, billing));
    this.deps.book.putUses(this.deps.store.tables);
  }

  /** Throws `route_not_found`, `price_list_not_found`. Null: the route's costs are unknown. */
  async setCosts(routeName: string, list: string | null): Promise<void> {
    const route = this.deps.directory.route(routeName);
    if (route === null) throw new OperatorError("route_not_found");
    const listId = list === null ? null : this.#list(list).id;
    await this.deps.store.write(({ priceLists }) => priceLists.setCosts(route.id, listId));
    this.deps.book.putUses(this.deps.store.tables);
  }

  /** The list that gives a route's costs; null if they are unknown. */
  costListOf(routeName: string): string | null {
    const { directory, book } = this.deps;
    const listId = book.costListOf(directory.route(routeName)?.id ?? 0);
    return listId === null ? null : book.nameOf(listId);
  }

  /** What a part to this number costs on the route now; null if unknown. */
  costOf(routeName: string, recipient: string): number | null {
    const { directory, book, clock } = this.deps;
    const route = directory.route(routeName);
    return route === null ? null : book.costFor(route.id, recipient, clock.now());
  }

  #shown(row: PriceListRow): ShownPriceList {
    const { directory, book } = this.deps;
    const routes = directory.routes().filter(({ id }) => book.costListOf(id) === row.id);
    return {
      row,
      lines: book.pricesOf(row.id).lines,
      accounts: book.chargedBy(row.id),
      routes: routes.map(({ name }) => name),
    };
  }

  #list(name: string): PriceListRow {
    const row = this.deps.book.list(name);
    if (row === null) throw new OperatorError("price_list_not_found");
    return row;
  }

  /** A list that has a price for every number from now on. */
  #completeList(name: string): PriceListRow {
    const row = this.#list(name);
    const everyNumber = this.deps.book.pricesOf(row.id).lineOf("", this.deps.clock.now());
    if (everyNumber === null) throw new OperatorError("price_list_incomplete");
    return row;
  }

  #assertAccount(accountId: number): void {
    if (this.deps.directory.account(accountId) === null) throw new OperatorError("account_not_found");
  }

  #clock(): PriceClock {
    return { now: this.deps.clock.now(), timeZone: this.deps.timeZone };
  }
}
