import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { createSealer, loadKeys } from "../../src/platform/seal.ts";
import { openStore } from "../../src/store/store.ts";
import { runCli } from "../support/cli.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";
import { eventually, NeverServed, PeykProcess, peykCommand } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { describeWith, testWith } from "../support/wants.ts";

let server: OperatorServer;
let elsewhere: ReturnType<typeof temporaryFolder>;
let copy: string;
beforeEach(async () => {
  server = await createOperatorServer();
  elsewhere = temporaryFolder();
  copy = join(elsewhere.path, "copy.db");
});
afterEach(async () => {
  await server.close();
  elsewhere.remove();
});

const peyk = (...argv: string[]) => runCli([...argv, "--data-dir", server.folder]);
const json = async (...argv: string[]): Promise<Record<string, unknown>> => {
  const run = await peyk(...argv, "--json");
  expect(run).toMatchObject({ code: 0, err: "" });
  return JSON.parse(run.out);
};

/** A message needs an account, a sender and a route. */
async function withMessage(trackingCode: string): Promise<void> {
  if (server.directory.accounts().length === 0) {
    await peyk("account", "create", "--name", "Clinic");
    await peyk("sender", "add", "--account", "acc_1", "--sender", "30001");
  }
  await server.storeMessage({ trackingCode });
}

describe("peyk backup create", () => {
  test("copies what is committed while the service has the database open", async () => {
    await withMessage("A");
    expect(await json("backup", "create", copy)).toMatchObject({ file: copy });
    await withMessage("B");
    expect(await json("backup", "verify", copy)).toMatchObject({ counts: { accounts: 1, messages: 1, waiting: 1 } });
    expect(server.store.tables.messages.byCodeAnywhere("B")).not.toBeNull();
  });

  test("writes one file that only its owner can read, and leaves no partial file", async () => {
    await peyk("backup", "create", copy);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(readdirSync(elsewhere.path)).toEqual(["copy.db"]);
  });

  test("refuses to overwrite a file, a missing folder, and a data folder without a database", async () => {
    writeFileSync(copy, "precious");
    expect(await peyk("backup", "create", copy)).toMatchObject({
      code: 1,
      err: expect.stringContaining("exists already"),
    });
    expect(readFileSync(copy, "utf8")).toBe("precious");
    const nowhere = await peyk("backup", "create", "/nowhere/at/all.db");
    expect(nowhere).toMatchObject({ code: 1, err: expect.stringContaining("/nowhere/at") });
    const empty = await runCli(["backup", "create", join(elsewhere.path, "x.db"), "--data-dir", elsewhere.path]);
    expect(empty).toMatchObject({ code: 1, err: expect.stringContaining("There is no database in") });
    expect(await peyk("backup", "create")).toMatchObject({ code: 2 });
  });

  test("refuses a file that another copy is being written to", async () => {
    writeFileSync(`${copy}.partial`, "half");
    expect(await peyk("backup", "create", copy)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/partial is in the way\. Another copy is being made/),
    });
    expect(readFileSync(`${copy}.partial`, "utf8")).toBe("half");
  });
});

/** Runs `work` while another process copies to `copy`: stopped when its partial file exists and is not complete yet. */
async function whileCopying(signal: "SIGSTOP" | "SIGKILL", work: () => Promise<void>): Promise<void> {
  const inject = ["-e", "trace=fsync", "-e", `inject=fsync:signal=${signal === "SIGKILL" ? "KILL" : "STOP"}:when=4`];
  const args = ["backup", "create", copy, "--data-dir", server.folder];
  const child = Bun.spawn(["strace", "-D", "-f", "-qq", "-o", "/dev/null", ...inject, ...peykCommand, ...args], {
    stdout: "ignore",
    stderr: "ignore",
  });
  if (signal === "SIGKILL") await child.exited;
  await eventually(() => existsSync(`${copy}.partial`) && statSync(`${copy}.partial`).size > 0);
  try {
    await work();
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
}

describeWith("strace")("peyk backup create, after another run", () => {
  test("that was killed, replaces its partial file", () =>
    whileCopying("SIGKILL", async () => {
      expect(await peyk("backup", "create", copy)).toMatchObject({ code: 0 });
      expect(await peyk("backup", "verify", copy)).toMatchObject({ code: 0 });
      expect(readdirSync(elsewhere.path)).toEqual(["copy.db"]);
    }));

  test("that is still copying, refuses", () =>
    whileCopying("SIGSTOP", async () => {
      const run = await peyk("backup", "create", copy);
      expect(run).toMatchObject({ code: 1, err: expect.stringContaining("Another copy is being made") });
    }));
});

describe("peyk backup verify", () => {
  test("finds any single wrong byte", async () => {
    for (let count = 0; count < 20; count += 1) await withMessage(`code-${count}`);
    await peyk("backup", "create", copy);
    const whole = readFileSync(copy);
    const places = fc.sample(fc.nat({ max: whole.length - 1 }), 40);
    // The checksum covers the last one.
    for (const place of [...places, whole.length - 1, whole.length - 30, whole.length - 84]) {
      const spoilt = Buffer.from(whole);
      spoilt[place] = (spoilt[place] ?? 0) ^ 1;
      writeFileSync(copy, spoilt);
      expect({ place, ...(await peyk("backup", "verify", copy)) }).toMatchObject({ place, code: 1 });
    }
    writeFileSync(copy, whole);
    expect(await json("backup", "verify", copy)).toMatchObject({ sum: "right" });
    writeFileSync(copy, whole.subarray(0, whole.length - 84));
    expect(await json("backup", "verify", copy)).toMatchObject({ sum: "none", counts: { messages: 20 } });
  });

  test("refuses a truncated copy, a changed page, a broken reference, and a file that is not a copy", async () => {
    for (let count = 0; count < 200; count += 1) await withMessage(`code-${count}`);
    await peyk("backup", "create", copy);
    const spoil = (name: string, how: (path: string) => void): string => {
      const path = join(elsewhere.path, name);
      copyFileSync(copy, path);
      how(path);
      return path;
    };
    const sqlite = (path: string, sql: string) => expect(Bun.spawnSync(["sqlite3", path, sql]).exitCode).toBe(0);
    const cases: [string, RegExp][] = [
      [spoil("cut.db", (path) => truncateSync(path, statSync(path).size / 2)), /no whole copy|damaged/],
      [spoil("page.db", (path) => changePage(path)), /no whole copy|damaged/],
      [
        spoil("stray.db", (path) => sqlite(path, "UPDATE sender SET account_id = 999")),
        /1 row refers to nothing \(in sender\)/,
      ],
      [spoil("newer.db", (path) => sqlite(path, "INSERT INTO migration VALUES (9999, 'later', 'x', 0)")), /newer Peyk/],
      [spoil("other.db", (path) => sqlite(path, "DROP TABLE migration")), /none of Peyk's/],
      [spoil("text.db", (path) => writeFileSync(path, "hello")), /no whole copy/],
      [spoil("empty.db", (path) => truncateSync(path, 0)), /none of Peyk's/],
      [join(elsewhere.path, "nowhere.db"), /There is no file/],
      [elsewhere.path, /is no file/],
      [join(copy, "below.db"), /cannot be read: a part of its path is not a folder\.$/m],
      [join(elsewhere.path, "x".repeat(300)), /cannot be read: its name is too long\.$/m],
      ["/proc/self/mem", /cannot be read: the disk reports an error\.$/m],
    ];
    for (const [path, words] of cases) {
      const run = await peyk("backup", "verify", path);
      expect(run).toMatchObject({ code: 1, out: "" });
      expect(run.err).toMatch(words);
    }
  });

  test("prints each finding on a line of its own", async () => {
    for (let count = 0; count < 200; count += 1) await withMessage(`code-${count}`);
    await peyk("backup", "create", copy);
    changePage(copy);
    const { err } = await peyk("backup", "verify", copy);
    const [first, ...findings] = err.trimEnd().split("\n");
    expect(first).toBe(`peyk: ${copy} is damaged:`);
    expect(findings.length).toBeGreaterThan(1);
    for (const finding of findings) expect(finding).toMatch(/^ {2}\w.*[^;]$/);
  });

  test("says whether the key file opens the secrets in the copy", async () => {
    const sealer = createSealer(...loadKeys(server.folder, undefined, () => false));
    const sealedSecrets = Buffer.from(sealer.seal('{"password":"x"}'));
    const now = server.clock.now();
    const route = {
      name: "sealed",
      kind: "smpp",
      enabled: false,
      options: "{}",
      createdAt: now,
      updatedAt: now,
    } as const;
    await server.store.write((tables) => tables.routes.insert({ ...route, sealedSecrets, removedAt: null }));
    await peyk("backup", "create", copy);
    expect(await json("backup", "verify", copy)).toMatchObject({ key: "fits" });
    const other = join(elsewhere.path, "other.key");
    writeFileSync(other, `${"ab".repeat(32)}\n`);
    expect(await json("backup", "verify", copy, "--key", other)).toMatchObject({ key: "other" });
    const refused: [string, string][] = [
      [other, "64 hex"],
      [join(other, "below.key"), "cannot be read (ENOTDIR)"],
      [join(elsewhere.path, "x".repeat(300)), "cannot be read (ENAMETOOLONG)"],
      ["/proc/self/mem", "cannot be read (EIO)"],
    ];
    writeFileSync(other, "short");
    for (const [key, words] of refused) {
      expect(await peyk("backup", "verify", copy, "--key", key)).toMatchObject({
        code: 1,
        err: expect.stringContaining(words),
      });
    }
  });
});

/** Overwrites bytes in the middle, where tables and indexes are. */
function changePage(path: string): void {
  const bytes = readFileSync(path);
  bytes.fill(0xa5, 4096 * 20, 4096 * 40);
  writeFileSync(path, bytes);
}

describe("peyk backup restore", () => {
  test("works only while the service is stopped", async () => {
    await peyk("backup", "create", copy);
    const run = await peyk("backup", "restore", copy);
    expect(run).toMatchObject({ code: 1, err: expect.stringContaining("is in use by another peyk process") });
  });

  test("restores the same messages, and keeps and names the database that it replaces", async () => {
    await withMessage("A");
    await peyk("backup", "create", copy);
    const folder = join(elsewhere.path, "data");
    mkdirSync(folder);
    const other = openStore({ folder, now: 1 });
    await other.write((tables) =>
      tables.accounts.insert({ name: "Later", status: "active", defaultSender: null, createdAt: 1 }),
    );
    other.close();
    const run = await runCli(["backup", "restore", copy, "--data-dir", folder, "--json"]);
    expect(run).toMatchObject({ code: 0, err: "" });
    const answer: { kept: string } = JSON.parse(run.out);
    expect(answer).toMatchObject({ counts: { messages: 1 }, replaced: { accounts: 1, messages: 0 } });
    const restored = openStore({ folder, now: 2 });
    expect(restored.tables.messages.byCodeAnywhere("A")).toMatchObject({ text: "سلام" });
    restored.close();
    const back = await runCli(["backup", "verify", answer.kept, "--data-dir", folder, "--json"]);
    expect(JSON.parse(back.out)).toMatchObject({ counts: { accounts: 1, messages: 0 } });
  });

  test("includes the log beside a copy, reports what it restored, and leaves the copy unchanged", async () => {
    await withMessage("A");
    const folder = join(elsewhere.path, "data");
    mkdirSync(folder);
    const unclean = join(elsewhere.path, "unclean.db");
    // The service is not stopped, so its newest messages are only in the log.
    const database = new Database(join(server.folder, "peyk.db"), { readonly: true });
    database.run("BEGIN");
    database.query("SELECT count(*) FROM message").get();
    for (let count = 0; count < 20; count += 1) await withMessage(`code-${count}`);
    for (const log of ["", "-wal"]) copyFileSync(join(server.folder, `peyk.db${log}`), unclean + log);
    database.close();
    const before = [unclean, `${unclean}-wal`].map((path) => readFileSync(path));
    const verified = await runCli(["backup", "verify", unclean, "--data-dir", folder, "--json"]);
    expect(JSON.parse(verified.out)).toMatchObject({ counts: { messages: 21 } });
    const run = await runCli(["backup", "restore", unclean, "--data-dir", folder, "--json"]);
    expect(JSON.parse(run.out)).toMatchObject({ counts: { messages: 21 }, kept: null });
    expect([unclean, `${unclean}-wal`].map((path) => readFileSync(path))).toEqual(before);
    expect(readdirSync(elsewhere.path).sort()).toEqual(["data", "unclean.db", "unclean.db-wal"]);
    const restored = openStore({ folder, now: 2 });
    expect(restored.tables.messages.byCodeAnywhere("code-19")).not.toBeNull();
    restored.close();
  });

  test("keeps the log of an unreadable database beside it", async () => {
    await peyk("backup", "create", copy);
    const folder = join(elsewhere.path, "data");
    mkdirSync(folder);
    writeFileSync(join(folder, "peyk.db"), "no database any more");
    writeFileSync(join(folder, "peyk.db-wal"), "its log");
    const run = await runCli(["backup", "restore", copy, "--data-dir", folder, "--json"]);
    const { kept }: { kept: string } = JSON.parse(run.out);
    expect([kept, `${kept}-wal`].map((path) => readFileSync(path, "utf8"))).toEqual([
      "no database any more",
      "its log",
    ]);
    expect(existsSync(join(folder, "peyk.db-wal"))).toBe(false);
  });

  test("creates the named folder, and creates none when the copy is bad", async () => {
    await withMessage("A");
    await peyk("backup", "create", copy);
    const folder = join(elsewhere.path, "not", "there");
    const bad = join(elsewhere.path, "bad.db");
    writeFileSync(bad, "no copy");
    expect(await runCli(["backup", "restore", bad, "--data-dir", folder])).toMatchObject({
      code: 1,
      err: expect.stringContaining("is no whole copy of a database"),
    });
    expect(existsSync(join(elsewhere.path, "not"))).toBe(false);
    expect(await runCli(["backup", "restore", copy, "--data-dir", folder])).toMatchObject({
      code: 0,
      out: expect.stringContaining("There was no database before."),
    });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const restored = openStore({ folder, now: 2 });
    expect(restored.tables.messages.byCodeAnywhere("A")).not.toBeNull();
    restored.close();
  });

  testWith("root")("explains in words why a folder cannot be created", async () => {
    await peyk("backup", "create", copy);
    const run = await runCli(["backup", "restore", copy, "--data-dir", "/proc/peyk"]);
    expect(run).toMatchObject({
      code: 1,
      err: expect.stringMatching(/was not put in place: \/proc\/peyk cannot be used/),
    });
  });

  test("of a copy without messages reports no newest message", async () => {
    await peyk("backup", "create", copy);
    const folder = join(elsewhere.path, "data");
    mkdirSync(folder);
    const run = await runCli(["backup", "restore", copy, "--data-dir", folder]);
    expect(run.out).toContain(`${copy} is in its place: 0 messages.\n`);
  });

  test("warns of waiting messages in the copy, and of a replaced database that was unreadable", async () => {
    await withMessage("A");
    await peyk("backup", "create", copy);
    const folder = join(elsewhere.path, "data");
    mkdirSync(folder);
    writeFileSync(join(folder, "peyk.db"), "no database any more");
    const run = await runCli(["backup", "restore", copy, "--data-dir", folder]);
    expect(run.code).toBe(0);
    expect(run.out).toContain("1 of them still wait and will be sent");
    expect(run.out).toContain("which could not be read");
    const kept = readdirSync(folder).find((name) => name.startsWith("peyk.db.before-restore-")) ?? "";
    expect(readFileSync(join(folder, kept), "utf8")).toBe("no database any more");
  });

  test("changes nothing when the copy is bad", async () => {
    const folder = join(elsewhere.path, "data");
    mkdirSync(folder);
    openStore({ folder, now: 1 }).close();
    writeFileSync(copy, "bad");
    const before = readFileSync(join(folder, "peyk.db"));
    expect(await runCli(["backup", "restore", copy, "--data-dir", folder])).toMatchObject({ code: 1 });
    expect(readFileSync(join(folder, "peyk.db")).equals(before)).toBe(true);
    expect(existsSync(join(folder, "peyk.db.restoring"))).toBe(false);
  });

  testWith("root")("run by root leaves everything to the owner of the data folder", async () => {
    const nobody = 65534;
    chmodSync(elsewhere.path, 0o711);
    await peyk("backup", "create", copy);
    const folder = join(elsewhere.path, "data");
    mkdirSync(folder);
    chownSync(folder, nobody, nobody);
    const owners = () => readdirSync(folder).map((name) => [name, statSync(join(folder, name)).uid]);
    expect(await runCli(["backup", "restore", copy, "--data-dir", folder])).toMatchObject({ code: 0 });
    expect(await runCli(["backup", "create", join(elsewhere.path, "again.db"), "--data-dir", folder])).toMatchObject({
      code: 0,
    });
    const within = join(folder, "within.db");
    expect(await runCli(["backup", "create", within, "--data-dir", folder])).toMatchObject({ code: 0 });
    expect(owners().filter(([, uid]) => uid !== nobody)).toEqual([]);
    expect(owners().map(([name]) => name)).toEqual(expect.arrayContaining(["peyk.db", "within.db"]));
    expect(statSync(join(elsewhere.path, "again.db")).uid).toBe(0);
  });
});

describe("an unusable database or folder is reported in words, and nothing is created in its place", () => {
  const cases: [what: string, spoil: (folder: string) => void, words: string][] = [
    ["that is missing", () => {}, "There is no database in"],
    ["that was lost", (folder) => writeFileSync(join(folder, "peyk.id"), "x"), "but a database belongs there"],
    ["that is not a database", (folder) => writeFileSync(join(folder, "peyk.db"), "text"), "SQLITE_NOTADB"],
    ["that is a folder", (folder) => mkdirSync(join(folder, "peyk.db")), " database in "],
  ];
  for (const command of [
    ["backup", "check"],
    ["secret", "rotate"],
  ]) {
    test.each(cases)(`peyk ${command.join(" ")} with a database %s`, async (_, spoil, words) => {
      const folder = elsewhere.path;
      writeFileSync(join(folder, "secret.key"), `${"ab".repeat(32)}\n`, { mode: 0o600 });
      spoil(folder);
      const { code, out, err } = await runCli([...command, "--data-dir", folder]);
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toStartWith("peyk: ");
      expect(err).toContain(words);
      expect(readdirSync(folder).filter((name) => name.startsWith("secret.key"))).toEqual(["secret.key"]);
      expect(readFileSync(join(folder, "secret.key"), "utf8")).toBe(`${"ab".repeat(32)}\n`);
    });
  }

  test.each(["status", "doctor", "backup check", "secret rotate", "backup drill"])(
    "peyk %s with a data folder that is a file or lies below one",
    async (command) => {
      const file = join(elsewhere.path, "file");
      writeFileSync(file, "");
      for (const dataDir of [file, join(file, "data")]) {
        expect(await runCli([...command.split(" "), "--data-dir", dataDir])).toEqual({
          code: 1,
          out: "",
          err: `peyk: ${dataDir} is not a folder. Choose another --data-dir.\n`,
        });
      }
    },
  );

  test("peyk serve with a data folder that is a file", async () => {
    const dataDir = join(elsewhere.path, "file");
    writeFileSync(dataDir, "");
    expect(await runCli(["serve", "--data-dir", dataDir])).toEqual({
      code: 1,
      out: "",
      err: `peyk: ${dataDir} is not a folder. Choose another --data-dir.\n`,
    });
  });

  test("peyk secret rotate with an unreachable key file", async () => {
    const file = join(elsewhere.path, "file");
    writeFileSync(file, "");
    for (const [key, why] of [
      [join(file, "secret.key"), "a part of its path is not a folder"],
      [join(elsewhere.path, "x".repeat(5000)), "its name is too long"],
    ] as const) {
      expect(await runCli(["secret", "rotate", "--key", key, "--data-dir", elsewhere.path])).toEqual({
        code: 1,
        out: "",
        err: `peyk: The key file ${key} cannot be read: ${why}.\n`,
      });
    }
  });

  test.each(["status", "backup check", "secret rotate", "backup drill"])(
    "peyk %s with a data folder whose name is too long",
    async (command) => {
      const dataDir = join(elsewhere.path, "x".repeat(300));
      expect(await runCli([...command.split(" "), "--data-dir", dataDir])).toEqual({
        code: 1,
        out: "",
        err: `peyk: ${dataDir} is not a folder. Choose another --data-dir.\n`,
      });
    },
  );

  test("peyk serve with a key file that is a folder", async () => {
    mkdirSync(join(elsewhere.path, "secret.key"));
    const started = PeykProcess.start({ folder: elsewhere.path });
    await expect(started).rejects.toThrow(/secret\.key cannot be read: it is a folder/);
    await expect(started).rejects.toThrow(NeverServed);
  });
});

describeWith("root")("run by root for another user's data folder, with a folder that only root may enter", () => {
  const nobody = 65534;
  let closed: string;
  let data: string;

  /** The run's own folder is open to everybody; the folder of this test is not, unless told. */
  beforeEach(() => {
    chmodSync(elsewhere.path, 0o755);
    closed = join(elsewhere.path, "closed");
    mkdirSync(closed, { mode: 0o700 });
    data = join(elsewhere.path, "data");
    openStore({ folder: data, now: 1 }).close();
  });

  const giveAway = (folder: string) => {
    for (const name of ["", ...readdirSync(folder)]) chownSync(join(folder, name), nobody, nobody);
  };
  const run = (cwd: string, ...argv: string[]) => {
    const { exitCode, stderr } = Bun.spawnSync([...peykCommand, "backup", ...argv], { cwd });
    return { exitCode, err: stderr.toString() };
  };
  const mayNotEnter = (folder: string, closedTo: string) => ({
    exitCode: 1,
    err: expect.stringContaining(
      `The owner of ${folder}, with whose rights root works there, may not enter ${closedTo}.`,
    ),
  });

  test("a copy is written there and restored from there by relative paths", () => {
    giveAway(data);
    expect(run("/", "create", join(closed, "one.db"), "--data-dir", data)).toMatchObject({ exitCode: 0 });
    expect(run(closed, "create", "two.db", "--data-dir", "../data")).toMatchObject({ exitCode: 0 });
    expect(run(closed, "restore", "two.db", "--data-dir", "../data")).toMatchObject({ exitCode: 0 });
    expect(readdirSync(closed).sort()).toEqual(["one.db", "two.db"]);
  });

  test("a closed folder below or above the data folder is named in the refusal", () => {
    const inside = join(data, "closed");
    mkdirSync(join(inside, "deep"), { recursive: true, mode: 0o700 });
    giveAway(data);
    chownSync(inside, 0, 0);
    for (const file of [join(inside, "x.db"), join(inside, "deep", "x.db")])
      expect(run("/", "create", file, "--data-dir", data)).toEqual(mayNotEnter(data, inside));
    writeFileSync(join(inside, "x.db"), "a copy");
    for (const what of ["verify", "restore"])
      expect(run("/", what, join(inside, "x.db"), "--data-dir", data)).toEqual(mayNotEnter(data, inside));
    const moved = join(closed, "data");
    openStore({ folder: moved, now: 1 }).close();
    giveAway(moved);
    copyFileSync(join(moved, "peyk.db"), copy);
    expect(run("/", "create", join(elsewhere.path, "x.db"), "--data-dir", moved)).toEqual(mayNotEnter(moved, closed));
    expect(run("/", "restore", copy, "--data-dir", moved)).toEqual(mayNotEnter(moved, closed));
  });
});
