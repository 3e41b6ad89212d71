/** The mail server for what rules mail: takes or refuses it according to the receiver's temper, and remembers what it took. */
import { Chance } from "./chance.ts";
import type { Model } from "./model.ts";
import type { ReceiverTemper } from "./plan.ts";
import { time } from "./virtual-time.ts";

/** After it was taken, a mail is off the list within this time, unless the disk refuses. */
const storedMs = 200;

export class MailServer {
  isCalm = false;
  readonly #model: Model;
  readonly #chance: Chance;
  readonly #temper: ReceiverTemper;
  /** When each text was last taken, by its code. */
  readonly #taken = new Map<string, number>();

  constructor(model: Model, seed: number, temper: ReceiverTemper) {
    this.#model = model;
    this.#chance = new Chance(seed, "mail server");
    this.#temper = temper;
  }

  /** For a living service; whoever dies gets no answer. */
  senderOf(isAlive: () => boolean) {
    return (_to: string, _subject: string, text: string): Promise<void> => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const [code = ""] = /\S+$/.exec(text.trimEnd()) ?? [];
      const isRefused = !this.isCalm && this.#chance.happens(this.#temper.fails + this.#temper.refuses);
      time.after(this.#chance.between(1, 50), () => {
        if (!isAlive()) return;
        this.#model.journal.tell("mail", code, isRefused ? "refused" : "taken");
        if (isRefused) return reject(new Error("452 try later"));
        this.#judgeAgain(code);
        this.#taken.set(code, time.monotonic);
        resolve();
      });
      return promise;
    };
  }

  hasTaken(code: string): boolean {
    return this.#taken.has(code);
  }

  #judgeAgain(code: string): void {
    const takenAt = this.#taken.get(code);
    if (takenAt === undefined) return;
    const { disturbances, journal } = this.#model;
    if (disturbances.touch(["crash", "disk"], takenAt - 1, takenAt + storedMs)) return;
    journal.violated("forwards", `${code} was mailed again`);
  }
}
