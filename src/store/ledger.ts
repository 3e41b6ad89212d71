/**
 * The ledger of each account: its last line is the balance. Balances are held in memory and asked at every acceptance; what the
 * messages of a commit move is gathered and becomes one line of each account.
 */
import type { Database } from "bun:sqlite";
import { columnsOf, insertInto } from "./columns.ts";
import type { CurrencyTable } from "./currency.ts";
import type { GatheredWrites } from "./group-commit.ts";
import { ledger, type ledgerKinds } from "./schema.ts";

export type LedgerRow = Readonly<typeof ledger.$inferSelect>;
export type LedgerKind = (typeof ledgerKinds)[number];

/** In the currency's smallest unit. */
export interface Balance {
  /** Top-ups and corrections less captures. */
  readonly settled: number;
  /** Of messages that were accepted and not handed over yet. */
  readonly reserved: number;
}

/** A place in the ledger of an account. */
export type LedgerPosition = Pick<LedgerRow, "at" | "number">;

type Moves = { -readonly [Kind in "reserved" | "captured" | "released"]: number };

const nothingMoved: Moves = { reserved: 0, captured: 0, released: 0 };

/** The last line of an account. */
type LedgerEnd = Balance & LedgerPosition;

/** The messages of a commit have no other than their rows. */
const noOrigin = { note: null, actor: null, reference: null };

const beginning: LedgerEnd = { settled: 0, reserved: 0, at: 0, number: 0 };

interface LedgerState {
  readonly accountId: number;
  /** As it stands on disk, and with the lines of the present transaction. */
  stored: LedgerEnd;
  written: LedgerEnd;
  /** What the messages of the transaction move, and no line tells yet. */
  moves: Moves;
  movedAt: number;
}

type NewLine = Pick<LedgerRow, "at" | "kind" | "amount" | "note" | "actor" | "reference"> & Moves;

const ledgerColumns = columnsOf(ledger);

const prepare = (database: Database) => ({
  last: database.prepare<LedgerEnd, [number, number]>(
    `SELECT settled_after AS settled, reserved_after AS reserved, at, number FROM ledger
     WHERE account_id = ? AND at < ? ORDER BY at DESC, number DESC LIMIT 1`,
  ),
  insert: database.prepare(
    insertInto(
      ledger,
      "accountId",
      "at",
      "number",
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
  page: database.prepare<LedgerRow, [number, number, number, number]>(
    `SELECT ${ledgerColumns} FROM ledger WHERE account_id = ? AND (at, number) < (?, ?)
     ORDER BY at DESC, number DESC LIMIT ?`,
  ),
  referredTo: database.prepare<LedgerRow, [number, string]>(
    `SELECT ${ledgerColumns} FROM ledger WHERE account_id = ? AND reference = ?`,
  ),
  entered: database.prepare<LedgerRow, [number, number, number]>(
    // Without being told, this SQLite walks all lines of the month.
    `SELECT ${ledgerColumns} FROM ledger INDEXED BY ledger_entered
     WHERE account_id = ? AND at >= ? AND at < ? AND kind <> 'messages' ORDER BY at, number`,
  ),
});

export class LedgerTable implements GatheredWrites {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #states = new Map<number, LedgerState>();
  readonly #changed = new Set<LedgerState>();
  readonly #currency: CurrencyTable;

  constructor(database: Database, currency: CurrencyTable) {
    this.#sql = prepare(database);
    this.#currency = currency;
  }

  /** As the present transaction has it; outside of one, as it stands on disk. */
  balanceOf(accountId: number): Balance {
    const { written, moves } = this.#stateOf(accountId);
    return after(written, moves, 0);
  }

  /** The same: what of it is not reserved. */
  availableOf(accountId: number): number {
    const { written, moves } = this.#stateOf(accountId);
    // What is captured was reserved before.
    return written.settled - written.reserved - moves.reserved + moves.released;
  }

  /** As it stood before `at`. */
  balanceBefore(accountId: number, at: number): Balance {
    return this.#sql.last.get(accountId, at) ?? beginning;
  }

  /** When the last line was written, in epoch milliseconds; 0 where there is none. */
  lastAt(accountId: number): number {
    return this.#stateOf(accountId).written.at;
  }

  /** The newest first, of those before `before`. */
  page(accountId: number, before: LedgerPosition | null, limit: number): LedgerRow[] {
    const { at, number } = before ?? { at: Number.MAX_SAFE_INTEGER, number: 0 };
    return this.#sql.page.all(accountId, at, number, limit);
  }

  /** Top-ups and corrections from `from` up to, not including, `to`, the oldest first. */
  entered(accountId: number, from: number, to: number): LedgerRow[] {
    return this.#sql.entered.all(accountId, from, to);
  }

  /** The top-up or correction of this reference; null where there is none. */
  referredTo(accountId: number, reference: string): LedgerRow | null {
    return this.#sql.referredTo.get(accountId, reference);
  }

  /** Messages were accepted. Writes, as all below. */
  reserve(accountId: number, amount: number, at: number): void {
    const { moves } = this.#moving(accountId, at);
    moves.reserved += amount;
  }

  /** Messages were handed over: what was reserved for them is spent. */
  capture(accountId: number, amount: number, at: number): void {
    const { moves } = this.#moving(accountId, at);
    moves.captured += amount;
  }

  /** Messages ended that were never handed over. */
  release(accountId: number, amount: number, at: number): void {
    const { moves } = this.#moving(accountId, at);
    moves.released += amount;
  }

  /** A top-up, or a correction, which may take away. */
  enter(accountId: number, { currency, ...line }: Omit<NewLine, keyof Moves> & { currency: string }): void {
    this.#currency.keep(currency);
    const state = this.#stateOf(accountId);
    this.#changed.add(state);
    this.#append(state, { ...nothingMoved, ...line });
  }

  reset(): void {
    for (const state of this.#changed) {
      state.written = state.stored;
      state.moves = { ...nothingMoved };
    }
    this.#changed.clear();
  }

  beforeCommit(): void {
    for (const state of this.#changed) {
      const { moves, movedAt } = state;
      state.moves = { ...nothingMoved };
      if (moves.reserved === 0 && moves.captured === 0 && moves.released === 0) continue;
      this.#append(state, { at: movedAt, kind: "messages", amount: 0, ...moves, ...noOrigin });
    }
  }

  committed(): void {
    for (const state of this.#changed) state.stored = state.written;
    this.#changed.clear();
  }

  #stateOf(accountId: number): LedgerState {
    let state = this.#states.get(accountId);
    if (state === undefined) {
      const stored = this.#sql.last.get(accountId, Number.MAX_SAFE_INTEGER) ?? beginning;
      state = { accountId, stored, written: stored, moves: { ...nothingMoved }, movedAt: 0 };
      this.#states.set(accountId, state);
    }
    return state;
  }

  #moving(accountId: number, at: number): LedgerState {
    const state = this.#stateOf(accountId);
    this.#changed.add(state);
    state.movedAt = at;
    return state;
  }

  #append(state: LedgerState, line: NewLine): void {
    const { written, accountId } = state;
    const end = { ...after(written, line, line.amount), at: Math.max(line.at, written.at), number: written.number + 1 };
    this.#sql.insert.run(
      accountId,
      end.at,
      end.number,
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
    state.written = end;
  }
}

const after = ({ settled, reserved }: Balance, moves: Moves, amount: number): Balance => ({
  settled: settled + amount - moves.captured,
  reserved: reserved + moves.reserved - moves.captured - moves.released,
});
