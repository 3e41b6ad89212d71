/** Authentication and authorisation: whose key it is, whether it is within its rate, and what it may do. */

import { addressMatcher } from "../domain/address-ranges.ts";
import { ApiError, type ApiErrorCode } from "../domain/api-error.ts";
import { clientAddress, clientOf } from "../domain/client-address.ts";
import type { Permission } from "../domain/permissions.ts";
import { apiKeyLookup } from "../messaging/directory/api-key.ts";
import type { Account, ApiKey } from "../messaging/directory/directory.ts";
import type { Clock } from "../platform/clock.ts";
import { type RateLimitState, rateWindows } from "../platform/rate-window.ts";

/** The accounts' keys, in memory. */
export interface KeyDirectory {
  keyByHash(hash: string): { key: ApiKey; account: Account } | null;
}

export interface AuthenticationSettings {
  trustedProxies: readonly string[];
  requestsPerMinute: number;
  failedAuthPerMinute: number;
  /** True if test keys are accepted. */
  takesTestKeys: boolean;
}

export interface Authenticated {
  key: ApiKey;
  account: Account;
}

/** Each takes about 100 bytes. A client that has more of them than this within a minute escapes the count. */
const clientsMax = 20_000;
const keysMax = 100_000;

export type Authenticator = ReturnType<typeof authenticator>;

export function authenticator(directory: KeyDirectory, settings: AuthenticationSettings, clock: Clock) {
  const requests = rateWindows<number>(clock, keysMax);
  const failures = rateWindows<string>(clock, clientsMax);
  const forwarded = clientAddress(settings.trustedProxies);

  /** Cached by identity: a changed key is a new object. */
  const matchers = new WeakMap<ApiKey, (address: string) => boolean>();

  const addressOf = (request: Request, peerOf: (request: Request) => string) =>
    forwarded(peerOf(request), request.headers.get("x-forwarded-for"));

  function mayUse(key: ApiKey, request: Request, peerOf: (request: Request) => string): boolean {
    if (key.isTest && !settings.takesTestKeys) return false;
    if (key.allowFrom.length === 0) return true;
    const isAllowed = matchers.get(key) ?? addressMatcher(key.allowFrom);
    matchers.set(key, isAllowed);
    return isAllowed(addressOf(request, peerOf));
  }

  function fail(code: ApiErrorCode, request: Request, peerOf: (request: Request) => string): ApiError {
    const rateLimit = failures.take(clientOf(addressOf(request, peerOf)), settings.failedAuthPerMinute);
    if (rateLimit.admitted) return new ApiError(code);
    return new ApiError("rate_limit_exceeded", {
      message: "Too many failed authentications from this address.",
      retryAfterSeconds: rateLimit.endsInSeconds,
    });
  }

  /** Whose key it is, also if it may not be used from here. */
  function ownerOf(request: Request): Authenticated | null {
    const apiKey = request.headers.get("x-api-key");
    return apiKey === null || apiKey === "" ? null : directory.keyByHash(apiKeyLookup(apiKey));
  }

  return {
    ownerOf,

    /** The client's address; failures count under what `clientOf` makes of it. */
    addressOf,

    /** Throws `api_key_required`, `api_key_invalid`, and `rate_limit_exceeded` for an address that failed too often. */
    identify(request: Request, peerOf: (request: Request) => string): Authenticated {
      const apiKey = request.headers.get("x-api-key");
      if (apiKey === null || apiKey === "") throw fail("api_key_required", request, peerOf);
      const authenticated = directory.keyByHash(apiKeyLookup(apiKey));
      // From an address that the key is not allowed to use it looks unknown, so a thief learns nothing.
      if (authenticated === null || !mayUse(authenticated.key, request, peerOf))
        throw fail("api_key_invalid", request, peerOf);
      return authenticated;
    },

    /** Counts the request in its key's window. */
    count: ({ key }: Authenticated): RateLimitState =>
      requests.take(key.id, key.requestsPerMinute ?? settings.requestsPerMinute),

    /** Throws `account_suspended`, `permission_denied`. */
    admit({ key, account }: Authenticated, permission: Permission): void {
      if (account.status === "suspended") throw new ApiError("account_suspended");
      if (!key.permissions.has(permission)) throw new ApiError("permission_denied");
    },
  };
}
