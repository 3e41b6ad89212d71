/** A bind's submits: those that wait for room, those that wait for an answer, and those whose answer is late. */
import { writeSequence } from "./codec.ts";
import type { PartResult } from "./message-submit.ts";

/** One submit_sm on its way through a bind. */
export interface PartSubmit {
  /** The encoded PDU; its sequence number is written when it is sent. */
  readonly frame: Buffer;
  /** False once its message needs it no more. Asked before it is sent. */
  wanted(): boolean;
  settle(result: PartResult): void;
}

interface SentPart {
  part: PartSubmit;
  sentAtMs: number;
}

/** Late ones beyond this many are forgotten, oldest first: a peer that never answers them must not fill the memory. */
const lateMax = 10_000;

const linkLost = "the link was lost before the SMSC answered";

export class SubmitWindow {
  /** Read from `#head` on; cut when it is empty. */
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

  get lateCount(): number {
    return this.#late.size;
  }

  /** Parts that this bind has still to settle: what decides which bind gets the next message. */
  get load(): number {
    return this.waitingCount + this.#unanswered.size;
  }

  isOpen(sequence: number): boolean {
    return this.#unanswered.has(sequence) || this.#late.has(sequence);
  }

  wait(part: PartSubmit): void {
    this.#waiting.push(part);
  }

  /** The next frame to write, ready with `sequence`, or null when nothing waits or the window is full. */
  send(sequence: () => number, nowMs: number): Buffer | null {
    if (this.#unanswered.size >= this.size) return null;
    const part = this.#nextWanted();
    if (part === null) return null;
    const number = sequence();
    writeSequence(part.frame, number);
    this.#unanswered.set(number, { part, sentAtMs: nowMs });
    return part.frame;
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
      part?.settle({ kind: "unsent", detail: "another part of the message was refused" });
    }
    return null;
  }

  /** Takes the answer to `sequence`; false when nothing here waits for it. */
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

  /** Gives up waiting for what was sent too long ago, which makes room; how many that were. */
  expire(nowMs: number): number {
    let expired = 0;
    for (const [sequence, { part, sentAtMs }] of this.#unanswered) {
      if (sentAtMs + this.responseTimeoutMs > nowMs) break;
      this.#unanswered.delete(sequence);
      this.#late.set(sequence, part);
      expired += 1;
      const detail = `the SMSC did not answer within ${this.responseTimeoutMs} ms`;
      part.settle({ kind: "uncertain", detail, lateAnswer: true });
    }
    this.#forgetOldestLate();
    return expired;
  }

  #forgetOldestLate(): void {
    for (const sequence of this.#late.keys()) {
      if (this.#late.size <= lateMax) return;
      this.#late.delete(sequence);
    }
  }

  /** Gives back what was not written yet. */
  release(detail: string): void {
    const waiting = this.#waiting.slice(this.#head);
    this.#waiting = [];
    this.#head = 0;
    for (const part of waiting) part.settle({ kind: "unsent", detail });
  }

  /** The link is gone: nothing more will be sent or answered here. */
  close(detail: string): void {
    this.release(detail);
    const unanswered = [...this.#unanswered.values()];
    this.#unanswered.clear();
    this.#late.clear();
    for (const { part } of unanswered) {
      part.settle({ kind: "uncertain", detail: `${linkLost}: ${detail}`, lateAnswer: false });
    }
  }
}
