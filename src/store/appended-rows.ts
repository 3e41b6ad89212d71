/** Rows that the writes of one commit append to a table. */
import type { Database, SQLQueryBindings, Statement } from "bun:sqlite";
import type { GatheredWrites } from "./group-commit.ts";

/** Rows that gather before they are inserted. */
const rowsMax = 48;
/** Rows of one statement: as many as there are of the largest size, and then of the next. */
const sizes = [rowsMax, 12, 3, 1];

/** Inserted together, a message and its request take 4.3 µs in place of 5.4. */
export class AppendedRows implements GatheredWrites {
  /** By the number of values that each binds. */
  readonly #statements: readonly { values: number; insert: Statement }[];
  /** Of the largest statement, and used again by every commit: a list that grew with each value took 0.4 µs a message more. */
  readonly #values: SQLQueryBindings[];
  #length = 0;

  /** `insert` is the text of a statement for so many rows, each of `columns` values. */
  constructor(database: Database, columns: number, insert: (rows: number) => string) {
    this.#statements = sizes.map((rows) => ({ values: rows * columns, insert: database.prepare(insert(rows)) }));
    this.#values = Array.from({ length: rowsMax * columns }, () => null);
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** The values of a row, in the order of the columns. */
  add(values: readonly SQLQueryBindings[]): void {
    for (const value of values) {
      this.#values[this.#length] = value;
      this.#length += 1;
    }
    if (this.#length === this.#values.length) this.flush();
  }

  /** Inserts what gathered. To be called before the table is read or changed in any other way. */
  flush(): void {
    if (this.isEmpty) return;
    const length = this.#length;
    this.#length = 0;
    let start = 0;
    for (const { values, insert } of this.#statements) {
      for (; start + values <= length; start += values) insert.run(this.#slice(start, values));
    }
  }

  reset(): void {
    this.#length = 0;
  }

  /** What fills the largest statement is bound as it is: a copy for each took 0.3 KB of a message from the collector. */
  #slice(start: number, length: number): readonly SQLQueryBindings[] {
    return length === this.#values.length ? this.#values : this.#values.slice(start, start + length);
  }

  beforeWrite(): void {
    this.flush();
  }

  beforeCommit(): void {
    this.flush();
  }
}
