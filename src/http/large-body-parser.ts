/** Passes large bodies to a thread, one at a time: 12 MB of JSON block an event loop for 75 ms. */
import { Worker } from "node:worker_threads";
import type { TSchema } from "@sinclair/typebox";
import { ApiError } from "../domain/api-error.ts";
import type { Clock, Timer } from "../platform/clock.ts";
import { nextTurn } from "../platform/next-turn.ts";
import { workerUrl } from "../platform/worker-url.ts";
import type { ReducedBody } from "./large-body.ts";
import type { LargeBodyReply, LargeBodyThread, StartLargeBodyThread } from "./large-body-task.ts";

/**
 * Bodies of this size and more go to the thread. A smaller one, with as many keys as fit, is parsed and hashed here
 * within 20 ms.
 */
export const largeBodyBytesMin = 256 * 1024;

/** The thread ends after this idle time, to free its memory. */
const idleMs = 30_000;

export interface ParsedBody extends Omit<ReducedBody, "json"> {
  json: unknown;
}

type Waiting = PromiseWithResolvers<ParsedBody>;

const startThread: StartLargeBodyThread = (replied, failed) => {
  const worker = new Worker(workerUrl("http/large-body-worker"));
  worker.unref();
  worker.on("message", replied);
  worker.on("error", failed);
  return worker;
};

export class LargeBodyParser {
  readonly #clock: Pick<Clock, "after">;
  readonly #startThread: StartLargeBodyThread;
  readonly #waiting = new Map<number, Waiting>();
  #thread: LargeBodyThread | null = null;
  #idle: Timer | null = null;
  #lastId = 0;

  constructor(clock: Pick<Clock, "after">, start = startThread) {
    this.#clock = clock;
    this.#startThread = start;
  }

  /** The fields that `schema` knows, and a hash of the whole body. Detaches the bytes. Throws as `parseRequestJson`. */
  async parse(bytes: Uint8Array<ArrayBuffer>, schema: TSchema): Promise<ParsedBody> {
    this.#idle?.cancel();
    this.#lastId += 1;
    const waiting = Promise.withResolvers<ParsedBody>();
    this.#waiting.set(this.#lastId, waiting);
    this.#thread ??= this.#start();
    this.#thread.postMessage({ id: this.#lastId, bytes, schema }, [bytes.buffer]);
    const parsed = await waiting.promise;
    // Processing the result is a separate turn of the event loop.
    await nextTurn();
    return parsed;
  }

  #start(): LargeBodyThread {
    const thread = this.#startThread(
      (reply) => this.#settle(reply),
      (reason) => this.#fail(thread, new Error("The thread of large bodies failed", { cause: reason })),
    );
    return thread;
  }

  #settle(reply: LargeBodyReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ("refused" in reply) {
      const { code, message, problems } = reply.refused;
      waiting?.reject(new ApiError(code, { message, problems }));
    } else {
      const { json, ...hashes } = reply.reduced;
      waiting?.resolve({ json: JSON.parse(json), ...hashes });
    }
    if (this.#waiting.size === 0) this.#idle = this.#clock.after(idleMs, () => this.end());
  }

  /** The next body gets a new thread. */
  #fail(thread: LargeBodyThread, reason: Error): void {
    if (thread !== this.#thread) return;
    this.end();
    for (const waiting of this.#waiting.values()) waiting.reject(reason);
    this.#waiting.clear();
  }

  /** Ends the thread; the next large body starts another. */
  end(): void {
    this.#idle?.cancel();
    void this.#thread?.terminate();
    this.#thread = null;
  }
}
