/**
 * `bun test/simulation/planted.ts [SEEDS] [WORD]`: plants each defect (or those with this word in their title) in a copy of the
 * sources, and tells the first seed that finds it, by which invariants. With `--mistakes` it plants those of `planted-mistakes.ts`;
 * with `--cluster` those of `planted-in-clusters.ts`, each in runs of two nodes; with `--each-alone` for each invariant the defect that it must find with all others switched off.
 */
import { availableParallelism } from "node:os";
import { type Invariant, isInvariant } from "./invariants.ts";
import { runSeeds } from "./lanes.ts";
import { plant } from "./plant.ts";
import { type PlantedDefect, plantedDefects } from "./planted-defects.ts";
import { plantedForInvariants } from "./planted-for-invariants.ts";
import { plantedInClusters } from "./planted-in-clusters.ts";
import { plantedLater } from "./planted-later.ts";
import { plantedMistakes } from "./planted-mistakes.ts";

interface Finding {
  defect: PlantedDefect;
  seed: number | null;
  found: Invariant[];
}

async function find(defect: PlantedDefect, seeds: number, isCluster: boolean, only?: Invariant): Promise<Finding> {
  const { root, remove } = plant(defect);
  try {
    const lanes = availableParallelism();
    const { results } = await runSeeds({
      from: 1,
      seeds,
      messages: 50,
      lanes,
      root,
      isCluster,
      ...(only !== undefined && { only }),
      isEnough: ({ violations }) => violations.length > 0,
    });
    const first = results.find(({ violations }) => violations.length > 0);
    const found = [...new Set(first?.violations.map(({ invariant }) => invariant) ?? [])];
    return { defect, seed: first?.seed ?? null, found };
  } finally {
    remove();
  }
}

const [seedsText = "200", word = ""] = process.argv.slice(2).filter((value) => !value.startsWith("--"));
const seeds = Number(seedsText);
const findings: Finding[] = [];
const isEachAlone = process.argv.includes("--each-alone");
const isCluster = process.argv.includes("--cluster");
const kindOf = () => {
  if (isCluster) return plantedInClusters;
  if (process.argv.includes("--mistakes")) return [...plantedMistakes, ...plantedLater];
  return isEachAlone ? [] : plantedDefects;
};
const planting = kindOf();
for (const defect of planting.filter(({ title }) => title.includes(word))) {
  const finding = await find(defect, seeds, isCluster);
  findings.push(finding);
  console.log(
    `${finding.seed === null ? "NOT FOUND" : `seed ${finding.seed}`}: ${defect.title} (${finding.found.join(", ")})`,
  );
}
if (planting.length > 0) {
  const found = findings.filter(({ seed }) => seed !== null).length;
  console.log(`${found} of ${findings.length} found within ${seeds} seeds`);
}

if (isEachAlone) {
  for (const [name, defects] of Object.entries(plantedForInvariants)) {
    if (!isInvariant(name) || !name.includes(word)) continue;
    for (const defect of [defects].flat()) {
      const { seed } = await find(defect, seeds, plantedInClusters.includes(defect), name);
      console.log(
        seed === null
          ? `${name} alone does NOT FIND “${defect.title}”`
          : `${name} alone: seed ${seed}, ${defect.title}`,
      );
    }
  }
}
