/** What a leader stores about itself, and tells the other nodes. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EngineSession, Lease } from "../../src/cluster/engine.ts";
import { Leadership } from "../../src/cluster/leadership.ts";
import { type Position, readPosition, writePosition } from "../../src/cluster/position.ts";
import { silentLog } from "../../src/platform/log.ts";
import { databaseFileName, memberFileName } from "../../src/store/database.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { MemoryEngine } from "../support/memory-engine.ts";
import { temporaryFolder } from "../support/test-server.ts";

const never = () => new Promise<never>(() => {});
const pages = { pageBytes: 512, pageCount: 1, pages: new Map([[1, new Uint8Array(512)]]) };

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** A node that leads from its first entry on; `told` are the positions that it tells the others of. */
function leading(told: number[], released: number[] = []): { leadership: Leadership; clock: ManualClock } {
  writeFileSync(join(folder.path, databaseFileName), "");
  const position: Position = {
    installation: "i-1",
    generation: "g-1",
    instance: "n-1",
    sequence: 0,
    sum: new Uint8Array(32),
    hasLed: false,
  };
  writePosition(folder.path, position);
  const lease: Lease = {
    state: never,
    renew: () => Promise.resolve({ next: null }),
    release: (_, acknowledged) => {
      released.push(acknowledged);
      return Promise.resolve();
    },
    takeOver: never,
    endOlderSessions: never,
    tell: (node) => {
      told.push(node.position);
      return Promise.reject(new Error("asked again in five seconds"));
    },
    nodes: never,
    health: never,
  };
  const session: EngineSession = {
    lease,
    reader: { identity: never, read: never, keyId: never, head: never, sum: never },
    writer: new MemoryEngine(position.sum),
    dropOldEntries: never,
    reconnect() {},
    close: () => Promise.resolve(),
  };
  const clock = new ManualClock();
  const leadership = new Leadership({
    folder: folder.path,
    name: "a",
    engine: { session: () => session },
    keepBytes: 0,
    secretKey: new Uint8Array(32),
    version: "1",
    schema: 1,
    settingsSum: "",
    clock,
    log: silentLog,
    epoch: 1,
    keyId: new Uint8Array(16),
    takenAt: clock.monotonic(),
    position: () => position,
    copies: () => ({ copiedMsAgo: null, shippedMsAgo: null }),
    lost: (why) => {
      throw new Error(why);
    },
  });
  leadership.begin(position);
  return { leadership, clock };
}

test("after an orderly end the position is the last whole checkpoint, and the lease records all that was shipped", async () => {
  const released: number[] = [];
  const { leadership } = leading([], released);
  const { shipper } = leadership;
  const ship = () => new Promise<void>((kept) => shipper.committed(pages, kept));
  await ship();
  shipper.checkpointed();
  await ship();
  await ship();
  expect(readPosition(folder.path)).toMatchObject({ sequence: 1, hasLed: true });
  expect(shipper.closed()).toBe(true);
  await leadership.end("b");
  expect(readPosition(folder.path)).toMatchObject({ sequence: 1, hasLed: false });
  expect(released).toEqual([3]);
});

test("a leader that ends with an unshipped commit records that its own log may hold more", async () => {
  const { leadership } = leading([]);
  await new Promise<void>((kept) => leadership.shipper.committed(pages, kept));
  await leadership.end(null);
  expect(readPosition(folder.path)).toMatchObject({ sequence: 0, hasLed: true });
});

test("a position that cannot be stored is not reported, ends nothing, and is stored at the next checkpoint", async () => {
  const told: number[] = [];
  const { leadership, clock } = leading(told);
  const { shipper } = leadership;
  await new Promise<void>((kept) => shipper.committed(pages, kept));
  const inTheWay = join(folder.path, `${memberFileName}.new`);
  rmSync(inTheWay);
  mkdirSync(inTheWay);
  shipper.checkpointed();
  expect(readPosition(folder.path)?.sequence).toBe(0);
  await clock.advance(5_000);
  rmSync(inTheWay, { recursive: true });
  shipper.checkpointed();
  expect(readPosition(folder.path)?.sequence).toBe(1);
  await clock.advance(5_000);
  expect(told).toEqual([0, 0, 1]);
  await leadership.abandon();
});
