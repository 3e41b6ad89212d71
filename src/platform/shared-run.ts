/** Runs work once for everybody who asked for it before it began. */
import { nextTurn } from "./next-turn.ts";

/**
 * Each run begins in a later turn than its first caller, so a flood of callers costs one run per turn, and other work
 * gets its turn between two runs. A caller never gets a result from before its call.
 */
export function sharedRun<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let next: Promise<Result> | null = null;
  async function run(): Promise<Result> {
    await nextTurn();
    next = null;
    return work();
  }
  return () => {
    next ??= run();
    return next;
  };
}
