/** Stores very large requests: in slices that let other writes in between, hidden until one commit accepts them all. */
import { type Background, background } from "../../platform/background.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log.ts";
import { LoopTurns } from "../../platform/loop-turns.ts";
import { StoreUnavailable } from "../../store/group-commit.ts";
import type { StagedRun } from "../../store/hidden-runs.ts";
import type { NewMessage } from "../../store/messages.ts";
import { RollupCounts } from "../../store/rollup-counts.ts";
import type { Store, Tables } from "../../store/store.ts";
import type { Caller, QueuedMessage } from "./accept.ts";

/** Messages per transaction: 3 to 6 ms, and shorter slices gained nothing. */
const sliceMessages = 256;
/** How long to wait after the disk refused a slice of an accepted run. */
const storeRetryMs = 1_000;

export interface StagingDeps {
  store: Store;
  clock: Pick<Clock, "now" | "after">;
  log: Logger;
  /** Called with messages once they are in the queue. */
  accepted(waiting: readonly QueuedMessage[]): void;
}

/** Builds `count` rows starting at `position`. Called outside any write. */
export type BuildRows = (position: number, count: number) => readonly NewMessage[];

export class Stager {
  readonly #background: Background;
  readonly #retries = new Set<() => void>();
  #stopped = false;
  /** Of slices: accounts take turns, however many runs each has. */
  readonly #turns = new LoopTurns();

  constructor(private readonly deps: StagingDeps) {
    this.#background = background(deps.log);
  }

  /**
   * Stores `count` messages of a request, which are due from its time on. They are accepted by the
   * commit in which `publish` returns null; any other value is returned and nothing is kept. Rejects with what
   * `publish` threw, or with StoreUnavailable; nothing is kept then either.
   */
  async store<Instead>(
    count: number,
    { accountId, at }: Pick<Caller, "accountId" | "at">,
    build: BuildRows,
    publish: (tables: Tables, run: StagedRun) => Instead | null,
  ): Promise<StagedRun | { instead: Instead }> {
    const { store } = this.deps;
    const counts = new RollupCounts();
    const shares = store.tables.targetShares.beginRun();
    const counted: BuildRows = (position, wanted) => {
      const rows = build(position, wanted);
      for (const row of rows) {
        counts.addAccepted(row);
        shares.take(row);
      }
      return rows;
    };
    const run = await this.#reserve(count, counted);
    const outcome = await this.#fill(run, counted, accountId)
      .then(() =>
        store.write((tables) => {
          const instead = publish(tables, run);
          if (instead !== null) return { instead };
          tables.rollups.acceptedRun(counts);
          tables.targetShares.acceptedRun(shares);
          return tables.stagedRuns.publish(run, at);
        }),
      )
      .catch((reason: unknown) => {
        this.#discardInBackground(run, accountId);
        throw reason;
      });
    if ("instead" in outcome) {
      this.#discardInBackground(run, accountId);
      return outcome;
    }
    store.tables.stagedRuns.reveal(run);
    this.#releaseInBackground(outcome, accountId);
    return outcome;
  }

  /**
   * Resumes what the last run of the service left: accepted messages go to the queue, the rest is removed. Whose they
   * are is not asked: together they take one account's turns.
   */
  recover(): void {
    for (const run of this.deps.store.tables.stagedRuns.all()) {
      if (run.publishedAt === null) this.#discardInBackground(run);
      else this.#releaseInBackground(run);
    }
  }

  /** Resolves once no background work is running. */
  settled(): Promise<void> {
    return this.#background.settled();
  }

  /** Ends the background work after its current slice; the next start resumes it. */
  stop(): Promise<void> {
    this.#stopped = true;
    for (const retry of this.#retries) retry();
    return this.settled();
  }

  async #reserve(count: number, build: BuildRows): Promise<StagedRun> {
    const { store } = this.deps;
    const [last] = build(count - 1, 1);
    if (last === undefined) throw new Error(`A run of ${count} messages has no last one`);
    const run = await store.write((tables) => {
      const reserved = tables.stagedRuns.reserve(count);
      tables.messages.insertStaged(reserved.firstMessageId + count - 1, last);
      return reserved;
    });
    store.tables.stagedRuns.hide(run);
    return run;
  }

  async #fill(run: StagedRun, build: BuildRows, accountId: number): Promise<void> {
    const end = run.messageCount - 1;
    for (let position = 0; position < end; position += sliceMessages) {
      await this.#inTurn(() => {
        const rows = build(position, Math.min(sliceMessages, end - position));
        return this.deps.store.write((tables) => {
          for (const [index, row] of rows.entries())
            tables.messages.insertStaged(run.firstMessageId + position + index, row);
        });
      }, accountId);
    }
  }

  /** One slice at a time, however many runs there are: no turn of the event loop contains two. */
  #inTurn<T>(slice: () => Promise<T>, accountId?: number): Promise<T> {
    return new Promise((resolve, reject) => this.#turns.add(() => slice().then(resolve, reject), accountId));
  }

  /**
   * Retries until the disk takes it: the change was accepted, or undoes one that was not. Null if the service stops.
   */
  async #untilStored<T>(change: (tables: Tables) => T, accountId: number | undefined): Promise<T | null> {
    const { store, clock, log } = this.deps;
    while (!this.#stopped) {
      try {
        return await this.#inTurn(() => store.write(change), accountId);
      } catch (reason) {
        if (!(reason instanceof StoreUnavailable)) throw reason;
        log.error({ err: reason }, "a run of messages waits for the disk");
        await new Promise<void>((resolve) => {
          this.#retries.add(resolve);
          clock.after(storeRetryMs, resolve);
        });
      }
    }
    return null;
  }

  /** Removes messages that were never visible. Until then they stay hidden, even across restarts. */
  #discardInBackground(run: StagedRun, accountId?: number): void {
    this.#background.run("discard a run of messages", async () => {
      let isGone: boolean | null = false;
      while (isGone === false) {
        isGone = await this.#untilStored((tables) => tables.stagedRuns.discard(run, sliceMessages), accountId);
      }
      if (isGone) this.deps.store.tables.stagedRuns.reveal(run);
    });
  }

  #releaseInBackground(published: StagedRun, accountId?: number): void {
    this.#background.run("release a run of messages", async () => {
      for (let run = published; run.releasedCount < run.messageCount; ) {
        const before = run;
        const step = await this.#untilStored((tables) => tables.stagedRuns.release(before, sliceMessages), accountId);
        if (step === null) return;
        run = step.run;
        this.deps.accepted(step.released);
      }
    });
  }
}
