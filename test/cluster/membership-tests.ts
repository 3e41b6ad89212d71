/** Which folders, keys and logs belong together: each mismatch is refused with a clear message, and nothing is changed. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { clusterFindings } from "../../src/cli/doctor-cluster.ts";
import { ClusterNode, type ClusterNodeDeps } from "../../src/cluster/cluster-node.ts";
import { clusterReportOf } from "../../src/cluster/cluster-report.ts";
import { EntryUnreadable } from "../../src/cluster/entry.ts";
import { ClusterRefused } from "../../src/cluster/errors.ts";
import type { Leadership } from "../../src/cluster/leadership.ts";
import { beginCluster, copyForNode, joinCluster, leaveCluster, openNodeCopy } from "../../src/cluster/membership.ts";
import { nodeKey } from "../../src/cluster/node-key.ts";
import { noDatabase, readPosition, writePosition } from "../../src/cluster/position.ts";
import { PostgresConnection } from "../../src/cluster/postgres-connection.ts";
import { postgresEngine } from "../../src/cluster/postgres-engine.ts";
import { PostgresLease } from "../../src/cluster/postgres-lease.ts";
import { PostgresLogReader } from "../../src/cluster/postgres-log.ts";
import { defaultSettings } from "../../src/config/settings.ts";
import { settingsSumOf } from "../../src/config/settings-sum.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { type Random, systemRandom } from "../../src/platform/random.ts";
import { timedBackups } from "../../src/platform/rotating-backup.ts";
import { keyFileText, readKeys } from "../../src/platform/seal.ts";
import { version } from "../../src/platform/version.ts";
import { copyAges, standbyCopies } from "../../src/server/standby-copies.ts";
import { copyDatabase } from "../../src/store/backup.ts";
import { FolderOfCluster, openDatabase } from "../../src/store/database.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { runCli } from "../support/cli.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { hookMs, type PostgresPair, type PostgresServer } from "../support/postgres.ts";
import { runFromSources } from "../support/run-from-sources.ts";
import { temporaryFolder } from "../support/test-server.ts";

const secretKey = new Uint8Array(32).fill(1);
const otherKey = new Uint8Array(32).fill(2);
const lookEveryMs = 200;
const digest = (content: number) => Buffer.alloc(32, content);
const rules = { now: 1, random: systemRandom, isAgain: false };

const [database, another] = ["nodes", "others"];

/** `joinCluster` with a file that is opened for it. */
async function joinFrom(folder: string, file: string, key: Uint8Array, to: PostgresConnection, random: Random) {
  const copy = openNodeCopy(file);
  try {
    return await joinCluster(folder, copy, key, new PostgresLogReader(to), random);
  } finally {
    closeSync(copy.descriptor);
  }
}

/** Anybody's sqlite3 with the folder's database open; resolves once it has answered. */
async function programWith(folder: string, sql: string) {
  const program = Bun.spawn(["sqlite3", "-bail", join(folder, "peyk.db")], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  program.stdin.write(`${sql}\n`);
  await program.stdin.flush();
  const { done } = await program.stdout.getReader().read();
  if (done) throw new Error(await new Response(program.stderr).text());
  return {
    pid: program.pid,
    async end(): Promise<void> {
      await program.stdin.end();
      await program.exited;
    },
    async kill(): Promise<void> {
      program.kill("SIGKILL");
      await program.exited;
    },
  };
}

export function testMembership(pair: () => PostgresPair): void {
  let postgres: PostgresServer;
  let address = "";
  let connection: PostgresConnection;
  const folders: ReturnType<typeof temporaryFolder>[] = [];
  const led: Leadership[] = [];
  const open: PostgresConnection[] = [];
  const lost: string[] = [];

  /** A database as the first start creates it. */
  let made = "";

  beforeAll(async () => {
    postgres = pair().primary;
    for (const one of [database, another]) await postgres.createDatabase(one);
    address = postgres.address(database);
    made = folder();
    openDatabase(made, 1).close();
  }, hookMs);
  afterAll(() => {
    for (const folder of folders) folder.remove();
  });

  beforeEach(async () => {
    for (const one of [database, another]) await postgres.run("DROP SCHEMA IF EXISTS peyk_cluster CASCADE", one);
    connection = new PostgresConnection([address], { name: "test", isReplicated: true });
    open.push(connection);
    lost.length = 0;
  }, hookMs);
  afterEach(async () => {
    // A leader that a failed test left would hold the next one's schema.
    for (const leadership of led.splice(0)) await leadership.abandon();
    for (const one of open.splice(0)) await one.close();
  }, hookMs);

  function folder(): string {
    const own = temporaryFolder();
    folders.push(own);
    return own.path;
  }

  /** A folder with a database of this installation. */
  function used(): string {
    const own = folder();
    for (const name of ["peyk.db", "peyk.id"]) copyFileSync(join(made, name), join(own, name));
    return own;
  }

  const nodeOf = (at: string, options: Partial<ClusterNodeDeps> = {}) =>
    new ClusterNode({
      folder: at,
      name: "a",
      engine: postgresEngine([address]),
      keepBytes: 1e9,
      secretKey,
      version: "1",
      schema: 1,
      settingsSum: "",
      copies: () => ({ copiedMsAgo: null, shippedMsAgo: null }),
      clock: systemClock,
      random: systemRandom,
      log: silentLog,
      lost: (why) => lost.push(why),
      ...options,
    });

  /** Follows until it leads, is refused, or has checked ten times; returns the refusal's message. */
  async function refusalOf(
    at: string,
    options: Partial<ClusterNodeDeps> = {},
    meanwhile: () => Promise<void> = async () => {},
  ): Promise<string> {
    const stop = new AbortController();
    let looks = 0;
    const after = (delayMs: number, task: () => void) => {
      if (delayMs !== lookEveryMs) return systemClock.after(delayMs, task);
      looks += 1;
      if (looks === 10) stop.abort();
      return systemClock.after(1, () => void meanwhile().then(task));
    };
    const node = nodeOf(at, { clock: { ...systemClock, after }, ...options });
    try {
      await node.follow(stop.signal);
      return "none";
    } catch (reason) {
      if (reason instanceof ClusterRefused || reason instanceof EntryUnreadable) return reason.message;
      throw reason;
    } finally {
      await node.close();
    }
  }

  async function lead(
    at: string,
    options: Partial<ClusterNodeDeps> = {},
  ): Promise<{ leadership: Leadership; store: Store }> {
    const node = nodeOf(at, options);
    const leadership = await node.follow(AbortSignal.timeout(20_000));
    await node.close();
    if (leadership === null) throw new Error("nobody else leads");
    const store = openStore({ folder: at, now: 2, random: systemRandom, replication: leadership.replication });
    led.push(leadership);
    return { leadership, store };
  }

  async function end({ leadership, store }: { leadership: Leadership; store: Store }): Promise<void> {
    await store.drain();
    store.close();
    await leadership.end(null);
    leaveFile(store.path);
  }

  /** As the end of a process does: statements that nobody collected yet keep SQLite's locks. */
  const leaveFile = (path: string) => closeSync(openSync(path, "r"));

  test("join from a copy of a served node, follow, take over with equal bytes, and leave with all data", async () => {
    const [first, second] = [used(), folder()];
    await beginCluster(first, secretKey, connection, rules);
    const leading = await lead(first);
    await leading.store.write((tables) => tables.recipientData.record(digest(1), 1));
    const copy = join(folder(), "copy");
    copyForNode(first, copy);
    await leading.store.write((tables) => tables.recipientData.record(digest(2), 1));
    await joinFrom(second, copy, secretKey, connection, systemRandom);
    expect(() => copyDatabase(second, join(folder(), "x.db"))).toThrow("follows");
    await end(leading);
    const next = await lead(second, { name: "b" });
    expect(next.store.tables.recipientData.isRecorded(digest(2))).toBe(true);
    await end(next);
    expect(await leaveCluster(first, secretKey, connection, "a")).toMatchObject({ hasLed: false });
    expect(existsSync(join(first, "peyk.cluster"))).toBe(false);
    expect(readFileSync(join(first, "peyk.db")).equals(readFileSync(join(second, "peyk.db")))).toBe(true);
  }, 180_000);

  test.each([
    ["the reader moves", "end"],
    ["nobody moves", "kill"],
  ] as const)(
    "lose no page when the leader ends beside a reader and its log %s",
    async (_, how) => {
      const [first, second] = [used(), folder()];
      await beginCluster(first, secretKey, connection, rules);
      const copy = join(folder(), "copy");
      copyForNode(first, copy);
      await joinFrom(second, copy, secretKey, connection, systemRandom);
      const leading = await lead(first);
      const reader = await programWith(first, "BEGIN; SELECT count(*) FROM account;");
      await leading.store.write((tables) => tables.recipientData.record(digest(1), 1));
      await end(leading);
      await reader[how]();
      await end(await lead(second, { name: "b" }));
      for (const [at, name] of [
        [first, "a"],
        [second, "b"],
      ] as const)
        await leaveCluster(at, secretKey, connection, name);
      expect(readFileSync(join(first, "peyk.db")).equals(readFileSync(join(second, "peyk.db")))).toBe(true);
    },
    180_000,
  );

  test("wait for and name a program that has the database open, and its end does not write the file", async () => {
    const [first, second] = [used(), folder()];
    await beginCluster(first, secretKey, connection, rules);
    const copy = join(folder(), "copy");
    copyForNode(first, copy);
    await joinFrom(second, copy, secretKey, connection, systemRandom);
    const leading = await lead(first);
    await leading.store.write((tables) => tables.recipientData.record(digest(1), 1));
    const program = await programWith(first, "SELECT count(*) FROM account;");
    await end(leading);
    const next = await lead(second, { name: "b" });
    await next.store.write((tables) => tables.recipientData.record(digest(2), 1));
    const node = nodeOf(first);
    const stop = new AbortController();
    const following = node.follow(stop.signal);
    const heldBy = `sqlite3 (process ${program.pid})`;
    let report = await clusterReportOf(connection);
    // It knows a moment before it has told.
    while (report.nodes[0]?.heldBy === null) report = await clusterReportOf(connection);
    expect(node.state).toMatchObject({ heldBy, position: 1 });
    expect(report.nodes).toMatchObject([
      { name: "a", heldBy },
      { name: "b", heldBy: null },
    ]);
    expect(report.warnings).toContain(`a cannot follow until ${heldBy} closes its database there.`);
    await expect(leaveCluster(first, secretKey, connection, "a")).rejects.toThrow(heldBy);
    await expect(joinFrom(first, copy, secretKey, connection, systemRandom)).rejects.toThrow(heldBy);
    await program.end();
    while (node.state.position < 2) await Bun.sleep(20);
    // Nobody else gets in while the node writes.
    expect((await programWith(first, "SELECT count(*) FROM account;").catch(String)).toString()).toContain("locked");
    stop.abort();
    await following;
    await node.close();
    await end(next);
    for (const [at, name] of [
      [first, "a"],
      [second, "b"],
    ] as const)
      await leaveCluster(at, secretKey, connection, name);
    expect(readFileSync(join(first, "peyk.db")).equals(readFileSync(join(second, "peyk.db")))).toBe(true);
  }, 180_000);

  test("do not begin beside a program that reads what is still in the log", async () => {
    const own = used();
    const reader = await programWith(own, "BEGIN; SELECT count(*) FROM account;");
    const opened = openDatabase(own, 1);
    opened.database.run("UPDATE migration SET applied_at = applied_at + 1");
    opened.close();
    leaveFile(opened.path);
    await expect(beginCluster(own, secretKey, connection, rules)).rejects.toThrow("Another program reads");
    expect(readPosition(own)).toBeNull();
    leaveFile(opened.path);
    await reader.end();
    await beginCluster(own, secretKey, connection, rules);
  });

  test("open their database through the cluster alone", async () => {
    const own = used();
    await beginCluster(own, secretKey, connection, rules);
    expect(() => openDatabase(own, 1)).toThrow(FolderOfCluster);
  });

  test("refuse to start in a folder that was not initialized, or with a database without a log", async () => {
    const own = used();
    expect(await refusalOf(own)).toContain("peyk cluster init");
    await beginCluster(own, secretKey, connection, rules);
    expect(await refusalOf(own, { engine: postgresEngine([postgres.address(another)]) })).toContain(
      "holds no cluster's log",
    );
  });

  test("refuse another key, another installation and another generation", async () => {
    const [own, other] = [used(), folder()];
    await beginCluster(own, secretKey, connection, rules);
    expect(await refusalOf(own, { secretKey: otherKey })).toContain("secret.key is not the one");
    const elsewhere = new PostgresConnection([postgres.address(another)], {
      name: "test",
      isReplicated: true,
    });
    open.push(elsewhere);
    await beginCluster(other, secretKey, elsewhere, rules);
    expect(await refusalOf(other)).toContain("another installation");
    const copy = join(folder(), "copy");
    copyForNode(other, copy);
    await expect(joinFrom(folder(), copy, secretKey, connection, systemRandom)).rejects.toThrow("another installation");
    await expect(joinFrom(own, copy, secretKey, elsewhere, systemRandom)).rejects.toThrow("another installation");
    await expect(joinFrom(folder(), copy, otherKey, elsewhere, systemRandom)).rejects.toThrow("secret.key");
    copyForNode(own, `${copy}-2`);
    rmSync(join(own, "peyk.cluster"));
    await beginCluster(own, secretKey, connection, { ...rules, isAgain: true });
    await expect(joinFrom(folder(), `${copy}-2`, secretKey, connection, systemRandom)).rejects.toThrow("newer log");
    writeFileSync(`${copy}-3`, "SQLite format 3");
    await expect(joinFrom(folder(), `${copy}-3`, secretKey, connection, systemRandom)).rejects.toThrow("not made by");
  });

  test("refuse to begin again while a member, to join from a missing copy, and to start without the key", async () => {
    const own = used();
    await beginCluster(own, secretKey, connection, rules);
    await expect(beginCluster(own, secretKey, connection, { ...rules, isAgain: true })).rejects.toThrow(
      "peyk cluster leave, then peyk cluster init --again",
    );
    await expect(joinFrom(folder(), join(folder(), "none"), secretKey, connection, systemRandom)).rejects.toThrow(
      "cannot be read: it does not exist",
    );
    expect(() => nodeKey(folder(), undefined)).toThrow("Any other node gets a copy of that file");
  });

  test("refuse a copy that was cut short, extended or changed, and keep an existing copy", async () => {
    const [first, second] = [used(), folder()];
    await beginCluster(first, secretKey, connection, rules);
    const copy = join(folder(), "copy");
    copyForNode(first, copy);
    expect(() => copyForNode(first, copy)).toThrow("exists already");
    const bytes = readFileSync(copy);
    const changed = Buffer.from(bytes);
    changed.writeUInt8(bytes.readUInt8(100_000) ^ 1, 100_000);
    for (const wrong of [bytes.subarray(0, 300), bytes.subarray(0, -40_000), changed, Buffer.concat([bytes, bytes])]) {
      writeFileSync(copy, wrong);
      await expect(joinFrom(second, copy, secretKey, connection, systemRandom)).rejects.toThrow("cut short or changed");
    }
    expect(readdirSync(second)).toEqual(["peyk.lock"]);
    writeFileSync(copy, bytes);
    await joinFrom(second, copy, secretKey, connection, systemRandom);
    expect(readFileSync(join(second, "peyk.db")).equals(readFileSync(join(first, "peyk.db")))).toBe(true);
  });

  test("explain in words what PostgreSQL refuses, and a command where there is no log", async () => {
    const own = used();
    writeFileSync(join(own, "secret.key"), keyFileText([secretKey]));
    const engineFile = join(folder(), "engine");
    const env = { PEYK_CLUSTER_NODE: "a", PEYK_CLUSTER_ENGINE_FILE: engineFile };
    writeFileSync(engineFile, address, { mode: 0o644 });
    const shared = await runCli(["cluster", "status", "--data-dir", own], { env });
    expect([shared.code, shared.err]).toEqual([1, expect.stringContaining(`chmod o= ${engineFile}`)]);
    chmodSync(engineFile, 0o640);
    const forgotten = await runCli(["cluster", "forget", "b", "--data-dir", own], { env });
    expect([forgotten.code, forgotten.err]).toEqual([1, expect.stringContaining("holds no cluster's log")]);
    await postgres.run("CREATE ROLE reader LOGIN");
    writeFileSync(engineFile, address.replace("postgres@", "reader@"));
    const begun = await runCli(["cluster", "init", "--data-dir", own], { env });
    expect([begun.code, begun.err]).toEqual([
      1,
      `peyk: PostgreSQL refuses: permission denied for database ${database}.\n`,
    ]);
    expect(readPosition(own)).toBeNull();
  });

  test("refuse to start after an interrupted join, and can join again", async () => {
    const [first, second] = [used(), folder()];
    await beginCluster(first, secretKey, connection, rules);
    const copy = join(folder(), "copy");
    copyForNode(first, copy);
    const joined = await joinFrom(second, copy, secretKey, connection, systemRandom);
    // The state between placing the new file and the end.
    writePosition(second, joined, noDatabase);
    expect(await refusalOf(second, { name: "b" })).toContain("peyk cluster join");
    await joinFrom(second, copy, secretKey, connection, systemRandom);
    expect(readPosition(second)).toMatchObject({ sequence: 0, hasLed: false });
  });

  test("give the lease back even if its connection ends meanwhile", async () => {
    const own = used();
    await beginCluster(own, secretKey, connection, rules);
    const leading = await lead(own);
    const table = new PostgresLease(connection);
    const epoch = (await table.state())?.epoch ?? 0;
    await leading.store.drain();
    leading.store.close();
    await table.endOlderSessions(epoch + 1);
    await leading.leadership.end("b");
    expect(await table.state()).toMatchObject({ epoch, holder: null, next: "b" });
  });

  test("refuse a database file that was put in place of their own", async () => {
    const own = used();
    await beginCluster(own, secretKey, connection, rules);
    const path = join(own, "peyk.db");
    const bytes = readFileSync(path);
    writeFileSync(`${path}.other`, bytes);
    rmSync(path);
    writeFileSync(path, bytes);
    const kept = readFileSync(join(own, "peyk.cluster"), "utf8");
    writeFileSync(join(own, "peyk.cluster"), kept.replace(/"inode":\d+/, '"inode":1'));
    expect(() => readPosition(own)).toThrow("put in its place");
  });

  test("refuse a database whose log another program took over", async () => {
    const own = used();
    await beginCluster(own, secretKey, connection, rules);
    const kept = readFileSync(join(own, "peyk.cluster"), "utf8");
    writeFileSync(join(own, "peyk.cluster"), kept.replace('"hasLed":false', '"hasLed":true'));
    expect(await refusalOf(own)).toContain("another program");
  });

  test("refuse to start under the name of a node that goes on, and wait for the end of one that does not", async () => {
    const [first, second] = [used(), folder()];
    await beginCluster(first, secretKey, connection, rules);
    const copy = join(folder(), "copy");
    copyForNode(first, copy);
    const leading = await lead(first);
    await joinFrom(second, copy, secretKey, connection, systemRandom);
    const lease = new PostgresLease(connection);
    const saidAgo = (seconds: number) =>
      connection.rows(`UPDATE peyk_cluster.node SET seen_at = clock_timestamp() - interval '${seconds} s'`);
    /**
     * As often as this, what the first node has told arrives again. The looks of this test are a millisecond apart: each
     * telling is younger than what was seen before by more.
     */
    const tells = (times: number) => {
      const seconds = Array.from({ length: times + 1 }, (_, at) => 2 * (times - at));
      let isTold = false;
      return async () => {
        const ago = seconds.shift();
        if (ago === undefined) return;
        for (const node of await lease.nodes()) if (isTold) await lease.tell(node);
        isTold = true;
        await saidAgo(ago);
      };
    };
    expect(await refusalOf(second, {}, tells(2))).toContain("Another node is named a");
    await end(leading);
    expect(await refusalOf(second, {}, tells(1))).toBe("none");
    expect(readPosition(second)).toMatchObject({ sequence: 0 });
    await saidAgo(10);
    await end(await lead(second));
  }, 180_000);

  test("refuse a copy older than the log, and an entry that was changed", async () => {
    const [first, second] = [used(), folder()];
    await beginCluster(first, secretKey, connection, rules);
    const copy = join(folder(), "copy");
    copyForNode(first, copy);
    const leading = await lead(first);
    await leading.store.write((tables) => tables.recipientData.record(digest(1), 1));
    await end(leading);
    await joinFrom(second, copy, secretKey, connection, systemRandom);
    await connection.rows(
      "UPDATE peyk_cluster.entry_0 SET bytes = set_byte(bytes, 40, get_byte(bytes, 40) # 1) WHERE sequence = 1",
    );
    expect(await refusalOf(second, { name: "b" })).toContain("was changed since");
    await connection.rows("DELETE FROM peyk_cluster.entry_0 WHERE sequence = 1");
    expect(await refusalOf(second, { name: "b" })).toContain("no longer holds");
  }, 180_000);

  test("of an older version follow changes by a later one, and do not lead", async () => {
    const own = used();
    await beginCluster(own, secretKey, connection, rules);
    await connection.rows(
      "INSERT INTO peyk_cluster.node VALUES ('later', 'i', 0, '9', 99, '', NULL, NULL, clock_timestamp() - interval '1 minute')",
    );
    expect(await refusalOf(own)).toBe("none");
    expect(await connection.row("SELECT epoch::float8 FROM peyk_cluster.state")).toEqual({ epoch: 0 });
  }, 180_000);

  test("do not use the wall clock to decide who leads", async () => {
    const own = used();
    await beginCluster(own, secretKey, connection, rules);
    const clock = new ManualClock();
    clock.jump(3_600_000);
    const leading = await lead(own, { clock: { ...systemClock, now: () => clock.now() } });
    expect(leading.leadership.lease.isGood).toBe(true);
    await end(leading);
    expect(lost).toEqual([]);
  });

  test("refuse a PostgreSQL database that is read-only", async () => {
    const own = used();
    await beginCluster(own, secretKey, connection, rules);
    await postgres.run(`ALTER DATABASE ${database} SET default_transaction_read_only = on`);
    try {
      const reading = new PostgresConnection([address], { name: "test", isReplicated: true });
      open.push(reading);
      await expect(reading.rows("SELECT 1")).rejects.toThrow("is read-only");
    } finally {
      await postgres.run(`ALTER DATABASE ${database} RESET default_transaction_read_only`);
    }
  });

  test("refuse to join in a folder with its own database, and half of a cluster's settings", async () => {
    const [first, second] = [used(), used()];
    await beginCluster(first, secretKey, connection, rules);
    const copy = join(folder(), "copy");
    copyForNode(first, copy);
    await expect(joinFrom(second, copy, secretKey, connection, systemRandom)).rejects.toThrow(
      "has a database of its own",
    );
    const env = { PEYK_CLUSTER_NODE: "a" };
    const half = await runCli(["cluster", "status", "--data-dir", first], { env });
    expect([half.code, half.err]).toEqual([1, expect.stringContaining("Set both cluster.node")]);
  });

  test("refuse a log of an unknown generation; the leader of the earlier log ends", async () => {
    const [first, second] = [used(), folder()];
    await beginCluster(first, secretKey, connection, rules);
    const copy = join(folder(), "copy");
    copyForNode(first, copy);
    await joinFrom(second, copy, secretKey, connection, systemRandom);
    const ended = Promise.withResolvers<string>();
    const leading = await lead(first, { lost: ended.resolve });
    const restored = used();
    await beginCluster(restored, secretKey, connection, { ...rules, isAgain: true });
    expect(await ended.promise).toContain("leads");
    leading.store.close();
    await leading.leadership.abandon();
    expect(await refusalOf(second, { name: "b" })).toContain("A new log was begun");
    await end(await lead(restored, { name: "c" }));
  });

  test("refuse a restore, a key rotation and a rewrite of the whole file", async () => {
    const own = used();
    writeFileSync(join(own, "secret.key"), keyFileText([secretKey]));
    const copy = join(folder(), "peyk.db");
    copyDatabase(own, copy);
    await beginCluster(own, secretKey, connection, rules);
    for (const command of [
      ["secret", "rotate"],
      ["backup", "restore", copy],
    ]) {
      const refused = await runCli([...command, "--data-dir", own]);
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("node's of a cluster")]);
    }
    expect(readKeys(join(own, "secret.key"))).toEqual([Buffer.from(secretKey)]);
    const leading = await lead(own);
    expect(leading.store.rewrite).toThrow("does not write its whole file anew");
    await end(leading);
  });

  test("rotate the key: one leaves, rotates it and begins the log anew, and the other joins with the new key", async () => {
    const [first, second] = [used(), folder()];
    writeFileSync(join(first, "secret.key"), keyFileText([secretKey]));
    await beginCluster(first, secretKey, connection, rules);
    const leading = await lead(first);
    await leading.store.write((tables) => tables.recipientData.record(digest(1), 1));
    await end(leading);
    await leaveCluster(first, secretKey, connection, "a");
    expect(await runCli(["secret", "rotate", "--data-dir", first])).toMatchObject({ code: 0 });
    const [newKey = otherKey, ...more] = readKeys(join(first, "secret.key"));
    expect(more).toEqual([]);
    await beginCluster(first, newKey, connection, { ...rules, isAgain: true });
    const copy = join(folder(), "copy");
    copyForNode(first, copy);
    await expect(joinFrom(second, copy, secretKey, connection, systemRandom)).rejects.toThrow("secret.key");
    await joinFrom(second, copy, newKey, connection, systemRandom);
    await end(await lead(first, { secretKey: newKey }));
    const next = await lead(second, { name: "b", secretKey: newKey });
    expect(next.store.tables.recipientData.isRecorded(digest(1))).toBe(true);
    await end(next);
  });

  test("make the frequent copy between two entries while following, whole, and report its age", async () => {
    const [first, second] = [used(), folder()];
    await beginCluster(first, secretKey, connection, rules);
    const copy = join(folder(), "copy");
    copyForNode(first, copy);
    await joinFrom(second, copy, secretKey, connection, systemRandom);
    const leading = await lead(first);
    await leading.store.write((tables) => tables.recipientData.record(digest(1), 1));
    const node = nodeOf(second, { name: "b", copies: () => copyAges(second, systemClock) });
    const stop = new AbortController();
    const following = node.follow(stop.signal);
    const defaults = defaultSettings();
    const settings = { ...defaults, dataDir: second, backup: { ...defaults.backup, everyMinutes: 1 } };
    const copies = standbyCopies({ settings, clock: systemClock, log: silentLog, node, runCommand: runFromSources });
    const table = new PostgresLease(connection);
    const told = async () => (await table.nodes()).find(({ name }) => name === "b")?.copiedMsAgo ?? null;
    while ((await told()) === null) await Bun.sleep(50);
    const [{ file } = { file: "" }] = timedBackups(second);
    const verified = await runCli(["backup", "verify", file, "--data-dir", second]);
    expect([verified.code, verified.out]).toEqual([0, expect.stringContaining("is whole")]);
    expect(readdirSync(join(second, "backups"))).toHaveLength(1);
    await copies?.stop();
    stop.abort();
    await following;
    await node.close();
    await end(leading);
  }, 180_000);

  test("give up a copy that was begun when they take over", async () => {
    const own = used();
    await beginCluster(own, secretKey, connection, rules);
    const node = nodeOf(own);
    const asked = node.copyTo(join(folder(), "raw"), new AbortController().signal);
    const copied = asked.then(
      () => "made",
      () => "given up",
    );
    const leadership = await node.follow(AbortSignal.timeout(20_000));
    expect(leadership).not.toBeNull();
    expect(["made", "given up"]).toContain(await copied);
    await leadership?.end(null);
    await node.close();
  });

  test("are compared by the doctor in key, settings and version", async () => {
    const own = used();
    await beginCluster(own, secretKey, connection, rules);
    const engineFile = join(folder(), "engine");
    writeFileSync(engineFile, address, { mode: 0o600 });
    const settings = { ...defaultSettings(), cluster: { ...defaultSettings().cluster, node: "a", engineFile } };
    const table = new PostgresLease(connection);
    const other = { name: "b", instance: "i", position: 0, version, schema: 1, settingsSum: settingsSumOf(settings) };
    const told = async (change: object, key: Uint8Array | null = secretKey) => {
      const unhurt = { canWrite: true, heldBy: null, compared: null, differs: null, ported: null };
      await table.tell({ ...other, copiedMsAgo: null, shippedMsAgo: null, ...unhurt, ...change });
      const found = await clusterFindings(settings, key);
      return (found?.findings ?? []).map(({ check, grade }) => `${check} ${grade}`);
    };
    // Tests do not wait for the disk.
    const risks = ["cluster warn"];
    expect(await told({})).toEqual(["cluster bad", "cluster key ok", "node b ok", ...risks]);
    expect(await told({ canWrite: false })).toContain("node b bad");
    expect(await told({ differs: { entry: 1, pages: [2], wrong: "leader" } })).toContain("node b bad");
    expect(await told({ version: "9" }, otherKey)).toEqual(["cluster bad", "cluster key bad", "node b warn", ...risks]);
    expect(await told({ heldBy: "sqlite3 (process 1)" })).toContain("node b bad");
    expect(await told({ settingsSum: "x" }, null)).toEqual([
      "cluster bad",
      "cluster key warn",
      "node b warn",
      ...risks,
    ]);
    writeFileSync(engineFile, "postgres://postgres@127.0.0.1:1/none");
    expect(await told({})).toEqual(["cluster bad"]);
    expect(await clusterFindings(defaultSettings(), secretKey)).toBeNull();
  });
}
