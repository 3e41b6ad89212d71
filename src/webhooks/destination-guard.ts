/**
 * Checks the destination of each callback: resolves it once, checks every address, and returns those that may be
 * dialled.
 */
import { networkInterfaces } from "node:os";
import type { AddressPolicy, AddressRefusal } from "../domain/address-policy.ts";
import type { Destination } from "../domain/destination-url.ts";
import type { Clock } from "../platform/clock.ts";
import { rememberLatest } from "../platform/remember-latest.ts";
import { type Resolver, ResolverFailed } from "./resolver.ts";

export type DestinationRefusalReason =
  /** The name has no address. */
  | "name_not_found"
  /** The name server failed or did not answer. */
  | "resolver_failed"
  /** At least one address is not public; a mixed answer is refused as a whole. */
  | "address_refused";

export class DestinationNotAllowed extends Error {
  override readonly name = "DestinationNotAllowed";
  constructor(
    readonly reason: DestinationRefusalReason,
    detail: string,
  ) {
    super(detail);
  }
}

export interface DestinationGuardDeps {
  resolver: Resolver;
  policy: AddressPolicy;
  /** The current addresses of this host's interfaces: the same array while they are the same. */
  ownAddresses(): readonly string[];
}

/** A new address of this host is known within this time. */
const ownAddressesMsMax = 1_000;
const judgedMax = 1_000;

/** Reading them takes some 20 µs, as long as signing three callbacks. */
export function interfaceAddresses(clock: Pick<Clock, "monotonic">): () => readonly string[] {
  let read = { addresses: addressesNow(), at: clock.monotonic() };
  return () => {
    const now = clock.monotonic();
    if (now - read.at >= ownAddressesMsMax) read = { addresses: addressesNow(), at: now };
    return read.addresses;
  };
}

const addressesNow = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? []);

export class DestinationGuard {
  /** Judged by these addresses of this host. */
  #own: readonly string[] = [];
  #refusalOf: (address: string) => AddressRefusal | null;

  constructor(private readonly deps: DestinationGuardDeps) {
    this.#refusalOf = this.#judgeBy([]);
  }

  /**
   * The addresses that may be dialled, IPv4 first (a host without an IPv6 route is still common), never empty.
   * @throws DestinationNotAllowed
   */
  async addressesOf(destination: Destination): Promise<readonly string[]> {
    const addresses = destination.isAddress ? [destination.host] : await this.#resolve(destination.host);
    if (addresses.length === 0) throw new DestinationNotAllowed("name_not_found", `${destination.host} has no address`);
    if (destination.isListed) this.#assertListable(destination.host, addresses);
    else if (!destination.isTrusted) this.#assertPublic(destination.host, addresses);
    return [...addresses].sort((a, b) => Number(a.includes(":")) - Number(b.includes(":")));
  }

  async #resolve(name: string): Promise<readonly string[]> {
    try {
      return await this.deps.resolver.resolve(name);
    } catch (error) {
      if (!(error instanceof ResolverFailed)) throw error;
      throw new DestinationNotAllowed("resolver_failed", `${name}: ${error.message}`);
    }
  }

  #assertListable(host: string, addresses: readonly string[]): void {
    for (const address of addresses) assertNotRefused(host, address, this.deps.policy.refusalOfListed(address));
  }

  #assertPublic(host: string, addresses: readonly string[]): void {
    const own = this.deps.ownAddresses();
    if (own !== this.#own) {
      this.#own = own;
      this.#refusalOf = this.#judgeBy(own);
    }
    for (const address of addresses) assertNotRefused(host, address, this.#refusalOf(address));
  }

  #judgeBy(own: readonly string[]): (address: string) => AddressRefusal | null {
    return rememberLatest((address) => this.deps.policy.refusalOf(address, own), judgedMax);
  }
}

function assertNotRefused(host: string, address: string, refusal: AddressRefusal | null): void {
  if (refusal !== null)
    throw new DestinationNotAllowed("address_refused", `${host}: ${address} is refused (${refusal})`);
}
