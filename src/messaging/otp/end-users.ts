/** The limit on how many numbers are sent codes for one end user, whose address the customer passes on. */
import { isIpOrCidr, parseAddress } from "../../domain/address-ranges.ts";
import { invalid } from "../../domain/api-error.ts";
import { clientOf } from "../../domain/client-address.ts";
import { dayMs, endUserHeader } from "../../domain/otp.ts";
import type { KeyedHash } from "../../platform/keyed-hash.ts";
import type { Tables } from "../../store/store.ts";

/** Longer than any IPv6 address. */
const addressLengthMax = 64;

export class EndUsers {
  readonly #hash: KeyedHash;
  readonly #numbersPerDay: number;

  /** `numbersPerDay`: 0 for no limit; then nothing is read or kept. */
  constructor(hash: KeyedHash, numbersPerDay: number) {
    this.#hash = hash;
    this.#numbersPerDay = numbersPerDay;
  }

  /** The hash of the account's end user; null if no limit applies. Throws `validation_failed` for what is no address. */
  hashOf(accountId: number, given: string | null | undefined): Buffer | null {
    if (this.#numbersPerDay === 0 || given == null) return null;
    const isAddress = given.length <= addressLengthMax && !given.includes("/") && isIpOrCidr(given.trim());
    const address = isAddress ? parseAddress(given) : null;
    if (address !== null) return this.#hash.hash(`${accountId} ${clientOf(address.toString())}`);
    throw invalid([{ field: endUserHeader, code: "invalid_format", message: "must be an IP address" }]);
  }

  /** Milliseconds until the number may have a code for this end user; 0 for at once. */
  waitMs(tables: Tables, address: Buffer | null, recipient: string, at: number): number {
    if (address === null) return 0;
    const newest = tables.otpEndUsers.newestOf(address, at - dayMs, recipient, this.#numbersPerDay);
    return newest === null ? 0 : Math.min(newest + dayMs - at, dayMs);
  }

  /** In the transaction of the code, after its row. */
  insert(tables: Tables, address: Buffer | null, messageId: number, sentAt: number): void {
    if (address !== null) tables.otpEndUsers.insert({ messageId, address, sentAt });
  }
}
