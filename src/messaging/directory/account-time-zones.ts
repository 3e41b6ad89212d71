/** The time zone in which an account's days begin: its own, or that of the settings. */
import type { Account } from "./directory.ts";

export interface TimeZoneDeps {
  directory: { account(id: number): Pick<Account, "timeZone"> | null };
  /** For an account without a time zone of its own. */
  timeZone: string;
}

export class AccountTimeZones {
  constructor(private readonly deps: TimeZoneDeps) {}

  /** An IANA time zone name. */
  of(accountId: number): string {
    return this.deps.directory.account(accountId)?.timeZone ?? this.deps.timeZone;
  }
}
