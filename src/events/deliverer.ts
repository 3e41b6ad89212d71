/** Delivers what the outbox holds: every webhook at its own pace, none at another's cost, and every outcome on disk. */
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import type { DeliveryFate, DueDelivery } from "../store/outbox.ts";
import type { Store } from "../store/store.ts";
import type { WebhookRow } from "../store/webhooks.ts";
import type { AttemptFailure, AttemptResult, Attempts } from "./attempt.ts";
import { endStopped } from "./end-stopped.ts";
import { fateOf } from "./fate.ts";
import { Lane } from "./lane.ts";
import { OutcomeWriter } from "./outcomes.ts";
import { Places } from "./places.ts";

/** For metrics. `outcome` is `delivered` or why not. */
export interface DeliveryObserver {
  attempted(outcome: "delivered" | AttemptFailure, durationMs: number): void;
  /** No further attempt will be made. */
  ended(state: "delivered" | "failed"): void;
}

export interface DelivererParts {
  store: Store;
  clock: Clock;
  random: Random;
  log: Logger;
  attempts: Pick<Attempts, "run">;
  openSecret(sealed: Uint8Array): string;
  isSuspended(accountId: number): boolean;
  observer: DeliveryObserver;
  /** How long an outcome waits for others to be stored with, in milliseconds; 10 unless told otherwise. */
  gatherMs?: number;
}

/** The longest wait that the schedule or a receiver can set, jitter included: what is due later was planned under another clock. */
const waitMsMax = 72 * 60_000;
/** A lane looks again after this time at the latest, so that a wall clock that jumped ahead is noticed. */
const lookMsMax = 60_000;
/** Outcomes that wait for the disk; with more than this nothing new is begun. */
const unsettledMax = 256;
const settleRetryMs = 1_000;

export type Deliverer = ReturnType<typeof deliverer>;

export function deliverer(parts: DelivererParts) {
  const { store, clock, log } = parts;
  const { outbox, webhooks } = store.tables;
  const lanes = new Map<number, Lane>();
  const ending = new Set<number>();
  const places = new Places();
  const outcomes = new OutcomeWriter({ store, clock, log, gatherMs: parts.gatherMs ?? 10 }, () => isRunning);
  let unsettled = 0;
  let isRunning = false;
  let whenQuiet: (() => void) | null = null;

  function openLane(webhookId: number): Lane | null {
    const webhook = webhooks.byId(webhookId);
    const mayGo = webhook?.active && webhook.removedAt === null && !parts.isSuspended(webhook.accountId);
    if (!mayGo || ending.has(webhookId)) return null;
    const signingSecret = secretOf(webhook);
    if (signingSecret === null) return null;
    const lane = new Lane(webhook, signingSecret);
    lanes.set(webhookId, lane);
    return lane;
  }

  /** One secret that cannot be opened must not stop every other webhook; what waits for this one stays. */
  function secretOf({ sealedSecret, publicId }: WebhookRow): string | null {
    try {
      return parts.openSecret(sealedSecret);
    } catch (reason) {
      log.error(
        { err: reason, webhook: publicId },
        "The signing secret of a webhook cannot be opened: its callbacks wait",
      );
      return null;
    }
  }

  function closeLane(webhookId: number): void {
    const lane = lanes.get(webhookId);
    lane?.timer?.cancel();
    lane?.stop.abort();
    lanes.delete(webhookId);
  }

  function offer(lane: Lane): void {
    if (!isRunning || lane.stop.signal.aborted) return;
    lane.timer?.cancel();
    lane.timer = null;
    places.enqueue(lane);
  }

  function wake(webhookIds: Iterable<number>): void {
    if (!isRunning) return;
    for (const id of webhookIds) {
      const lane = lanes.get(id) ?? openLane(id);
      if (lane !== null) offer(lane);
    }
    pump();
  }

  function pump(): void {
    while (isRunning && unsettled < unsettledMax) {
      const lane = places.next();
      if (lane === null) return;
      if (lane.stop.signal.aborted) continue;
      const delivery = lane.take(clock.now(), outbox.due);
      if (delivery === null) rest(lane);
      else {
        begin(lane, delivery);
        places.enqueue(lane);
      }
    }
  }

  /** Nothing is due now: the lane sleeps until something is, or goes. */
  function rest(lane: Lane): void {
    if (!lane.isIdle) return;
    const dueAt = outbox.nextDue(lane.webhook.id);
    if (dueAt === null) {
      lanes.delete(lane.webhook.id);
      return;
    }
    const now = clock.now();
    const look = () => wake([lane.webhook.id]);
    if (dueAt - now > waitMsMax) {
      const pulledIn = store.write((tables) => tables.outbox.pullIn(lane.webhook.id, now, now + waitMsMax));
      pulledIn.then(look, () => {
        lane.timer = clock.after(settleRetryMs, look);
      });
    } else lane.timer = clock.after(Math.min(Math.max(dueAt - now, 1), lookMsMax), look);
  }

  function begin(lane: Lane, delivery: DueDelivery): void {
    const leave = places.occupy(lane);
    const callback = {
      url: lane.webhook.url,
      signingSecret: lane.signingSecret,
      eventId: delivery.eventId,
      kind: delivery.kind,
      body: delivery.body,
      attempt: delivery.attempts + 1,
    };
    unsettled += 1;
    parts.attempts
      .run(callback, lane.stop.signal)
      .then(
        (result) => {
          leave();
          return settle(lane, delivery, result);
        },
        (reason) => {
          leave();
          // A defect, not a receiver's fault: nothing is recorded, and the delivery is tried again with the next look.
          log.error(
            { err: reason, webhook: lane.webhook.publicId, event: delivery.eventId },
            "A callback attempt broke",
          );
          return afterPause();
        },
      )
      .finally(() => {
        unsettled -= 1;
        lane.settled(delivery.id);
        offer(lane);
        pump();
        if (unsettled === 0) whenQuiet?.();
      });
  }

  const afterPause = () => new Promise<void>((resolve) => clock.after(settleRetryMs, resolve));

  async function settle(lane: Lane, delivery: DueDelivery, result: AttemptResult): Promise<void> {
    parts.observer.attempted(result.failure ?? "delivered", result.durationMs);
    if (result.failure === "stopped") return;
    lane.isSlow = result.failure === "timeout";
    offer(lane);
    pump();
    const at = clock.now();
    const fate = fateOf(result, delivery.attempts + 1, at, parts.random.fraction());
    const { retryAfterMs: _, ...made } = result;
    await outcomes.write({ deliveryId: delivery.id, attempt: { ...made, at }, fate });
    tellEnd(lane, delivery, result, fate);
  }

  function tellEnd(lane: Lane, delivery: DueDelivery, result: AttemptResult, fate: DeliveryFate): void {
    if (fate.state === "waiting") return;
    parts.observer.ended(fate.state);
    if (fate.state === "delivered") return;
    const { failure, status, detail } = result;
    const facts = { webhook: lane.webhook.publicId, event: delivery.eventId, failure, status, detail };
    log.warn(facts, "A callback failed for good");
  }

  async function end(webhookId: number): Promise<void> {
    if (ending.has(webhookId)) return;
    ending.add(webhookId);
    try {
      await endStopped(store, webhookId, clock, () => isRunning);
    } catch (reason) {
      log.warn({ err: reason }, "Deliveries of a stopped webhook could not be ended yet");
      clock.after(settleRetryMs, () => void end(webhookId));
    } finally {
      ending.delete(webhookId);
    }
    wake([webhookId]);
  }

  /** A webhook was changed, switched or removed, and that is on disk. What must stop stops at once. */
  function changed(webhookId: number): void {
    const webhook = webhooks.byId(webhookId);
    const goesOn = webhook?.active && webhook.removedAt === null && webhook.stoppedThrough === 0;
    if (!goesOn) closeLane(webhookId);
    if (isRunning) void end(webhookId);
  }

  function accountChanged(accountId: number): void {
    const ids = webhooks.ofAccount(accountId).map(({ id }) => id);
    if (!parts.isSuspended(accountId)) wake(ids);
    else for (const id of ids) closeLane(id);
  }

  return {
    /** Takes up what was left when the service last stopped, and from now on whatever comes. */
    start(): void {
      isRunning = true;
      outbox.subscribe(wake);
      for (const webhookId of outbox.waitingWebhooks()) void end(webhookId);
    },

    changed,

    /** Something of these webhooks may be due by now. */
    wake,

    /** An account was changed, perhaps suspended or resumed. */
    accountChanged,

    /** How many attempts are under way. */
    inFlight: (): number => places.taken,

    /** Begins nothing more, waits up to `graceMs` for what is under way, and ends the rest; that is sent again after a start. */
    async stop(graceMs: number): Promise<void> {
      isRunning = false;
      const quiet = new Promise<void>((resolve) => {
        whenQuiet = resolve;
      });
      if (unsettled === 0) whenQuiet?.();
      outcomes.flush();
      const cutAll = () => {
        for (const lane of lanes.values()) lane.stop.abort();
      };
      if (graceMs <= 0) cutAll();
      const cut = clock.after(graceMs, cutAll);
      await quiet;
      cut.cancel();
      for (const lane of lanes.values()) lane.timer?.cancel();
    },
  };
}
