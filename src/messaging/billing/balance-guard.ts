/** Refuses requests that a prepaid account cannot pay, and reserves the price of the others: all messages of a request or none. */
import { ApiError } from "../../domain/api-error.ts";
import type { Balance, LedgerTable } from "../../store/ledger.ts";
import type { Tables } from "../../store/store.ts";
import type { Demand, Payer, Remark, Reservation } from "../rules/traffic-rules.ts";
import type { PriceBook } from "./price-book.ts";

export interface BalanceGuardDeps {
  book: Pick<PriceBook, "billingOf">;
  ledger: LedgerTable;
  clock: { now(): number };
}

/** What may still be spent. */
export const availableOf = ({ settled, reserved }: Balance): number => settled - reserved;

export class BalanceGuard implements Reservation {
  readonly #deps: BalanceGuardDeps;

  constructor(deps: BalanceGuardDeps) {
    this.#deps = deps;
  }

  check({ accountId }: Payer, { price }: Demand): void {
    if (price > 0) this.#assertPayable(this.#deps.ledger, accountId, price);
  }

  reserve({ ledger }: Tables, { accountId }: Payer, { price }: Demand): void {
    if (price === 0) return;
    this.#assertPayable(ledger, accountId, price);
    ledger.reserve(accountId, price, this.#deps.clock.now());
  }

  explain({ accountId }: Payer, { price }: Demand): Remark[] {
    const { book, ledger } = this.#deps;
    if (price === 0 || book.billingOf(accountId)?.mode !== "prepaid") return [];
    const words = `The account is prepaid and has ${ledger.availableOf(accountId)} left to spend.`;
    return [{ rule: "balance", words }];
  }

  /** Throws `balance_exhausted`. */
  #assertPayable(ledger: LedgerTable, accountId: number, price: number): void {
    if (this.#deps.book.billingOf(accountId)?.mode !== "prepaid") return;
    if (ledger.availableOf(accountId) < price) throw new ApiError("balance_exhausted");
  }
}
