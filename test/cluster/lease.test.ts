/** A leader's rights end before another node's begin, and nothing is acknowledged that is not stored. */
import { beforeEach, describe, expect, test } from "bun:test";
import { ClusterGate } from "../../src/cluster/cluster-gate.ts";
import { LeaseKeeper } from "../../src/cluster/lease-keeper.ts";
import { silentLog } from "../../src/platform/log.ts";
import { StoreUnavailable } from "../../src/store/group-commit.ts";
import { ManualClock, settleLoop } from "../support/manual-clock.ts";

describe("a lease", () => {
  let clock: ManualClock;
  let answers: (() => Promise<{ next: string | null } | null>)[];
  let told: string[];
  let keeper: LeaseKeeper;

  beforeEach(async () => {
    clock = new ManualClock();
    answers = [];
    told = [];
    const renew = () => (answers.shift() ?? (() => Promise.resolve({ next: null })))();
    keeper = new LeaseKeeper(
      {
        lease: { renew },
        clock,
        log: silentLog,
        epoch: 1,
        acknowledged: () => 0,
        lost: () => void told.push("lost"),
        handOver: (next) => void told.push(`hand over to ${next}`),
      },
      clock.monotonic(),
    );
    await settleLoop();
  });

  /** From now on no renewal is answered; `answer` answers the current one. */
  function silence(): () => void {
    let answer = () => {};
    answers = [
      () =>
        new Promise((resolve) => {
          answer = () => resolve({ next: null });
        }),
    ];
    return () => answer();
  }

  test("is good for 3.5 s after its last good renewal was sent, however late the answer came", async () => {
    await clock.advance(499);
    const answer = silence();
    await clock.advance(3_000);
    expect(keeper.isGood).toBe(true);
    await clock.advance(1);
    expect(keeper.isGood).toBe(false);
    // Sent 3 s ago.
    answer();
    await settleLoop();
    expect(keeper.isGood).toBe(true);
    silence();
    await clock.advance(499);
    expect(keeper.isGood).toBe(true);
    await clock.advance(1);
    expect(keeper.isGood).toBe(false);
  });

  test("that lapsed holds submits back until it is good again, and reports each change once", async () => {
    keeper.onChange((isGood) => void told.push(isGood ? "good" : "lapsed"));
    await clock.advance(499);
    const answer = silence();
    await clock.advance(10_000);
    let went = false;
    void keeper.turn()?.then(() => {
      went = true;
    });
    await settleLoop();
    expect([went, told]).toEqual([false, []]);
    answer();
    await settleLoop();
    await clock.advance(500);
    expect([went, keeper.turn()]).toEqual([true, null]);
    expect(told.filter((one) => one === "good")).toEqual(["good"]);
  });

  test("taken by another leader ends this one; an operator's request to hand over is passed on", async () => {
    answers = [() => Promise.resolve({ next: "b" }), () => Promise.resolve(null)];
    await clock.advance(500);
    expect(told).toEqual(["hand over to b"]);
    await clock.advance(500);
    expect(told).toEqual(["hand over to b", "lost"]);
  });
});

describe("the replication gate", () => {
  const kept: (() => void)[] = [];
  const shipper = {
    commits: 0,
    keptCommits: 0,
    stalledMs: 0,
    stalledForMs: () => shipper.stalledMs,
    committed: (_: null | object, done: () => void) => void kept.push(done),
  };
  const lease = { isGood: true };
  let clock: ManualClock;
  let gate: ClusterGate;
  beforeEach(() => {
    Object.assign(shipper, { commits: 0, keptCommits: 0, stalledMs: 0 });
    kept.length = 0;
    lease.isGood = true;
    clock = new ManualClock();
    gate = new ClusterGate(shipper, lease, clock);
  });

  test("is open while everything is replicated, else opens once the current commit is", async () => {
    expect(gate.pass()).toBeNull();
    shipper.commits = 1;
    let passed = false;
    const passing = gate.pass()?.then(() => {
      passed = true;
    });
    await settleLoop();
    expect(passed).toBe(false);
    for (const done of kept) done();
    await passing;
    expect(passed).toBe(true);
  });

  test("is shut while another node may lead, even for an answer that was already prepared", async () => {
    const answer = Promise.withResolvers<string>();
    const told = gate.within(answer.promise);
    lease.isGood = false;
    answer.resolve("202");
    await expect(told).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(gate.pass() ?? Promise.resolve()).rejects.toBeInstanceOf(StoreUnavailable);
  });

  test("is shut for a refusal as well, which tells what was read", async () => {
    const answer = Promise.withResolvers<string>();
    const told = gate.within(answer.promise);
    lease.isGood = false;
    answer.reject(new Error("403"));
    await expect(told).rejects.toBeInstanceOf(StoreUnavailable);
  });

  test("refuses waiting requests once nothing has been replicated for two seconds", async () => {
    const waiting = gate.within(new Promise<string>(() => {})).then(String, (reason: unknown) => reason);
    shipper.stalledMs = 1_999;
    await clock.advance(250);
    shipper.stalledMs = 2_000;
    await clock.advance(250);
    expect(await waiting).toBeInstanceOf(StoreUnavailable);
  });
});
