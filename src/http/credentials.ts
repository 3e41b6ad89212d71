/** The door: whose key it is, whether it comes too often, and what it may do. */
import type { Permission } from "../domain/permissions.ts";
import { Refusal, type RefusalCode } from "../domain/refusal.ts";
import { apiKeyLookup } from "../messaging/api-key.ts";
import type { Account, ApiKey } from "../messaging/directory.ts";
import type { Clock } from "../platform/clock.ts";
import { clientAddress } from "./client-address.ts";
import { rateWindows, type Standing } from "./rate-window.ts";

/** What the door asks of the accounts in memory. */
export interface KeyDirectory {
  keyByHash(hash: string): { key: ApiKey; account: Account } | null;
}

export interface CredentialSettings {
  trustedProxies: readonly string[];
  requestsPerMinute: number;
  failedAuthPerMinute: number;
}

export interface Holder {
  key: ApiKey;
  account: Account;
}

/** Each takes about 100 bytes. Whoever comes from more addresses than these within a minute is not stopped by counting. */
const addressesMax = 20_000;
const keysMax = 100_000;

export type Credentials = ReturnType<typeof credentials>;

export function credentials(directory: KeyDirectory, settings: CredentialSettings, clock: Clock) {
  const requests = rateWindows<number>(clock, keysMax);
  const failures = rateWindows<string>(clock, addressesMax);
  const addressOf = clientAddress(settings.trustedProxies);

  function fail(code: RefusalCode, request: Request, peerOf: (request: Request) => string): Refusal {
    const address = addressOf(peerOf(request), request.headers.get("x-forwarded-for"));
    const standing = failures.take(address, settings.failedAuthPerMinute);
    if (standing.admitted) return new Refusal(code);
    return new Refusal("rate_limit_exceeded", {
      message: "Too many failed authentications from this address.",
      retryAfterSeconds: standing.endsInSeconds,
    });
  }

  return {
    /** Throws `api_key_required`, `api_key_invalid`, and `rate_limit_exceeded` for an address that failed too often. */
    identify(request: Request, peerOf: (request: Request) => string): Holder {
      const apiKey = request.headers.get("x-api-key");
      if (apiKey === null || apiKey === "") throw fail("api_key_required", request, peerOf);
      const holder = directory.keyByHash(apiKeyLookup(apiKey));
      if (holder === null) throw fail("api_key_invalid", request, peerOf);
      return holder;
    },

    /** Counts the request in its key's window. */
    count: ({ key }: Holder): Standing => requests.take(key.id, key.requestsPerMinute ?? settings.requestsPerMinute),

    /** Throws `account_suspended`, `permission_denied`. */
    admit({ key, account }: Holder, permission: Permission): void {
      if (account.status === "suspended") throw new Refusal("account_suspended");
      if (!key.permissions.has(permission)) throw new Refusal("permission_denied");
    },
  };
}
