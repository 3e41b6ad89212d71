/** Networks and their number ranges in memory: the built-in ones, overridden by those the operator added. */
import { iranNetworks } from "../../domain/iran-networks.ts";
import { NetworkRanges } from "../../domain/network-ranges.ts";
import { type NetworkSource, networkSources } from "../../domain/network-source.ts";
import { commonBeginning, type NumberRange, numberPosition, rangeOfPrefix } from "../../domain/number-range.ts";
import type { Tables } from "../../store/store.ts";
import {
  type ProspectiveMessage,
  type Remark,
  type TrafficDecision,
  type TrafficRule,
  undecided,
} from "../rules/traffic-rules.ts";

export interface Network {
  id: number;
  name: string;
  /** Added by the operator. */
  isOwn: boolean;
}

const known: readonly Network[] = iranNetworks.map(({ id, name }) => ({ id, name, isOwn: false }));
const knownRanges = iranNetworks.flatMap(({ id, prefixes }) =>
  prefixes.map((prefix) => ({ networkId: id, ...rangeOfPrefix(prefix) })),
);

/** Knows the networks of numbers that have moved. */
interface MovedNumbers {
  /** 0 for a number that has not moved. */
  networkOf(e164: string): number;
  networksChanged(): void;
}

export class Networks {
  #networks: readonly Network[] = known;
  /** In lower case. Of equal names the first wins: the built-in one. */
  #byName: ReadonlyMap<string, Network> = new Map();
  #byId: ReadonlyMap<number, Network> = new Map();
  #ranges = new NetworkRanges([knownRanges]);
  #moved: MovedNumbers | null = null;

  constructor(tables: Tables) {
    this.reload(tables);
  }

  /** Call after committing a change. */
  reload({ networks }: Tables): void {
    this.#networks = [...known, ...networks.all().map((row) => ({ ...row, isOwn: true }))];
    this.#byName = new Map(this.#networks.toReversed().map((network) => [network.name.toLowerCase(), network]));
    this.#byId = new Map(this.#networks.map((network) => [network.id, network]));
    this.#ranges = new NetworkRanges([knownRanges, networks.ranges()]);
    this.#moved?.networksChanged();
  }

  movedBy(moved: MovedNumbers): void {
    this.#moved = moved;
  }

  all(): readonly Network[] {
    return this.#networks;
  }

  /** Case-insensitive. */
  byName(name: string): Network | null {
    return this.#byName.get(name.toLowerCase()) ?? null;
  }

  nameOf(id: number): string {
    return this.#byId.get(id)?.name ?? `network ${id}`;
  }

  /** 0 if the number's network is unknown. */
  networkOf(e164: string): number {
    return this.movedTo(e164) || this.networkOfRange(e164);
  }

  /** 0 if it has not moved. */
  movedTo(e164: string): number {
    return this.#moved === null ? 0 : this.#moved.networkOf(e164);
  }

  /** Of the range that the number is in; 0 if that is unknown. */
  networkOfRange(e164: string): number {
    return this.#ranges.networkAt(numberPosition(e164));
  }

  sourceOf(e164: string): NetworkSource {
    return this.movedTo(e164) === 0 ? networkSources.prefix : networkSources.ported;
  }

  /**
   * The beginning by which a number is priced: one that has moved costs what those in the nearest range of its new network
   * cost. The number itself if the network has no range.
   */
  pricedAs({ recipient, network = 0, networkSource = networkSources.prefix }: PricedNumber): string {
    if (networkSource === networkSources.prefix) return recipient;
    const nearest = this.#ranges.nearest(network, numberPosition(recipient));
    return nearest === null ? recipient : `+${commonBeginning(nearest)}`;
  }

  /** The network's current number ranges. */
  rangesOf(id: number): readonly NumberRange[] {
    return this.#ranges.of(id);
  }
}

interface PricedNumber {
  /** E.164. */
  recipient: string;
  network?: number | undefined;
  networkSource?: NetworkSource | undefined;
}

const sourceWords: Readonly<Record<NetworkSource, string>> = {
  [networkSources.prefix]: ", by its range",
  [networkSources.ported]: ", by the table of ported numbers",
};

/** Assigns each message the network of its number. */
export function networkRule(networks: Pick<Networks, "movedTo" | "networkOfRange" | "nameOf">): TrafficRule {
  /** For messages about which nothing else is decided yet: one shared object per network instead of one per message. */
  const shared = { prefix: new Map<number, TrafficDecision>(), ported: new Map<number, TrafficDecision>() };

  function withNetwork(network: number, source: "prefix" | "ported", decision: TrafficDecision): TrafficDecision {
    const networkSource = networkSources[source];
    if (decision !== undecided) return { ...decision, network, networkSource };
    let known = shared[source].get(network);
    if (known === undefined) {
      known = { ...undecided, network, networkSource };
      shared[source].set(network, known);
    }
    return known;
  }

  const remarkOf = (recipient: string, network: number, source: NetworkSource): Remark => ({
    rule: "network",
    words:
      network === 0
        ? `${recipient} is in no number range that is known as a network's.`
        : `${recipient} is a number of ${networks.nameOf(network)}${sourceWords[source]}.`,
  });

  return {
    apply({ recipient }: ProspectiveMessage, decision, remarks) {
      const moved = networks.movedTo(recipient);
      const network = moved || networks.networkOfRange(recipient);
      const source = moved === 0 ? "prefix" : "ported";
      remarks?.push(remarkOf(recipient, network, networkSources[source]));
      return network === 0 ? decision : withNetwork(network, source, decision);
    },
    recall: ({ recipient, network, networkSource }) => remarkOf(recipient, network, networkSource),
  };
}
