/** Where an account's days begin: its own time zone, or that of the settings. */
import type { Account } from "./directory.ts";

export interface TimeZoneDeps {
  directory: { account(id: number): Pick<Account, "timeZone"> | null };
  /** Of an account without a time zone of its own. */
  timeZone: string;
}

export class AccountTimeZones {
  readonly #deps: TimeZoneDeps;

  constructor(deps: TimeZoneDeps) {
    this.#deps = deps;
  }

  /** A name of the IANA database. */
  of(accountId: number): string {
    return this.#deps.directory.account(accountId)?.timeZone ?? this.#deps.timeZone;
  }
}
