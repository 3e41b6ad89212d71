/**
 * The charge and cost of each message, booked once: at its first hand-over, whether the submit succeeded or its outcome
 * is unknown. Captured amounts are in the ledger as a sum, and here by sender, route, network and quarter of an hour; a
 * test checks that the two agree.
 */
import type { Database } from "bun:sqlite";
import { networkSources } from "../domain/network-source.ts";
import { isFinal } from "../domain/status.ts";
import { columnsOf, insertInto } from "./columns.ts";
import type { GatheredWrites } from "./group-transaction.ts";
import type { LedgerTable } from "./ledger.ts";
import { slotMs } from "./rollup-counts.ts";
import { charge, type message } from "./schema.ts";

export type ChargeRow = Readonly<typeof charge.$inferSelect>;

/** The fields of a message that determine its charge. */
type Chargeable = Pick<
  typeof message.$inferSelect,
  | "accountId"
  | "senderId"
  | "routeId"
  | "network"
  | "networkSource"
  | "state"
  | "partCount"
  | "uncertainAttempts"
  | "recipient"
  | "price"
  | "cost"
  | "updatedAt"
  | "isTest"
>;

/** Cost of one part on the message's route; null if unknown. `at`: epoch milliseconds. */
export type PartCost = (
  message: Pick<Chargeable, "routeId" | "recipient" | "network" | "networkSource">,
  at: number,
) => number | null;

type ChargeSum = { -readonly [Key in Exclude<keyof ChargeRow, "slotAt">]: number };

const sums = ["messages", "parts", "price", "cost", "byTable", "byLookup"] as const;

const prepare = (database: Database) => ({
  add: database.prepare(
    `${insertInto(charge, "accountId", "slotAt", "senderId", "routeId", "network", ...sums)}
     ON CONFLICT DO UPDATE SET messages = messages + excluded.messages, parts = parts + excluded.parts,
       price = price + excluded.price, cost = cost + excluded.cost,
       by_table = by_table + excluded.by_table, by_lookup = by_lookup + excluded.by_lookup`,
  ),
  between: database.prepare<ChargeRow, [number, number, number]>(
    `SELECT ${columnsOf(charge)} FROM charge WHERE account_id = ? AND slot_at >= ? AND slot_at < ?`,
  ),
  sums: database.prepare<ChargeRow, [number, number, number, number]>(
    `SELECT account_id AS accountId, slot_at AS slotAt, sender_id AS senderId, route_id AS routeId, network,
       sum(messages) AS messages, sum(parts) AS parts, sum(price) AS price, sum(cost) AS cost,
       sum(by_table) AS byTable, sum(by_lookup) AS byLookup
     FROM account CROSS JOIN charge ON account_id = account.id AND slot_at >= ? AND slot_at < ?
     WHERE account.id >= ? AND account.id < ? GROUP BY account.id`,
  ),
});

export class ChargeTable implements GatheredWrites {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #ledger: LedgerTable;
  readonly #gathered = new Map<string, ChargeSum>();
  #partCost: PartCost = () => null;

  constructor(database: Database, ledger: LedgerTable) {
    this.#sql = prepare(database);
    this.#ledger = ledger;
  }

  /** Sets the function that prices routes. */
  costsBy(partCost: PartCost): void {
    this.#partCost = partCost;
  }

  /** Quarter hours that start at or after `from` and before `to` (epoch milliseconds). */
  between(accountId: number, from: number, to: number): ChargeRow[] {
    return this.#sql.between.all(accountId, from, to);
  }

  /** One row for each account from `first` to before `end`: its slot, sender, route and network are of any charge. */
  sums(first: number, end: number, from: number, to: number): ChargeRow[] {
    return this.#sql.sums.all(from, to, first, end);
  }

  /** The cost of a message after a move; null until it is charged. */
  costAfter(before: Chargeable, after: Chargeable): number | null {
    const isHandedOver = after.state === "submitted" || after.uncertainAttempts > 0;
    if (after.cost !== null || before.state !== "submitting" || !isHandedOver || after.isTest === 1) return after.cost;
    const partCost = this.#partCost(after, after.updatedAt);
    return after.price === null && partCost === null ? null : (partCost ?? 0) * after.partCount;
  }

  /** Records a move whose cost `costAfter` has given. Writes. */
  moved(before: Chargeable, after: Chargeable): void {
    const { accountId, price, cost, isTest } = after;
    if (cost !== null) {
      if (before.cost !== null) return;
      if (price !== null) this.#ledger.capture(accountId, price);
      this.#add(after, price ?? 0, cost);
    } else if (price !== null && isTest === 0 && isFinal(after.state)) {
      this.#ledger.release(accountId, price);
    }
  }

  reset(): void {
    if (this.#gathered.size > 0) this.#gathered.clear();
  }

  undo(): void {
    this.reset();
  }

  flush(): void {
    for (const sum of this.#gathered.values()) {
      const { accountId, senderId, routeId, network } = sum;
      // The same time as the ledger line, so that both fall into the same month.
      const at = this.#ledger.bookedAt(accountId);
      const slotAt = at - (at % slotMs);
      this.#sql.add.run(accountId, slotAt, senderId, routeId, network, ...sums.map((name) => sum[name]));
    }
    this.reset();
  }

  #add(message: Chargeable, price: number, cost: number): void {
    const { accountId, senderId, network, networkSource, partCount } = message;
    const routeId = message.routeId ?? 0;
    const name = `${accountId} ${senderId} ${routeId} ${network}`;
    let sum = this.#gathered.get(name);
    if (sum === undefined) {
      const none = { messages: 0, parts: 0, price: 0, cost: 0, byTable: 0, byLookup: 0 };
      sum = { accountId, senderId, routeId, network, ...none };
      this.#gathered.set(name, sum);
    }
    sum.messages += 1;
    if (networkSource === networkSources.ported) sum.byTable += 1;
    if (networkSource === networkSources.lookup) sum.byLookup += 1;
    sum.parts += partCount;
    sum.price += price;
    sum.cost += cost;
  }
}
