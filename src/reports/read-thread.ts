/** The server's side of the reader thread: starts it with the first question, and ends it after a time without any. */
import type { Clock, Timer } from "../platform/clock.ts";
import { workerUrl } from "../platform/worker-url.ts";
import type { FromReader, QuestionKind, Questions, ToReader } from "./protocol.ts";

/** It takes 5 MB while running, and up to 8 MB of pages; starting it takes 70 ms. */
const idleMsMax = 60_000;
/** A slice in progress ends well within this time. */
const closeMsMax = 1_000;

interface Waiting {
  answered(text: string): void;
  failed(reason: Error): void;
}

export class ReadThread {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #idle: Timer | null = null;
  #lastId = 0;
  #ending: Promise<void> = Promise.resolve();
  #stopped = false;

  /** `path`: the database file. */
  constructor(
    private readonly path: string,
    private readonly clock: Pick<Clock, "after">,
  ) {}

  /** Rejects with the signal's reason once it is aborted, and ends the work on the answer. */
  async ask<Kind extends QuestionKind>(
    kind: Kind,
    request: Questions[Kind]["request"],
    signal?: AbortSignal,
  ): Promise<Questions[Kind]["answer"]> {
    signal?.throwIfAborted();
    const worker = this.#started();
    const cancelled = new Int32Array(new SharedArrayBuffer(4));
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<string>((answered, failed) => this.#waiting.set(id, { answered, failed }));
    const cancel = () => {
      Atomics.store(cancelled, 0, 1);
      this.#waiting.get(id)?.failed(new DOMException("Nobody waits for the answer", "AbortError"));
    };
    signal?.addEventListener("abort", cancel, { once: true });
    worker.postMessage({ ask: { kind, request, id, cancelled } });
    try {
      return JSON.parse(await answer);
    } finally {
      signal?.removeEventListener("abort", cancel);
      this.#waiting.delete(id);
      this.#endWhenIdle();
    }
  }

  /** Refuses all questions still waiting. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#refuseAll(new Error("The server stops"));
    this.#end();
    await this.#ending;
  }

  #started(): Worker {
    if (this.#stopped) throw new Error("The server stops");
    this.#idle?.cancel();
    this.#idle = null;
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(workerUrl("reports/read-worker"), { ref: false });
    worker.onmessage = ({ data }: MessageEvent<FromReader>) => this.#take(data);
    worker.onerror = (event) => {
      if (this.#worker === worker) this.#worker = null;
      worker.terminate();
      this.#refuseAll(new Error(`The reading thread failed: ${event.message}`));
    };
    const open: ToReader = { open: this.path };
    worker.postMessage(open);
    this.#worker = worker;
    return worker;
  }

  #take(message: FromReader): void {
    if (message === "closed") return;
    const waiting = this.#waiting.get(message.id);
    if ("answer" in message) waiting?.answered(message.answer);
    else waiting?.failed(new Error(message.failure));
  }

  #endWhenIdle(): void {
    if (this.#waiting.size > 0 || this.#worker === null) return;
    this.#idle?.cancel();
    this.#idle = this.clock.after(idleMsMax, () => this.#end());
  }

  #end(): void {
    const worker = this.#worker;
    this.#worker = null;
    this.#idle?.cancel();
    if (worker !== null) this.#ending = this.#endOf(worker);
  }

  /**
   * The connection is closed first: the server's own must be the last, so that it checkpoints the log. Until the thread
   * has ended, no checkpoint is certain: at its end Bun tries one, on what the thread's statements keep open, and holds
   * the lock for it.
   */
  async #endOf(worker: Worker): Promise<void> {
    const close: ToReader = "close";
    await this.#within((resolve) => {
      // Nobody is waiting for an answer any more.
      worker.onmessage = ({ data }: MessageEvent<FromReader>) => data === "closed" && resolve();
      worker.postMessage(close);
    });
    await this.#within((resolve) => {
      worker.addEventListener("close", () => resolve(), { once: true });
      worker.terminate();
    });
  }

  async #within(begin: (resolve: () => void) => void): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = this.clock.after(closeMsMax, resolve);
    begin(resolve);
    await promise;
    timer.cancel();
  }

  #refuseAll(reason: Error): void {
    for (const { failed } of this.#waiting.values()) failed(reason);
  }
}
