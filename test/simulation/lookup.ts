/** A service that knows the networks of numbers: it answers, fails and hangs according to its temper, and judges what it is asked. */
import { Chance } from "./chance.ts";
import type { Model } from "./model.ts";
import type { LookupTemper, Plan } from "./plan.ts";
import { hasMoved, movedTo } from "./ported-table.ts";
import { time } from "./virtual-time.ts";

const origin = "http://lookup.lan/";
export const isLookup = (url: string) => url.startsWith(origin);

/** Of what Peyk is told as the file of look-ups. */
export const lookupFile = ({ budget, isNeeded }: LookupTemper) => ({
  request: { url: `${origin}{{recipientDigits}}` },
  network: { json: "network" },
  budgetPerDay: budget,
  timeLimitMs: 2_000,
  withoutAnswer: isNeeded ? "refuse" : "prefix",
});

const answerMsMax = 300;
const dayMs = 86_400_000;
/** A question is counted on disk within this time, unless the disk refuses. */
const countedMs = 200;
/** A question may belong to a request of the day before. */
const borderMs = 5_000;

export class LookupService {
  isCalm = false;
  readonly #model: Model;
  readonly #seed: number;
  readonly #temper: LookupTemper;
  /** How often each number was asked about. */
  readonly #asked = new Map<string, number>();
  readonly #open = new Set<string>();
  readonly #deaths: number[] = [];
  /** When each question came, by both clocks. */
  readonly #questions: { at: number; wall: number }[] = [];
  /** Numbers that the process knows from here. */
  readonly #known = new Set<string>();

  constructor(model: Model, seed: number, temper: LookupTemper) {
    this.#model = model;
    this.#seed = seed;
    this.#temper = temper;
  }

  died(): void {
    this.#deaths.push(time.monotonic);
  }

  /** Another process knows nothing. */
  begin(): void {
    this.#open.clear();
    this.#known.clear();
  }

  fetch(url: string, { signal }: BunFetchRequestInit, isAlive: () => boolean): Promise<Response> {
    const number = url.slice(origin.length);
    this.#judge(number);
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const end = () => isAlive() && this.#open.delete(number);
    signal?.addEventListener(
      "abort",
      () => end() && reject(Object.assign(new Error("aborted"), { code: "ABORT_ERR" })),
    );
    const asked = (this.#asked.get(number) ?? 0) + 1;
    this.#asked.set(number, asked);
    const chance = new Chance(this.#seed, "look-up", number, asked);
    const { hangs, fails, lies } = this.#temper;
    const troubles = this.isCalm ? 0 : 1;
    if (chance.happens(troubles * hangs)) return promise;
    const isFailing = chance.happens(troubles * fails);
    const network = chance.happens(troubles * lies) ? "nobody's" : movedTo;
    time.after(chance.between(1, answerMsMax), () => {
      if (!end()) return;
      this.#model.journal.tell("look-up", number, isFailing ? "fails" : network);
      if (isFailing) return resolve(new Response("<html>Out of order</html>", { status: 500 }));
      if (network === movedTo) {
        this.#known.add(number);
        this.#model.lookedUp.add(number);
      }
      resolve(Response.json({ network }));
    });
    return promise;
  }

  /** A restart does not begin a day's budget anew; what a crash kept from being counted may be asked again. */
  judgeBudget({ faults }: Pick<Plan, "faults">): void {
    if (faults.some(({ kind }) => kind === "clock")) return;
    const counted = this.#questions.filter(({ at, wall }) => wall % dayMs > borderMs && this.#isSurelyCounted(at));
    for (const [day, { length }] of Map.groupBy(counted, ({ wall }) => Math.floor(wall / dayMs)))
      if (length > this.#temper.budget)
        this.#model.journal.violated("budget", `${length} questions on day ${day}, and ${this.#temper.budget} may be`);
  }

  #isSurelyCounted(at: number): boolean {
    const { disturbances } = this.#model;
    const isCutOff = this.#deaths.some((diedAt) => diedAt >= at && diedAt <= at + countedMs);
    return !isCutOff && !disturbances.touch(["disk"], at, at + countedMs);
  }

  #judge(number: string): void {
    this.#questions.push({ at: time.monotonic, wall: time.now() });
    const violated = (words: string) => this.#model.journal.violated("lookups", `${number} ${words}`);
    if (this.#open.has(number)) violated("is asked about twice at once");
    if (this.#known.has(number)) violated("is asked about again after its answer");
    if (hasMoved(number)) violated("is in the table, and asked about");
    this.#open.add(number);
  }
}
