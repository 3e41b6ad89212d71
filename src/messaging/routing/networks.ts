/** Networks and their number ranges in memory: the built-in ones, overridden by those the operator added. */
import { iranNetworks } from "../../domain/iran-networks.ts";
import { NetworkRanges } from "../../domain/network-ranges.ts";
import { type NumberRange, numberPosition, rangeOfPrefix } from "../../domain/number-range.ts";
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

export class Networks {
  #networks: readonly Network[] = known;
  /** In lower case. Of equal names the first wins: the built-in one. */
  #byName: ReadonlyMap<string, Network> = new Map();
  #byId: ReadonlyMap<number, Network> = new Map();
  #ranges = new NetworkRanges([knownRanges]);

  constructor(tables: Tables) {
    this.reload(tables);
  }

  /** Call after committing a change. */
  reload({ networks }: Tables): void {
    this.#networks = [...known, ...networks.all().map((row) => ({ ...row, isOwn: true }))];
    this.#byName = new Map(this.#networks.toReversed().map((network) => [network.name.toLowerCase(), network]));
    this.#byId = new Map(this.#networks.map((network) => [network.id, network]));
    this.#ranges = new NetworkRanges([knownRanges, networks.ranges()]);
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
    return this.#ranges.networkAt(numberPosition(e164));
  }

  /** The network's current number ranges. */
  rangesOf(id: number): readonly NumberRange[] {
    return this.#ranges.of(id);
  }
}

/** Assigns each message the network of its number. */
export function networkRule(networks: Pick<Networks, "networkOf" | "nameOf">): TrafficRule {
  /** For messages about which nothing else is decided yet: one shared object per network instead of one per message. */
  const shared = new Map<number, TrafficDecision>();

  function withNetwork(network: number, decision: TrafficDecision): TrafficDecision {
    if (decision !== undecided) return { ...decision, network };
    let known = shared.get(network);
    if (known === undefined) {
      known = { ...undecided, network };
      shared.set(network, known);
    }
    return known;
  }

  const remarkOf = (recipient: string, network: number): Remark => ({
    rule: "network",
    words:
      network === 0
        ? `${recipient} is in no number range that is known as a network's.`
        : `${recipient} is a number of ${networks.nameOf(network)}.`,
  });

  return {
    apply({ recipient }: ProspectiveMessage, decision, remarks) {
      const network = networks.networkOf(recipient);
      remarks?.push(remarkOf(recipient, network));
      return network === 0 ? decision : withNetwork(network, decision);
    },
    recall: ({ recipient, network }) => remarkOf(recipient, network),
  };
}
