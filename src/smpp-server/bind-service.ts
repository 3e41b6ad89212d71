/** Decides about binds: who it is, from where, how often wrong, and how many there are already. */
import { addressMatcher } from "../domain/address-ranges.ts";
import { readSmppCredential, type SmppCredentialOptions } from "../domain/credential.ts";
import type { CredentialDirectory, CredentialOwner } from "../messaging/directory/credential-directory.ts";
import type { ApiKey } from "../messaging/directory/directory.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import { rateWindows } from "../platform/rate-window.ts";
import type { BindRequest } from "./customer-requests.ts";
import type { CustomerBindMode } from "./customer-session.ts";
import { customerStatus } from "./customer-status.ts";

export interface BindServiceDeps {
  credentials: CredentialDirectory;
  clock: Clock;
  log: Logger;
  /** Wrong ones from one address in a minute; further ones are answered otherwise, and not logged. */
  failedBindsPerMinute: number;
  /** Whether test keys are good. */
  takesTestKeys: boolean;
}

export type BindOutcome =
  | { status: number; why: string }
  | { status: 0; owner: CredentialOwner; options: SmppCredentialOptions };

/** Each takes about 100 bytes. */
const addressesMax = 20_000;

const wantedBy = {
  transmitter: ["messages:send"],
  receiver: ["messages:read", "inbound:read"],
  transceiver: ["messages:send", "messages:read", "inbound:read"],
} as const;

export class BindService {
  readonly #deps: BindServiceDeps;
  readonly #failures;
  /** A changed key is another object. */
  readonly #matchers = new WeakMap<ApiKey, (address: string) => boolean>();

  constructor(deps: BindServiceDeps) {
    this.#deps = deps;
    this.#failures = rateWindows<string>(deps.clock, addressesMax);
  }

  /** A right password is never refused for what others from its address tried. */
  decide(request: BindRequest, mode: CustomerBindMode, address: string): BindOutcome {
    const { systemId, password } = request;
    const owner = this.#deps.credentials.open("smpp", systemId, password);
    // From an address that the key may not be used from, it is as good as unknown: a thief learns nothing.
    if (owner === null || !this.#mayUse(owner.key, address)) return this.#refuse(systemId, address, owner !== null);
    const { account, key, credential } = owner;
    if (account.status === "suspended") return { status: customerStatus.bindFailed, why: "the account is suspended" };
    if (!wantedBy[mode].some((permission) => key.permissions.has(permission)))
      return { status: customerStatus.bindFailed, why: "the key lacks the permission" };
    return { status: 0, owner, options: readSmppCredential(credential.options) };
  }

  #mayUse(key: ApiKey, address: string): boolean {
    if (key.isTest && !this.#deps.takesTestKeys) return false;
    if (key.allowFrom.length === 0) return true;
    const isAllowed = this.#matchers.get(key) ?? addressMatcher(key.allowFrom);
    this.#matchers.set(key, isAllowed);
    return isAllowed(address);
  }

  #refuse(systemId: string, address: string, isRight: boolean): BindOutcome {
    const { admitted } = this.#failures.take(address, this.#deps.failedBindsPerMinute);
    if (!admitted) return { status: customerStatus.throttled, why: "" };
    const why = isRight ? "its key is not for this address, or a test key" : "system_id or password is wrong";
    return { status: customerStatus.invalidPassword, why: `${why} (${JSON.stringify(systemId)})` };
  }
}
