/** Delivers what the outbox holds: every webhook at its own pace, none at another's cost, and every outcome on disk. */
import { type Clock, sleep } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import type { DueDelivery } from "../store/outbox.ts";
import type { Store } from "../store/store.ts";
import type { AttemptFailure, AttemptResult, CallbackAttempts } from "./attempt.ts";
import { ConcurrencyLimiter } from "./concurrency-limiter.ts";
import { deliveryOutcome } from "./delivery-outcome.ts";
import { endStopped } from "./end-stopped.ts";
import { OutcomeWriter } from "./outcome-writer.ts";
import type { WebhookQueue } from "./webhook-queue.ts";
import { WebhookQueues } from "./webhook-queues.ts";

/** For metrics. `outcome` is `delivered` or why not. */
export interface DeliveryObserver {
  attempted(outcome: "delivered" | AttemptFailure, durationMs: number): void;
  /** No further attempt will be made. */
  ended(state: "delivered" | "failed"): void;
}

export interface DelivererDeps {
  store: Store;
  clock: Clock;
  random: Random;
  log: Logger;
  attempts: Pick<CallbackAttempts, "run">;
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
const retryMs = 1_000;

export class Deliverer {
  readonly #parts: DelivererDeps;
  readonly #lanes: WebhookQueues;
  readonly #outcomes: OutcomeWriter;
  readonly #places = new ConcurrencyLimiter();
  /** Webhooks whose stopped deliveries are being ended. */
  readonly #ending = new Set<number>();
  #unsettled = 0;
  #isRunning = false;
  #whenQuiet: (() => void) | null = null;

  constructor(parts: DelivererDeps) {
    const { store, clock, log, gatherMs = 10 } = parts;
    this.#parts = parts;
    this.#lanes = new WebhookQueues({ ...parts, webhooks: store.tables.webhooks });
    this.#outcomes = new OutcomeWriter({ store, clock, log, gatherMs }, () => this.#isRunning);
  }

  /** How many attempts are under way. */
  get inFlight(): number {
    return this.#places.taken;
  }

  /** Takes up what was left when the service last stopped, and from now on whatever comes. */
  start(): void {
    const { outbox } = this.#parts.store.tables;
    this.#isRunning = true;
    outbox.subscribe((webhookIds) => this.wake(webhookIds));
    for (const webhookId of outbox.waitingWebhooks()) void this.#endStopped(webhookId);
  }

  /** Something of these webhooks may be due by now. */
  wake(webhookIds: Iterable<number>): void {
    if (!this.#isRunning) return;
    for (const id of webhookIds) {
      const lane = this.#ending.has(id) ? null : this.#lanes.open(id);
      if (lane !== null) this.#offer(lane);
    }
    this.#pump();
  }

  /** A webhook was changed, switched or removed, and that is on disk. What must stop stops at once. */
  changed(webhookId: number): void {
    this.#lanes.closeUnlessGoing(webhookId);
    if (this.#isRunning) void this.#endStopped(webhookId);
  }

  /** An account was changed, perhaps suspended or resumed. */
  accountChanged(accountId: number): void {
    const ids = this.#parts.store.tables.webhooks.ofAccount(accountId).map(({ id }) => id);
    if (!this.#parts.isSuspended(accountId)) this.wake(ids);
    else for (const id of ids) this.#lanes.close(id);
  }

  /** Begins nothing more, waits up to `graceMs` for what is under way, and ends the rest; that is sent again after a start. */
  async stop(graceMs: number): Promise<void> {
    this.#isRunning = false;
    const quiet = new Promise<void>((resolve) => {
      this.#whenQuiet = resolve;
    });
    if (this.#unsettled === 0) this.#whenQuiet?.();
    this.#outcomes.flush();
    const cutAll = () => {
      for (const lane of this.#lanes.all()) lane.stop.abort();
    };
    if (graceMs <= 0) cutAll();
    const cut = this.#parts.clock.after(graceMs, cutAll);
    await quiet;
    cut.cancel();
    for (const lane of this.#lanes.all()) lane.timer?.cancel();
  }

  #offer(lane: WebhookQueue): void {
    if (!this.#isRunning || lane.stop.signal.aborted) return;
    lane.timer?.cancel();
    lane.timer = null;
    this.#places.enqueue(lane);
  }

  #pump(): void {
    const { store, clock } = this.#parts;
    while (this.#isRunning && this.#unsettled < unsettledMax) {
      const lane = this.#places.next();
      if (lane === null) return;
      if (lane.stop.signal.aborted) continue;
      const delivery = lane.take(clock.now(), store.tables.outbox.due);
      if (delivery === null) this.#rest(lane);
      else {
        this.#begin(lane, delivery);
        this.#places.enqueue(lane);
      }
    }
  }

  /** Nothing is due now: the lane sleeps until something is, or goes. */
  #rest(lane: WebhookQueue): void {
    if (!lane.isIdle) return;
    const { store, clock } = this.#parts;
    const dueAt = store.tables.outbox.nextDue(lane.webhook.id);
    if (dueAt === null) {
      this.#lanes.dismiss(lane);
      return;
    }
    const now = clock.now();
    const look = () => this.wake([lane.webhook.id]);
    const lookIn = (delayMs: number) => {
      lane.timer = clock.after(Math.min(Math.max(delayMs, 1), lookMsMax), look);
    };
    if (dueAt - now <= waitMsMax) lookIn(dueAt - now);
    else {
      const pulledIn = store.write((tables) => tables.outbox.pullIn(lane.webhook.id, now, now + waitMsMax));
      pulledIn.then(look, () => lookIn(retryMs));
    }
  }

  #begin(lane: WebhookQueue, delivery: DueDelivery): void {
    const leave = this.#places.occupy(lane);
    this.#unsettled += 1;
    this.#attempt(lane, delivery, leave)
      .catch((reason) => {
        // A defect, or a disk that refuses while the service stops: nothing is recorded, and the delivery is made once more.
        const facts = { err: reason, webhook: lane.webhook.publicId, event: delivery.eventId };
        this.#parts.log.error(facts, "A callback attempt broke");
        return this.#isRunning ? sleep(this.#parts.clock, retryMs) : undefined;
      })
      .finally(() => {
        this.#unsettled -= 1;
        lane.settled(delivery.id);
        this.#offer(lane);
        this.#pump();
        if (this.#unsettled === 0) this.#whenQuiet?.();
      });
  }

  async #attempt(lane: WebhookQueue, delivery: DueDelivery, leave: () => void): Promise<void> {
    const { eventId, kind, body } = delivery;
    const { signingSecret, webhook } = lane;
    const attempt = delivery.attempts + 1;
    const callback = { url: webhook.url, signingSecret, eventId, kind, body, attempt };
    const result = await this.#parts.attempts.run(callback, lane.stop.signal).finally(leave);
    this.#parts.observer.attempted(result.failure ?? "delivered", result.durationMs);
    if (result.failure === "stopped") return;
    lane.isSlow = result.failure === "timeout";
    // The place is free before the outcome is on disk: a slow disk must not slow the callbacks down.
    this.#offer(lane);
    this.#pump();
    const at = this.#parts.clock.now();
    const outcome = deliveryOutcome(result, attempt, at, this.#parts.random.fraction());
    const { retryAfterMs: _, ...made } = result;
    await this.#outcomes.write({ deliveryId: delivery.id, attempt: { ...made, at }, outcome });
    if (outcome.state !== "waiting") this.#tellEnd(outcome.state, lane, delivery, result);
  }

  #tellEnd(state: "delivered" | "failed", lane: WebhookQueue, { eventId }: DueDelivery, result: AttemptResult): void {
    this.#parts.observer.ended(state);
    if (state === "delivered") return;
    const { failure, status, detail } = result;
    const facts = { webhook: lane.webhook.publicId, event: eventId, failure, status, detail };
    this.#parts.log.warn(facts, "A callback failed for good");
  }

  async #endStopped(webhookId: number): Promise<void> {
    if (this.#ending.has(webhookId)) return;
    const { store, clock, log } = this.#parts;
    this.#ending.add(webhookId);
    try {
      await endStopped(store, webhookId, clock, () => this.#isRunning);
    } catch (reason) {
      log.warn({ err: reason }, "Deliveries of a stopped webhook could not be ended yet");
      clock.after(retryMs, () => void this.#endStopped(webhookId));
    } finally {
      this.#ending.delete(webhookId);
    }
    this.wake([webhookId]);
  }
}
