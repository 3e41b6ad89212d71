/** Users whose role comes from a provider of single sign-on: what it said holds for some hours after each sign-in there. */
import { OperatorError } from "../domain/operator-error.ts";
import type { SignInSide } from "../domain/ways-in.ts";
import type { Tables } from "../store/store.ts";

export interface ProviderRolesOptions {
  hours: Readonly<Record<SignInSide, number>>;
  /** Whether these users may have ways in and tokens of their own. */
  mayHaveOwn: boolean;
}

const hourMs = 3_600_000;

export class ProviderRoles {
  readonly #options: ProviderRolesOptions;

  constructor(options: ProviderRolesOptions) {
    this.#options = options;
  }

  /** When what the provider said of the user ends, epoch milliseconds; null: the role is the user's own. */
  endOf({ identities }: Tables, userId: number): number | null {
    const identity = identities.of(userId);
    if (identity?.givesRole !== true) return null;
    return (identity.judgedAt ?? 0) + this.#options.hours[identity.side] * hourMs;
  }

  mayHaveOwn({ identities }: Tables, userId: number): boolean {
    return this.#options.mayHaveOwn || identities.of(userId)?.givesRole !== true;
  }

  /** @throws OperatorError `provider_role` */
  assertMayHaveOwn(tables: Tables, userId: number): void {
    if (!this.mayHaveOwn(tables, userId)) throw new OperatorError("provider_role");
  }
}
