/** The whole check, as CI runs it: types, lint, the binary, then every test, some of them against the binary. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.ts";
import { prepareMachines } from "./test-installed.ts";

const root = join(import.meta.dir, "..");
const bin = (name: string) => join(root, "node_modules", ".bin", name);

/** What some tests need of Debian; where it cannot be had, those tests say so and are skipped. */
const debianPackages: Readonly<Record<string, string>> = {
  strace: "strace",
  sqlite3: "sqlite3",
  openssl: "openssl",
  bearerbox: "kannel",
  chromium: "chromium",
  wrk: "wrk",
  debootstrap: "debootstrap",
  "systemd-nspawn": "systemd-container",
};

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

async function installTools(): Promise<void> {
  const missing = Object.entries(debianPackages).filter(([command]) => Bun.which(command) === null);
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  const packages = missing.map(([, name]) => name);
  console.log(`installing ${packages.join(", ")}`);
  await run(["apt-get", "update", "-qq"], true);
  await run(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-qq", ...packages], true);
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
process.exit(await run([process.execPath, "test", ...process.argv.slice(2)]));
