/** The limit on how many numbers are sent codes for one end user, whose address the customer passes on. */
import { isIpOrCidr, parseAddress } from "../../domain/address-ranges.ts";
import { invalid } from "../../domain/api-error.ts";
import { clientOf } from "../../domain/client-address.ts";
import { dayMs, endUserHeader } from "../../domain/otp.ts";
import type { KeyedHash } from "../../platform/keyed-hash.ts";
import type { Tables } from "../../store/store.ts";

export type EndUsers = ReturnType<typeof endUsers>;

/** Longer than any IPv6 address. */
const addressLengthMax = 64;

/** `numbersPerDay`: 0 for no limit; then nothing is read or kept. */
export const endUsers = (hash: KeyedHash, numbersPerDay: number) => ({
  /** The hash of the account's end user; null if no limit applies. Throws `validation_failed` for what is no address. */
  hashOf(accountId: number, given: string | null | undefined): Buffer | null {
    if (numbersPerDay === 0 || given == null) return null;
    const isAddress = given.length <= addressLengthMax && !given.includes("/") && isIpOrCidr(given.trim());
    const address = isAddress ? parseAddress(given) : null;
    if (address !== null) return hash.hash(`${accountId} ${clientOf(address.toString())}`);
    throw invalid([{ field: endUserHeader, code: "invalid_format", message: "must be an IP address" }]);
  },

  /** Milliseconds until the number may have a code for this end user; 0 for at once. */
  waitMs({ otpSends }: Tables, address: Buffer | null, recipient: string, at: number): number {
    const newest = address && otpSends.newestOfEndUser(address, at - dayMs, recipient, numbersPerDay);
    return newest === null ? 0 : Math.min(newest + dayMs - at, dayMs);
  },
});
