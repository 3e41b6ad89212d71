/**
 * Connections of peers that nobody has authenticated. Where they are too many, a connection of the network that has most
 * of them ends, so that a flood from one address never takes the place of another's customer.
 */
/** How many of a network's oldest connections are asked whether they are silent: the work for one that ends is bounded. */
const lookedAtMax = 32;

export class Strangers<Connection> {
  readonly #isSilent: (connection: Connection) => boolean;
  readonly #networkOfAddress: (address: string) => string;
  readonly #networkOf = new Map<Connection, string>();
  /** The oldest connection first. */
  readonly #byNetwork = new Map<string, Set<Connection>>();
  /** Networks by how many connections they have; those that have had as many for longest first. */
  readonly #bySize = new Map<number, Set<string>>();
  #sizeMax = 0;

  /** `isSilent`: it has sent nothing yet. `networkOf`: what counts as one client. */
  constructor(isSilent: (connection: Connection) => boolean, networkOf: (address: string) => string) {
    this.#isSilent = isSilent;
    this.#networkOfAddress = networkOf;
  }

  get size(): number {
    return this.#networkOf.size;
  }

  add(connection: Connection, address: string): void {
    const network = this.#networkOfAddress(address);
    const connections = this.#byNetwork.get(network) ?? new Set();
    this.#byNetwork.set(network, connections);
    this.#networkOf.set(connection, network);
    connections.add(connection);
    this.#resized(network, connections.size - 1, connections.size);
  }

  delete(connection: Connection): void {
    const network = this.#networkOf.get(connection);
    const connections = network === undefined ? undefined : this.#byNetwork.get(network);
    if (network === undefined || connections === undefined) return;
    this.#networkOf.delete(connection);
    connections.delete(connection);
    if (connections.size === 0) this.#byNetwork.delete(network);
    this.#resized(network, connections.size + 1, connections.size);
  }

  /**
   * The one to end for another to take its place: of the network with most, the oldest that is silent, or the oldest;
   * null if there is none.
   */
  get leastWorthy(): Connection | null {
    const [network = ""] = this.#bySize.get(this.#sizeMax) ?? [];
    const oldest = [...(this.#byNetwork.get(network)?.values().take(lookedAtMax) ?? [])];
    return oldest.find(this.#isSilent) ?? oldest[0] ?? null;
  }

  #resized(network: string, before: number, now: number): void {
    const others = this.#bySize.get(before);
    others?.delete(network);
    if (others?.size === 0) this.#bySize.delete(before);
    if (now > 0) {
      const equals = this.#bySize.get(now) ?? new Set();
      this.#bySize.set(now, equals.add(network));
    }
    if (now > this.#sizeMax || !this.#bySize.has(this.#sizeMax)) this.#sizeMax = now;
  }
}
