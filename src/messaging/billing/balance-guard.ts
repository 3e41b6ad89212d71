/**
 * Refuses requests that a prepaid account cannot pay for, and reserves the price of the others: all messages of a
 * request or none.
 */
import { ApiError } from "../../domain/api-error.ts";
import { amountInCurrency } from "../../domain/money-text.ts";
import type { Balance, LedgerTable } from "../../store/ledger.ts";
import type { Tables } from "../../store/store.ts";
import type { Demand, Payer, Remark, Reservation } from "../rules/traffic-rules.ts";
import type { PriceBook } from "./price-book.ts";

export interface BalanceGuardDeps {
  book: Pick<PriceBook, "billingOf">;
  ledger: LedgerTable;
  currency: string;
}

/** The amount that can still be spent. */
export const availableOf = ({ settled, reserved }: Balance): number => settled - reserved;

export class BalanceGuard implements Reservation {
  constructor(private readonly deps: BalanceGuardDeps) {}

  isLimiting({ accountId }: Payer): boolean {
    return this.deps.book.billingOf(accountId)?.mode === "prepaid";
  }

  check(payer: Payer, { price }: Demand): void {
    if (price > 0) this.#assertPayable(this.deps.ledger, payer, price);
  }

  reserve({ ledger }: Tables, payer: Payer, { price }: Demand): void {
    if (price === 0) return;
    this.#assertPayable(ledger, payer, price);
    ledger.reserve(payer.accountId, price);
  }

  giveBack({ ledger }: Tables, { accountId }: Payer, { price }: Demand): void {
    if (price > 0) ledger.release(accountId, price);
  }

  explain(payer: Payer, { price }: Demand): Remark[] {
    if (price === 0 || !this.isLimiting(payer)) return [];
    const left = amountInCurrency(this.deps.ledger.availableOf(payer.accountId), this.deps.currency);
    const words = `The account is prepaid and has ${left} left to spend.`;
    return [{ rule: "balance", words }];
  }

  /** Throws `balance_exhausted`. */
  #assertPayable(ledger: LedgerTable, payer: Payer, price: number): void {
    if (!this.isLimiting(payer)) return;
    if (ledger.availableOf(payer.accountId) < price) throw new ApiError("balance_exhausted");
  }
}
