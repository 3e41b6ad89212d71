/** The query_sm requests of one bind: one at a time, separate from the submits and their window. */
import type { Logger } from "../../platform/log.ts";
import { commandIdOf, MalformedPduError, readQueryAnswer, sequenceOf, statusOf } from "../../smpp/codec.ts";
import { commandIds, commandStatus } from "../../smpp/constants.ts";

/** `refused`: the SMSC's status; `isKnown` is false if it says that it does not support query_sm. */
export type QueryResult =
  | { kind: "state"; state: number; errorCode: number }
  | { kind: "refused"; status: number; isKnown: boolean }
  /** The answer never came, or could not be read. */
  | { kind: "none" };

interface OpenQuery {
  sequence: number;
  deadlineMs: number;
  answered(result: QueryResult): void;
}

export class QueryExchange {
  #open: OpenQuery | null = null;

  constructor(readonly log: Logger) {}

  get isOpen(): boolean {
    return this.#open !== null;
  }

  isOf(sequence: number): boolean {
    return this.#open?.sequence === sequence;
  }

  /** When the answer becomes late; Infinity if none is awaited. */
  get deadlineMs(): number {
    return this.#open?.deadlineMs ?? Number.POSITIVE_INFINITY;
  }

  begin(query: OpenQuery): void {
    this.#open = query;
  }

  /** Takes the answer with the query's sequence number. */
  answer(frame: Buffer): void {
    if (this.isOf(sequenceOf(frame))) this.#settle(this.#read(frame));
  }

  expire(nowMs: number): void {
    if (nowMs >= this.deadlineMs) this.#settle({ kind: "none" });
  }

  close(): void {
    this.#settle({ kind: "none" });
  }

  #settle(result: QueryResult): void {
    const open = this.#open;
    this.#open = null;
    open?.answered(result);
  }

  #read(frame: Buffer): QueryResult {
    const status = statusOf(frame);
    const isNack = commandIdOf(frame) === commandIds.genericNack;
    if (isNack || status !== commandStatus.ok) {
      return { kind: "refused", status, isKnown: !isNack && status !== commandStatus.invalidCommandId };
    }
    try {
      const { state, errorCode } = readQueryAnswer(frame);
      return state === null ? { kind: "none" } : { kind: "state", state, errorCode };
    } catch (error) {
      if (!(error instanceof MalformedPduError)) throw error;
      this.log.warn(`the SMSC sent a ${error.message}`);
      return { kind: "none" };
    }
  }
}
