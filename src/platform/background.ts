/** Runs work in the background: failures are logged, and a stop can wait for the work to end. */
import type { Logger } from "./log.ts";

export interface Background {
  run(name: string, work: () => Promise<void>): void;
  /** Resolves once no work is running. */
  settled(): Promise<void>;
}

export function background(log: Logger): Background {
  const going = new Set<Promise<void>>();
  return {
    run(name, work) {
      const done = work()
        .catch((reason: unknown) => log.error({ err: reason, work: name }, "Work in the background failed"))
        .finally(() => going.delete(done));
      going.add(done);
    },
    async settled() {
      while (going.size > 0) await Promise.all(going);
    },
  };
}
