/** Networks and their number ranges in memory: the built-in ones, overridden by those the operator added. */
import { iranNetworks } from "../../domain/iran-networks.ts";
import { NetworkRanges } from "../../domain/network-ranges.ts";
import { type NetworkSource, networkSourceNames, networkSources } from "../../domain/network-source.ts";
import { commonBeginning, type NumberRange, numberPosition, rangeOfPrefix } from "../../domain/number-range.ts";
import type { PlanRow } from "../../store/plans.ts";
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

/** Knows the networks of numbers by something other than their ranges. */
interface KnownNumbers {
  /** 0 for a number that it does not know. */
  networkOf(e164: string): number;
  networksChanged?(): void;
}

export interface NamedNetwork {
  /** 0 if it is unknown. */
  network: number;
  source: NetworkSource;
}

export class Networks {
  #networks: readonly Network[] = known;
  /** In lower case. Of equal names the first wins: the built-in one. */
  #byName: ReadonlyMap<string, Network> = new Map();
  #byId: ReadonlyMap<number, Network> = new Map();
  #ranges = new NetworkRanges([knownRanges]);
  readonly #named: { source: NetworkSource; numbers: KnownNumbers }[] = [];

  constructor(tables: Tables) {
    this.reload(tables);
  }

  /** Call after committing a change. */
  reload({ networks }: Tables): void {
    this.#networks = [...known, ...networks.all().map((row) => ({ ...row, isOwn: true }))];
    this.#byName = new Map(this.#networks.toReversed().map((network) => [network.name.toLowerCase(), network]));
    this.#byId = new Map(this.#networks.map((network) => [network.id, network]));
    this.#ranges = new NetworkRanges([knownRanges, networks.ranges()]);
    for (const { numbers } of this.#named) numbers.networksChanged?.();
  }

  /** The first to know a number decides. */
  namedBy(source: NetworkSource, numbers: KnownNumbers): void {
    this.#named.push({ source, numbers });
  }

  /** Without those of which only the name is left, for the messages that have it, unless a rule names them, too. */
  ofPlans(plans: readonly Pick<PlanRow, "rules">[]): Network[] {
    const named = new Set(plans.flatMap(({ rules }) => rules.flatMap(({ match }) => match.networks)));
    return this.#networks.filter(({ id, isOwn }) => !isOwn || this.rangesOf(id).length > 0 || named.has(id));
  }

  /** Case-insensitive. */
  byName(name: string): Network | null {
    return this.#byName.get(name.toLowerCase()) ?? null;
  }

  nameOf(id: number): string {
    return this.#byId.get(id)?.name ?? `network ${id}`;
  }

  find(e164: string): NamedNetwork {
    for (const { source, numbers } of this.#named) {
      const network = numbers.networkOf(e164);
      if (network !== 0) return { network, source };
    }
    return { network: this.networkOfRange(e164), source: networkSources.prefix };
  }

  /** Of the range that the number is in; 0 if that is unknown. */
  networkOfRange(e164: string): number {
    return this.#ranges.networkAt(numberPosition(e164));
  }

  /**
   * The beginning by which a number is priced: one that has moved costs what those in the nearest range of its new network
   * cost. The number itself if the network has no range.
   */
  pricedAs({ recipient, network = 0, networkSource = networkSources.prefix }: PricedNumber): string {
    if (networkSource === networkSources.prefix) return recipient;
    const position = numberPosition(recipient);
    // It has not moved, or came back.
    if (this.#ranges.networkAt(position) === network) return recipient;
    const nearest = this.#ranges.nearest(network, position);
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
  [networkSources.lookup]: ", as its look-up said",
};

/** Assigns each message the network of its number. */
export function networkRule(networks: Pick<Networks, "find" | "nameOf">): TrafficRule {
  /** For messages about which nothing else is decided yet: a shared object per source and network, not one per message. */
  const shared = networkSourceNames.map(() => new Map<number, TrafficDecision>());

  const remarkOf = (recipient: string, { network, source }: NamedNetwork): Remark => ({
    rule: "network",
    words:
      network === 0
        ? `${recipient} is in no number range that is known as a network's.`
        : `${recipient} is a number of ${networks.nameOf(network)}${sourceWords[source]}.`,
  });

  return {
    apply({ recipient }: ProspectiveMessage, decision, remarks) {
      // A message that is routed anew keeps its network.
      if (decision.network !== 0) return decision;
      const found = networks.find(recipient);
      remarks?.push(remarkOf(recipient, found));
      const { network, source: networkSource } = found;
      if (network === 0) return decision;
      if (decision !== undecided) return { ...decision, network, networkSource };
      let known = shared[networkSource]?.get(network);
      if (known === undefined) {
        known = { ...undecided, network, networkSource };
        shared[networkSource]?.set(network, known);
      }
      return known;
    },
    recall: ({ recipient, network, networkSource }) => remarkOf(recipient, { network, source: networkSource }),
  };
}
