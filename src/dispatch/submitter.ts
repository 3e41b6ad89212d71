/** The hand-over: a claimed message goes to its provider, and what becomes of it is written down, whatever the disk does. */
import { messageClasses } from "../domain/message.ts";
import { type Clock, sleep } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { SubmitOutcome } from "../providers/provider.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import type { MessageRow } from "../store/messages.ts";
import type { Store, Tables } from "../store/store.ts";
import type { RouteSelector } from "./route-selector.ts";
import type { RunningRoute } from "./route-set.ts";
import { submitSealed } from "./sealed-submission.ts";
import { submissionOf } from "./submission.ts";
import { applyLateOutcome, applyOutcome } from "./submit-outcome.ts";

/** How long to leave the disk alone after it refused a write. */
export const storeRetryMs = 1_000;

export interface SubmitterDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  selector: RouteSelector;
  /** The whole text of a one-time password, which rests sealed. Throws where the key is another one by now. */
  openText(message: MessageRow): string;
  submitted(route: RunningRoute, outcome: SubmitOutcome, parts: number): void;
  /** It waits for another try, due at this time. */
  waits(message: MessageRow, dueAt: number): void;
  /** A route has room again. */
  ended(): void;
}

export type Submitter = ReturnType<typeof submitter>;

export function submitter({ store, clock, log, selector, openText, submitted, waits, ended }: SubmitterDeps) {
  /** Submits handed over and not yet written down. */
  const unsettled = new Set<Promise<void>>();

  async function submit(route: RunningRoute, routeCount: number, message: MessageRow): Promise<void> {
    const outcome = await handedTo(route, message).catch(broke);
    route.limiter.give(message.partCount);
    if (outcome.kind === "throttled" && outcome.pause === "route") route.limiter.throttle(outcome.retryAfterMs);
    route.counts[outcome.kind] = (route.counts[outcome.kind] ?? 0) + 1;
    submitted(route, outcome, message.partCount);
    if (outcome.kind !== "accepted") tell(route, outcome, message);
    const context = selector.contextOf(route.configuration.id, routeCount);
    const after = await untilStored((tables) => applyOutcome(tables, message, outcome, context));
    if (after?.dueAt != null) waits(message, after.dueAt);
  }

  function tell(route: RunningRoute, outcome: Exclude<SubmitOutcome, { kind: "accepted" }>, message: MessageRow): void {
    const { trackingCode } = message;
    log.info(
      { trackingCode, route: route.configuration.name, outcome: outcome.kind, detail: outcome.detail },
      "submit",
    );
  }

  function handedTo({ provider }: RunningRoute, message: MessageRow): Promise<SubmitOutcome> {
    if (message.class !== messageClasses.otp) return provider.submit(submissionOf(message, message.text));
    return submitSealed(message, openText, (text) => provider.submit(submissionOf(message, text)));
  }

  /** A provider never rejects. Should one do so all the same, nobody knows what it did. */
  function broke(reason: unknown): SubmitOutcome {
    log.error({ err: reason }, "a provider broke off");
    return { kind: "uncertain", detail: `The provider broke off: ${String(reason)}`, lateAnswer: false };
  }

  /** What a carrier has done cannot be undone: the write is tried until the disk takes it, and the route's window stays taken. */
  async function untilStored<T>(change: (tables: Tables) => T): Promise<T> {
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

  return {
    /** Hands a claimed message over, to the route that its claim chose among `routeCount`. */
    begin(route: RunningRoute, routeCount: number, message: MessageRow): void {
      route.limiter.take(message.partCount);
      const settled = submit(route, routeCount, message)
        .catch((reason: unknown) =>
          log.error({ trackingCode: message.trackingCode, err: reason }, "submit went astray"),
        )
        .finally(() => {
          unsettled.delete(settled);
          ended();
        });
      unsettled.add(settled);
    },

    /** The answer to a submit that was reported `uncertain` before. */
    answeredLate(messageId: number, outcome: SubmitOutcome, routeId: number): void {
      const context = selector.contextOf(routeId, 1);
      void untilStored((tables) => applyLateOutcome(tables, messageId, outcome, context));
    },

    /** Resolves when every answer is written down. */
    async settled(): Promise<void> {
      await Promise.all(unsettled);
    },
  };
}
