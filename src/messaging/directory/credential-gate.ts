/** Authenticates customers by their credentials and source address, and limits failed attempts across all protocols. */
import { addressMatcher } from "../../domain/address-ranges.ts";
import { clientOf } from "../../domain/client-address.ts";
import type { CredentialKind } from "../../domain/credential.ts";
import { isShortSecret } from "../../domain/drop-in-credential.ts";
import { credentialIdText } from "../../domain/id-text.ts";
import type { Clock } from "../../platform/clock.ts";
import { rateWindows } from "../../platform/rate-window.ts";
import type { CredentialDirectory, CredentialOwner } from "./credential-directory.ts";
import type { ApiKey } from "./directory.ts";
import type { GuessCounts } from "./guess-counts.ts";

export interface CredentialGateDeps {
  credentials: Pick<CredentialDirectory, "open" | "named">;
  clock: Clock;
  /** Failed attempts per minute of one client (see `clientOf`); further ones get a different answer and are not logged. */
  failedPerMinute: number;
  /** True if test keys are accepted. */
  takesTestKeys: boolean;
  guesses: Pick<GuessCounts, "count">;
}

/**
 * `not_usable`: the secret is right, but the key is not valid for this address or is a test key. Customers cannot tell
 * it from `wrong`.
 */
export type GateRefusal = "wrong" | "not_usable" | "throttled";

export type GateOutcome = { owner: CredentialOwner } | { refused: GateRefusal };

/** Who signs in. The address is read only for a limited key and after a failure: finding it takes as long as the rest. */
export interface Peer {
  readonly address: string;
}

/** Each takes about 100 bytes. */
const clientsMax = 20_000;

export class CredentialGate {
  readonly #failures;
  /** A changed key is a new object. */
  readonly #matchers = new WeakMap<ApiKey, (address: string) => boolean>();

  constructor(private readonly deps: CredentialGateDeps) {
    this.#failures = rateWindows<string>(deps.clock, clientsMax);
  }

  /** A correct secret is never refused because of others' attempts from the same address. */
  open(kind: CredentialKind, name: string, secret: string, from: Peer): GateOutcome {
    const { credentials } = this.deps;
    return this.#admit(credentials.open(kind, name, secret), from, () => credentials.named(kind, name));
  }

  /**
   * Like `open`, with a proof other than a password, such as a signature. `proves` is called only if there is such a
   * credential.
   */
  openBy(kind: CredentialKind, name: string, from: Peer, proves: (owner: CredentialOwner) => boolean): GateOutcome {
    const owner = this.deps.credentials.named(kind, name);
    return this.#admit(owner !== null && proves(owner) ? owner : null, from, () => owner);
  }

  /** `guessed`: whose secret it was to be. */
  #admit(owner: CredentialOwner | null, from: Peer, guessed: () => CredentialOwner | null): GateOutcome {
    // From an address where the key is not allowed, it counts as unknown: a thief learns nothing.
    if (owner !== null && this.mayUse(owner, from)) return { owner };
    const client = clientOf(from.address);
    if (owner === null) {
      const credential = guessed()?.credential ?? null;
      this.deps.guesses.count(credential && `${credentialIdText(credential.id)} (${credential.name})`, client);
    }
    const { admitted } = this.#failures.take(client, this.deps.failedPerMinute);
    if (!admitted) return { refused: "throttled" };
    return { refused: owner === null ? "wrong" : "not_usable" };
  }

  /** True if the key is valid for this address, and test keys are accepted if it is one. */
  mayUse({ key, credential }: CredentialOwner, from: Peer): boolean {
    if (key.isTest && !this.deps.takesTestKeys) return false;
    // A short password is valid only together with addresses, which may have been removed since.
    if (key.allowFrom.length === 0) return !isShortSecret(credential.options);
    const isAllowed = this.#matchers.get(key) ?? addressMatcher(key.allowFrom);
    this.#matchers.set(key, isAllowed);
    return isAllowed(from.address);
  }
}
