/**
 * The ledger of each account; its last line is the balance. Balances are held in memory and checked at every
 * acceptance. What a commit's messages move is accumulated and written as one line per account.
 */
import type { Database } from "bun:sqlite";
import { bookedAheadMsMax, type Moment } from "../platform/booking-clock.ts";
import { columnsOf, insertInto } from "./columns.ts";
import type { CurrencyTable } from "./currency.ts";
import type { GatheredWrites } from "./group-transaction.ts";
import { type HeldValue, HeldValues } from "./held-values.ts";
import { ledger, ledgerStep } from "./schema.ts";

export type LedgerRow = Readonly<typeof ledger.$inferSelect>;

/** In the currency's smallest unit. */
export interface Balance {
  /** Top-ups and corrections minus captures. */
  readonly settled: number;
  /** For messages accepted but not handed over yet. */
  readonly reserved: number;
}

type Moves = { -readonly [Kind in "reserved" | "captured" | "released"]: number };

const nothingMoved: Moves = { reserved: 0, captured: 0, released: 0 };

/** The last line of an account. */
type LedgerEnd = Balance & Pick<LedgerRow, "bookedAt" | "number">;

/** A line and what is settled after it. */
type SettledLine = Pick<LedgerRow, "bookedAt"> & Pick<Balance, "settled">;

/** The lines of a commit's messages have no note, actor or reference. */
const noOrigin = { note: null, actor: null, reference: null };

const beginning: LedgerEnd = { settled: 0, reserved: 0, bookedAt: 0, number: 0 };

interface LedgerState extends HeldValue<LedgerEnd> {
  readonly accountId: number;
  /** What the transaction's messages move, not yet in any line. */
  moves: Moves;
}

type NewLine = Pick<LedgerRow, "kind" | "amount" | "note" | "actor" | "reference"> & Moves;

const ledgerColumns = columnsOf(ledger);

const prepare = (database: Database) => ({
  last: database.prepare<LedgerEnd, [number]>(
    `SELECT settled_after AS settled, reserved_after AS reserved, booked_at AS bookedAt, number FROM ledger
     WHERE account_id = ? ORDER BY number DESC LIMIT 1`,
  ),
  line: database.prepare<SettledLine, [number, number]>(
    "SELECT settled_after AS settled, booked_at AS bookedAt FROM ledger WHERE account_id = ? AND number = ?",
  ),
  steps: database.prepare<Pick<LedgerRow, "number">, [number]>(
    "SELECT number FROM ledger_step WHERE account_id = ? ORDER BY number",
  ),
  step: database.prepare(insertInto(ledgerStep, "accountId", "number")),
  insert: database.prepare(
    insertInto(
      ledger,
      "accountId",
      "number",
      "at",
      "bookedAt",
      "kind",
      "amount",
      "reserved",
      "captured",
      "released",
      "settledAfter",
      "reservedAfter",
      "note",
      "actor",
      "reference",
    ),
  ),
  page: database.prepare<LedgerRow, [number, number, number]>(
    `SELECT ${ledgerColumns} FROM ledger WHERE account_id = ? AND number < ? ORDER BY number DESC LIMIT ?`,
  ),
  referredTo: database.prepare<LedgerRow, [number, string]>(
    `SELECT ${ledgerColumns} FROM ledger WHERE account_id = ? AND reference = ?`,
  ),
  entered: database.prepare<LedgerRow, [number, number, number]>(
    // Without the hint, this SQLite version scans all lines of the month.
    `SELECT ${ledgerColumns} FROM ledger INDEXED BY ledger_entered
     WHERE account_id = ? AND booked_at >= ? AND booked_at < ? AND kind <> 'messages' ORDER BY booked_at, number`,
  ),
});

export class LedgerTable implements GatheredWrites {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #states = new Map<number, LedgerState>();
  readonly #held = new HeldValues<LedgerState>();
  readonly #currency: CurrencyTable;
  #now: () => Moment = () => {
    throw new Error("Nobody has said by which clock the ledger is booked");
  };
  /** For the current transaction. */
  #moment: Moment | null = null;

  constructor(database: Database, currency: CurrencyTable) {
    this.#sql = prepare(database);
    this.#currency = currency;
  }

  /** Sets the clock that lines are booked by. */
  bookBy(now: () => Moment): void {
    this.#now = now;
  }

  /** As seen by the current transaction; outside one, as stored on disk. */
  balanceOf(accountId: number): Balance {
    const { present, moves } = this.#stateOf(accountId);
    return after(present, moves, 0);
  }

  /** The balance that is not reserved, as of `balanceOf`. */
  availableOf(accountId: number): number {
    const { present, moves } = this.#stateOf(accountId);
    // Anything captured was reserved before.
    return present.settled - present.reserved - moves.reserved + moves.released;
  }

  /**
   * Top-ups and corrections minus captures, over all lines booked before `at`. Reads a few lines of each run between
   * two steps.
   */
  settledBefore(accountId: number, at: number): number {
    const steps = this.#sql.steps.all(accountId).map(({ number }) => number - 1);
    let settled = 0;
    let before = 0;
    for (const last of [...steps, this.#stateOf(accountId).present.number]) {
      const found = this.#lastBookedBefore(accountId, before, last, at);
      settled += this.#settledAfter(accountId, found) - this.#settledAfter(accountId, before);
      before = last;
    }
    return settled;
  }

  /** The time at which the current transaction books for the account, epoch milliseconds. */
  bookedAt(accountId: number): number {
    return this.#bookedAfter(this.#stateOf(accountId).present);
  }

  /** Newest first, with numbers below `before`. */
  page(accountId: number, before: number | null, limit: number): LedgerRow[] {
    return this.#sql.page.all(accountId, before ?? Number.MAX_SAFE_INTEGER, limit);
  }

  /** Top-ups and corrections booked from `from` up to but not including `to`, oldest first. */
  entered(accountId: number, from: number, to: number): LedgerRow[] {
    return this.#sql.entered.all(accountId, from, to);
  }

  /** The top-up or correction with this reference; null if there is none. */
  referredTo(accountId: number, reference: string): LedgerRow | null {
    return this.#sql.referredTo.get(accountId, reference);
  }

  /** Messages were accepted. Writes, like every method below. */
  reserve(accountId: number, amount: number): void {
    const { moves } = this.#moving(accountId);
    moves.reserved += amount;
  }

  /** Messages were handed over: their reserved amount is spent. */
  capture(accountId: number, amount: number): void {
    const { moves } = this.#moving(accountId);
    moves.captured += amount;
  }

  /** Messages ended without being handed over. */
  release(accountId: number, amount: number): void {
    const { moves } = this.#moving(accountId);
    moves.released += amount;
  }

  /** A top-up or a correction, which may be negative. */
  enter(accountId: number, { currency, ...line }: Omit<NewLine, keyof Moves> & { currency: string }): void {
    this.#currency.keep(currency);
    const state = this.#stateOf(accountId);
    this.#held.add(state);
    this.#append(state, { ...nothingMoved, ...line });
  }

  reset(): void {
    this.undo();
    this.#held.reset();
    this.#moment = null;
  }

  flush(): void {
    for (const state of this.#held.changed) {
      const { moves } = state;
      state.moves = { ...nothingMoved };
      if (moves.reserved === 0 && moves.captured === 0 && moves.released === 0) continue;
      this.#append(state, { kind: "messages", amount: 0, ...moves, ...noOrigin });
    }
  }

  keep(): void {
    this.#held.keep();
  }

  undo(): void {
    for (const state of this.#held.changed) state.moves = { ...nothingMoved };
    this.#held.undo();
  }

  committed(): void {
    this.#held.committed();
  }

  #stateOf(accountId: number): LedgerState {
    let state = this.#states.get(accountId);
    if (state === undefined) {
      const stored = this.#sql.last.get(accountId) ?? beginning;
      state = { accountId, stored, kept: stored, present: stored, moves: { ...nothingMoved } };
      this.#states.set(accountId, state);
    }
    return state;
  }

  #moving(accountId: number): LedgerState {
    const state = this.#stateOf(accountId);
    this.#held.add(state);
    return state;
  }

  #momentOfCommit(): Moment {
    this.#moment ??= this.#now();
    return this.#moment;
  }

  /** After a crash the clock may be slightly behind the last line; the ledger then keeps the later time. */
  #bookedAfter(last: LedgerEnd): number {
    const { bookedAt } = this.#momentOfCommit();
    const behindMs = last.bookedAt - bookedAt;
    return behindMs > 0 && behindMs <= bookedAheadMsMax ? last.bookedAt : bookedAt;
  }

  /**
   * The number of the last line after `before` and up to `last` that was booked before `at`; `before` if there is none.
   */
  #lastBookedBefore(accountId: number, before: number, last: number, at: number): number {
    const isBefore = (number: number) => (this.#sql.line.get(accountId, number)?.bookedAt ?? 0) < at;
    // For the current month it is the last line.
    if (last === before || isBefore(last)) return last;
    let [low, high] = [before, last];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (isBefore(middle)) low = middle;
      else high = middle;
    }
    return low;
  }

  #settledAfter(accountId: number, number: number): number {
    return this.#sql.line.get(accountId, number)?.settled ?? 0;
  }

  #append(state: LedgerState, line: NewLine): void {
    const { present, accountId } = state;
    const bookedAt = this.#bookedAfter(present);
    const end = { ...after(present, line, line.amount), bookedAt, number: present.number + 1 };
    if (bookedAt < present.bookedAt) this.#sql.step.run(accountId, end.number);
    this.#sql.insert.run(
      accountId,
      end.number,
      this.#momentOfCommit().at,
      bookedAt,
      line.kind,
      line.amount,
      line.reserved,
      line.captured,
      line.released,
      end.settled,
      end.reserved,
      line.note,
      line.actor,
      line.reference,
    );
    state.present = end;
  }
}

const after = ({ settled, reserved }: Balance, moves: Moves, amount: number): Balance => ({
  settled: settled + amount - moves.captured,
  reserved: reserved + moves.reserved - moves.captured - moves.released,
});
