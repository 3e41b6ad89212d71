/**
 * The whole check, as CI runs it: types, lint, the binary, then every test, some of them against the binary. With file
 * names, only those; `--lane NAME` runs one lane of scripts/lanes.ts, `--fast` what needs neither the binary nor
 * containers.
 */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  debianPackages,
  generatorPackages,
  outsidePackages,
  programAt,
  shipPackages,
} from "../test/support/programs.ts";
import { build } from "./build.ts";
import { filesByLane, type Lane, lanes } from "./lanes.ts";
import { prepareMachines } from "./test-installed.ts";
import { type LaneResult, repeatFailed, runLanes, tell, testCommand } from "./test-lanes.ts";

const root = join(import.meta.dir, "..");
const bin = (name: string) => join(root, "node_modules", ".bin", name);
const secondsSince = (startedAt: number) => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;

async function run(command: string[], quiet = false): Promise<number> {
  const stdio = quiet ? "ignore" : "inherit";
  return Bun.spawn(command, { cwd: root, stdout: stdio, stderr: stdio, stdin: "ignore" }).exited;
}

async function passes(name: string, command: string[]): Promise<boolean> {
  const startedAt = performance.now();
  const code = await run(command);
  console.log(`${code === 0 ? "ok" : "FAILED"}  ${name} (${secondsSince(startedAt)})`);
  return code === 0;
}

/** Where installing is not possible, the tests that need the programs say so and are skipped. */
async function installTools(wanted: Readonly<Record<string, string>> = debianPackages): Promise<void> {
  const missing = Object.entries(wanted).filter(([command]) => programAt(command) === null);
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  const packages = [...new Set(missing.map(([, name]) => name))];
  console.log(`installing ${packages.join(", ")}`);
  await run(["apt-get", "update", "-qq"], true);
  await withoutServices(() =>
    run(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-qq", ...packages], true),
  );
}

/** Debian starts the services that it installs unless this file forbids it. */
async function withoutServices(install: () => Promise<number>): Promise<void> {
  const policy = "/usr/sbin/policy-rc.d";
  const isOurs = !existsSync(policy);
  if (isOurs) writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    await install();
  } finally {
    if (isOurs) rmSync(policy);
  }
}

async function buildBinary(): Promise<void> {
  const startedAt = performance.now();
  console.log(`ok  ${await build()} (${secondsSince(startedAt)})`);
  process.env.TEST_FROM_SOURCES = "0";
}

async function checkAll(): Promise<LaneResult[]> {
  const checks = [passes("types", [bin("tsc"), "--noEmit"]), passes("lint", [bin("biome"), "check", "."])];
  if ((await Promise.all(checks)).includes(false)) process.exit(1);
  await installTools();
  const why = await prepareMachines();
  if (why !== null) console.log(`skipped  the tests of the installed service: ${why}`);
  await buildBinary();
  const named = (runs: Lane["runs"]) => Object.keys(lanes).filter((name) => lanes[name]?.runs === runs);
  const first = await runLanes(named("first"));
  return [...first, ...(await runLanes(named("last")))];
}

async function runAsked(lane: string): Promise<LaneResult[]> {
  if (!filesByLane().has(lane))
    throw new Error(`There is no lane ${lane}. Lanes: ${[...filesByLane().keys()].join(", ")}`);
  if (lane === "ship") {
    await installTools({ ...debianPackages, ...shipPackages });
    await prepareMachines();
  }
  if (lane === "generators") await installTools({ ...debianPackages, ...generatorPackages });
  if (lane === "outside") await installTools({ ...debianPackages, ...outsidePackages });
  if (lane === "fast") process.env.TEST_FROM_SOURCES = "1";
  else await buildBinary();
  return runLanes([lane]);
}

const options = { lane: { type: "string" } } as const;
const { values, positionals } = parseArgs({ options, allowPositionals: true, strict: false });
if (positionals.length > 0) {
  await buildBinary();
  process.exit(await run([...testCommand, ...process.argv.slice(2)]));
}
const results = await repeatFailed(typeof values.lane === "string" ? await runAsked(values.lane) : await checkAll());
tell(results);
process.exit(results.some(({ code }) => code !== 0) ? 1 : 0);
