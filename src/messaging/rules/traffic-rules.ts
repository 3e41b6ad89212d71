/** The rules of traffic: decide about each message at its acceptance, by which way it goes, when, and at what price. */
import type { MessageClass } from "../../domain/message.ts";
import type { Moment } from "../../platform/booking-clock.ts";
import type { MessageRow, NewMessage } from "../../store/messages.ts";
import type { Tables } from "../../store/store.ts";

/** A message that is about to be accepted, or that somebody asks about. Times are epoch milliseconds. */
export interface ProspectiveMessage {
  accountId: number;
  apiKeyId: number;
  senderId: number;
  class: MessageClass;
  /** E.164. */
  recipient: string;
  partCount: number;
  submittedAt: number;
  /** Null for at once. */
  sendAt: number | null;
}

/** What the rules decided: columns of the message's row (see store/schema/messages.ts). */
export interface Judgement {
  /** 0: the sender's own list of routes. */
  readonly targetId: number;
  /** 0: unknown. */
  readonly network: number;
  /** In the currency's smallest unit, of all parts together; null for none. What it costs is known when a route takes it. */
  readonly price: number | null;
  readonly isTest: boolean;
  /** When it is due though it was asked for earlier; null: as it was asked for. A group's messages are due when they are published. */
  readonly dueAt: number | null;
}

/** What a rule decided, in words: one or more sentences for the operator. */
export interface Remark {
  /** The rule's name in `peyk explain`, such as `plan`. */
  rule: string;
  words: string;
}

export interface TrafficRule {
  /**
   * Gives the judgement on, changed where the rule decides something; the same object where it does not. Runs for every message
   * that is accepted, so it never reads the disk. With `remarks` somebody only asks: the rule says there what it decided and why,
   * if it had a say, and counts nothing.
   */
  apply(message: ProspectiveMessage, judgement: Judgement, remarks?: Remark[]): Judgement;
  /** What it decided about a message that is stored, in the same words; null where that cannot be seen of it any more. */
  recall?(message: MessageRow): Remark | null;
}

/** Sums over the messages of one request; those of test keys do not count. */
export class Demand {
  messages = 0;
  parts = 0;
  /** In the currency's smallest unit. */
  price = 0;

  /** Of a request with so many messages at least. */
  static ofMessages(count: number): Demand {
    const demand = new Demand();
    demand.messages = count;
    demand.parts = count;
    return demand;
  }

  add({ partCount, price, isTest }: Pick<NewMessage, "partCount" | "price" | "isTest">): void {
    if (isTest === 1) return;
    this.messages += 1;
    this.parts += partCount;
    this.price += price ?? 0;
  }
}

/**
 * Who asks, and when: the moment of the request is taken once. Price, validity and due time of all its messages are those of `at`, and
 * the periods of quotas those of `bookedAt`.
 */
export type Payer = Pick<ProspectiveMessage, "accountId" | "apiKeyId"> & Moment;

/** Sets aside what a request costs: part of a quota, or of a balance. */
export interface Reservation {
  /** Whether `check` could refuse anything of this payer: only then is all that a very large request asks for summed up first. */
  isLimiting?(payer: Payer): boolean;
  /**
   * Runs before the transaction, by what is on disk, so that whoever has nothing left does not make the others of a commit run
   * again. `demand` may be less than the request will have. Throws ApiError to refuse the request as a whole.
   */
  check?(payer: Payer, demand: Demand): void;
  /**
   * Runs in the transaction that accepts the request, before its messages are stored and only where its key is new. It may run
   * twice, so it has no effect outside the database. Throws ApiError to refuse the request as a whole.
   */
  reserve(tables: Tables, payer: Payer, demand: Demand): void;
  /** Runs in a transaction: what was reserved for messages that never came to be is free again. `reservedAt`: see `Moment.bookedAt`. */
  giveBack?(tables: Tables, payer: Payer, demand: Demand, reservedAt: number): void;
  /** What it would count the request against, in words. */
  explain?(payer: Payer, demand: Demand): Remark[];
}

/** Shared by every message that no rule has a say about. Not frozen: the copies of a frozen object took 0.4 µs of a message. */
export const unjudged: Judgement = {
  targetId: 0,
  network: 0,
  price: null,
  isTest: false,
  dueAt: null,
};

export class TrafficRules {
  readonly #rules: readonly TrafficRule[];
  readonly #reservations: readonly Reservation[];

  /** In the order in which they speak: each sees what those before it decided. */
  constructor(rules: readonly TrafficRule[], reservations: readonly Reservation[]) {
    this.#rules = rules;
    this.#reservations = reservations;
  }

  judge(message: ProspectiveMessage, remarks?: Remark[]): Judgement {
    let judgement = unjudged;
    for (const rule of this.#rules) judgement = rule.apply(message, judgement, remarks);
    return judgement;
  }

  /** What was decided about a stored message. */
  recall(message: MessageRow): Remark[] {
    return this.#rules.flatMap((rule) => rule.recall?.(message) ?? []);
  }

  /** What the messages of a request ask for. */
  demandOf(rows: readonly NewMessage[]): Demand {
    const demand = new Demand();
    if (this.#reservations.length > 0) for (const row of rows) demand.add(row);
    return demand;
  }

  /** Whether a quota or a balance could refuse a request of this payer. */
  areLimiting(payer: Payer): boolean {
    return this.#reservations.some((reservation) => reservation.isLimiting?.(payer) === true);
  }

  /** Before the transaction of a request. Throws ApiError. */
  check(payer: Payer, demand: Demand): void {
    for (const reservation of this.#reservations) reservation.check?.(payer, demand);
  }

  /** What the request would be counted against. */
  explain(payer: Payer, demand: Demand): Remark[] {
    return this.#reservations.flatMap((reservation) => reservation.explain?.(payer, demand) ?? []);
  }

  /** In the transaction of a request. Throws ApiError. */
  reserve(tables: Tables, payer: Payer, demand: Demand): void {
    for (const reservation of this.#reservations) reservation.reserve(tables, payer, demand);
  }

  /** In a transaction. */
  giveBack(tables: Tables, payer: Payer, demand: Demand, reservedAt: number): void {
    for (const reservation of this.#reservations) reservation.giveBack?.(tables, payer, demand, reservedAt);
  }
}

/** Accepts everything as it was asked for. */
export const noTrafficRules = new TrafficRules([], []);
