/** A cluster with a real PostgreSQL: one server with a synchronous standby for all tests, since starting a pair takes seconds. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { engineAddresses, refusalIn } from "../../src/cluster/postgres-connection.ts";
import { type PostgresPair, startPostgres } from "../support/postgres.ts";
import { programAt } from "../support/programs.ts";
import { describeWith, testWith } from "../support/wants.ts";
import { damagedNode } from "./damaged-node-tests.ts";
import { testDifferingPages } from "./differing-pages-tests.ts";
import { testFullDisks } from "./full-disk-tests.ts";
import { heldCopies } from "./held-copy-tests.ts";
import { testLog } from "./log-tests.ts";
import { testMembership } from "./membership-tests.ts";
import { portedTables } from "./ported-tests.ts";
import { takeOvers } from "./take-over-tests.ts";

test("an engine address names one or several hosts", () => {
  expect(engineAddresses("postgres://peyk:secret@a:5432,b:5433/peyk?sslmode=require")).toEqual([
    "postgres://peyk:secret@a:5432/peyk?sslmode=require",
    "postgres://peyk:secret@b:5433/peyk?sslmode=require",
  ]);
  expect(engineAddresses("postgresql://one/peyk\n")).toEqual(["postgresql://one/peyk"]);
  for (const wrong of ["", "mysql://a/b", "postgres://a", "postgres://a,,b/peyk", "postgres:///peyk"])
    expect(engineAddresses(wrong)).toBeNull();
});

test("a PostgreSQL that is too old, a standby or read-only is refused in words", () => {
  const state = { version: 15, follows: false, read_only: "off" };
  expect(refusalIn([state])).toBeNull();
  expect(refusalIn([{ ...state, version: 14 }])).toBe("is PostgreSQL 14; 15 is needed");
  expect(refusalIn([{ ...state, follows: true }])).toBe("is a standby");
  expect(refusalIn([{ ...state, read_only: "on" }])).toBe("is read-only");
});

const asItShouldBe = "as it should be";
const endOf = (work: Promise<void>): Promise<unknown> =>
  work.then(
    () => asItShouldBe,
    (reason: unknown) => reason,
  );

describeWith("postgres")("on PostgreSQL", () => {
  let pair: PostgresPair | null = null;
  const started = (): PostgresPair => {
    if (pair === null) throw new Error("PostgreSQL was not started");
    return pair;
  };

  let takenOver: Promise<unknown> = Promise.resolve();
  let damaged: Promise<unknown> = Promise.resolve();
  let ported: Promise<unknown> = Promise.resolve();
  let held: Promise<unknown> = Promise.resolve();

  beforeAll(async () => {
    const shared = await startPostgres();
    pair = shared;
    takenOver = endOf(takeOvers(shared));
    // One after another: all at once would wait for each other's processes.
    damaged = takenOver.then(() => endOf(damagedNode(shared)));
    ported = damaged.then(() => endOf(portedTables(shared)));
    if (programAt("strace") !== null) held = ported.then(() => endOf(heldCopies(shared)));
  }, 180_000);

  afterAll(async () => {
    await Promise.all([takenOver, damaged, ported, held]);
    await pair?.remove();
  }, 240_000);

  describe("the cluster's log", () => testLog(started));
  describe("cluster nodes", () => testMembership(started));
  describe("differing pages", () => testDifferingPages(started));
  describeWith("root")("full disks", () => testFullDisks(started));
  test("after a join, a killed leader and a hand-over no acknowledged message is lost and the files are equal", async () => {
    expect(await takenOver).toBe(asItShouldBe);
  }, 240_000);
  test("a node with a changed page is named by status and doctor, does not take over, and joins anew", async () => {
    expect(await damaged).toBe(asItShouldBe);
  }, 240_000);
  test("a node without the leader's table of ported numbers is named, gets it from its operator, and takes over with it", async () => {
    expect(await ported).toBe(asItShouldBe);
  }, 240_000);
  testWith("strace")(
    "leaders that stop or hand over while their database is copied lose no acknowledged message, and the files are equal",
    async () => {
      expect(await held).toBe(asItShouldBe);
    },
    240_000,
  );
});
