/** The whole service in one process, and two nodes of a cluster, from one seed: a share of `bun run simulate`, and every plan that once found a defect. */
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { testWith } from "../support/wants.ts";
import { type LanesResult, runSeeds } from "./lanes.ts";
import { drawPlan, type Plan } from "./plan.ts";
import { plantedDefects } from "./planted-defects.ts";
import { plantedForInvariants } from "./planted-for-invariants.ts";
import { plantedInClusters } from "./planted-in-clusters.ts";
import { plantedLater } from "./planted-later.ts";
import { plantedMistakes } from "./planted-mistakes.ts";
import { shrunk } from "./shrink.ts";

const testSimulated = testWith("cc", "/usr/include/sqlite3ext.h");
const minute = 60_000;
const found = join(import.meta.dir, "found");

const sample = { from: 1, seeds: 20, messages: 50, lanes: Math.min(2, availableParallelism()) };
let drawn: Promise<LanesResult> | null = null;
/** Both tests check one run. */
const drawnWorlds = () => {
  drawn ??= runSeeds(sample);
  return drawn;
};

testSimulated(
  "twenty random worlds with crashes at any write, power cuts, full disks and bad carriers violate nothing",
  async () => {
    const { results } = await drawnWorlds();
    expect(results.flatMap(({ seed, violations }) => violations.map((one) => ({ seed, ...one })))).toEqual([]);
    const crashes = results.reduce((sum, result) => sum + result.crashes, 0);
    const lost = results.reduce((sum, { lostWrites }) => sum + lostWrites, 0);
    expect({ hasCrashed: crashes > 40, hasLostWrites: lost > 40 }).toEqual({ hasCrashed: true, hasLostWrites: true });
  },
  10 * minute,
);

testWith("cc", "/usr/include/sqlite3ext.h", "taskset")(
  "a seed gives the same world in its own process, in another folder, time zone and language, on one processor",
  async () => {
    const { results } = await drawnWorlds();
    // With a cluster in it.
    const seed = 20;
    const env = { ...process.env, TZ: "Pacific/Chatham", LANG: "fa_IR.UTF-8", LC_ALL: "fa_IR.UTF-8" };
    const script = join(import.meta.dir, "seeds.ts");
    const alone = Bun.spawn(
      ["taskset", "-c", "0", process.execPath, script, ...[seed, seed, sample.messages].map(String)],
      {
        cwd: "/",
        env,
        stdin: "ignore",
      },
    );
    const { hash } = JSON.parse(await new Response(alone.stdout).text());
    expect(hash).toBe(results.find((one) => one.seed === seed)?.hash);
  },
  5 * minute,
);

test("a failing plan is shrunk to what makes it fail", () => {
  const plan = drawPlan(7, 50);
  const [fault] = plan.faults;
  const needs = ({ messages, faults, carriers }: Plan) =>
    messages.some(({ number }) => number === 31) &&
    messages.some(({ number }) => number === 8) &&
    faults.some((one) => one === fault) &&
    carriers.smpp.rejects === plan.carriers.smpp.rejects;
  const { messages, faults, texts, carriers } = shrunk(plan, needs);
  expect({ messages: messages.map(({ number }) => number), faults, texts }).toEqual({
    messages: [8, 31],
    faults: fault === undefined ? [] : [fault],
    texts: [],
  });
  expect(Object.values(carriers.http).every((habit) => habit === 0)).toBe(true);
});

const plans = readdirSync(found).filter((name) => name.endsWith(".json"));
for (const name of plans) {
  testSimulated(
    `${name.replace(".json", "").replaceAll("-", " ")} violates nothing any more`,
    () => {
      const main = join(import.meta.dir, "main.ts");
      const run = Bun.spawnSync([process.execPath, main, "--plan", join(found, name)], { stdin: "ignore" });
      expect({ code: run.exitCode, said: run.stdout.toString() }).toMatchObject({ code: 0 });
    },
    minute,
  );
}

test("every planted defect fits the sources", async () => {
  const all = [plantedDefects, plantedMistakes, plantedLater, plantedInClusters, Object.values(plantedForInvariants)];
  for (const { title, edits } of all.flat(2)) {
    for (const { file, find } of edits) {
      const text = await Bun.file(join(import.meta.dir, "..", "..", file)).text();
      expect({ title, file, times: text.split(find).length - 1 }).toEqual({ title, file, times: 1 });
    }
  }
});

test("every stored plan names its defect", async () => {
  for (const name of plans) expect((await Bun.file(join(found, name)).json()).defect).not.toBe("");
});
