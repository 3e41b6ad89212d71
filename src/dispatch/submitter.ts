/** Submits claimed messages to their provider, and has the outcomes stored. */

import { describeReason } from "../domain/reason.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { SubmitOutcome } from "../providers/provider.ts";
import type { MessageRow } from "../store/messages.ts";
import type { Store } from "../store/store.ts";
import { OutcomeIntake } from "./outcome-intake.ts";
import type { RouteSelector } from "./route-selector.ts";
import type { RunningRoute } from "./route-set.ts";
import { type OpenText, submitMessage } from "./submission.ts";
import { applyLateOutcome, applyOutcome } from "./submit-outcome.ts";

export interface SubmitterDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  selector: RouteSelector;
  openText: OpenText;
  /** The provider answered. */
  submitted(route: RunningRoute, outcome: SubmitOutcome, parts: number): void;
  /** The message waits for another attempt, due at this time. */
  willRetry(message: MessageRow, dueAt: number): void;
  /**
   * Called before each submit: null if this process may talk to carriers, otherwise resolves when it may. If omitted,
   * it always may.
   */
  turn?: () => Promise<void> | null;
  /** An outcome is stored, and its route may have room again. */
  roomFreed(): void;
}

/** A message on its way to a route, until its outcome is stored. */
interface Attempt {
  route: RunningRoute;
  /** Of its sender. */
  routeCount: number;
  message: MessageRow;
}

export class Submitter {
  readonly #outcomes: OutcomeIntake;
  /** Attempts whose outcome is not stored yet. A promise for each of them took longer. */
  #unsettled = 0;
  #whenSettled: (() => void)[] = [];

  constructor(private readonly deps: SubmitterDeps) {
    this.#outcomes = new OutcomeIntake(deps);
  }

  /** Hands a claimed message to the route chosen at its claim, one of `routeCount`. */
  begin(route: RunningRoute, routeCount: number, message: MessageRow): void {
    const attempt: Attempt = { route, routeCount, message };
    route.limiter.acquire(message.partCount);
    this.#unsettled += 1;
    const waited = this.deps.turn?.() ?? null;
    if (waited === null) this.#submit(attempt);
    else
      waited.then(
        () => this.#submit(attempt),
        (reason: unknown) => this.#threw(attempt, reason),
      );
  }

  /** Stores the answer to a submit that was first reported as `uncertain`. */
  storeLateAnswer(messageId: number, outcome: SubmitOutcome, routeId: number): void {
    const { selector, log } = this.deps;
    const context = selector.outcomeContext(routeId, 1);
    this.#outcomes.take({
      apply: (tables) => {
        applyLateOutcome(tables, messageId, outcome, context);
        return null;
      },
      stored: () => {},
      refused: (reason) => log.error({ messageId, err: reason }, "a late answer was not stored"),
    });
  }

  /** Resolves when every outcome is stored. */
  settled(): Promise<void> {
    if (this.#unsettled === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenSettled.push(resolve));
  }

  #submit(attempt: Attempt): void {
    const { store, openText } = this.deps;
    const templateIdOf = (messageId: number) => store.tables.messageTemplates.idOf(messageId);
    const tlvsOf = (messageId: number) => store.tables.messageTlvs.of(messageId);
    try {
      submitMessage(attempt.route.provider, attempt.message, { openText, templateIdOf, tlvsOf }).then(
        (outcome) => this.#take(attempt, outcome),
        (reason: unknown) => this.#take(attempt, this.#rejected(reason)),
      );
    } catch (reason) {
      this.#threw(attempt, reason);
    }
  }

  #take(attempt: Attempt, outcome: SubmitOutcome): void {
    try {
      this.#answered(attempt, outcome);
    } catch (reason) {
      this.#threw(attempt, reason);
    }
  }

  #answered(attempt: Attempt, outcome: SubmitOutcome): void {
    const { selector, submitted } = this.deps;
    const { route, routeCount, message } = attempt;
    route.limiter.release(message.partCount);
    if (outcome.kind === "throttled" && outcome.pause === "route") route.limiter.throttle(outcome.retryAfterMs);
    if (outcome.kind === "temporary") route.limiter.pause(outcome.pauseRouteMs ?? 0);
    route.counts[outcome.kind] = (route.counts[outcome.kind] ?? 0) + 1;
    submitted(route, outcome, message.partCount);
    if (outcome.kind !== "accepted") this.#logOutcome(route, outcome, message);
    const context = selector.outcomeContext(route.configuration.id, routeCount);
    this.#outcomes.take({
      apply: (tables) => applyOutcome(tables, message, outcome, context),
      stored: (after) => this.#stored(after),
      refused: (reason) => this.#threw(attempt, reason),
    });
  }

  #stored(after: MessageRow | null): void {
    if (after?.dueAt != null) this.deps.willRetry(after, after.dueAt);
    this.#settle();
  }

  #threw({ message }: Attempt, reason: unknown): void {
    this.deps.log.error({ trackingCode: message.trackingCode, err: reason }, "a submit threw");
    this.#settle();
  }

  #settle(): void {
    this.#unsettled -= 1;
    if (this.#unsettled === 0) {
      const waiting = this.#whenSettled;
      this.#whenSettled = [];
      for (const resolve of waiting) resolve();
    }
    this.deps.roomFreed();
  }

  #logOutcome(
    { configuration }: RunningRoute,
    { kind, reason }: Exclude<SubmitOutcome, { kind: "accepted" }>,
    { trackingCode }: MessageRow,
  ): void {
    const detail = describeReason(reason);
    this.deps.log.info({ trackingCode, route: configuration.name, outcome: kind, detail }, "submit");
  }

  /** A provider's promise should never reject. If it does, the carrier may still have the message. */
  #rejected(reason: unknown): SubmitOutcome {
    this.deps.log.error({ err: reason }, "a provider threw");
    return { kind: "uncertain", reason: { code: "provider_threw", words: String(reason) }, lateAnswer: false };
  }
}
