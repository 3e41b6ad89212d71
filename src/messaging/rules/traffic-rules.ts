/** The traffic rules: decide for each message at acceptance how it is routed, when it is due, and its price. */
import type { MessageClass } from "../../domain/message.ts";
import { type NetworkSource, networkSources } from "../../domain/network-source.ts";
import type { Moment } from "../../platform/booking-clock.ts";
import type { MessageRow, NewMessage } from "../../store/messages.ts";
import type { Tables } from "../../store/store.ts";

/** A message that is being accepted or asked about. Times are epoch milliseconds. */
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

/** What is known of a message before it has a row. */
export type AddressedMessage = Pick<ProspectiveMessage, "accountId" | "senderId" | "class" | "recipient">;

/** The rules' decisions, as columns of the message's row (see store/schema/messages.ts). */
export interface TrafficDecision {
  /** 0: the sender's own list of routes. */
  readonly targetId: number;
  /** 0: unknown. */
  readonly network: number;
  readonly networkSource: NetworkSource;
  /**
   * In the currency's smallest unit, for all parts together; null for none. The cost is only known when a route takes
   * it.
   */
  readonly price: number | null;
  readonly isTest: boolean;
  /** When it is due if later than requested; null: as requested. A group's messages are due when they are published. */
  readonly dueAt: number | null;
}

/** A rule's decision: one or more sentences for the operator. */
export interface Remark {
  /** The rule's name in `peyk explain`, such as `plan`. */
  rule: string;
  words: string;
}

export interface TrafficRule {
  /**
   * Returns the decision, changed if the rule applies; otherwise the same object. Runs for every accepted message, so
   * it never reads the disk. With `remarks` it is only a query: a rule that applies adds its decision and reason there,
   * and counts nothing.
   */
  apply(message: ProspectiveMessage, decision: TrafficDecision, remarks?: Remark[]): TrafficDecision;
  /** True if its decision may depend on the network of the number: then the network may have to be asked for. */
  needsNetwork?(message: AddressedMessage): boolean;
  /** Its decision about a stored message, in the same words; null if that can no longer be determined. */
  recall?(message: MessageRow): Remark | null;
}

/** Totals over the messages of one request; those of test keys do not count. */
export class Demand {
  messages = 0;
  parts = 0;
  /** In the currency's smallest unit. */
  price = 0;

  /** For a request with at least this many messages. */
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
 * Who is asking, and when: the time of a request is read once. `at` determines price, validity and due time of all its
 * messages, `bookedAt` the periods of quotas.
 */
export type Payer = Pick<ProspectiveMessage, "accountId" | "apiKeyId"> & Moment;

/** Reserves what a request uses of a quota or a balance. */
export interface Reservation {
  /**
   * True if `check` could refuse this payer anything: only then is the demand of a very large request summed up first.
   */
  isLimiting?(payer: Payer): boolean;
  /**
   * Runs before the transaction, against the state on disk, so that a payer with nothing left does not force the other
   * writes of a commit to run again. `demand` may be less than the request's final demand. Throws ApiError to refuse
   * the whole request.
   */
  check?(payer: Payer, demand: Demand): void;
  /**
   * Runs in the transaction that accepts the request, before its messages are stored and only if its key is new. It may
   * run twice, so it must have no effect outside the database. Throws ApiError to refuse the whole request.
   */
  reserve(tables: Tables, payer: Payer, demand: Demand): void;
  /**
   * Runs in a transaction: releases what was reserved for messages that were never created. `reservedAt`: see
   * `Moment.bookedAt`.
   */
  giveBack?(tables: Tables, payer: Payer, demand: Demand, reservedAt: number): void;
  /** What it would count the request against, as text. */
  explain?(payer: Payer, demand: Demand): Remark[];
}

/** Shared by all messages to which no rule applies. Not frozen: copying a frozen object took 0.4 µs per message. */
export const undecided: TrafficDecision = {
  targetId: 0,
  network: 0,
  networkSource: networkSources.prefix,
  price: null,
  isTest: false,
  dueAt: null,
};

export class TrafficRules {
  readonly #rules: readonly TrafficRule[];
  readonly #reservations: readonly Reservation[];

  /** In the order in which they run: each sees the decisions of those before it. */
  constructor(rules: readonly TrafficRule[], reservations: readonly Reservation[]) {
    this.#rules = rules;
    this.#reservations = reservations;
  }

  /** `decided`: what stands already, for a message that was accepted before. */
  decide(message: ProspectiveMessage, remarks?: Remark[], decided = undecided): TrafficDecision {
    let decision = decided;
    for (const rule of this.#rules) decision = rule.apply(message, decision, remarks);
    return decision;
  }

  needNetwork(message: AddressedMessage): boolean {
    return this.#rules.some((rule) => rule.needsNetwork?.(message) === true);
  }

  /** The decisions about a stored message. */
  recall(message: MessageRow): Remark[] {
    return this.#rules.flatMap((rule) => rule.recall?.(message) ?? []);
  }

  /** The total demand of a request's messages. */
  demandOf(rows: readonly NewMessage[]): Demand {
    const demand = new Demand();
    if (this.#reservations.length > 0) for (const row of rows) demand.add(row);
    return demand;
  }

  /** True if a quota or a balance could refuse a request of this payer. */
  areLimiting(payer: Payer): boolean {
    return this.#reservations.some((reservation) => reservation.isLimiting?.(payer) === true);
  }

  /** Runs before the transaction of a request. Throws ApiError. */
  check(payer: Payer, demand: Demand): void {
    for (const reservation of this.#reservations) reservation.check?.(payer, demand);
  }

  /** What the request would be counted against. */
  explain(payer: Payer, demand: Demand): Remark[] {
    return this.#reservations.flatMap((reservation) => reservation.explain?.(payer, demand) ?? []);
  }

  /** Runs in the transaction of a request. Throws ApiError. */
  reserve(tables: Tables, payer: Payer, demand: Demand): void {
    for (const reservation of this.#reservations) reservation.reserve(tables, payer, demand);
  }

  /** Runs in a transaction. */
  giveBack(tables: Tables, payer: Payer, demand: Demand, reservedAt: number): void {
    for (const reservation of this.#reservations) reservation.giveBack?.(tables, payer, demand, reservedAt);
  }
}
