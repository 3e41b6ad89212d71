/** Assembles prices and balances: the rules at acceptance, the charging at hand-over, and the operator's services. */

import { amountInCurrency, amountText } from "../../domain/money-text.ts";
import { callingCode } from "../../domain/phone-number.ts";
import { isFinal } from "../../domain/status.ts";
import type { BookingClock } from "../../platform/booking-clock.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { Directory } from "../directory/directory.ts";
import type { Networks } from "../routing/networks.ts";
import type {
  AddressedMessage,
  ProspectiveMessage,
  Remark,
  TrafficDecision,
  TrafficRule,
} from "../rules/traffic-rules.ts";
import { BalanceGuard } from "./balance-guard.ts";
import { BalanceService } from "./balance-service.ts";
import { PriceBook } from "./price-book.ts";
import { prefixText } from "./price-lines.ts";
import { PriceService, type PriceServiceDeps } from "./price-service.ts";

export interface BillingOptions extends Pick<PriceServiceDeps, "store" | "clock" | "log" | "timeZone" | "currency"> {
  directory: Directory;
  bookingClock: Pick<BookingClock, "moment">;
  networks: Pick<Networks, "pricedAs">;
}

export function openBilling(options: BillingOptions) {
  const { store, clock, bookingClock, log, directory, networks, timeZone, currency } = options;
  const book = new PriceBook(store.tables);
  store.tables.ledger.bookBy(() => bookingClock.moment());
  store.tables.charges.costsBy((message, at) => book.costFor(message.routeId ?? 0, networks.pricedAs(message), at));
  return {
    rule: new PriceRule(book, networks, currency),
    guard: new BalanceGuard({ book, ledger: store.tables.ledger, currency }),
    prices: new PriceService({ store, clock, log, directory, book, timeZone, currency }),
    balances: new BalanceService({ store, directory, bookingClock, currency }),
  };
}

const rule = "price";

/** Prices each message of a charged account: the price of its number at acceptance, times its parts. */
class PriceRule implements TrafficRule {
  readonly #book: PriceBook;
  readonly #networks: BillingOptions["networks"];
  readonly #currency: string;

  constructor(book: PriceBook, networks: BillingOptions["networks"], currency: string) {
    this.#book = book;
    this.#networks = networks;
    this.#currency = currency;
  }

  apply(message: ProspectiveMessage, decision: TrafficDecision, remarks?: Remark[]): TrafficDecision {
    const { accountId, recipient, submittedAt, partCount } = message;
    const { network, networkSource } = decision;
    const priced = this.#networks.pricedAs({ recipient, network, networkSource });
    const line = decision.isTest ? null : this.#book.priceFor(accountId, priced, submittedAt);
    if (line === null) return decision;
    const price = line.amount * partCount;
    if (remarks !== undefined) {
      const each = amountText(line.amount, this.#currency);
      const words = `It costs ${amountInCurrency(price, this.#currency)}: ${partCount} × ${each}, the price of ${prefixText(line.prefix)}.`;
      remarks.push({ rule, words });
    }
    return { ...decision, price };
  }

  needsNetwork({ accountId, recipient }: AddressedMessage): boolean {
    const billing = this.#book.billingOf(accountId);
    return billing !== null && this.#book.pricesOf(billing.listId).tellsApart(callingCode(recipient));
  }

  recall({ price, cost, state }: MessageRow): Remark | null {
    if (price === null) return null;
    const open = isFinal(state) ? "was given back, as it was never handed over" : "is reserved";
    const amount = amountInCurrency(price, this.#currency);
    return { rule, words: `Its price of ${amount} ${cost === null ? open : "was charged when it was handed over"}.` };
  }
}
