/** Operator actions on an account's money: top-ups, corrections, the balance and the ledger. */
import type { LocalCalendar, LocalPeriod } from "../../domain/local-calendar.ts";
import { OperatorError } from "../../domain/operator-error.ts";
import type { BookingClock } from "../../platform/booking-clock.ts";
import type { ChargeRow } from "../../store/charges.ts";
import type { Balance, LedgerRow } from "../../store/ledger.ts";
import type { Store } from "../../store/store.ts";
import type { Directory } from "../directory/directory.ts";
import { type ChargeDimension, type Statement, statementOf } from "./statement.ts";

export interface BalanceServiceDeps {
  store: Store;
  directory: Pick<Directory, "account">;
  bookingClock: Pick<BookingClock, "moment">;
  /** The currency of every amount. */
  currency: string;
}

/** `amount`: in the currency's smallest unit. */
export interface LedgerEntry {
  amount: number;
  note: string | null;
  actor: string;
  /** An external reference: repeated requests with the same one book the money once. Null for none. */
  reference: string | null;
}

export interface EnteredMoney {
  /** The balance afterwards. */
  balance: Balance;
  /** It was already entered under this reference; nothing new was added. */
  duplicate: boolean;
}

/** Throws `account_not_found`, `reference_taken`; rejects with StoreUnavailable when the disk refuses. */
export class BalanceService {
  constructor(private readonly deps: BalanceServiceDeps) {}

  topUp(accountId: number, entry: LedgerEntry): Promise<EnteredMoney> {
    return this.#enter(accountId, "topup", entry);
  }

  /** Corrects a mistake: the amount may be negative. */
  correct(accountId: number, entry: LedgerEntry): Promise<EnteredMoney> {
    return this.#enter(accountId, "correction", entry);
  }

  balanceOf(accountId: number): Balance {
    this.#assertAccount(accountId);
    return this.deps.store.tables.ledger.balanceOf(accountId);
  }

  /** Lines of the ledger, newest first; `before`: the number of a line. */
  ledger(accountId: number, before: number | null, limit: number): LedgerRow[] {
    this.#assertAccount(accountId);
    return this.deps.store.tables.ledger.page(accountId, before, limit);
  }

  /** Charges and costs of quarter hours that start at or after `from` and before `to`. */
  charges(accountId: number, from: number, to: number): ChargeRow[] {
    return this.deps.store.tables.charges.between(accountId, from, to);
  }

  /** The same of each account from `first` to before `end`, in one row. */
  chargeSums(first: number, end: number, from: number, to: number): ChargeRow[] {
    return this.deps.store.tables.charges.sums(first, end, from, to);
  }

  /** What is booked in the month; `calendar` defines its days. */
  statement(accountId: number, month: LocalPeriod, calendar: LocalCalendar, by: ChargeDimension): Promise<Statement> {
    this.#assertAccount(accountId);
    const { store, bookingClock } = this.deps;
    return statementOf(store.tables, accountId, month, { calendar, by, bookedAt: bookingClock.moment().bookedAt });
  }

  async #enter(accountId: number, kind: "topup" | "correction", entry: LedgerEntry): Promise<EnteredMoney> {
    const { store, currency } = this.deps;
    this.#assertAccount(accountId);
    const { reference, amount } = entry;
    return store.write(({ ledger }) => {
      const known = reference === null ? null : ledger.referredTo(accountId, reference);
      if (known === null) ledger.enter(accountId, { kind, currency, ...entry });
      else if (known.kind !== kind || known.amount !== amount) throw new OperatorError("reference_taken");
      return { balance: ledger.balanceOf(accountId), duplicate: known !== null };
    });
  }

  #assertAccount(accountId: number): void {
    if (this.deps.directory.account(accountId) === null) throw new OperatorError("account_not_found");
  }
}
