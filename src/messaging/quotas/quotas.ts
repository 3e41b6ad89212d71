/** Quotas, put together: the guard at acceptance, and what an operator does with them. */
import { AccountTimeZones } from "../directory/account-time-zones.ts";
import type { Directory } from "../directory/directory.ts";
import { QuotaGuard, type QuotaGuardDeps } from "./quota-guard.ts";
import { QuotaService, type QuotaServiceDeps } from "./quota-service.ts";

export interface QuotasOptions
  extends Pick<QuotaGuardDeps, "clock" | "log" | "calendar">,
    Pick<QuotaServiceDeps, "store"> {
  directory: Directory;
  /** Of an account without a time zone of its own. */
  timeZone: string;
}

export function openQuotas({ store, directory, timeZone, ...options }: QuotasOptions) {
  const timeZones = new AccountTimeZones({ directory, timeZone });
  const guard = new QuotaGuard({ ...options, quotas: store.tables.quotas, directory, timeZones });
  return { guard, service: new QuotaService({ store, directory, guard }) };
}
