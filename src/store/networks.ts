/** Networks and number ranges that the operator added. */
import { asc, eq, sql } from "drizzle-orm";
import type { OwnedRange } from "../domain/network-ranges.ts";
import type { Drizzle } from "./drizzle.ts";
import { network, networkRange } from "./schema.ts";

export type NetworkRow = typeof network.$inferSelect;

export class NetworkTable {
  readonly #drizzle: Drizzle;

  constructor(drizzle: Drizzle) {
    this.#drizzle = drizzle;
  }

  all(): NetworkRow[] {
    return this.#drizzle.select().from(network).orderBy(asc(network.id)).all();
  }

  /** By number. */
  ranges(): OwnedRange[] {
    return this.#drizzle.select().from(networkRange).orderBy(asc(networkRange.first)).all();
  }

  /** In whatever case the name is written. */
  byName(name: string): NetworkRow | null {
    return this.#drizzle.select().from(network).where(sql`${network.name} = ${name}`).get() ?? null;
  }

  insert(name: string): NetworkRow {
    return this.#drizzle.insert(network).values({ name }).returning().get();
  }

  insertRange({ first, last, networkId }: OwnedRange): void {
    this.#drizzle.insert(networkRange).values({ first, last, networkId }).run();
  }

  /** The network stays: messages and figures name it. */
  removeRanges(networkId: number): void {
    this.#drizzle.delete(networkRange).where(eq(networkRange.networkId, networkId)).run();
  }
}
