/** Passes large bodies to a thread, one at a time: 12 MB of JSON block an event loop for 75 ms. */
import { Worker } from "node:worker_threads";
import type { TSchema } from "@sinclair/typebox";
import { ApiError, type ApiErrorCode, type FieldProblem } from "../domain/api-error.ts";
import type { Clock, Timer } from "../platform/clock.ts";
import { nextTurn } from "../platform/next-turn.ts";
import { workerUrl } from "../platform/worker-url.ts";
import type { PlainSchema, ReducedBody } from "./large-body.ts";

/**
 * Bodies of this size and more go to the thread. A smaller one, with as many keys as fit, is parsed and hashed here
 * within 20 ms.
 */
export const largeBodyBytesMin = 256 * 1024;

/** The thread ends after this idle time, to free its memory. */
const idleMs = 30_000;

export interface LargeBodyTask {
  id: number;
  bytes: Uint8Array;
  schema: PlainSchema;
}

export type LargeBodyReply =
  | { id: number; reduced: ReducedBody }
  | { id: number; refused: { code: ApiErrorCode; message: string; problems: readonly FieldProblem[] } };

export interface ParsedBody extends Omit<ReducedBody, "json"> {
  json: unknown;
}

type Waiting = PromiseWithResolvers<ParsedBody>;

export class LargeBodyParser {
  readonly #clock: Pick<Clock, "after">;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #idle: Timer | null = null;
  #lastId = 0;

  constructor(clock: Pick<Clock, "after">) {
    this.#clock = clock;
  }

  /** The fields that `schema` knows, and a hash of the whole body. Detaches the bytes. Throws as `parseRequestJson`. */
  async parse(bytes: Uint8Array<ArrayBuffer>, schema: TSchema): Promise<ParsedBody> {
    this.#idle?.cancel();
    this.#lastId += 1;
    const waiting = Promise.withResolvers<ParsedBody>();
    this.#waiting.set(this.#lastId, waiting);
    this.#worker ??= this.#start();
    this.#worker.postMessage({ id: this.#lastId, bytes, schema } satisfies LargeBodyTask, [bytes.buffer]);
    const parsed = await waiting.promise;
    // Processing the result is a separate turn of the event loop.
    await nextTurn();
    return parsed;
  }

  #start(): Worker {
    const worker = new Worker(workerUrl("http/large-body-worker"));
    worker.unref();
    worker.on("message", (reply: LargeBodyReply) => this.#settle(reply));
    worker.on("error", (reason) =>
      this.#fail(worker, new Error("The thread of large bodies failed", { cause: reason })),
    );
    return worker;
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
  #fail(worker: Worker, reason: Error): void {
    if (worker !== this.#worker) return;
    this.end();
    for (const waiting of this.#waiting.values()) waiting.reject(reason);
    this.#waiting.clear();
  }

  /** Ends the thread; the next large body starts another. */
  end(): void {
    this.#idle?.cancel();
    void this.#worker?.terminate();
    this.#worker = null;
  }
}
