/**
 * `bun run test:installed`: tests the installed service on a real systemd. Builds the Debian tree that it needs once,
 * and boots it to see that this works.
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bootedOnce, bootMachine, debianPackages, debianTree } from "../test/support/machine.ts";
import { build } from "./build.ts";

const root = join(import.meta.dir, "..");

/** Null when machines can be booted here, otherwise the reason: the suite then prints it and is skipped. */
export async function prepareMachines(): Promise<string | null> {
  rmSync(bootedOnce, { force: true });
  if (process.getuid?.() !== 0) return "it takes root";
  if (Bun.which("systemd-nspawn") === null) return "systemd-nspawn is missing (apt-get install systemd-container)";
  if (!existsSync(debianTree)) {
    const why = await makeTree();
    if (why !== null) return why;
  }
  return tryBoot();
}

async function makeTree(): Promise<string | null> {
  if (Bun.which("debootstrap") === null) return "debootstrap is missing (apt-get install debootstrap)";
  console.log(`making a Debian in ${debianTree}; it is kept for the next time`);
  mkdirSync(dirname(debianTree), { recursive: true });
  const unfinished = mkdtempSync(`${debianTree}.`);
  const command = ["debootstrap", "--variant=minbase", `--include=${debianPackages.join()}`, "bookworm", unfinished];
  const made = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "ignore" });
  const said = await new Response(made.stdout).text();
  if ((await made.exited) !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    return `debootstrap failed: ${said.trim().split("\n").at(-1)}`;
  }
  // debootstrap makes its folder inaccessible to other users, which a machine's / must not be.
  await Bun.spawn(["chmod", "0755", unfinished]).exited;
  renameSync(unfinished, debianTree);
  return null;
}

async function tryBoot(): Promise<string | null> {
  const nothing = mkdtempSync(join(tmpdir(), "peyk-builds-"));
  try {
    const machine = await bootMachine(nothing);
    await machine.stop();
    writeFileSync(bootedOnce, "");
    return null;
  } catch (reason) {
    return `a machine does not boot here: ${reason instanceof Error ? reason.message : String(reason)}`;
  } finally {
    rmSync(nothing, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const why = await prepareMachines();
  if (why !== null) {
    console.error(`The installed service cannot be tested here: ${why}.`);
    process.exit(1);
  }
  await build();
  const files = process.argv.slice(2);
  const command = [process.execPath, "test", ...(files.length === 0 ? ["test/installed"] : files)];
  process.exit(await Bun.spawn(command, { cwd: root, stdio: ["ignore", "inherit", "inherit"] }).exited);
}
