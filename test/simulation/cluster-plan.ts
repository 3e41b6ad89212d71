/** What happens to two nodes and their engine in a run, drawn from its seed. */
import { Chance } from "./chance.ts";
import type { EngineTemper, SessionUse } from "./cluster-engine.ts";
import type { Cut } from "./disk.ts";
import { type NewNodePlan, silentMsMin } from "./new-node.ts";
import { drawPlan, type MessageKind, type Plan, type PlannedFault, weight } from "./plan.ts";
import type { ReaderEnd } from "./simulated-reader.ts";

export type Role = "leader" | "follower";

export type ClusterFault = { atMs: number } /** The process gets no processor for a while. */ & (
  | { kind: "freeze"; role: Role; forMs: number }
  | { kind: "kill"; role: Role; cut: Cut | null; downMs: number }
  /** Whoever makes that change of its disk dies at it. */
  | { kind: "crash"; changes: number; cut: Cut | null; downMs: number }
  /** `silentMs`: its log has no answer for so long. */
  | { kind: "stop"; role: Role; downMs: number; silentMs: number | null }
  /** The follower dies at a change of its disk while it applies entries. */
  | { kind: "crash in applying"; changes: number; cut: Cut | null; downMs: number }
  /** Renewals of the lease are answered late, and then not at all. */
  | { kind: "slow lease"; byMs: number; slowMs: number; forMs: number }
  | { kind: "clock"; byMs: number; forMs: number }
  | { kind: "hand over" }
  /** The node ends, and is made anew from a copy of the other's. */
  | ({ kind: "new node"; role: Role } & NewNodePlan)
  /** A node does not reach the engine, or one of its sessions does not. */
  | { kind: "cut off"; role: Role; use: SessionUse | "all"; forMs: number }
  | { kind: "engine restarts"; forMs: number }
  /** Commits wait for the engine's standby; then it follows again, or takes the primary's place. */
  | { kind: "standby behind"; forMs: number; failsOver: boolean; breaksAfterMs: number | null }
  /** The leader dies while its commit waits for the standby, which then takes the primary's place without that commit. */
  | { kind: "commit taken back"; diesAfterMs: number; forMs: number; cut: Cut | null; downMs: number }
  /** Another program reads the leader's database, or copies it first, while that node is given an end; it may outlive it. */
  | {
      kind: "reader";
      forMs: number;
      copies: boolean;
      ends: ReaderEnd;
      meanwhile: "stop" | "hand over" | null;
      afterMs: number;
      downMs: number;
    }
);

export interface ClusterPlan extends Plan {
  engine: EngineTemper;
  clusterFaults: ClusterFault[];
}

const kinds: readonly MessageKind[] = ["single", "batch", "large batch", "otp", "scheduled", "long", "pattern"];

const roleOf = (chance: Chance): Role => (chance.happens(0.75) ? "leader" : "follower");
const cutOf = (chance: Chance): Cut | null =>
  chance.happens(0.6) ? chance.oneOf(["all", "by chance", "the last"]) : null;
/** Shorter than a lease, or longer. */
const spell = (chance: Chance) => chance.oneOf([300, 1_500, 4_000, 5_500, 7_000, 12_000]) + chance.between(0, 1_000);
const downOf = (chance: Chance) => chance.oneOf([100, 1_000, 4_000, 9_000]) + chance.between(0, 500);

const faults: readonly ((chance: Chance, atMs: number) => ClusterFault)[] = [
  (chance, atMs) => ({ atMs, kind: "freeze", role: roleOf(chance), forMs: spell(chance) }),
  (chance, atMs) => ({ atMs, kind: "kill", role: roleOf(chance), cut: cutOf(chance), downMs: downOf(chance) }),
  (chance, atMs) => ({
    atMs,
    kind: "crash",
    changes: chance.between(1, 25),
    cut: cutOf(chance),
    downMs: downOf(chance),
  }),
  (chance, atMs) => ({
    atMs,
    kind: "stop",
    role: roleOf(chance),
    downMs: downOf(chance),
    silentMs: chance.happens(0.4) ? chance.between(300, 3_000) : null,
  }),
  (_, atMs) => ({ atMs, kind: "hand over" }),
  (chance, atMs) => ({
    atMs,
    kind: "cut off",
    role: roleOf(chance),
    use: chance.oneOf<SessionUse | "all">(["all", "all", "lease", "log"]),
    forMs: spell(chance),
  }),
  (chance, atMs) => ({ atMs, kind: "engine restarts", forMs: spell(chance) }),
  (chance, atMs) => ({
    atMs,
    kind: "crash in applying",
    changes: chance.between(1, 12),
    cut: chance.oneOf(["all", "by chance", "the last"]),
    downMs: downOf(chance),
  }),
  (chance, atMs) => {
    const slowMs = chance.between(1_000, 6_000);
    return { atMs, kind: "slow lease", byMs: chance.between(200, 1_400), slowMs, forMs: slowMs + spell(chance) };
  },
  (chance, atMs) => ({
    atMs,
    kind: "clock",
    byMs: chance.oneOf([-3_600_000, -5_000, 2_000, 60_000, 7_200_000]),
    forMs: chance.between(500, 10_000),
  }),
  (chance, atMs) => {
    const forMs = spell(chance);
    const breaksAfterMs = chance.happens(0.6) ? chance.between(50, forMs) : null;
    return { atMs, kind: "standby behind", forMs, breaksAfterMs, failsOver: chance.happens(0.6) };
  },
  (chance, atMs) => {
    const diesAfterMs = chance.between(50, 1_500);
    const forMs = diesAfterMs + chance.between(300, 8_000);
    return { atMs, kind: "commit taken back", diesAfterMs, forMs, cut: cutOf(chance), downMs: downOf(chance) };
  },
  (chance, atMs) => {
    const afterMs = chance.between(20, 3_000);
    return {
      atMs,
      kind: "reader",
      afterMs,
      // Ends before the node does, or outlives it.
      forMs: chance.between(afterMs / 2, afterMs + 6_000),
      copies: chance.happens(0.3),
      ends: chance.oneOf<ReaderEnd>(["closes", "is killed"]),
      meanwhile: chance.oneOf<"stop" | "hand over" | null>(["stop", "hand over", null]),
      downMs: downOf(chance),
    };
  },
  (chance, atMs) => ({
    atMs,
    kind: "new node",
    role: chance.oneOf<Role>(["leader", "follower"]),
    downMs: silentMsMin + downOf(chance),
    copyMs: chance.oneOf([1, 500, 4_000]) + chance.between(0, 200),
    isEmptied: chance.happens(0.5),
  }),
];

function faultsOf(seed: number, busyMs: number): ClusterFault[] {
  const all: ClusterFault[] = [];
  for (const [index, fault] of faults.entries()) {
    const chance = new Chance(seed, "cluster faults", index);
    if (!chance.happens(0.4)) continue;
    // Few of each kind, or many of one.
    const everyMs = chance.oneOf([6_000, 12_000, 30_000]);
    for (let atMs = chance.between(1_000, everyMs); atMs < busyMs; atMs += chance.between(everyMs / 2, everyMs * 2))
      all.push(fault(chance, atMs));
  }
  return all.sort((one, other) => one.atMs - other.atMs);
}

/** What an operator does to whoever leads. */
const operatorFaults: readonly ((chance: Chance, atMs: number, messages: number) => PlannedFault)[] = [
  (chance, atMs) => ({ atMs, kind: "suspend", forMs: chance.between(100, 8_000) }),
  (chance, atMs, messages) => ({ atMs, kind: "opt-out", message: chance.between(0, messages - 1) }),
  (chance, atMs) => ({ atMs, kind: "price", price: chance.between(1, 500) }),
  (_, atMs) => ({ atMs, kind: "revoke" }),
  (chance, atMs) => ({ atMs, kind: "quota", parts: chance.between(0, 30), forMs: chance.between(500, 8_000) }),
  (chance, atMs, messages) => ({ atMs, kind: "erase", message: chance.between(0, messages - 1) }),
];

function operatorFaultsOf(seed: number, busyMs: number, messages: number): PlannedFault[] {
  const chance = new Chance(seed, "operator of a cluster");
  const faults = operatorFaults.flatMap((fault) => {
    const count = chance.happens(0.4) ? chance.between(1, 4) : 0;
    return Array.from({ length: count }, () => fault(chance, chance.between(1_000, busyMs), messages));
  });
  return faults.sort((one, other) => one.atMs - other.atMs);
}

export function drawClusterPlan(seed: number, messageCount: number): ClusterPlan {
  const chance = new Chance(seed, "cluster");
  const busyMs = 40_000 + 400 * messageCount;
  const plan = drawPlan(seed, messageCount);
  const messages = plan.messages.map((message) => {
    const isTold = kinds.includes(message.kind);
    return {
      ...message,
      ...(!isTold && { kind: "single" as const, group: null, size: 1 }),
      atMs: chance.between(0, busyMs),
    };
  });
  return {
    ...plan,
    busyMs,
    messages,
    texts: [],
    lookup: null,
    faults: operatorFaultsOf(seed, busyMs, messageCount),
    engine: {
      losesAnswers: weight(chance, 0.01, 0.1),
      losesStatements: weight(chance, 0.01, 0.05),
      latencyMsMax: chance.oneOf([3, 3, 30]),
    },
    clusterFaults: faultsOf(seed, busyMs),
  };
}
