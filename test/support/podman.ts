/** Containers run by podman, as root or as an unprivileged user, with storage of their own. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Ran } from "./machine.ts";

export interface Podman {
  /** Its working folder, where files may be placed for it. */
  home: string;
  run(...words: string[]): Promise<Ran>;
  /** The same, but throws with all output unless it exits with 0. Returns its output, trimmed. */
  must(...words: string[]): Promise<string>;
  /** Another program, as the same user and with this podman first on the path. */
  beside(command: readonly string[], cwd: string): Promise<Ran>;
  remove(): Promise<void>;
}

async function spawn(command: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Promise<Ran> {
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "pipe", cwd, env });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}

/** Debian's crun rejects the control groups of some test machines; runc accepts them. */
const options = [
  "--runtime",
  "runc",
  "--storage-driver",
  "vfs",
  "--cgroup-manager",
  "cgroupfs",
  "--events-backend",
  "none",
];

async function podmanIn(home: string, prefix: readonly string[], places: readonly string[]): Promise<Podman> {
  const run = join(home, "run");
  mkdirSync(run, { recursive: true });
  const path = process.env.PATH ?? "";
  const env = { PATH: path, HOME: home, XDG_RUNTIME_DIR: run, TMPDIR: home };
  const base = ["podman", ...options, ...places];
  const podman: Podman = {
    home,
    run: (...words) => spawn([...prefix, ...base, ...words], home, env),
    async must(...words) {
      const { code, out, err } = await podman.run(...words);
      if (code !== 0) throw new Error(`podman ${words.join(" ")} ended with ${code}:\n${out}${err}`);
      return out.trim();
    },
    beside: (command, cwd) => spawn([...prefix, ...command], cwd, env),
    async remove() {
      await podman.run("system", "reset", "--force");
      rmSync(home, { recursive: true, force: true });
    },
  };
  return podman;
}

/** For root, in storage of its own. */
export function rootPodman(): Promise<Podman> {
  // Not in the run's folder: podman limits the path of its state to 50 characters.
  const home = mkdtempSync("/var/tmp/peyk-podman-");
  return podmanIn(home, [], ["--root", join(home, "images"), "--runroot", join(home, "run")]);
}

/** For a user created for it, and removed with it. */
export async function rootlessPodman(): Promise<Podman> {
  const user = `peyk-test-${process.pid}`;
  const home = `/var/tmp/${user}`;
  const must = async (...command: string[]) => {
    const { code, err } = await spawn(command, "/", { PATH: process.env.PATH ?? "" });
    if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${err}`);
  };
  await must("useradd", "--create-home", "--home-dir", home, user);
  const podman = await podmanIn(home, ["runuser", "-u", user, "--"], []);
  await must("chown", "-R", user, home);
  return {
    ...podman,
    async remove() {
      await podman.run("system", "reset", "--force");
      await must("userdel", "--remove", "--force", user);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
