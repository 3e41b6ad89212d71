/** Rows that the writes of one commit append to a table. */
import type { Database, SQLQueryBindings, Statement } from "bun:sqlite";
import type { GatheredWrites } from "./group-commit.ts";

/** Rows of one statement: as many as there are of the largest size, and then of the next. */
const sizes = [48, 12, 3, 1];

/** Inserted together, a message and its request take 4.3 µs in place of 5.4. */
export class AppendedRows implements GatheredWrites {
  /** By the number of values that each binds. */
  readonly #statements: readonly { values: number; insert: Statement }[];
  #values: SQLQueryBindings[] = [];

  /** `insert` is the text of a statement for so many rows, each of `columns` values. */
  constructor(database: Database, columns: number, insert: (rows: number) => string) {
    this.#statements = sizes.map((rows) => ({ values: rows * columns, insert: database.prepare(insert(rows)) }));
  }

  get isEmpty(): boolean {
    return this.#values.length === 0;
  }

  /** The values of a row, in the order of the columns. */
  add(values: readonly SQLQueryBindings[]): void {
    for (const value of values) this.#values.push(value);
  }

  /** Inserts what gathered. To be called before the table is read or changed in any other way. */
  flush(): void {
    if (this.isEmpty) return;
    const gathered = this.#values;
    this.#values = [];
    let start = 0;
    for (const { values, insert } of this.#statements) {
      for (; start + values <= gathered.length; start += values) insert.run(gathered.slice(start, start + values));
    }
  }

  reset(): void {
    if (!this.isEmpty) this.#values = [];
  }

  beforeWrite(): void {
    this.flush();
  }

  beforeCommit(): void {
    this.flush();
  }
}
