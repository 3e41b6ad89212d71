/** Submits claimed messages to their provider and stores the outcomes, however long the disk refuses them. */

import { type Clock, sleep } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { SubmitOutcome } from "../providers/provider.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import type { MessageRow } from "../store/messages.ts";
import type { Store, Tables } from "../store/store.ts";
import { describeReason } from "../words/en/reason-text.ts";
import type { RouteSelector } from "./route-selector.ts";
import type { RunningRoute } from "./route-set.ts";
import { type OpenText, submitMessage } from "./submission.ts";
import { applyLateOutcome, applyOutcome } from "./submit-outcome.ts";

/** How long to wait after the disk refused a write. */
export const storeRetryMs = 1_000;

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

export class Submitter {
  readonly #deps: SubmitterDeps;
  /** Submits whose outcome is not stored yet. */
  readonly #unsettled = new Set<Promise<void>>();

  constructor(deps: SubmitterDeps) {
    this.#deps = deps;
  }

  /** Hands a claimed message to the route chosen at its claim, one of `routeCount`. */
  begin(route: RunningRoute, routeCount: number, message: MessageRow): void {
    const { log, roomFreed } = this.#deps;
    route.limiter.acquire(message.partCount);
    const submit = this.#submit(route, routeCount, message)
      .catch((reason: unknown) => log.error({ trackingCode: message.trackingCode, err: reason }, "a submit threw"))
      .finally(() => {
        this.#unsettled.delete(submit);
        roomFreed();
      });
    this.#unsettled.add(submit);
  }

  /** Stores the answer to a submit that was first reported as `uncertain`. */
  storeLateAnswer(messageId: number, outcome: SubmitOutcome, routeId: number): void {
    const context = this.#deps.selector.outcomeContext(routeId, 1);
    void this.#untilStored((tables) => applyLateOutcome(tables, messageId, outcome, context));
  }

  /** Resolves when every outcome is stored. */
  async settled(): Promise<void> {
    await Promise.all(this.#unsettled);
  }

  async #submit(route: RunningRoute, routeCount: number, message: MessageRow): Promise<void> {
    const { selector, store, openText, submitted, willRetry, turn } = this.#deps;
    const waited = turn?.() ?? null;
    if (waited !== null) await waited;
    const templateIdOf = (messageId: number) => store.tables.messageTemplates.idOf(messageId);
    const outcome = await submitMessage(route.provider, message, { openText, templateIdOf }).catch((reason: unknown) =>
      this.#rejected(reason),
    );
    route.limiter.release(message.partCount);
    if (outcome.kind === "throttled" && outcome.pause === "route") route.limiter.throttle(outcome.retryAfterMs);
    if (outcome.kind === "temporary") route.limiter.pause(outcome.pauseRouteMs ?? 0);
    route.counts[outcome.kind] = (route.counts[outcome.kind] ?? 0) + 1;
    submitted(route, outcome, message.partCount);
    if (outcome.kind !== "accepted") this.#logOutcome(route, outcome, message);
    const context = selector.outcomeContext(route.configuration.id, routeCount);
    const after = await this.#untilStored((tables) => applyOutcome(tables, message, outcome, context));
    if (after?.dueAt != null) willRetry(after, after.dueAt);
  }

  #logOutcome(
    { configuration }: RunningRoute,
    { kind, reason }: Exclude<SubmitOutcome, { kind: "accepted" }>,
    { trackingCode }: MessageRow,
  ): void {
    const detail = describeReason(reason);
    this.#deps.log.info({ trackingCode, route: configuration.name, outcome: kind, detail }, "submit");
  }

  /** A provider's promise should never reject. If it does, the carrier may still have the message. */
  #rejected(reason: unknown): SubmitOutcome {
    this.#deps.log.error({ err: reason }, "a provider threw");
    return { kind: "uncertain", reason: { code: "provider_threw", words: String(reason) }, lateAnswer: false };
  }

  /** Retries until the disk takes it, because a submit cannot be undone; meanwhile it occupies the route's window. */
  async #untilStored<T>(change: (tables: Tables) => T): Promise<T> {
    const { store, log, clock } = this.#deps;
    for (;;) {
      try {
        return await store.write(change);
      } catch (reason) {
        if (!(reason instanceof StoreUnavailable)) throw reason;
        log.error({ err: reason }, "an answer waits for the disk");
        await sleep(clock, storeRetryMs);
      }
    }
  }
}
