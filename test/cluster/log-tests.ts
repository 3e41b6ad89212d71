/** The log and the lease in a real PostgreSQL with a synchronous standby. */
import { afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { type Entry, epochKey, sealEntry } from "../../src/cluster/entry.ts";
import { leaderSession } from "../../src/cluster/leader-session.ts";
import { Leadership } from "../../src/cluster/leadership.ts";
import { LeaseKeeper, leaseAnswerMsMax } from "../../src/cluster/lease-keeper.ts";
import { PostgresConnection } from "../../src/cluster/postgres-connection.ts";
import { postgresEngine } from "../../src/cluster/postgres-engine.ts";
import { PostgresLease } from "../../src/cluster/postgres-lease.ts";
import { dropOldEntries, logTables, PostgresLogReader, PostgresLogWriter } from "../../src/cluster/postgres-log.ts";
import { beginLog, DatabaseTaken, firstSum } from "../../src/cluster/postgres-schema.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { cutProxy } from "../support/cut-proxy.ts";
import { eventually } from "../support/peyk-process.ts";
import { hookMs, type PostgresPair, type PostgresServer } from "../support/postgres.ts";
import { temporaryFolder } from "../support/test-server.ts";

const identity = { installation: "i-1", generation: "g-1", keyCheck: new Uint8Array([1, 2, 3]) };
const key = epochKey(new Uint8Array(32).fill(1), new Uint8Array(16).fill(2), "g-1");
const keyId = new Uint8Array(16).fill(5);

const entryOf = (epoch: number, sequence: number, before: Uint8Array, content = 1, count = 1): Entry => {
  const pages = new Map(
    Array.from({ length: count }, (_, page) => [page + 1, new Uint8Array(512).fill(content)] as const),
  );
  return sealEntry({ epoch, sequence }, { pageBytes: 512, pageCount: count, pages }, key, before);
};

const database = "log";

export function testLog(pair: () => PostgresPair): void {
  let primary: PostgresServer;
  let standby: PostgresServer;
  const open: PostgresConnection[] = [];

  const connection = (name = "peyk", isReplicated = true, of = database): PostgresConnection => {
    const one = new PostgresConnection([primary.address(of)], { name, isReplicated });
    open.push(one);
    return one;
  };

  beforeAll(async () => {
    ({ primary, standby } = pair());
    await primary.createDatabase(database);
  }, hookMs);

  beforeEach(async () => {
    await primary.run("DROP SCHEMA IF EXISTS peyk_cluster CASCADE", database);
  }, hookMs);

  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  }, hookMs);

  /** A log with a leader. */
  async function led(): Promise<{
    epoch: number;
    writer: PostgresLogWriter;
    lease: PostgresLease;
    reader: PostgresLogReader;
  }> {
    const admin = connection();
    await beginLog(admin, identity, false);
    const lease = new PostgresLease(admin);
    const state = await lease.state();
    if (state === null) throw new Error("a new log has a lease");
    const epoch = (await lease.takeOver(state, "a", keyId)) ?? 0;
    const writer = new PostgresLogWriter(connection(leaderSession(epoch)));
    return { epoch, writer, lease, reader: new PostgresLogReader(admin) };
  }

  test("appends entries in order, and returns them as they were written", async () => {
    const { epoch, writer, reader } = await led();
    expect(await reader.identity()).toMatchObject({ installation: "i-1", generation: "g-1" });
    const first = entryOf(epoch, 1, firstSum("g-1"));
    const second = entryOf(epoch, 2, first.sum, 2, 1_100);
    expect(await writer.append(first, firstSum("g-1"))).toBe(true);
    await writer.addPiece(second, 0);
    expect(await reader.read(0, 9)).toHaveLength(1);
    expect(await writer.append(second, first.sum)).toBe(true);
    const read = await reader.read(0, 9);
    expect(read.map(({ epoch, sequence, sum }) => [epoch, sequence, Buffer.from(sum).toString("hex")])).toEqual(
      [first, second].map(({ epoch, sequence, sum }) => [epoch, sequence, Buffer.from(sum).toString("hex")]),
    );
    expect(read[1]?.pieces.map((piece) => Bun.hash(piece))).toEqual(second.pieces.map((piece) => Bun.hash(piece)));
    expect(await reader.head()).toMatchObject({ sequence: 2, epoch });
    expect(await reader.keyId(epoch)).toEqual(Buffer.from(keyId));
  });

  test("ends a read before a large entry, and returns at least one entry", async () => {
    const { epoch, writer, reader } = await led();
    const first = entryOf(epoch, 1, firstSum("g-1"));
    const large = entryOf(epoch, 2, first.sum, 2, 2_100);
    const last = entryOf(epoch, 3, large.sum, 3);
    await writer.append(first, firstSum("g-1"));
    for (const piece of [0, 1]) await writer.addPiece(large, piece);
    await writer.append(large, first.sum);
    await writer.append(last, large.sum);
    const read = async (after: number) => (await reader.read(after, 9)).map(({ sequence }) => sequence);
    expect(await read(0)).toEqual([1]);
    expect(await read(1)).toEqual([2]);
    expect(await read(2)).toEqual([3]);
  });

  test("refuses an entry that does not follow the newest, is repeated, or is of an older epoch", async () => {
    const { epoch, writer, lease } = await led();
    const first = entryOf(epoch, 1, firstSum("g-1"));
    expect(await writer.append(first, firstSum("g-1"))).toBe(true);
    expect(await writer.append(first, firstSum("g-1"))).toBe(false);
    expect(await writer.append(entryOf(epoch, 3, first.sum), first.sum)).toBe(false);
    expect(await writer.append(entryOf(epoch, 2, firstSum("g-2")), firstSum("g-2"))).toBe(false);
    const state = await lease.state();
    if (state === null) throw new Error("there is a lease");
    expect(await lease.takeOver(state, "b", keyId)).toBe(epoch + 1);
    expect(await writer.append(entryOf(epoch, 2, first.sum), first.sum)).toBe(false);
    expect(await writer.confirm(epoch)).toBe(false);
    expect([await lease.renew(epoch, 1), await lease.renew(epoch + 1, 1)]).toEqual([null, { next: null }]);
    expect(await lease.askHandOver("c")).toBe(true);
    expect(await lease.renew(epoch + 1, 1)).toEqual({ next: "c" });
  });

  test("gives the lead only to a candidate that saw the current lease", async () => {
    const { epoch, lease } = await led();
    const seen = await lease.state();
    if (seen === null) throw new Error("there is a lease");
    await lease.renew(epoch, 7);
    expect(await lease.takeOver(seen, "b", keyId)).toBeNull();
    expect(await lease.state()).toMatchObject({ epoch, holder: "a", acknowledged: 7, next: null });
    await lease.release(epoch, 8, "b");
    expect(await lease.state()).toMatchObject({ epoch, holder: null, acknowledged: 8, next: "b" });
  });

  test("ends an append begun before the take-over first: the new leader finds it, or it is refused", async () => {
    const { epoch, writer, lease, reader } = await led();
    const first = entryOf(epoch, 1, firstSum("g-1"));
    await writer.append(first, firstSum("g-1"));
    // The standby is gone: the append waits for it.
    await standby.stop();
    let appended = "waits";
    const second = entryOf(epoch, 2, first.sum);
    const append = writer.append(second, first.sum).then((isKept) => {
      appended = isKept ? "kept" : "refused";
    });
    await Bun.sleep(200);
    const candidate = new PostgresLease(connection("candidate"));
    const seen = await candidate.state();
    if (seen === null) throw new Error("there is a lease");
    const took = candidate.takeOver(seen, "b", keyId);
    await Bun.sleep(200);
    expect([appended, (await reader.head()).sequence]).toEqual(["waits", 1]);
    await standby.start();
    expect(await took).toBe(epoch + 1);
    await append;
    expect([appended, (await reader.head()).sequence]).toEqual(["kept", 2]);
    await lease.endOlderSessions(epoch + 1);
  });

  test("ends the sessions of older leaders in its own database alone", async () => {
    const { epoch, lease } = await led();
    const [older, elsewhere] = [connection(leaderSession(epoch)), connection(leaderSession(epoch), true, "postgres")];
    const session = "SELECT pg_backend_pid() AS pid";
    const [before, there] = [await older.row(session), await elsewhere.row(session)];
    await lease.endOlderSessions(epoch + 1);
    const running = await primary.run(
      `SELECT pid FROM pg_stat_activity WHERE application_name = '${leaderSession(epoch)}'`,
    );
    const pids = running.map(({ pid }) => pid);
    expect([pids.includes(there?.pid), pids.includes(before?.pid)]).toEqual([true, false]);
  });

  test("counts a readable entry as replicated only after one more commit has been replicated", async () => {
    const { epoch, writer, reader } = await led();
    const first = entryOf(epoch, 1, firstSum("g-1"));
    await writer.append(first, firstSum("g-1"));
    await standby.stop();
    const second = entryOf(epoch, 2, first.sum);
    const append = writer.append(second, first.sum).then(
      () => "answered",
      () => "unknown",
    );
    await Bun.sleep(200);
    await primary.run(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}' AND application_name = '${leaderSession(epoch)}'`,
    );
    expect(await append).toBe("unknown");
    expect((await reader.head()).sequence).toBe(2);
    let confirmed = false;
    const confirm = writer.confirm(epoch).then((isKept) => {
      confirmed = isKept;
    });
    await Bun.sleep(300);
    expect(confirmed).toBe(false);
    await standby.start();
    await confirm;
    expect(confirmed).toBe(true);
  });

  test("is not begun anew over other tables, another installation's log, or this installation's own", async () => {
    const admin = connection();
    await admin.rows("CREATE TABLE customer (id int)");
    await expect(beginLog(admin, identity, false)).rejects.toThrow(DatabaseTaken);
    await expect(beginLog(admin, identity, false)).rejects.toThrow("public.customer");
    await admin.rows("DROP TABLE customer");
    await beginLog(admin, identity, false);
    await expect(beginLog(admin, { ...identity, installation: "i-2" }, true)).rejects.toThrow("another installation");
    await expect(beginLog(admin, identity, false)).rejects.toThrow("--again");
    await beginLog(admin, { ...identity, generation: "g-2" }, true);
    expect(await new PostgresLogReader(admin).identity()).toMatchObject({ generation: "g-2" });
  });

  test("drops entries that every node has, a table at a time, and others only if the log is too large", async () => {
    const { reader } = await led();
    const admin = connection();
    for (const number of [1, 2, 3])
      await admin.rows(`CREATE TABLE peyk_cluster.entry_${number} (LIKE peyk_cluster.entry_0 INCLUDING ALL)`);
    expect(await dropOldEntries(admin, 8_191, 1e9, 1e9)).toBe(0);
    expect(await dropOldEntries(admin, 8_192, 1e9, 1e9)).toBe(1);
    expect((await logTables(admin)).map(({ number }) => number)).toEqual([1, 2, 3]);
    // What the leader itself needs after its next start stays.
    expect(await dropOldEntries(admin, 8_192, 1, 16_383)).toBe(0);
    expect(await dropOldEntries(admin, 8_192, 1, 16_384)).toBe(1);
    expect((await logTables(admin)).map(({ number }) => number)).toEqual([2, 3]);
    expect(await reader.sum(1)).toBeNull();
  });

  test("uses the host that accepts writes, and refuses a standby alone in words", async () => {
    const { reader } = await led();
    expect((await reader.head()).sequence).toBe(0);
    const both = new PostgresConnection([standby.address(database), primary.address(database)], {
      name: "peyk",
      isReplicated: true,
    });
    open.push(both);
    expect(await both.row("SELECT pg_is_in_recovery() AS follows")).toEqual({ follows: false });
    // Replicated entries appear there a moment later.
    const there = `SELECT 1 FROM pg_database WHERE datname = '${database}'`;
    while ((await standby.run(there)).length === 0) await Bun.sleep(20);
    const alone = new PostgresConnection([standby.address(database)], { name: "peyk", isReplicated: true });
    await expect(alone.rows("SELECT 1")).rejects.toThrow("is a standby");
  });

  test("renews a lease over a connection that opens and answers slowly", async () => {
    const { epoch, lease } = await led();
    const proxy = await cutProxy(primary.port);
    proxy.delay(200);
    const address = `postgres://postgres@127.0.0.1:${proxy.port}/${database}`;
    const patience = { clock: systemClock, answerMsMax: leaseAnswerMsMax };
    const far = new PostgresConnection([address], { name: leaderSession(epoch), isReplicated: false, patience });
    open.push(far);
    const told: string[] = [];
    const keeper = new LeaseKeeper(
      {
        lease: new PostgresLease(far),
        clock: systemClock,
        log: silentLog,
        epoch,
        acknowledged: () => 0,
        lost: (why) => told.push(why),
        handOver: (next) => told.push(next),
      },
      systemClock.monotonic(),
    );
    try {
      const counter = async () => (await lease.state())?.counter ?? 0;
      const before = await counter();
      await eventually(async () => (await counter()) >= before + 2 && keeper.isGood);
      expect(told).toEqual([]);
    } finally {
      keeper.stop();
      proxy.stop();
    }
  }, 180_000);

  test("renews a lease, and gives it back, although the connections open so far carry nothing any more", async () => {
    const { epoch, lease } = await led();
    const proxy = await cutProxy(primary.port);
    const folder = temporaryFolder();
    const begin = { installation: "i-1", generation: "g-1", instance: "n-1", sequence: 0, sum: firstSum("g-1") };
    const position = { ...begin, hasLed: false };
    const leadership = new Leadership({
      folder: folder.path,
      name: "a",
      engine: postgresEngine([`postgres://postgres@127.0.0.1:${proxy.port}/${database}`]),
      keepBytes: 0,
      secretKey: new Uint8Array(32),
      version: "1",
      schema: 1,
      settingsSum: "",
      clock: systemClock,
      log: silentLog,
      epoch,
      keyId,
      takenAt: systemClock.monotonic(),
      position: () => position,
      copies: () => ({ copiedMsAgo: null, shippedMsAgo: null }),
      lost: (why) => {
        throw new Error(why);
      },
    });
    try {
      leadership.begin(position);
      const counter = async () => (await lease.state())?.counter ?? 0;
      const isRenewed = async () => {
        const before = await counter();
        await eventually(async () => (await counter()) > before);
      };
      await isRenewed();
      proxy.forget();
      await isRenewed();
      proxy.forget();
      await leadership.end("b");
      expect(await lease.state()).toMatchObject({ epoch, holder: null, next: "b" });
    } finally {
      await leadership.abandon();
      proxy.stop();
      folder.remove();
    }
  }, 180_000);

  test("records what nodes report, and what the engine's settings put at risk", async () => {
    const { lease } = await led();
    const node = {
      name: "a",
      instance: "n-1",
      position: 5,
      version: "1.2.3",
      schema: 40,
      settingsSum: "abc",
      copiedMsAgo: null,
      shippedMsAgo: 60_000,
      canWrite: false,
      heldBy: null,
      ported: "ported-0123456789abcdef.numbers",
      compared: 4,
      differs: { entry: 3, pages: [7], wrong: "unknown" as const },
    };
    await lease.tell(node);
    // As a log is that an earlier version began.
    await connection().rows("ALTER TABLE peyk_cluster.node DROP COLUMN facts");
    expect(await lease.nodes()).toMatchObject([{ name: "a", canWrite: null }]);
    const newer = new PostgresLease(connection());
    await newer.tell({ ...node, position: 6 });
    expect(await lease.nodes()).toMatchObject([{ ...node, position: 6, shippedMsAgo: expect.closeTo(60_000, -4) }]);
    await lease.tell({ ...node, heldBy: "sqlite3 (process 1)" });
    expect(await lease.nodes()).toMatchObject([{ name: "a", heldBy: "sqlite3 (process 1)" }]);
    expect([await lease.forget("a"), await lease.forget("a")]).toEqual([true, false]);
    expect(await lease.health()).toMatchObject({ version: 15, isSynchronous: true, hasFsync: false });
  });
}
