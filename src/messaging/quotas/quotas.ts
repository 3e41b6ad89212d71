/** Assembles quotas: the guard at acceptance, and operator actions. */
import type { Directory } from "../directory/directory.ts";
import { QuotaGuard, type QuotaGuardDeps } from "./quota-guard.ts";
import { QuotaService, type QuotaServiceDeps } from "./quota-service.ts";

export interface QuotasOptions
  extends Pick<QuotaGuardDeps, "bookingClock" | "log" | "calendar" | "timeZones">,
    Pick<QuotaServiceDeps, "store"> {
  directory: Directory;
}

export function openQuotas({ store, directory, ...options }: QuotasOptions) {
  const guard = new QuotaGuard({ ...options, quotas: store.tables.quotas, directory });
  return { guard, service: new QuotaService({ store, directory, guard }) };
}
