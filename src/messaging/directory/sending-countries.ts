/** The countries an account may send to: its own list, or that of the settings. */
import { type Countries, countriesOf } from "../../domain/country.ts";
import type { Account } from "./directory.ts";

export interface SendingCountriesDeps {
  directory: { account(id: number): Pick<Account, "countries"> | null };
  /** For an account without its own list; empty: every country. */
  countries: readonly string[];
}

export class SendingCountries {
  readonly #directory: SendingCountriesDeps["directory"];
  readonly #fallback: Countries;
  /** Keyed by the stored list; consulted at every request. */
  readonly #parsed = new Map<string, Countries>();

  constructor({ directory, countries }: SendingCountriesDeps) {
    this.#directory = directory;
    this.#fallback = countriesOf(countries);
  }

  of(accountId: number): Countries {
    const own = this.#directory.account(accountId)?.countries ?? null;
    if (own === null) return this.#fallback;
    let parsed = this.#parsed.get(own);
    if (parsed === undefined) {
      parsed = countriesOf(countryCodes(own));
      this.#parsed.set(own, parsed);
    }
    return parsed;
  }
}

/** The codes of a stored list, separated by spaces. */
export const countryCodes = (stored: string): string[] => stored.split(" ").filter((code) => code !== "");
