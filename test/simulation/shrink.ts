/** Shrinks a failing plan: leaves out messages, faults and habits as long as it still breaks the same invariant. */
import type { ClusterPlan } from "./cluster-plan.ts";
import type { Invariant } from "./invariants.ts";
import type { CarrierTemper, Plan, ReceiverTemper } from "./plan.ts";

type StillFails<P extends Plan> = (plan: P) => boolean;

/** Leaves out ever smaller runs of entries. */
function fewer<Entry>(entries: readonly Entry[], stillFails: (entries: Entry[]) => boolean): Entry[] {
  let kept = [...entries];
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < kept.length; ) {
      const rest = [...kept.slice(0, at), ...kept.slice(at + size)];
      if (stillFails(rest)) kept = rest;
      else at += size;
    }
  }
  return kept;
}

/** Every habit that is not needed is left out. */
function calmer<Temper extends CarrierTemper | ReceiverTemper>(
  temper: Temper,
  stillFails: (temper: Temper) => boolean,
) {
  let calm = temper;
  for (const name of Object.keys(temper)) {
    const without = { ...calm, [name]: 0 };
    if (stillFails(without)) calm = without;
  }
  return calm;
}

/** A plan of a cluster has faults of its own. */
export const hasClusterFaults = (plan: Plan): plan is ClusterPlan => "clusterFaults" in plan;

export function shrunk<P extends Plan>(plan: P, stillFails: StillFails<P>): P {
  let small = plan;
  const keep = (change: Partial<ClusterPlan>): boolean => {
    const changed = { ...small, ...change };
    if (!stillFails(changed)) return false;
    small = changed;
    return true;
  };
  for (let before = ""; before !== JSON.stringify(small); ) {
    before = JSON.stringify(small);
    if (hasClusterFaults(small)) fewer(small.clusterFaults, (clusterFaults) => keep({ clusterFaults }));
    fewer(small.faults, (faults) => keep({ faults }));
    fewer(small.others, (others) => keep({ others }));
    fewer(small.texts, (texts) => keep({ texts }));
    fewer(small.messages, (messages) => keep({ messages }));
    calmer(small.receiver, (receiver) => keep({ receiver }));
    for (const name of ["smpp", "http"] as const) {
      calmer(small.carriers[name], (temper) => keep({ carriers: { ...small.carriers, [name]: temper } }));
    }
  }
  return small;
}

/** A shrunk plan as it is kept. */
export interface FoundPlan {
  /** The defect in the code, in a sentence. */
  defect: string;
  invariant: Invariant;
  plan: Plan;
}
