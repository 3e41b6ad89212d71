/**
 * Preloaded into a server: records each time its event loop was blocked, as lines in the file that BENCH_HOLDS names.
 * Time that the thread waited for a processor is not counted: that is due to the machine.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const file = process.env.BENCH_HOLDS;
const tickMs = 1;
const notedMs = 1;

/** Of this thread, since it started. */
const waitedMs = () => Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[1]) / 1e6;

if (isMainThread && file !== undefined) {
  let last = { at: performance.now(), waitedMs: waitedMs() };
  setInterval(() => {
    const now = { at: performance.now(), waitedMs: waitedMs() };
    const heldMs = now.at - last.at - tickMs - (now.waitedMs - last.waitedMs);
    if (heldMs >= notedMs) appendFileSync(file, `${JSON.stringify({ endedAt: Date.now(), heldMs })}\n`);
    last = now;
  }, tickMs).unref();
}
