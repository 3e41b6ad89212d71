/** The whole check, as CI runs it: types, lint, the binary, then every test, some of them against the binary. */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { debianPackages, programAt } from "../test/support/programs.ts";
import { build } from "./build.ts";
import { prepareMachines } from "./test-installed.ts";

const root = join(import.meta.dir, "..");
const bin = (name: string) => join(root, "node_modules", ".bin", name);

async function run(command: string[], quiet = false): Promise<number> {
  const stdio = quiet ? "ignore" : "inherit";
  return Bun.spawn(command, { cwd: root, stdout: stdio, stderr: stdio, stdin: "ignore" }).exited;
}

async function step(name: string, command: string[]): Promise<void> {
  const startedAt = performance.now();
  const code = await run(command);
  console.log(`${code === 0 ? "ok" : "FAILED"}  ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
  if (code !== 0) process.exit(code);
}

/** Where it cannot be done, the tests that want the programs say so and are skipped. */
async function installTools(): Promise<void> {
  const missing = Object.entries(debianPackages).filter(([command]) => programAt(command) === null);
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  const packages = [...new Set(missing.map(([, name]) => name))];
  console.log(`installing ${packages.join(", ")}`);
  await run(["apt-get", "update", "-qq"], true);
  await withoutServices(() =>
    run(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-qq", ...packages], true),
  );
}

/** Debian starts the services that it installs, unless this file says that nothing may be started. */
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

if (process.argv.length <= 2) {
  await step("types", [bin("tsc"), "--noEmit"]);
  await step("lint", [bin("biome"), "check", "."]);
  await installTools();
  const why = await prepareMachines();
  if (why !== null) console.log(`skipped  the tests of the installed service: ${why}`);
}
const startedAt = performance.now();
console.log(`ok  ${await build()} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
// As test/support/leftovers.ts sets it, which in a run of one process reaches the first file only.
const test = [process.execPath, "test", "--timeout=60000"];
if (process.argv.length > 2) process.exit(await run([...test, ...process.argv.slice(2)]));
const code = await run([...test, "--path-ignore-patterns=**/*.hold.test.ts"]);
// Beside others, they would measure those as well.
process.exit((await run([...test, ".hold.test.ts"])) || code);
