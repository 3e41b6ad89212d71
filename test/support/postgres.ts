/** PostgreSQL for tests: a primary on a port and in a folder of its own, optionally with a synchronous standby. */
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
  /** Adds a standby that each commit waits for. */
  addStandby(): Promise<PostgresServer>;
  /** Promotes it to primary. */
  promote(): Promise<void>;
  /** `immediate` is like a kill. */
  stop(mode?: "fast" | "immediate"): Promise<void>;
  start(): Promise<void>;
  /** Process id of the postmaster. */
  pid(): number;
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

function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "peyk-postgres-"));
  if (userId !== null) {
    chmodSync(tmpdir(), 0o1777);
    chownSync(folder, userId, userId);
  }
  return folder;
}

/** Small, and without waiting for the disk: tests kill processes, they do not cut the power. */
const settings = [
  "fsync = off",
  "shared_buffers = 16MB",
  "max_connections = 30",
  "autovacuum = off",
  "wal_level = replica",
  "hot_standby = on",
  "listen_addresses = '127.0.0.1'",
  "unix_socket_directories = ''",
];

export async function startPostgres(): Promise<PostgresServer> {
  const folder = ownFolder();
  const data = join(folder, "data");
  await run("initdb", "-D", data, "-U", "postgres", "--auth=trust", "--no-sync", "-E", "UTF8");
  const port = await freePort();
  writeFileSync(join(data, "postgresql.auto.conf"), `${[...settings, `port = ${port}`].join("\n")}\n`);
  const server = serverIn(folder, data, port);
  await server.start();
  return server;
}

function serverIn(folder: string, data: string, port: number): PostgresServer {
  const standbys: PostgresServer[] = [];
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
    async addStandby() {
      const copy = ownFolder();
      const into = join(copy, "data");
      const name = `standby${standbys.length + 1}`;
      await run(
        "pg_basebackup",
        "-D",
        into,
        "-h",
        "127.0.0.1",
        "-p",
        `${port}`,
        "-U",
        "postgres",
        "-R",
        "-c",
        "fast",
        "--no-sync",
      );
      const standbyPort = await freePort();
      const conninfo = `host=127.0.0.1 port=${port} user=postgres application_name=${name}`;
      const lines = [...settings, `port = ${standbyPort}`, `primary_conninfo = '${conninfo}'`];
      writeFileSync(join(into, "postgresql.auto.conf"), `${lines.join("\n")}\n`);
      const standby = serverIn(copy, into, standbyPort);
      standbys.push(standby);
      await standby.start();
      await server.run(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
      await server.run("SELECT pg_reload_conf()");
      return standby;
    },
    async promote() {
      // It no longer waits for what it had to wait for.
      await control("promote");
      await server.run("ALTER SYSTEM SET synchronous_standby_names = ''");
      await server.run("SELECT pg_reload_conf()");
    },
    stop: (mode = "fast") => control("stop", "-m", mode),
    start: () => control("start"),
    pid: () => Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]),
    async remove() {
      for (const standby of standbys) await standby.remove();
      await control("stop", "-m", "immediate").catch(() => {});
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return server;
}
