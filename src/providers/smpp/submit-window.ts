/** A bind's submits: waiting for room, unanswered, or overdue for an answer. */

import type { Reason } from "../../domain/reason.ts";
import { dropOldest } from "../../platform/drop-oldest.ts";
import { writeSequence } from "../../smpp/codec.ts";
import type { PartResult } from "./message-submit.ts";

/** The submit_sm of one part, handed to a bind. */
export interface PartSubmit {
  /** The encoded PDU; its sequence number is written when it is sent. */
  readonly frame: Buffer;
  /** It contains a one-time password. */
  readonly isSecret: boolean;
  /** False once its message no longer needs it. Called before it is sent. */
  wanted(): boolean;
  settle(result: PartResult): void;
}

interface SentPart {
  part: PartSubmit;
  sentAtMs: number;
}

/** Beyond this many, late submits are forgotten, oldest first: a peer that never answers must not fill the memory. */
const lateMax = 10_000;

export class SubmitWindow {
  /** Read from `#head` on, and truncated once empty. */
  #waiting: PartSubmit[] = [];
  #head = 0;
  readonly #unanswered = new Map<number, SentPart>();
  readonly #late = new Map<number, PartSubmit>();

  constructor(
    readonly size: number,
    readonly responseTimeoutMs: number,
  ) {}

  get waitingCount(): number {
    return this.#waiting.length - this.#head;
  }

  get unansweredCount(): number {
    return this.#unanswered.size;
  }

  /** Parts that this bind has not settled yet; the bind with the fewest gets the next message. */
  get load(): number {
    return this.waitingCount + this.#unanswered.size;
  }

  isOpen(sequence: number): boolean {
    return this.#unanswered.has(sequence) || this.#late.has(sequence);
  }

  wait(part: PartSubmit): void {
    this.#waiting.push(part);
  }

  /** The next part to write, with its sequence number; null if nothing waits or the window is full. */
  send(sequence: () => number, nowMs: number): PartSubmit | null {
    if (this.#unanswered.size >= this.size) return null;
    const part = this.#nextWanted();
    if (part === null) return null;
    const number = sequence();
    writeSequence(part.frame, number);
    this.#unanswered.set(number, { part, sentAtMs: nowMs });
    return part;
  }

  #nextWanted(): PartSubmit | null {
    while (this.#head < this.#waiting.length) {
      const part = this.#waiting[this.#head];
      this.#head += 1;
      if (this.#head === this.#waiting.length) {
        this.#waiting = [];
        this.#head = 0;
      }
      if (part?.wanted()) return part;
      part?.settle({ kind: "unsent", reason: { code: "other_part_refused" } });
    }
    return null;
  }

  /** Settles the submit with this sequence number; false when there is none. */
  answer(sequence: number, result: PartResult): boolean {
    const sent = this.#unanswered.get(sequence);
    const part = sent?.part ?? this.#late.get(sequence);
    if (part === undefined) return false;
    this.#unanswered.delete(sequence);
    this.#late.delete(sequence);
    part.settle(result);
    return true;
  }

  /** When the oldest unanswered submit becomes late; Infinity when all are answered. */
  deadlineMs(): number {
    for (const { sentAtMs } of this.#unanswered.values()) return sentAtMs + this.responseTimeoutMs;
    return Number.POSITIVE_INFINITY;
  }

  /** Marks submits sent too long ago as late, which makes room; returns how many. */
  expire(nowMs: number): number {
    let expired = 0;
    for (const [sequence, { part, sentAtMs }] of this.#unanswered) {
      if (sentAtMs + this.responseTimeoutMs > nowMs) break;
      this.#unanswered.delete(sequence);
      this.#late.set(sequence, part);
      expired += 1;
      const reason: Reason = { code: "no_answer", peer: "smsc", afterMs: this.responseTimeoutMs };
      part.settle({ kind: "uncertain", reason, lateAnswer: true });
    }
    dropOldest(this.#late, lateMax);
    return expired;
  }

  /** Settles parts that were not written yet as unsent. */
  release(reason: Reason): void {
    const waiting = this.#waiting.slice(this.#head);
    this.#waiting = [];
    this.#head = 0;
    for (const part of waiting) part.settle({ kind: "unsent", reason });
  }

  /** The link is lost: nothing more will be sent or answered over it. */
  close(cause: Reason): void {
    this.release(cause);
    const unanswered = [...this.#unanswered.values()];
    this.#unanswered.clear();
    this.#late.clear();
    for (const { part } of unanswered) {
      part.settle({ kind: "uncertain", reason: { code: "link_lost", cause }, lateAnswer: false });
    }
  }
}
