/** Queries the SMSC for the state of parts whose receipt is overdue (query_sm, SMPP 3.4 §4.8), at a bounded rate. */
import { describeReason, type Reason } from "../../domain/reason.ts";
import type { Clock, Timer } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log.ts";
import type { SmppAddress } from "../../smpp/codec.ts";
import { namedStatus } from "../../smpp/constants.ts";
import type { OverduePart, Receipt, ReceiptQueries } from "../provider.ts";
import type { QueryResult } from "./query-exchange.ts";
import { reportOfState } from "./receipt.ts";
import type { Session } from "./session.ts";

export interface StateQueriesDeps {
  afterMs: number;
  perSecond: number;
  clock: Clock;
  log: Logger;
  isBound(): boolean;
  /** A session that can carry a query now. */
  session(): Session | null;
  /** A sender as the submit had it. */
  source(sender: string): SmppAddress | null;
  receipt(receipt: Receipt): Promise<void>;
  /** How long a throttling status asks to wait; null for any other status. */
  pauseMsOf(status: number): number | null;
}

/** Queries per message, at doubling intervals: from ten minutes on, over 42 hours. */
const asksMax = 8;
/** After this many refused queries in a row the operator is notified. */
const refusedMin = 3;

export class StateQueries implements ReceiptQueries {
  #waiting: OverduePart[] = [];
  #nextAtMs = 0;
  #timer: Timer | null = null;
  #refused = { inARow: 0, lastStatus: 0 };
  #isKnown = true;

  constructor(readonly deps: StateQueriesDeps) {}

  nextAt({ asked }: { asked: number }, now: number): number | null {
    return asked >= asksMax ? null : now + this.deps.afterMs * 2 ** asked;
  }

  room(): number {
    if (!this.deps.isBound()) return 0;
    return Math.max(0, Math.ceil(this.deps.perSecond) - this.#waiting.length);
  }

  ask(parts: readonly OverduePart[]): void {
    this.#waiting.push(...parts);
    this.#sendLater();
  }

  /** False once the SMSC said that it does not support query_sm. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#waiting = [];
  }

  warning(): Reason | null {
    if (!this.#isKnown) return { code: "queries_unknown" };
    const { inARow, lastStatus } = this.#refused;
    if (inARow < refusedMin) return null;
    const cause: Reason = { code: "smpp_refused", ...namedStatus(lastStatus) };
    return { code: "queries_refused", queries: inARow, cause };
  }

  #sendLater(): void {
    if (this.#timer !== null || this.#waiting.length === 0) return;
    const { clock } = this.deps;
    this.#timer = clock.after(Math.max(0, this.#nextAtMs - clock.monotonic()), () => {
      this.#timer = null;
      if (clock.monotonic() >= this.#nextAtMs) this.#send();
      this.#sendLater();
    });
  }

  #send(): void {
    const { clock, perSecond, session: sessionNow, source } = this.deps;
    this.#nextAtMs = clock.monotonic() + 1000 / perSecond;
    const session = sessionNow();
    if (session === null) return;
    const part = this.#waiting.shift();
    const from = part === undefined ? null : source(part.sender);
    if (part === undefined || from === null) return;
    session.query({ messageId: part.providerId, source: from }, (result) => this.#take(part, result));
  }

  #take(part: OverduePart, result: QueryResult): void {
    if (result.kind === "state") {
      this.#refused = { inARow: 0, lastStatus: 0 };
      void this.#report(part, result);
    } else if (result.kind === "refused") {
      this.#takeRefusal(result);
    }
  }

  #takeRefusal({ status, isKnown }: Extract<QueryResult, { kind: "refused" }>): void {
    const pauseMs = this.deps.pauseMsOf(status);
    if (pauseMs !== null) this.#nextAtMs = Math.max(this.#nextAtMs, this.deps.clock.monotonic() + pauseMs);
    this.#refused = { inARow: this.#refused.inARow + 1, lastStatus: status };
    if (!isKnown) this.#giveUp();
  }

  #giveUp(): void {
    this.#isKnown = false;
    this.#waiting = [];
    this.deps.log.warn(describeReason({ code: "queries_unknown" }));
  }

  async #report(
    { providerId, recipient }: OverduePart,
    { state: messageState, errorCode }: Extract<QueryResult, { kind: "state" }>,
  ): Promise<void> {
    const { clock, log, receipt } = this.deps;
    const { name, ...report } = reportOfState(messageState);
    const detail = `stat:${name} by query_sm, error_code:${errorCode}`;
    try {
      await receipt({ ids: [providerId], ...report, detail, numbers: [recipient], at: clock.now() });
    } catch (error) {
      log.error({ err: error }, "the answer to a query was not stored; it is asked again");
    }
  }
}
