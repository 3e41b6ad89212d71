/**
 * A Debian of its own with a real systemd, in a container: the service is installed, killed and upgraded in it as by an
 * operator.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/** Installed in the machine in addition to minimal Debian. */
export const debianPackages = ["systemd", "systemd-sysv", "dbus", "curl", "sqlite3", "openssl"];

/** A minimal Debian with these packages, made once by `bun run test:installed` and read-only from then on. */
export const debianTree = `/var/tmp/peyk-test-debian/bookworm-${Bun.hash.crc32(debianPackages.join()).toString(16)}`;

/**
 * Created beside the tree once a machine has booted on this host; a container without the rights for that only has the
 * tree.
 */
export const bootedOnce = `${debianTree}.boots`;

/** Why no machine is available here; null if one is. */
export function whyNoMachine(): string | null {
  if (process.getuid?.() !== 0) return "it takes root";
  if (Bun.which("systemd-nspawn") === null) return "systemd-nspawn is missing";
  return existsSync(bootedOnce) ? null : "no machine has booted here; try: bun run test:installed";
}

export interface Ran {
  code: number;
  out: string;
  err: string;
}

export interface Machine {
  /** The path of the machine's file system on the host. */
  root: string;
  /** Runs a shell line in it, as root with a login environment. */
  run(line: string): Promise<Ran>;
  /** The same, but throws with all output unless it exits with 0. Returns its output, trimmed. */
  sh(line: string): Promise<string>;
  /**
   * Runs the line every 50 ms until it exits with 0; throws after `withinMs`. Returns the milliseconds that this took.
   */
  until(line: string, withinMs: number): Promise<number>;
  /** Reboots with `systemctl reboot`; resolves when everything has started again. */
  reboot(): Promise<void>;
  stop(): Promise<void>;
}

const bootMsMax = 30_000;
/** How systemd-nspawn exits when its machine wants to reboot. */
const rebootCode = 133;

/** Boots a machine that sees `folder` read-only as /builds. It only has a loopback network of its own. */
export async function bootMachine(folder: string): Promise<Machine> {
  const place = mkdtempSync("/var/tmp/peyk-machine-");
  const root = join(place, "root");
  await must(["mkdir", join(place, "upper"), join(place, "work"), root]);
  const layers = `lowerdir=${debianTree},upperdir=${join(place, "upper")},workdir=${join(place, "work")}`;
  await must(["mount", "-t", "overlay", "overlay", "-o", layers, root]);
  const groups = controlGroups(basename(place));
  const powerOn = () => {
    const command = [
      ...["sh", "-c", 'for group in $CONTROL_GROUPS; do echo $$ >"$group/cgroup.procs"; done; exec "$@"', "sh"],
      ...["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--private-network", "--hostname=peyk"],
      ...["--boot", "--console=pipe", `--bind-ro=${folder}:/builds`, `--directory=${root}`],
    ];
    const env = { PATH: process.env.PATH, CONTROL_GROUPS: groups.join(" ") };
    return Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "ignore", env });
  };
  let container = powerOn();
  const inside = () => ["nsenter", "--target", String(initOf(container.pid)), "--all"];
  const machine: Machine = {
    root,
    run: (line) => spawn([...inside(), "env", "-i", ...loginEnvironment, "sh", "-c", line]),
    async sh(line) {
      const { code, out, err } = await machine.run(line);
      if (code !== 0) throw new Error(`${line}\nended with ${code}:\n${out}${err}`);
      return out.trim();
    },
    until: (line, withinMs) => until(async () => (await machine.run(line)).code === 0, line, withinMs),
    async reboot() {
      await machine.run("systemctl reboot");
      const code = await container.exited;
      if (code !== rebootCode) throw new Error(`The machine went down with ${code} instead of rebooting`);
      container = powerOn();
      await booted();
    },
    async stop() {
      const init = initOf(container.pid);
      // SIGRTMIN+4: systemd's signal for "power off".
      if (init !== null) await spawn(["kill", "-s", "RTMIN+4", String(init)]);
      const timer = setTimeout(() => container.kill("SIGKILL"), 10_000);
      await container.exited;
      clearTimeout(timer);
      await must(["umount", root]);
      for (const group of groups) removeGroup(group);
      rmSync(place, { recursive: true, force: true });
    },
  };
  const booted = async () => {
    await until(async () => initOf(container.pid) !== null, "the container", bootMsMax);
    const isUp = async () => /running|degraded/.test((await machine.run("systemctl is-system-running --wait")).out);
    await until(isUp, "the end of the boot", bootMsMax);
  };
  try {
    await booted();
  } catch (reason) {
    await machine.stop();
    throw reason;
  }
  return machine;
}

/** From /proc/self/cgroup, with possible mount points. */
const systemdHierarchies: ReadonlyMap<string, readonly string[]> = new Map([
  ["", ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"]],
  ["name=systemd", ["/sys/fs/cgroup/systemd"]],
]);

/**
 * Control groups for one machine, where systemd keeps its units: two machines in the control groups of this process, as
 * when two test runs overlap, would kill each other's processes.
 */
function controlGroups(name: string): string[] {
  const lines = readFileSync("/proc/self/cgroup", "utf8").trim().split("\n");
  return lines.flatMap((line) => {
    const [, hierarchy, path = "/"] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    const mounts = systemdHierarchies.get(hierarchy ?? "none") ?? [];
    const parent = mounts.map((mount) => join(mount, path)).find((one) => existsSync(join(one, "cgroup.procs")));
    if (parent === undefined) return [];
    const group = join(parent, name);
    mkdirSync(group);
    return group;
  });
}

/** Including those that the machine created in it. */
function removeGroup(group: string): void {
  for (const entry of readdirSync(group, { withFileTypes: true })) {
    if (entry.isDirectory()) removeGroup(join(group, entry.name));
  }
  rmdirSync(group);
}

const loginEnvironment = ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root"];

/** The container's first process, by its number outside. */
function initOf(container: number): number | null {
  try {
    const [first] = readFileSync(`/proc/${container}/task/${container}/children`, "utf8").trim().split(" ");
    return first === undefined || first === "" ? null : Number(first);
  } catch {
    return null;
  }
}

async function spawn(command: string[]): Promise<Ran> {
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe", cwd: tmpdir() });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}

async function must(command: string[]): Promise<void> {
  const { code, err } = await spawn(command);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${err}`);
}

async function until(holds: () => Promise<boolean>, name: string, withinMs: number): Promise<number> {
  const startedAt = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedAt > withinMs) throw new Error(`Not within ${withinMs} ms: ${name}`);
    await Bun.sleep(50);
  }
  return performance.now() - startedAt;
}
