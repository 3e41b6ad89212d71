/** Networks and their number ranges in memory: those that Peyk knows, and over them those that the operator added. */
import { iranNetworks } from "../../domain/iran-networks.ts";
import { NetworkRanges } from "../../domain/network-ranges.ts";
import { type NumberRange, numberPosition, rangeOfPrefix } from "../../domain/number-range.ts";
import type { Tables } from "../../store/store.ts";
import {
  type Judgement,
  type ProspectiveMessage,
  type Remark,
  type TrafficRule,
  unjudged,
} from "../rules/traffic-rules.ts";

export interface Network {
  id: number;
  name: string;
  /** The operator added it. */
  isOwn: boolean;
}

const known: readonly Network[] = iranNetworks.map(({ id, name }) => ({ id, name, isOwn: false }));
const knownRanges = iranNetworks.flatMap(({ id, prefixes }) =>
  prefixes.map((prefix) => ({ networkId: id, ...rangeOfPrefix(prefix) })),
);

export class Networks {
  #networks: readonly Network[] = known;
  /** In lower case. The first of a name counts: what Peyk knows itself. */
  #byName: ReadonlyMap<string, Network> = new Map();
  #byId: ReadonlyMap<number, Network> = new Map();
  #ranges = new NetworkRanges([knownRanges]);

  constructor(tables: Tables) {
    this.reload(tables);
  }

  /** To be called by whoever has just committed a change. */
  reload({ networks }: Tables): void {
    this.#networks = [...known, ...networks.all().map((row) => ({ ...row, isOwn: true }))];
    this.#byName = new Map(this.#networks.toReversed().map((network) => [network.name.toLowerCase(), network]));
    this.#byId = new Map(this.#networks.map((network) => [network.id, network]));
    this.#ranges = new NetworkRanges([knownRanges, networks.ranges()]);
  }

  all(): readonly Network[] {
    return this.#networks;
  }

  /** In whatever case the name is written. */
  byName(name: string): Network | null {
    return this.#byName.get(name.toLowerCase()) ?? null;
  }

  nameOf(id: number): string {
    return this.#byId.get(id)?.name ?? `network ${id}`;
  }

  /** 0 for a number of no known network. */
  networkOf(e164: string): number {
    return this.#ranges.networkAt(numberPosition(e164));
  }

  /** The numbers that count as the network's now. */
  rangesOf(id: number): readonly NumberRange[] {
    return this.#ranges.of(id);
  }
}

/** Says of each message to which network its number belongs. */
export function networkRule(networks: Pick<Networks, "networkOf" | "nameOf">): TrafficRule {
  /** Where nothing else was decided yet: one object for each network, not one for each message. */
  const shared = new Map<number, Judgement>();

  function judged(network: number, judgement: Judgement): Judgement {
    if (judgement !== unjudged) return { ...judgement, network };
    let known = shared.get(network);
    if (known === undefined) {
      known = { ...unjudged, network };
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
    apply({ recipient }: ProspectiveMessage, judgement, remarks) {
      const network = networks.networkOf(recipient);
      remarks?.push(remarkOf(recipient, network));
      return network === 0 ? judgement : judged(network, judgement);
    },
    recall: ({ recipient, network }) => remarkOf(recipient, network),
  };
}
