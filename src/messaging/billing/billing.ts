/** Assembles prices and balances: the rules at acceptance, the charging at hand-over, and the operator's services. */
import type { BookingClock } from "../../platform/booking-clock.ts";
import type { Directory } from "../directory/directory.ts";
import { BalanceGuard } from "./balance-guard.ts";
import { BalanceService } from "./balance-service.ts";
import { PriceBook } from "./price-book.ts";
import { PriceRule } from "./price-rule.ts";
import { PriceService, type PriceServiceDeps } from "./price-service.ts";

export interface BillingOptions extends Pick<PriceServiceDeps, "store" | "clock" | "log" | "timeZone" | "currency"> {
  directory: Directory;
  bookingClock: Pick<BookingClock, "moment">;
}

export function openBilling({ store, clock, bookingClock, log, directory, timeZone, currency }: BillingOptions) {
  const book = new PriceBook(store.tables);
  store.tables.ledger.bookBy(() => bookingClock.moment());
  store.tables.charges.costsBy((routeId, recipient, at) => book.costFor(routeId, recipient, at));
  return {
    rule: new PriceRule(book),
    guard: new BalanceGuard({ book, ledger: store.tables.ledger }),
    prices: new PriceService({ store, clock, log, directory, book, timeZone, currency }),
    balances: new BalanceService({ store, directory, currency }),
  };
}
