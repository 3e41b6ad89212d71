/** Bounds how many forms are being read: of each sender, and of all. One that is slow gives its place up to the next one. */
import type { Clock } from "../../platform/clock.ts";
import { FormRefused } from "./form-refused.ts";

export interface ReadingPlacesOptions {
  clock: Pick<Clock, "after">;
  /** Of one sender. */
  senderMax: number;
  allMax: number;
  /** A whole form has this long to arrive. */
  arrivesMsMax: number;
}

interface Reading<Sender> {
  sender: Sender;
  abort: AbortController;
}

export class ReadingPlaces<Sender> {
  readonly #options: ReadingPlacesOptions;
  /** The oldest first. */
  readonly #readings = new Set<Reading<Sender>>();

  constructor(options: ReadingPlacesOptions) {
    this.#options = options;
  }

  /** `read` stops where its signal says so. @throws FormRefused for one too many, and whatever `read` throws. */
  async read<Form>(sender: Sender, read: (signal: AbortSignal) => Promise<Form>): Promise<Form> {
    const { clock, senderMax, allMax, arrivesMsMax } = this.#options;
    const ofSender = [...this.#readings].filter((one) => one.sender === sender).length;
    if (ofSender >= senderMax) throw new FormRefused(429, "Wait until your other forms have arrived.");
    // A form of a browser arrives at once. Whoever holds all places holds them by forms that do not end, and those make room.
    if (this.#readings.size >= allMax) this.#endOldest();
    const reading = { sender, abort: new AbortController() };
    this.#readings.add(reading);
    const deadline = clock.after(arrivesMsMax, () =>
      reading.abort.abort(new FormRefused(408, "This form took too long to arrive.")),
    );
    try {
      return await read(reading.abort.signal);
    } finally {
      deadline.cancel();
      this.#readings.delete(reading);
    }
  }

  #endOldest(): void {
    for (const oldest of this.#readings) {
      this.#readings.delete(oldest);
      oldest.abort.abort(new FormRefused(429, "Too many forms arrive at once. Send this one again."));
      return;
    }
  }
}
