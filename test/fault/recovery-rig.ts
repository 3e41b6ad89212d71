/** Nodes that die while they take over, catch up, join or migrate; a log truncated at any octet, a flipped bit, a full engine, skewed clocks. */
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { leaveCluster } from "../../src/cluster/membership.ts";
import { PostgresConnection } from "../../src/cluster/postgres-connection.ts";
import { readKeys } from "../../src/platform/seal.ts";
import { type NodeProcess, succeeded } from "../support/cluster.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { type Careless, carelessSources } from "./careless-sources.ts";
import { WallClock } from "./clock-rig.ts";
import { judged, leaderOf, onScene, require, type Scene } from "./cluster-scene.ts";
import type { FaultResult } from "./thin-rig.ts";

const workers = 8;
const takesLead = "takes the lead of the cluster";
const migrates = "upgrading the database";

const underLoad = (
  work: (scene: Scene) => Promise<FaultResult>,
  volumeMb: number | null = null,
): Promise<FaultResult> =>
  onScene({ workers, pauseMs: 20, cluster: { postgres: { volumeMb } } }, async (scene) => {
    await scene.load.acknowledges(100);
    return work(scene);
  });

/** The leader is gone, and `b` leads. */
async function follow({ a, b }: Scene): Promise<void> {
  await require(b.leads(60_000), "the second node leads");
  a.start();
  await require(a.follows(60_000), "the first node follows");
}

export const killedInCatchUp = (): Promise<FaultResult> =>
  underLoad(async (scene) => {
    const { b, load } = scene;
    await b.kill();
    for (const ms of [250, 400, 600, 900]) {
      await load.acknowledges(50);
      b.start();
      await Bun.sleep(ms);
      await b.kill();
    }
    b.start();
    await require(b.follows(), "the second node follows");
    await scene.a.kill();
    await follow(scene);
    return judged(scene);
  });

export const killedInTakeOver = (): Promise<FaultResult> =>
  underLoad(async (scene) => {
    const { a, b } = scene;
    await a.kill();
    for (const ms of [0, 150, 400]) {
      await b.logs(takesLead);
      await Bun.sleep(ms);
      await b.kill();
      b.start();
    }
    await follow(scene);
    return judged(scene);
  });

export const killedInJoin = (): Promise<FaultResult> =>
  underLoad(async (scene) => {
    const { a, b, load } = scene;
    await b.stop();
    for (const name of readdirSync(b.folder)) rmSync(join(b.folder, name), { recursive: true });
    const copy = `${b.folder}.copy`;
    for (const ms of [40, 60, 80, 100, 130, 160, 200]) {
      rmSync(copy, { force: true });
      succeeded(await a.run("cluster", "copy", copy));
      copyFileSync(join(a.folder, "secret.key"), join(b.folder, "secret.key"));
      await b.runUntil(ms, "cluster", "join", copy);
      await load.acknowledges(5);
    }
    succeeded(await b.run("cluster", "join", copy));
    b.start();
    await require(b.follows(), "the second node follows");
    await a.kill();
    await follow(scene);
    return judged(scene);
  });

/** A later release: one more migration, which takes a moment. */
function laterSources(folder: string): string[] {
  const file = "src/store/migrations.ts";
  const text = readFileSync(join(import.meta.dir, "..", "..", file), "utf8");
  const [line = "", number = ""] = [...text.matchAll(/^ {2}\{ number: (\d+),.*$/gm)].at(-1) ?? [];
  const rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)";
  const sql = `CREATE TABLE later AS ${rows} SELECT i, hex(randomblob(40)) AS text FROM n;`;
  const one: Careless = {
    file,
    line,
    instead: `${line}\n  { number: ${Number(number) + 1}, name: "later", sql: "${sql}" },`,
  };
  return carelessSources([one], folder);
}

/** First the follower, then a hand-over, then the other node; the new leader dies during its migration. */
export async function rollingUpgrade(): Promise<FaultResult> {
  const sources = temporaryFolder();
  try {
    const later = laterSources(sources.path);
    return await underLoad(async (scene) => {
      const { a, b, load } = scene;
      await b.stop();
      b.upgradeTo(later);
      b.start();
      await require(b.follows(60_000), "the upgraded node follows");
      const begins = b.logs(migrates, 60_000);
      succeeded(await a.run("cluster", "hand-over", "--to", "b"));
      await begins;
      await Bun.sleep(200);
      await b.kill();
      b.start();
      await require(b.leads(60_000), "the upgraded node leads");
      await require(a.follows(60_000), "the older one follows");
      await load.acknowledges(50);
      await a.stop();
      a.upgradeTo(later);
      a.start();
      await require(a.follows(60_000), "the other one follows, upgraded");
      return judged(scene);
    });
  } finally {
    sources.remove();
  }
}

/** The disk kept only a part of the leader's log: every cut leads to the same file. */
export const powerCut = (): Promise<FaultResult> =>
  underLoad(async (scene) => {
    const { a, b, cluster } = scene;
    await a.kill();
    const kept = temporaryFolder();
    const [names, log] = [["peyk.db", "peyk.id", "peyk.cluster"], join(a.folder, "peyk.db-wal")];
    const { length } = readFileSync(log);
    const cuts = [0, 1, ...Array.from({ length: 8 }, () => Math.floor(Math.random() * length)), length];
    for (const [index, cut] of cuts.entries()) {
      const folder = join(kept.path, `${index}`);
      mkdirSync(folder);
      for (const name of [...names, "peyk.db-wal"]) copyFileSync(join(a.folder, name), join(folder, name));
      // A copy is another file.
      const position = join(folder, "peyk.cluster");
      const { ino } = await Bun.file(join(folder, "peyk.db")).stat();
      writeFileSync(position, readFileSync(position, "utf8").replace(/"inode":\d+/, `"inode":${ino}`));
      truncateSync(join(folder, "peyk.db-wal"), cut);
    }
    await follow(scene);
    const result = await judged(scene);
    const key = readKeys(join(b.folder, "secret.key"))[0];
    const connection = new PostgresConnection([cluster.postgres.address("peyk")], { name: "test", isReplicated: true });
    let differing = 0;
    for (const index of cuts.keys()) {
      const folder = join(kept.path, `${index}`);
      await leaveCluster(folder, key, connection, "c");
      if (!readFileSync(join(folder, "peyk.db")).equals(readFileSync(join(b.folder, "peyk.db")))) differing += 1;
    }
    await connection.close();
    kept.remove();
    return { ...result, wrong: result.wrong + differing };
  });

/** An entry that a node still needs is damaged in PostgreSQL: that node refuses it with a clear message, and the leader keeps serving. */
export const flippedBit = (): Promise<FaultResult> =>
  underLoad(async (scene) => {
    const { b, load, cluster } = scene;
    await b.stop();
    await load.acknowledges(50);
    const flip = () =>
      cluster.postgres.run(
        `UPDATE peyk_cluster.entry_0 SET bytes = set_byte(bytes, 40, get_byte(bytes, 40) # 1)
         WHERE sequence = ${sequence}`,
        "peyk",
      );
    const [{ sequence } = { sequence: 0 }] = await cluster.postgres.run(
      "SELECT max(sequence) - 5 AS sequence FROM peyk_cluster.entry_0",
      "peyk",
    );
    await flip();
    const refuses = b.logs("was changed since");
    b.start();
    await refuses;
    await load.acknowledges(20);
    await flip();
    await require(b.follows(), "the second node follows once the entry is whole again");
    return judged(scene);
  });

/** PostgreSQL's disk is full for a while. */
export const fullEngine = (): Promise<FaultResult> =>
  underLoad(async (scene) => {
    const { load, cluster } = scene;
    const { folder } = cluster.postgres;
    const filler = join(folder, "filler");
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(filler, Buffer.alloc(bavail * bsize - bsize));
    const refused = await untilRefused(scene);
    rmSync(filler);
    await cluster.postgres.start().catch(() => {});
    await leaderOf(scene);
    await load.acknowledges(50);
    const result = await judged(scene);
    return { ...result, wrong: result.wrong + (refused ? 0 : 1) };
  }, 150);

/** True once no message has been acknowledged for three seconds. */
async function untilRefused({ load }: Scene): Promise<boolean> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; ) {
    const before = load.acknowledged.size;
    await Bun.sleep(3_000);
    if (load.acknowledged.size === before) return true;
  }
  return false;
}

/** The second node's wall clock is an hour ahead, then an hour behind. */
export const skewedClocks = (): Promise<FaultResult> =>
  underLoad(async (scene) => {
    using clock = new WallClock();
    const { a, b, load } = scene;
    for (const seconds of [3_600, -3_600]) {
      await restarted(b, () => {
        clock.setAhead(seconds);
        b.alsoEnv = clock.env;
      });
      await a.kill();
      await follow(scene);
      await load.acknowledges(30);
      await b.kill();
      await require(a.leads(), "the first node leads");
      b.start();
      await require(b.follows(), "the second node follows");
    }
    return judged(scene);
  });

async function restarted(node: NodeProcess, meanwhile: () => void): Promise<void> {
  await node.stop();
  meanwhile();
  node.start();
  await require(node.follows(), `${node.name} follows`);
}
