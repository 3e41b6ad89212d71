/** Common to all carriers of a run: what a carrier decides about a submit, and the receipts that it still owes. */
import { Chance } from "./chance.ts";
import type { Model, Submitted } from "./model.ts";
import type { CarrierName, CarrierTemper, RouteTuning } from "./plan.ts";
import { time } from "./virtual-time.ts";

export interface Decision {
  outcome: "accepted" | "temporary" | "throttled" | "rejected";
  id: string;
  /** Null: there is none. */
  answerAfterMs: number | null;
  /** The connection breaks this long after the submit. */
  resetAfterMs: number | null;
}

export interface OwedReceipt {
  id: string;
  recipient: string;
  part: number;
  isDelivered: boolean;
  /** What it reports on. */
  submit: Submitted;
  isAcknowledged: boolean;
  /** Nobody was given this id. */
  isLie: boolean;
}

const lateMs = 1_500;
/** Of a request and its answer together. */
const latencyMsMax = 10;

/** The unanswered submits of one connection that Peyk still waits for. */
export class OpenSubmits {
  readonly #since = new Set<{ at: number }>();

  begin(): { end(): void } {
    const open = { at: time.monotonic };
    this.#since.add(open);
    return { end: () => void this.#since.delete(open) };
  }

  /** Their connections are gone. */
  forget(): void {
    this.#since.clear();
  }

  count(timeoutMs: number): number {
    return [...this.#since].filter(({ at }) => at > time.monotonic - timeoutMs + 5).length;
  }
}

interface Named {
  submit: Submitted;
  receipts: OwedReceipt[];
}

export class Carrier {
  readonly name: CarrierName;
  readonly model: Model;
  readonly tuning: RouteTuning;
  readonly #seed: number;
  readonly #temper: CarrierTemper;
  readonly #owed: OwedReceipt[] = [];
  /** Receipts that it will owe. */
  #coming = 0;
  readonly #tries = new Map<string, number>();
  #lastId = 0;
  #returns = 0;
  /** What its ids stand for. */
  readonly #ids = new Map<string, Named[]>();
  /** Ids to be given again. */
  readonly #again: string[] = [];
  #submitTimes: number[] = [];
  isUp = true;
  /** The faults are over: it accepts everything, and reports on it. */
  isCalm = false;
  /** Peyk knows its id and its receipt. */
  #isOver({ submit, receipts }: Named): boolean {
    return this.model.isSurelyStored(submit) && receipts.length > 0 && receipts.every((one) => one.isAcknowledged);
  }

  /** It was away: it may have forgotten which ids it gave. */
  returns(): void {
    this.#returns += 1;
    const chance = new Chance(this.#seed, this.name, "returns", this.#returns);
    if (!chance.happens(this.#temper.reusesIds)) return;
    this.#again.push(
      ...[...this.#ids].filter(([, submits]) => submits.every((one) => this.#isOver(one))).map(([id]) => id),
    );
    for (const id of this.#again) this.#ids.delete(id);
  }

  /** Set by what brings receipts to Peyk. */
  deliver: () => void = () => {};

  constructor(
    name: CarrierName,
    { seed, temper, tuning, model }: { seed: number; temper: CarrierTemper; tuning: RouteTuning; model: Model },
  ) {
    this.name = name;
    this.model = model;
    this.tuning = tuning;
    this.#seed = seed;
    this.#temper = temper;
  }

  /** Decides about a part that it received, and plans its receipts. */
  take(recipient: string, part: number): { decision: Decision; submit: Submitted } {
    const submit = this.model.submitted(recipient, part);
    this.#judgeRate();
    const key = `${recipient}/${part}`;
    const tries = (this.#tries.get(key) ?? 0) + 1;
    this.#tries.set(key, tries);
    const chance = new Chance(this.#seed, this.name, key, tries);
    const decision = this.#decide(chance);
    submit.outcome = decision.answerAfterMs === null ? "unanswered" : decision.outcome;
    if (decision.outcome === "accepted") {
      const receipts = this.#planReceipts(chance, decision, { recipient, part, submit });
      this.#ids.set(decision.id, [...(this.#ids.get(decision.id) ?? []), { submit, receipts }]);
    }
    if (decision.outcome === "throttled" || decision.outcome === "temporary") {
      this.model.disturbances.add("carrier", this.tuning.responseTimeoutMs);
    }
    if (decision.answerAfterMs === null || decision.answerAfterMs > this.tuning.responseTimeoutMs) {
      this.model.disturbances.add("carrier", 2 * this.tuning.responseTimeoutMs);
    }
    return { decision, submit };
  }

  /** The answer is sent. */
  answered(submit: Submitted): void {
    submit.answeredAt = time.monotonic;
    submit.isTooLate =
      this.name === "http" && time.monotonic - submit.at > this.tuning.responseTimeoutMs - latencyMsMax;
  }

  #decide(chance: Chance): Decision {
    this.#lastId += 1;
    const id =
      this.#again.shift() ??
      `${this.name === "smpp" ? "a" : "m-"}${(this.#seed * 100_000 + this.#lastId).toString(16)}`;
    const soon = chance.between(1, 300);
    const temper = this.#temper;
    const accepted: Decision = { outcome: "accepted", id, answerAfterMs: soon, resetAfterMs: null };
    if (this.isCalm) return accepted;
    if (chance.happens(temper.temporary)) return { ...accepted, outcome: "temporary" };
    if (chance.happens(temper.throttles)) return { ...accepted, outcome: "throttled" };
    if (chance.happens(temper.rejects)) return { ...accepted, outcome: "rejected" };
    if (chance.happens(temper.silent)) return { ...accepted, answerAfterMs: null };
    if (chance.happens(temper.late)) {
      return { ...accepted, answerAfterMs: this.tuning.responseTimeoutMs + chance.between(1, lateMs) };
    }
    return { ...accepted, resetAfterMs: chance.happens(temper.resets) ? chance.between(0, soon) : null };
  }

  #planReceipts(
    chance: Chance,
    { id, answerAfterMs }: Decision,
    of: Pick<OwedReceipt, "recipient" | "part" | "submit">,
  ): OwedReceipt[] {
    const temper = this.#temper;
    if (!this.isCalm && chance.happens(temper.noReceipt)) return [];
    const isEarly = !this.isCalm && chance.happens(temper.early);
    const isDelivered = chance.happens(0.9);
    const receipt = { ...of, id, isDelivered, isAcknowledged: false, isLie: false };
    const afterMs = isEarly ? 0 : (answerAfterMs ?? 0) + chance.between(0, 8_000);
    this.#owe(receipt, afterMs);
    const receipts = chance.happens(temper.repeatsReceipts) ? [receipt, { ...receipt }] : [receipt];
    for (const again of receipts.slice(1)) this.#owe(again, afterMs + chance.between(0, 10_000));
    if (!this.isCalm && chance.happens(temper.lies)) this.#owe({ ...receipt, id: `f${id}`, isLie: true }, afterMs);
    return receipts;
  }

  #owe(receipt: OwedReceipt, afterMs: number): void {
    this.#coming += 1;
    time.after(afterMs, () => {
      this.#coming -= 1;
      this.#owed.push(receipt);
      this.deliver();
    });
  }

  /** It has nothing more to tell. */
  get isSilent(): boolean {
    return this.#coming === 0 && this.owed().length === 0;
  }

  owed(): OwedReceipt[] {
    return this.#owed.filter(({ isAcknowledged }) => !isAcknowledged);
  }

  acknowledged(receipt: OwedReceipt): void {
    if (receipt.isAcknowledged) return;
    receipt.isAcknowledged = true;
    this.#owed.splice(this.#owed.indexOf(receipt), 1);
    if (!receipt.isLie) this.model.receiptAcknowledged(receipt);
  }

  /** Ten seconds of its rate, and one more that a bucket may hold. */
  #judgeRate(): void {
    const { partsPerSecond } = this.tuning;
    if (partsPerSecond === null) return;
    this.#submitTimes = this.#submitTimes.filter((at) => at > time.monotonic - 10_000);
    this.#submitTimes.push(time.monotonic);
    const most = 11 * partsPerSecond + 1;
    if (this.#submitTimes.length <= most) return;
    // A start begins with a full bucket.
    if (this.model.disturbances.touch(["crash"], time.monotonic - 10_000, time.monotonic)) return;
    const words = `${this.name} got ${this.#submitTimes.length} parts in 10 s, with ${partsPerSecond} a second`;
    this.model.journal.violated("window and rate", words);
  }

  judgeWindow(open: OpenSubmits): void {
    const count = open.count(this.tuning.responseTimeoutMs);
    if (count <= this.tuning.window) return;
    const words = `${count} submits are unanswered on ${this.name}, with a window of ${this.tuning.window}`;
    this.model.journal.violated("window and rate", words);
  }
}
