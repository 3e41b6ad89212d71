/** The service's user plants links in its data folder; root's command line must not follow them. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { restoreCopy } from "../../src/store/restore.ts";
import { openStore } from "../../src/store/store.ts";
import { runCli } from "../support/cli.ts";
import { peykCommand } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { describeWith } from "../support/wants.ts";

const nobody = 65534;

let area: ReturnType<typeof temporaryFolder>;
/** The service's, with a database. */
let folder: string;
/** Root's, which no other user may read. */
let mine: string;
beforeEach(() => {
  area = temporaryFolder();
  // Its user reaches the data folder, as it does on every machine.
  chmodSync(area.path, 0o711);
  folder = join(area.path, "data");
  mine = join(area.path, "root");
  mkdirSync(folder, { mode: 0o700 });
  mkdirSync(mine, { mode: 0o700 });
  openStore({ folder, now: 1 }).close();
  for (const name of ["", ...readdirSync(folder)]) chownSync(join(folder, name), nobody, nobody);
});
afterEach(() => area.remove());

const peyk = (...argv: string[]) => runCli([...argv, "--data-dir", folder]);

function plantLink(name: string, target: string): void {
  symlinkSync(target, join(folder, name));
  lchownSync(join(folder, name), nobody, nobody);
}

/** What root's command line creates, renames, removes or changes in the data folder, as the kernel saw it. */
async function namesTouchedBy(...argv: string[]): Promise<string[]> {
  const trace = join(area.path, "trace");
  const calls = "openat,open,creat,mkdir,rename,renameat,renameat2,link,linkat,unlink,chmod,fchmodat,chown,fchownat";
  const command = ["strace", "-f", "-qq", "-o", trace, "-e", `trace=${calls}`, ...peykCommand, ...argv];
  const run = Bun.spawnSync([...command, "--data-dir", folder], { stdout: "ignore", stderr: "pipe" });
  expect(run.stderr.toString()).not.toContain("Error");
  const lines = readFileSync(trace, "utf8").split("\n");
  const changing = lines.filter((line) => !/ open(at)?\(/.test(line) || /O_CREAT|O_RDWR|O_WRONLY/.test(line));
  const paths = changing.flatMap((line) => [...line.matchAll(/"([^"]+)"/g)].map(([, path = ""]) => path));
  const names = paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1));
  return [...new Set(names)];
}

/** Each command that root runs on a stopped or running service, and the files that it needs. */
const commands: Readonly<Record<string, () => string[]>> = {
  "a copy in the folder": () => ["backup", "create", join(folder, "copy.db")],
  "a copy to elsewhere": () => ["backup", "create", join(mine, "copy.db")],
  "a restore": () => ["backup", "restore", join(mine, "good.db")],
  "a verify": () => ["backup", "verify", join(folder, "inside.db")],
  "a check": () => ["backup", "check"],
  "a new key file": () => ["secret", "rotate"],
  "a copy that is brought elsewhere": () => ["backup", "ship", "true"],
  doctor: () => ["doctor"],
};

describeWith("root", "strace")(
  "a link planted where root's command line uses the data folder leaves its target unchanged",
  () => {
    const secret = () => join(mine, "secret");
    const stateOf = (path: string) => {
      const { uid, gid, mode } = statSync(path);
      return { uid, gid, mode, content: readFileSync(path, "utf8") };
    };

    /** An empty one as well: SQLite would treat it as a new database and fill it. */
    async function tryLink(name: string, content: string, run: () => Promise<unknown> | unknown): Promise<void> {
      const before = join(area.path, "before");
      rmSync(before, { recursive: true, force: true });
      cpSync(folder, before, { recursive: true, preserveTimestamps: true });
      writeFileSync(secret(), content, { mode: 0o640 });
      const untouched = stateOf(secret());
      rmSync(join(folder, name), { recursive: true, force: true });
      plantLink(name, secret());
      await run();
      expect({ name, ...stateOf(secret()) }).toEqual({ name, ...untouched });
      rmSync(folder, { recursive: true });
      cpSync(before, folder, { recursive: true });
      for (const each of ["", ...readdirSync(folder)]) chownSync(join(folder, each), nobody, nobody);
      for (const each of readdirSync(mine)) if (each.startsWith("copy.db")) rmSync(join(mine, each));
    }

    async function prepareKeyAndNightlyCopy(): Promise<void> {
      writeFileSync(join(folder, "secret.key"), `${"ab".repeat(32)}\n`, { mode: 0o600 });
      mkdirSync(join(folder, "backups"));
      for (const name of ["secret.key", "backups"]) chownSync(join(folder, name), nobody, nobody);
      await peyk("backup", "create", join(folder, "backups", "peyk-20261120T031700Z.db"));
    }

    for (const [title, argv] of Object.entries(commands)) {
      test(
        title,
        async () => {
          await peyk("backup", "create", join(folder, "inside.db"));
          await peyk("backup", "create", join(mine, "good.db"));
          await prepareKeyAndNightlyCopy();
          const names = await namesTouchedBy(...argv());
          for (const made of ["copy.db", "copy.db.partial"]) {
            for (const place of [folder, mine]) rmSync(join(place, made), { force: true });
          }
          for (const name of new Set([
            ...names,
            "peyk.db",
            "peyk.db-wal",
            "peyk.db-journal",
            "peyk.lock",
            "secret.key",
            "shipped.json",
          ])) {
            for (const content of ["root's own\n", ""]) await tryLink(name, content, () => peyk(...argv()));
          }
        },
        { timeout: 60_000 },
      );
    }

    test("under the names by which a restore keeps the old database", async () => {
      await peyk("backup", "create", join(mine, "good.db"));
      const attempt = () => {
        try {
          restoreCopy(folder, join(mine, "good.db"), { now: 1_000, release: false });
        } catch {}
      };
      attempt();
      const kept = readdirSync(folder).filter((name) => name.includes("before-restore"));
      expect(kept.length).toBeGreaterThan(0);
      for (const name of kept.flatMap((one) => [one, `${one}-wal`, `${one}-shm`])) {
        rmSync(join(folder, name), { force: true });
        await tryLink(name, "root's own\n", attempt);
      }
    });

    test("as a folder for copies that leads elsewhere, and as another's socket", async () => {
      plantLink("backups", mine);
      expect(await peyk("backup", "create", join(folder, "backups", "copy.db"))).toMatchObject({ code: 1 });
      expect(existsSync(join(mine, "copy.db"))).toBe(false);
      let asked = 0;
      const other = Bun.serve({
        unix: join(mine, "other.sock"),
        fetch() {
          asked += 1;
          return new Response("{}");
        },
      });
      plantLink("peyk.sock", join(mine, "other.sock"));
      const run = Bun.spawn([...peykCommand, "status", "--data-dir", folder], { stdout: "ignore", stderr: "ignore" });
      const code = await run.exited;
      await other.stop(true);
      expect({ code, asked }).toEqual({ code: 1, asked: 0 });
    });

    test("as a key, leading to a file of root's that is not read", async () => {
      await peyk("backup", "create", join(folder, "inside.db"));
      const tmp = join(area.path, "tmp");
      mkdirSync(tmp);
      chownSync(tmp, nobody, nobody);
      writeFileSync(secret(), `${"ab".repeat(32)}\n`, { mode: 0o600 });
      plantLink("secret.key", secret());
      const drill = [...peykCommand, "backup", "drill", join(folder, "inside.db"), "--data-dir", folder];
      const run = Bun.spawnSync(drill, { env: { ...process.env, TMPDIR: tmp }, stdout: "ignore", stderr: "pipe" });
      expect(run.stderr.toString()).toContain("secret.key cannot be read (EACCES)");
      expect(run.exitCode).toBe(1);
    });

    test("when root starts the service", async () => {
      const names = [...readdirSync(folder), "peyk.db-wal", "peyk.db-journal", "secret.key", "peyk.sock"];
      for (const name of new Set(names)) {
        await tryLink(name, "", () => {
          const serve = [...peykCommand, "serve", "--data-dir", folder, "--listen", "127.0.0.1:0"];
          const all = ["timeout", "2", ...serve, "--console-listen", "127.0.0.1:0"];
          Bun.spawnSync(all, { stdout: "ignore", stderr: "ignore" });
        });
      }
    }, 180_000);
  },
);
