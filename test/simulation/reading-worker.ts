/** Replaces the reading thread within the process: the same answers, in turns of the run. */
import { answering } from "../../src/reports/answering.ts";
import type { FromReader, ToReader } from "../../src/reports/protocol.ts";
import { simulatedClock } from "./simulated-clock.ts";
import { time } from "./virtual-time.ts";

class ReadingWorker {
  onmessage: (event: { data: FromReader }) => void = () => {};
  onerror: (event: { message: string }) => void = () => {};
  readonly #take: (message: ToReader) => void;
  #isTerminated = false;
  #closed: () => void = () => {};

  constructor(url: string | URL) {
    if (!String(url).includes("reports/read-worker")) throw new Error(`A simulation reaches no thread (${url})`);
    this.#take = answering(simulatedClock, (data) => this.#later(() => this.onmessage({ data })));
  }

  postMessage(message: ToReader): void {
    this.#later(() => this.#take(message));
  }

  addEventListener(_: "close", closed: () => void): void {
    this.#closed = closed;
  }

  terminate(): void {
    this.#isTerminated = true;
    time.immediate(() => this.#closed());
  }

  #later(run: () => void): void {
    time.immediate(() => {
      if (this.#isTerminated) return;
      try {
        run();
      } catch (reason) {
        this.onerror({ message: String(reason) });
      }
    });
  }
}

Object.assign(globalThis, { Worker: ReadingWorker });
