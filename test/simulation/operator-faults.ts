/** What an operator does to a running service besides suspending and draining: quotas, prices, keys, and erasures. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { AnswerOf, InputFor, OperationName } from "../../src/operator/client.ts";
import type { ApiRequest } from "./customers.ts";
import { judgeErased } from "./end.ts";
import type { Journal } from "./journal.ts";
import { finalRank, type Model, type ModelMessage } from "./model.ts";
import { line, noteOrder, replyOf, ruleOf } from "./phones.ts";
import type { PlannedFault } from "./plan.ts";
import { accountId, type LookKey, monthlyParts } from "./template.ts";
import { time } from "./virtual-time.ts";

export type OperatorFault = Extract<
  PlannedFault,
  { kind: "suspend" | "opt-out" | "quota" | "price" | "revoke" | "erase" | "refused" | "rule" }
>;

const operatorKinds: readonly string[] = ["suspend", "opt-out", "quota", "price", "revoke", "erase", "refused", "rule"];
export const isOperatorFault = (fault: PlannedFault): fault is PlannedFault & OperatorFault =>
  operatorKinds.includes(fault.kind);

/** A service, or the leader of a cluster, as its operator sees it. */
export interface OperatedWorld {
  readonly journal: Journal;
  readonly model: Model;
  readonly folder: string;
  lookKey: LookKey;
  /** Null while nobody serves. */
  readonly service: {
    perform<Name extends OperationName>(name: Name, input: InputFor<Name>): Promise<AnswerOf<Name>>;
  } | null;
  isAlive(life: number): boolean;
  /** To whom Peyk is sending, as it is stored. */
  claimed(): ReadonlySet<string>;
  /** The replies of the line's rules in their order, as they are stored; null if no program may read that now. */
  rules(): readonly string[] | null;
  /** What the customer's quota has counted, as it is stored; null if no program may read that now. */
  used(): number | null;
  ask(request: ApiRequest, answered: () => void): void;
}

/** Earlier requests may still be answered. */
const graceMs = 50;
/** When a revoked key is tried. */
const triesMs = [100, 5_000];
const erasedKinds: readonly string[] = ["single", "long", "pattern", "scheduled"];

export class OperatorFaults {
  readonly #world: OperatedWorld;
  /** How often the limit was set, or lifted. */
  #limits = 0;
  /** Two are there from the start. */
  #rules = 1;
  /** Until then, monotonic, what the operator asks beside customers is refused. */
  #refusedUntil = 0;

  constructor(world: OperatedWorld) {
    this.#world = world;
  }

  happens(fault: OperatorFault): void {
    switch (fault.kind) {
      case "suspend":
        this.#suspend(fault.forMs);
        return;
      case "opt-out":
        this.#optOut(fault.message);
        return;
      case "quota":
        this.#limit(fault.parts, fault.forMs);
        return;
      case "price":
        this.#told("price", () =>
          this.#world.service?.perform("POST /prices/:list", {
            list: "retail",
            prefix: "*",
            price: String(fault.price),
          }),
        );
        return;
      case "rule":
        this.#rule(fault);
        return;
      case "revoke":
        this.#told("revoked", () => this.#replaceKey());
        return;
      case "erase":
        this.#erase(fault.message);
        return;
      case "refused":
        this.#refusedUntil = time.monotonic + fault.forMs;
        return;
    }
  }

  /** A customer asks, in the same turn of the event loop: both writes share a transaction, and one refuses. */
  besideRequest(): void {
    if (time.monotonic >= this.#refusedUntil) return;
    const { service } = this.#world;
    const known = { id: accountId, sender: "982000123", routes: ["smpp"] };
    service?.perform("POST /accounts/:id/senders", known).catch(() => {});
  }

  /** It may be refused by a full disk; nothing is known about a call that a crash cut off. */
  #told(what: string, call: () => Promise<unknown> | undefined): void {
    const { journal } = this.#world;
    const { life } = time;
    call()?.then(
      () => this.#world.isAlive(life) && journal.tell(what),
      (reason: unknown) => this.#world.isAlive(life) && journal.tell(`not ${what}`, String(reason)),
    );
  }

  #rule({ taking, place, moves }: Extract<OperatorFault, { kind: "rule" }>): void {
    this.#rules += 1;
    const { service, model } = this.#world;
    const reply = replyOf(this.#rules, taking);
    const from = time.now();
    this.#told("rule", async () => {
      const { rules = [] } = (await service?.perform("GET /lines/:number/rules", { number: line })) ?? {};
      const [first] = rules;
      const { credential = null, mail = null, id: rule = "" } = first ?? {};
      const change = moves
        ? service?.perform("PATCH /lines/:number/rules/:rule", { number: line, rule, place })
        : service?.perform("POST /lines/:number/rules", {
            number: line,
            ...ruleOf(taking),
            reply,
            mail,
            credential,
            place,
          });
      // Refused or not, what is stored then holds; after a crash the next start looks.
      await change?.finally(() => noteOrder(model, from, this.#world.rules()));
    });
  }

  #suspend(forMs: number): void {
    const world = this.#world;
    world.model.disturbances.add("operator", forMs + 20_000);
    const suspended = world.service?.perform("POST /accounts/:id/suspend", { id: "acc_1" });
    const { life } = time;
    let isTold = false;
    suspended?.then(
      () => {
        if (!world.isAlive(life)) return;
        isTold = true;
        world.journal.tell("suspended");
        const from = time.monotonic + graceMs;
        world.model.suspensions.push({ from, to: Number.POSITIVE_INFINITY, claimed: world.claimed() });
        time.after(forMs, () => this.#resume());
      },
      (reason: unknown) => {
        isTold = true;
        world.journal.tell("not suspended", String(reason));
        time.after(forMs, () => this.#resume());
      },
    );
    // The service died meanwhile: it may be suspended.
    time.after(forMs + 5_000, () => (isTold && world.isAlive(life)) || this.#resume());
  }

  #resume(): void {
    const world = this.#world;
    const { life, monotonic: from } = time;
    world.model.resumed(from);
    const resumed = world.service?.perform("POST /accounts/:id/resume", { id: "acc_1" });
    const again = () => time.after(500, () => this.#resume());
    if (resumed === undefined) {
      again();
      return;
    }
    let isDone = false;
    resumed.then(
      () => {
        isDone = true;
        if (!world.isAlive(life)) return;
        // A suspension that was confirmed meanwhile may be the older one.
        world.model.resumed(from);
        world.journal.tell("resumed");
      },
      (reason) => world.journal.tell("not resumed", String(reason)),
    );
    time.after(2_000, () => (isDone && world.isAlive(life) ? undefined : again()));
  }

  #optOut(number: number): void {
    const world = this.#world;
    const message = world.model.messages.find(({ planned }) => planned.number === number);
    if (message === undefined || message.planned.kind === "otp" || message.isGivenUp) return;
    const { recipient } = message;
    const { life } = time;
    world.service?.perform("POST /suppressions", { number: `+${recipient}` }).then(
      () => {
        if (!world.isAlive(life)) return;
        world.journal.tell("opted out", recipient);
        world.model.optOuts.set(recipient, { from: time.monotonic + graceMs, claimed: world.claimed() });
      },
      (reason) => world.journal.tell("not opted out", String(reason)),
    );
  }

  #limit(parts: number, forMs: number): void {
    this.#world.model.disturbances.add("operator", forMs + 20_000);
    let usedMax: number | null = null;
    this.#limits += 1;
    // A lift that was asked for while this limit waited for its commit follows it.
    const number = this.#limits;
    // Nobody is asked where no node serves.
    this.#told("limited", () =>
      this.#setQuota(parts)?.then(() => {
        const used = this.#world.used();
        usedMax = used === null ? null : Math.max(parts, used);
      }),
    );
    time.after(forMs, () => {
      const used = this.#world.used();
      // Another limit may apply by now.
      if (usedMax !== null && used !== null && number === this.#limits && used > usedMax)
        this.#world.journal.violated("quota", `${used} parts were accepted, and at most ${usedMax} may be`);
      this.#lift();
    });
  }

  #setQuota(month: number): Promise<unknown> | undefined {
    return this.#world.service?.perform("PUT /quotas/:of", { of: accountId, month });
  }

  #lift(): void {
    this.#limits += 1;
    const world = this.#world;
    const { life } = time;
    let isDone = false;
    this.#setQuota(monthlyParts)?.then(
      () => {
        isDone = true;
        if (world.isAlive(life)) world.journal.tell("lifted");
      },
      (reason: unknown) => world.journal.tell("not lifted", String(reason)),
    );
    time.after(2_000, () => (isDone && world.isAlive(life) ? undefined : this.#lift()));
  }

  async #replaceKey(): Promise<void> {
    const world = this.#world;
    const { life } = time;
    const before = world.lookKey;
    const made = await world.service?.perform("POST /keys", { account: accountId, name: "looks", rate: 1_000_000 });
    if (made === undefined || !world.isAlive(life)) return;
    world.lookKey = made;
    await world.service?.perform("POST /keys/:id/revoke", { id: before.id });
    if (!world.isAlive(life)) return;
    world.model.revoked.set(before.apiKey, time.monotonic + graceMs);
    // Somebody still uses it.
    for (const afterMs of triesMs) {
      time.after(afterMs, () => {
        const { service, model } = world;
        const path = `/v1/messages/${model.messages.find(({ code }) => code !== null)?.code ?? "none"}`;
        if (service !== null) world.ask({ method: "GET", path, apiKey: before.apiKey }, () => {});
      });
    }
  }

  /** Of the next message that its customer has seen end, and for which nothing else is planned. */
  #erase(number: number): void {
    const world = this.#world;
    const { messages, optOuts } = world.model;
    const message = messages.find((one) => one.planned.number >= number && isErasable(one));
    if (message === undefined || optOuts.has(message.recipient)) return;
    const { life } = time;
    // From here on nothing is known about it until the erasure is confirmed.
    message.isGivenUp = true;
    world.service?.perform("POST /recipients/erase", { number: `+${message.recipient}` }).then(
      ({ busy, isRewritten, logEmptied }) => {
        if (!world.isAlive(life)) return;
        world.journal.tell("erased", message.recipient, busy, String(isRewritten), String(logEmptied));
        if (busy > 0 || !isRewritten || !logEmptied) return;
        world.model.erased.add(message.recipient);
        // By the end of the run other data may cover what an erasure leaves.
        judgeErased(world.journal, world.folder, [message.recipient]);
      },
      (reason: unknown) => world.isAlive(life) && world.journal.tell("not erased", String(reason)),
    );
  }
}

/** To whom Peyk is sending, as it is stored. */
export function claimedIn(folder: string): ReadonlySet<string> {
  using database = new Database(join(folder, "peyk.db"), { readonly: true });
  const sql = "SELECT recipient FROM message WHERE state = 'submitting'";
  const rows = database.query<{ recipient: string }, []>(sql).all();
  return new Set(rows.map(({ recipient }) => recipient.replace("+", "")));
}

export function usedIn(folder: string): number {
  using database = new Database(join(folder, "peyk.db"), { readonly: true });
  const sql = "SELECT parts_used AS used FROM quota WHERE subject = 'account' AND subject_id = 1";
  return database.query<{ used: number }, []>(sql).get()?.used ?? 0;
}

const isErasable = ({ planned, rank, isGivenUp }: ModelMessage): boolean =>
  !isGivenUp && erasedKinds.includes(planned.kind) && planned.repeatAfterMs === null && rank === finalRank;
