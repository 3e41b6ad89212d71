/** PostgreSQL for tests: a primary on a port and in a folder of its own, and a synchronous standby. */
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { freePort } from "./free-ports.ts";
import { programAt } from "./programs.ts";

export interface PostgresServer {
  port: number;
  folder: string;
  /** `postgres://postgres@127.0.0.1:PORT/NAME`. */
  address(database: string): string;
  createDatabase(name: string): Promise<void>;
  /** Runs one statement as its superuser. */
  run(statement: string, database?: string): Promise<readonly Record<string, unknown>[]>;
  /** Promotes it to primary. */
  promote(): Promise<void>;
  /** `immediate` is like a kill. */
  stop(mode?: "fast" | "immediate"): Promise<void>;
  start(): Promise<void>;
  /** To the postmaster and all its processes. */
  signal(signal: NodeJS.Signals): void;
  /** Of the postmaster and all its processes. */
  pids(): number[];
  remove(): Promise<void>;
}

/** PostgreSQL refuses to run as root. */
const userId = process.getuid?.() === 0 ? 65_534 : null;

async function run(program: string, ...args: string[]): Promise<void> {
  const command = [programAt(program) ?? program, ...args];
  const asUser =
    userId === null ? command : ["setpriv", `--reuid=${userId}`, `--regid=${userId}`, "--clear-groups", ...command];
  const child = Bun.spawn(asUser, { stdout: "ignore", stderr: "pipe", cwd: "/", env: { ...process.env, LC_ALL: "C" } });
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}: ${await new Response(child.stderr).text()}`);
}

const standbyName = "standby";

function ownFolder(volumeMb: number | null = null): string {
  const folder = mkdtempSync(join(tmpdir(), "peyk-postgres-"));
  if (volumeMb !== null && !Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${volumeMb}m`, "tmpfs", folder]).success)
    throw new Error("Only root can mount a volume");
  if (userId !== null) {
    chmodSync(tmpdir(), 0o1777);
    chownSync(folder, userId, userId);
  }
  return folder;
}

/** Small, and without waiting for the disk: tests kill processes, they do not cut the power. */
export const quickSettings = [
  "fsync = off",
  "shared_buffers = 16MB",
  "autovacuum = off",
  "wal_level = replica",
  "hot_standby = on",
  "listen_addresses = '127.0.0.1'",
  "unix_socket_directories = ''",
];

/** As in operation: what is acknowledged is on both disks. */
export const diligentSettings = [
  "fsync = on",
  "shared_buffers = 128MB",
  "wal_level = replica",
  "hot_standby = on",
  "listen_addresses = '127.0.0.1'",
  "unix_socket_directories = ''",
];

/** For hooks that wait for it beside other tests: they have five seconds unless told. */
export const hookMs = 180_000;

/** A primary and a standby that each of its commits waits for. */
export interface PostgresPair {
  primary: PostgresServer;
  standby: PostgresServer;
  remove(): Promise<void>;
}

export interface PostgresOptions {
  /** Of its configuration file. */
  lines?: readonly string[];
  /** Megabytes of a volume of its own for the primary; as root only. */
  volumeMb?: number | null;
}

/** The standby begins as a copy of files that no server has opened yet, so that both start at the same time. */
export async function startPostgres({
  lines = quickSettings,
  volumeMb = null,
}: PostgresOptions = {}): Promise<PostgresPair> {
  const [first, second] = [ownFolder(volumeMb), ownFolder()];
  const [data, copy] = [join(first, "data"), join(second, "data")];
  const servers: PostgresServer[] = [];
  const remove = async () => {
    await Promise.all(servers.map((server) => server.remove()));
    if (volumeMb !== null) Bun.spawnSync(["umount", "-l", first]);
    for (const folder of [first, second]) rmSync(folder, { recursive: true, force: true });
  };
  try {
    await run("initdb", "-D", data, "-U", "postgres", "--auth=trust", "--no-sync", "-E", "UTF8");
    await run("cp", "-a", data, copy);
    const [port, standbyPort] = [await freePort(), await freePort()];
    const configure = (folder: string, ...own: string[]) =>
      writeFileSync(join(folder, "postgresql.auto.conf"), `${[...lines, ...own].join("\n")}\n`);
    configure(data, `port = ${port}`, `synchronous_standby_names = '${standbyName}'`);
    const conninfo = `host=127.0.0.1 port=${port} user=postgres application_name=${standbyName}`;
    configure(copy, `port = ${standbyPort}`, `primary_conninfo = '${conninfo}'`);
    await run("touch", join(copy, "standby.signal"));
    const [primary, standby] = [serverIn(first, data, port), serverIn(second, copy, standbyPort)];
    servers.push(primary, standby);
    await Promise.all([primary.start(), standby.start()]);
    return { primary, standby, remove };
  } catch (reason) {
    await remove();
    throw reason;
  }
}

function serverIn(folder: string, data: string, port: number): PostgresServer {
  const address = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const control = (...args: string[]) => run("pg_ctl", "-D", data, "-w", "-l", join(folder, "log"), ...args);
  const server: PostgresServer = {
    port,
    folder,
    address,
    createDatabase: async (name) => void (await server.run(`CREATE DATABASE ${name}`)),
    async run(statement, database = "postgres") {
      const sql = new SQL(address(database), { max: 1 });
      try {
        return [...(await sql.unsafe<Record<string, unknown>[]>(statement))];
      } finally {
        await sql.close({ timeout: 0 });
      }
    },
    async promote() {
      // It no longer waits for what it had to wait for.
      await control("promote");
      await server.run("ALTER SYSTEM SET synchronous_standby_names = ''");
      await server.run("SELECT pg_reload_conf()");
    },
    stop: (mode = "fast") => control("stop", "-m", mode),
    start: () => control("start"),
    signal(signal) {
      for (const pid of server.pids()) process.kill(pid, signal);
    },
    pids() {
      const postmaster = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
      const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8").split(" ");
      return [postmaster, ...children.filter(Boolean).map(Number)];
    },
    async remove() {
      await control("stop", "-m", "immediate").catch(() => {});
    },
  };
  return server;
}
