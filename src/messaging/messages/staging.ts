/** Stores requests of very many messages: in slices that let others in between, seen by nobody until one commit accepts all. */
import { background } from "../../platform/background.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log.ts";
import { StoreUnavailable } from "../../store/group-commit.ts";
import type { StagedRun } from "../../store/hidden-runs.ts";
import type { NewMessage } from "../../store/messages.ts";
import type { Store, Tables } from "../../store/store.ts";
import type { Waiting } from "./accept.ts";

/** Messages in one transaction: 3 to 6 ms, and shorter slices gained nobody anything. */
const sliceMessages = 256;
/** How long to leave the disk alone after it refused a slice of what was accepted already. */
const storeRetryMs = 1_000;

export interface StagingDeps {
  store: Store;
  clock: Pick<Clock, "now" | "after">;
  log: Logger;
  /** Told of messages once the queue has them. */
  accepted(waiting: readonly Waiting[]): void;
}

/** Builds the rows from `position` on, `count` of them. Called outside of any write. */
export type BuildRows = (position: number, count: number) => readonly NewMessage[];

export type Stager = ReturnType<typeof stager>;

export function stager({ store, clock, log, accepted }: StagingDeps) {
  let stopped = false;
  let turn: Promise<unknown> = Promise.resolve();
  const aside = background(log);
  const waiting = new Set<() => void>();

  /** One slice at a time, however many runs there are: a turn of the event loop never holds two. */
  function inTurn<T>(slice: () => Promise<T>): Promise<T> {
    const result = turn.then(slice);
    const ended = () => {};
    turn = result.then(ended, ended);
    return result;
  }

  async function reserve(count: number, build: BuildRows): Promise<StagedRun> {
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

  async function fill(run: StagedRun, build: BuildRows): Promise<void> {
    const end = run.messageCount - 1;
    for (let position = 0; position < end; position += sliceMessages) {
      await inTurn(() => {
        const rows = build(position, Math.min(sliceMessages, end - position));
        return store.write((tables) => {
          for (const [index, row] of rows.entries())
            tables.messages.insertStaged(run.firstMessageId + position + index, row);
        });
      });
    }
  }

  /** What was promised, or is to be undone, is tried until the disk takes it. Null once the house stops. */
  async function insisting<T>(change: (tables: Tables) => T): Promise<T | null> {
    while (!stopped) {
      try {
        return await inTurn(() => store.write(change));
      } catch (reason) {
        if (!(reason instanceof StoreUnavailable)) throw reason;
        log.error({ err: reason }, "a run of messages waits for the disk");
        await new Promise<void>((resolve) => {
          waiting.add(resolve);
          clock.after(storeRetryMs, resolve);
        });
      }
    }
    return null;
  }

  /** Removes what nobody has seen. Until it is gone it stays unseen, also over a start. */
  async function discard(run: StagedRun): Promise<void> {
    let gone: boolean | null = false;
    while (gone === false) gone = await insisting((tables) => tables.stagedRuns.discard(run, sliceMessages));
    if (gone) store.tables.stagedRuns.reveal(run);
  }

  async function release(published: StagedRun): Promise<void> {
    for (let run = published; run.releasedCount < run.messageCount; ) {
      const before = run;
      const step = await insisting((tables) => tables.stagedRuns.release(before, sliceMessages));
      if (step === null) return;
      run = step.run;
      accepted(step.released);
    }
  }

  function publication<Instead>(
    tables: Tables,
    run: StagedRun,
    publish: (tables: Tables, run: StagedRun) => Instead | null,
  ): StagedRun | { instead: Instead } {
    const instead = publish(tables, run);
    return instead === null ? tables.stagedRuns.publish(run, clock.now()) : { instead };
  }

  const discardAside = (run: StagedRun) => aside.run("discard a run of messages", () => discard(run));
  const releaseAside = (run: StagedRun) => aside.run("release a run of messages", () => release(run));

  return {
    /**
     * Stores `count` messages. They are accepted by the commit in which `publish` gives null; whatever else it gives is
     * returned and nothing is kept. Rejects with what `publish` threw, or with StoreUnavailable; nothing is kept then, either.
     */
    async store<Instead>(
      count: number,
      build: BuildRows,
      publish: (tables: Tables, run: StagedRun) => Instead | null,
    ): Promise<StagedRun | { instead: Instead }> {
      const run = await reserve(count, build);
      const outcome = await fill(run, build)
        .then(() => store.write((tables) => publication(tables, run, publish)))
        .catch((reason: unknown) => {
          discardAside(run);
          throw reason;
        });
      if ("instead" in outcome) {
        discardAside(run);
        return outcome;
      }
      store.tables.stagedRuns.reveal(run);
      releaseAside(outcome);
      return outcome;
    },

    /** Takes up what the last run of the service left: what was accepted goes to the queue, the rest goes away. */
    recover(): void {
      for (const run of store.tables.stagedRuns.all()) {
        if (run.publishedAt === null) discardAside(run);
        else releaseAside(run);
      }
    },

    /** Resolves once nothing goes on in the background. */
    settled: aside.settled,

    /** Ends the background work after its present slice; the next start goes on with it. */
    stop(): Promise<void> {
      stopped = true;
      for (const wake of waiting) wake();
      return aside.settled();
    },
  };
}
