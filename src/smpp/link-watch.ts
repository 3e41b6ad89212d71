/** Watches a link: silence triggers an enquire_link, and after two without an answer the link is dead. */

const unansweredMax = 2;

export class LinkWatch {
  #heardAtMs: number;
  #askedAtMs = 0;
  #unanswered = 0;
  readonly #answerWaitMs: number;

  constructor(
    readonly silenceMs: number,
    responseTimeoutMs: number,
    nowMs: number,
  ) {
    this.#heardAtMs = nowMs;
    this.#answerWaitMs = Math.min(silenceMs, responseTimeoutMs);
  }

  /** Any PDU shows that the link is alive. */
  heard(nowMs: number): void {
    this.#heardAtMs = nowMs;
    this.#unanswered = 0;
  }

  deadlineMs(): number {
    return this.#unanswered === 0 ? this.#heardAtMs + this.silenceMs : this.#askedAtMs + this.#answerWaitMs;
  }

  /** What to do at `nowMs`. */
  check(nowMs: number): "wait" | "ask" | "dead" {
    if (nowMs < this.deadlineMs()) return "wait";
    if (this.#unanswered === unansweredMax) return "dead";
    this.#unanswered += 1;
    this.#askedAtMs = nowMs;
    return "ask";
  }
}
