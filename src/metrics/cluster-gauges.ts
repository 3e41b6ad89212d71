/** Gauges of the leading node of a cluster; they exist only there. */
import { type GaugeRow, gaugesOf } from "./gauges.ts";
import type { Registry } from "./prom-client.ts";

export interface ClusterGaugeSources {
  silentMs: number;
  followers: readonly {
    node: string;
    unheardMs: number;
    behind: number;
    canWrite: boolean | null;
    differs: { pages: readonly number[] } | null;
  }[];
  isSynchronous: boolean;
  hasFsync: boolean;
}

/** `read`: null until the state of the cluster has been read. */
export function registerClusterGauges(registry: Registry, read: () => ClusterGaugeSources | null): void {
  const gauges = gaugesOf(registry);
  const single = (name: string, help: string, value: (state: ClusterGaugeSources) => number) =>
    gauges.single(name, help, () => {
      const state = read();
      return state === null ? null : value(state);
    });
  const ofNodes = (name: string, help: string, value: (node: ClusterGaugeSources["followers"][number]) => number) =>
    gauges.labelled(name, help, ["node"], () =>
      (read()?.followers ?? []).map((node): GaugeRow => [value(node), node.node]),
    );
  single("peyk_cluster_leads", "Whether this node leads.", () => 1);
  single("peyk_cluster_silent_seconds", "How long PostgreSQL has not answered.", ({ silentMs }) => silentMs / 1_000);
  single("peyk_cluster_engine_protected", "1 where PostgreSQL has a synchronous standby, and syncs.", (state) =>
    Number(state.isSynchronous && state.hasFsync),
  );
  ofNodes(
    "peyk_cluster_node_unheard_seconds",
    "When a node that follows was last heard of.",
    (node) => node.unheardMs / 1_000,
  );
  ofNodes("peyk_cluster_node_behind_entries", "Entries of the log that a node lacks.", (node) => node.behind);
  ofNodes(
    "peyk_cluster_node_differing_pages",
    "Pages of a node's database file that differ from this node's.",
    ({ differs }) => differs?.pages.length ?? 0,
  );
  ofNodes("peyk_cluster_node_can_write", "0 where a node's disk is nearly full or refuses writes.", ({ canWrite }) =>
    Number(canWrite !== false),
  );
}
