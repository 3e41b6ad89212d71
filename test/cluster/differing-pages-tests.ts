/** Two nodes whose files differ notice it while one leads, and the log says whose pages are wrong. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { closeSync, copyFileSync, existsSync, openSync, readFileSync, readSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { ClusterNode, type ClusterNodeDeps } from "../../src/cluster/cluster-node.ts";
import { clusterReportOf } from "../../src/cluster/cluster-report.ts";
import type { Difference, NodeState } from "../../src/cluster/engine.ts";
import type { Leadership } from "../../src/cluster/leadership.ts";
import { beginCluster, copyForNode, joinCluster, openNodeCopy } from "../../src/cluster/membership.ts";
import { PostgresConnection } from "../../src/cluster/postgres-connection.ts";
import { postgresEngine } from "../../src/cluster/postgres-engine.ts";
import { PostgresLease } from "../../src/cluster/postgres-lease.ts";
import { PostgresLogReader } from "../../src/cluster/postgres-log.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { openDatabase } from "../../src/store/database.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { hookMs, type PostgresPair, type PostgresServer } from "../support/postgres.ts";
import { temporaryFolder } from "../support/test-server.ts";

const database = "differing";
const secretKey = new Uint8Array(32).fill(1);
const pageBytes = 4_096;

interface Leading {
  leadership: Leadership;
  store: Store;
}

export function testDifferingPages(pair: () => PostgresPair): void {
  let postgres: PostgresServer;
  let connection: PostgresConnection;
  let made = "";
  const folders: ReturnType<typeof temporaryFolder>[] = [];
  let undo: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    postgres = pair().primary;
    await postgres.createDatabase(database);
    made = folder();
    openDatabase(made, 1).close();
  }, hookMs);
  beforeEach(async () => {
    await postgres.run("DROP SCHEMA IF EXISTS peyk_cluster CASCADE", database);
    connection = new PostgresConnection([postgres.address(database)], { name: "test", isReplicated: true });
    undo = [() => connection.close()];
  }, hookMs);
  afterEach(async () => {
    for (const one of undo.reverse()) await one();
  }, hookMs);
  afterAll(() => {
    for (const one of folders) one.remove();
  });

  function folder(): string {
    const own = temporaryFolder();
    folders.push(own);
    return own.path;
  }

  const fileIn = (at: string) => join(at, "peyk.db");

  const nodeOf = (at: string, name: string, told: string[] = []) => {
    const say = (...said: unknown[]) => void told.push(String(said.at(-1)));
    const deps: ClusterNodeDeps = {
      folder: at,
      name,
      engine: postgresEngine([postgres.address(database)]),
      keepBytes: 1e9,
      secretKey,
      version: "1",
      schema: 1,
      settingsSum: "",
      copies: () => ({ copiedMsAgo: null, shippedMsAgo: null }),
      clock: systemClock,
      random: systemRandom,
      log: { ...silentLog, error: say, warn: say },
      lost: (why) => told.push(why),
    };
    return new ClusterNode(deps);
  };

  async function lead(node: ClusterNode, at: string): Promise<Leading> {
    const leadership = await node.follow(AbortSignal.timeout(20_000));
    await node.close();
    if (leadership === null) throw new Error("nobody else leads");
    const store = openStore({ folder: at, now: 2, random: systemRandom, replication: leadership.replication });
    return { leadership, store };
  }

  async function end({ leadership, store }: Leading): Promise<void> {
    leadership.stops();
    await store.drain();
    store.close();
    await leadership.end(null);
  }

  /** New pages at the end of the file, whose images the log holds. */
  const fill = ({ store }: Leading, from: number) =>
    store.write((tables) => {
      for (let index = from; index < from + 2_000; index += 1)
        tables.recipientData.record(new Bun.CryptoHasher("sha256").update(`${index}`).digest(), 1);
    });

  /** One leads and another follows, with equal files whose last pages are in the log. */
  async function pairOf(): Promise<{ leading: Leading; first: string; second: string; follow(): Promise<Follower> }> {
    const [first, second] = [folder(), folder()];
    for (const name of ["peyk.db", "peyk.id"]) copyFileSync(join(made, name), join(first, name));
    await beginCluster(first, secretKey, connection, { now: 1, random: systemRandom, isAgain: false });
    const leading = await lead(nodeOf(first, "a"), first);
    await fill(leading, 0);
    await leading.store.drain();
    const copy = join(folder(), "copy");
    copyForNode(first, copy);
    const opened = openNodeCopy(copy);
    await joinCluster(second, opened, secretKey, new PostgresLogReader(connection), systemRandom);
    closeSync(opened.descriptor);
    return { leading, first, second, follow: () => followAs("b", second) };
  }

  interface Follower {
    node: ClusterNode;
    led: Promise<Leadership | null>;
    told: string[];
  }

  async function followAs(name: string, at: string): Promise<Follower> {
    const told: string[] = [];
    const node = nodeOf(at, name, told);
    const stop = new AbortController();
    const led = node.follow(stop.signal);
    undo.push(async () => {
      stop.abort();
      await (await led)?.abandon();
      await node.close();
    });
    await stateOf(() => true);
    return { node, led, told };
  }

  /** The second node, once it has told this of itself. */
  async function stateOf(isIt: (state: NodeState) => boolean): Promise<NodeState> {
    const table = new PostgresLease(connection);
    for (;;) {
      const state = (await table.nodes()).find(({ name }) => name === "b");
      if (state !== undefined && isIt(state)) return state;
      await Bun.sleep(50);
    }
  }

  function flip(at: string, page: number): void {
    const descriptor = openSync(fileIn(at), "r+");
    const octet = new Uint8Array(1);
    const offset = (page - 1) * pageBytes + 2_000;
    readSync(descriptor, octet, 0, 1, offset);
    writeSync(
      descriptor,
      octet.map((value) => value ^ 1),
      0,
      1,
      offset,
    );
    closeSync(descriptor);
  }

  const lastPageOf = (at: string) => statSync(fileIn(at)).size / pageBytes;

  const differenceOf = async (wrong: Difference["wrong"]) =>
    (await stateOf(({ differs }) => differs?.wrong === wrong)).differs;

  test("equal files compare as equal", async () => {
    const { leading, follow } = await pairOf();
    await follow();
    leading.leadership.serves(leading.store);
    const { differs, compared } = await stateOf((state) => state.compared !== null);
    expect([differs, compared]).toEqual([null, expect.any(Number)]);
    await end(leading);
  }, 180_000);

  test("a page changed by a node's disk is reported and proved by the log, and that node does not take over", async () => {
    const { leading, second, follow } = await pairOf();
    const page = lastPageOf(second);
    flip(second, page);
    const follower = await follow();
    leading.leadership.serves(leading.store);
    expect(await differenceOf("own")).toEqual({
      entry: expect.any(Number),
      pages: [page],
      wrong: "own",
      leader: "a",
    });
    const { warnings } = await clusterReportOf(connection);
    expect(warnings).toContainEqual(expect.stringContaining("b does not take over"));
    await end(leading);
    while (!follower.told.some((one) => one.includes("peyk cluster join"))) await Bun.sleep(50);
    expect(await new PostgresLease(connection).state()).toMatchObject({ epoch: 1, holder: null });
    expect(readFileSync(join(second, "peyk.differs"), "utf8")).toContain('"wrong":"own"');
  }, 180_000);

  test("a page changed by the leader's disk is proved by the log: the other node may lead, and that leader no more", async () => {
    const { leading, first, follow } = await pairOf();
    const page = lastPageOf(first);
    const follower = await follow();
    flip(first, page);
    leading.leadership.serves(leading.store);
    expect(await differenceOf("leader")).toMatchObject({ pages: [page] });
    const note = join(first, "peyk.differs");
    while (!existsSync(note)) await Bun.sleep(50);
    expect(readFileSync(note, "utf8")).toContain('"wrong":"own"');
    await end(leading);
    const next = await follower.led;
    expect(next).not.toBeNull();
    await next?.end(null);
    const damaged = await followAs("a", first);
    while (!damaged.told.some((one) => one.includes("the log proves them wrong"))) await Bun.sleep(50);
    expect(await new PostgresLease(connection).state()).toMatchObject({ epoch: 2, holder: null });
  }, 180_000);

  test("a difference that the log does not cover blames no node and overwrites nothing; a rewritten page is equal", async () => {
    const { leading, second, follow } = await pairOf();
    // Neither filled nor written since the database was made.
    const page = Math.floor(statSync(fileIn(made)).size / pageBytes / 2);
    flip(second, page);
    const before = readFileSync(fileIn(second)).subarray((page - 1) * pageBytes, page * pageBytes);
    await follow();
    leading.leadership.serves(leading.store);
    expect(await differenceOf("unknown")).toMatchObject({ pages: [page] });
    const after = readFileSync(fileIn(second)).subarray((page - 1) * pageBytes, page * pageBytes);
    expect(after.equals(before)).toBe(true);
    flip(second, page);
    leading.leadership.stops();
    leading.leadership.serves(leading.store);
    await stateOf(({ differs }) => differs === null);
    await end(leading);
  }, 180_000);
}
