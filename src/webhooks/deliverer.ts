/** Delivers the outbox: each webhook at its own pace, none delayed by another, and every outcome on disk. */
import { type Clock, sleep } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import type { DueDelivery } from "../store/outbox.ts";
import type { Store } from "../store/store.ts";
import type { WebhookRow } from "../store/webhooks.ts";
import type { AttemptFailure, AttemptOutcome, CallbackAttempts, OutgoingCallback } from "./attempt.ts";
import { ConcurrencyLimiter, type ConcurrencyLimits } from "./concurrency-limiter.ts";
import { deliveryOutcome, OutcomeWriter } from "./delivery-outcome.ts";
import { endStoppedDeliveries } from "./stopped-deliveries.ts";
import { healthAfter, isGivenUp } from "./webhook-health.ts";
import { paceOf, type WebhookPace, widthAnswerOf } from "./webhook-pace.ts";
import { type WebhookQueue, WebhookQueues } from "./webhook-queues.ts";

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
  attempts: Pick<CallbackAttempts, "send">;
  /** Throws DestinationRefused. */
  outgoing(callback: QueuedCallback): OutgoingCallback;
  /** True if this deliverer handles the webhook; each is handled by exactly one. */
  isOwn(webhookId: number): boolean;
  /** The webhooks of an account that this deliverer handles. */
  ownOf(accountId: number): readonly { id: number }[];
  limits: ConcurrencyLimits;
  /** Whether a webhook is switched off once all its callbacks have failed for days. */
  givesUp: boolean;
  openSecret(sealed: Uint8Array): string;
  isSuspended(accountId: number): boolean;
  observer: DeliveryObserver;
  /** How long an outcome waits for others to be stored with, in milliseconds; 10 by default. */
  gatherMs?: number;
}

/** A due callback and its webhook. */
export interface QueuedCallback {
  webhook: WebhookRow;
  signingSecret: string;
  delivery: DueDelivery;
  /** 1 for the first attempt. */
  attempt: number;
}

/**
 * The longest wait that the schedule or a receiver can set, jitter included: a later due time comes from a wrong clock.
 */
const waitMsMax = 72 * 60_000;
/** A sleeping queue checks again after this time at the latest, so that a wall clock that jumped ahead is noticed. */
const sleepMsMax = 60_000;
/** No attempt starts while this many are not on disk yet. */
const unfinishedMax = 256;
const retryMs = 1_000;

export class Deliverer {
  readonly #queues: WebhookQueues;
  readonly #outcomes: OutcomeWriter;
  readonly #limiter: ConcurrencyLimiter;
  /** Webhooks whose stopped deliveries are being marked. */
  readonly #ending = new Set<number>();
  /** Attempts whose outcome is not on disk yet. */
  #unfinished = 0;
  #isRunning = false;
  #onAllFinished: (() => void) | null = null;

  constructor(private readonly deps: DelivererDeps) {
    const { store, clock, log, gatherMs = 10 } = deps;
    this.#limiter = new ConcurrencyLimiter(deps.limits);
    this.#queues = new WebhookQueues({ ...deps, webhooks: store.tables.webhooks });
    this.#outcomes = new OutcomeWriter({ store, clock, log, gatherMs, isRunning: () => this.#isRunning });
  }

  /** Number of attempts in progress. */
  get inFlight(): number {
    return this.#limiter.inFlight;
  }

  /** How many attempts at once a webhook may have, and why. */
  paceOf(webhookId: number): WebhookPace {
    return paceOf(this.#queues.widthOf(webhookId), this.deps.clock);
  }

  /** The same of every webhook that something waits for. */
  paces(): WebhookPace[] {
    return [...this.#queues.all()].map(({ width }) => paceOf(width, this.deps.clock));
  }

  /** Delivers what was left at the last stop, and whatever is recorded from now on. */
  start(): void {
    const { outbox } = this.deps.store.tables;
    this.#isRunning = true;
    outbox.subscribe((webhookIds) => this.wake(webhookIds));
    for (const webhookId of outbox.waitingWebhooks()) {
      if (this.deps.isOwn(webhookId)) void this.#endStopped(webhookId);
    }
  }

  /** These webhooks may have something due. */
  wake(webhookIds: Iterable<number>): void {
    if (!this.#isRunning) return;
    for (const id of webhookIds) {
      const queue = this.#ending.has(id) ? null : this.#queues.open(id);
      if (queue !== null) this.#enqueue(queue);
    }
    this.#fillSlots();
  }

  /**
   * A webhook was changed, switched off or removed, and that is on disk. If nothing may be sent to it now, its attempts
   * end.
   */
  changed(webhookId: number): void {
    this.#queues.refresh(webhookId);
    if (this.#isRunning && this.deps.isOwn(webhookId)) void this.#endStopped(webhookId);
  }

  /** An account was changed, perhaps suspended or resumed. */
  accountChanged(accountId: number): void {
    const ids = this.deps.ownOf(accountId).map(({ id }) => id);
    if (!this.deps.isSuspended(accountId)) this.wake(ids);
    else for (const id of ids) this.#queues.close(id);
  }

  /**
   * Starts no more attempts, waits up to `graceMs` for those in progress, and ends the rest, which are repeated after a
   * start.
   */
  async stop(graceMs: number): Promise<void> {
    this.#isRunning = false;
    const allFinished = new Promise<void>((resolve) => {
      this.#onAllFinished = resolve;
    });
    if (this.#unfinished === 0) this.#onAllFinished?.();
    this.#outcomes.flush();
    const endAll = () => {
      for (const queue of this.#queues.all()) queue.stop.abort();
    };
    if (graceMs <= 0) endAll();
    const grace = this.deps.clock.after(graceMs, endAll);
    await allFinished;
    grace.cancel();
    for (const queue of this.#queues.all()) queue.timer?.cancel();
  }

  #enqueue(queue: WebhookQueue): void {
    if (!this.#isRunning || queue.stop.signal.aborted) return;
    queue.timer?.cancel();
    queue.timer = null;
    this.#limiter.enqueue(queue);
  }

  #fillSlots(): void {
    const { store, clock } = this.deps;
    while (this.#isRunning && this.#unfinished < unfinishedMax) {
      const queue = this.#limiter.next();
      if (queue === null) return;
      if (queue.stop.signal.aborted) continue;
      const delivery = queue.take(clock.now(), store.tables.outbox);
      if (delivery === null) this.#sleepUntilDue(queue);
      else {
        this.#begin(queue, delivery);
        this.#limiter.enqueue(queue);
      }
    }
  }

  /** The queue has nothing due now. If nothing is waiting at all, it is removed. */
  #sleepUntilDue(queue: WebhookQueue): void {
    if (!queue.isIdle) return;
    const { store, clock } = this.deps;
    const dueAt = store.tables.outbox.nextDue(queue.webhook.id);
    if (dueAt === null) {
      this.#queues.remove(queue);
      return;
    }
    const now = clock.now();
    const wake = () => this.wake([queue.webhook.id]);
    const wakeIn = (delayMs: number) => {
      queue.timer = clock.after(Math.min(Math.max(delayMs, 1), sleepMsMax), wake);
    };
    if (dueAt - now <= waitMsMax) wakeIn(dueAt - now);
    else {
      const pulledIn = store.write((tables) => tables.outbox.pullIn(queue.webhook.id, now, now + waitMsMax));
      pulledIn.then(wake, () => wakeIn(retryMs));
    }
  }

  #begin(queue: WebhookQueue, delivery: DueDelivery): void {
    const freeSlot = this.#limiter.acquire(queue);
    this.#unfinished += 1;
    this.#attempt(queue, delivery, freeSlot)
      .catch((reason) => {
        // A bug, or a disk that refuses while the service stops: nothing is recorded, and the attempt is repeated.
        const facts = { err: reason, webhook: queue.webhook.publicId, event: delivery.eventId };
        this.deps.log.error(facts, "A callback attempt broke");
        return this.#isRunning ? sleep(this.deps.clock, retryMs) : undefined;
      })
      .finally(() => {
        this.#unfinished -= 1;
        queue.settled(delivery.id);
        this.#enqueue(queue);
        this.#fillSlots();
        if (this.#unfinished === 0) this.#onAllFinished?.();
      });
  }

  async #attempt(queue: WebhookQueue, delivery: DueDelivery, freeSlot: () => void): Promise<void> {
    const { webhook } = queue;
    const { attempts, outgoing, clock } = this.deps;
    const number = delivery.attempts + 1;
    const callback = { webhook, signingSecret: queue.signingSecretAt(clock.now()), delivery, attempt: number };
    let wasFull = false;
    const attempted = await attempts
      .send(() => outgoing(callback), queue.stop.signal)
      .finally(() => {
        wasFull = this.#limiter.isFull(queue);
        freeSlot();
      });
    this.deps.observer.attempted(attempted.failure ?? "delivered", attempted.durationMs);
    if (attempted.failure === "stopped") return;
    const answer = widthAnswerOf(attempted, clock.monotonic(), wasFull);
    if (answer !== null) queue.answered(answer);
    const at = this.deps.clock.now();
    const health = healthAfter(queue.health, attempted.failure, at);
    const hasChanged = health !== queue.health;
    queue.health = health;
    // The slot is reused before the outcome is on disk: a slow disk must not slow callbacks down.
    this.#enqueue(queue);
    this.#fillSlots();
    const outcome = deliveryOutcome(attempted, number, at, this.deps.random.fraction());
    const { retryAfterMs: _, ...attempt } = attempted;
    await this.#outcomes.write({
      deliveryId: delivery.id,
      attempt: { ...attempt, at },
      health: hasChanged ? { webhookId: webhook.id, health } : null,
      outcome,
    });
    if (outcome.state !== "waiting") this.#reportEnd(outcome.state, queue, delivery, attempted);
    if (this.deps.givesUp && isGivenUp(health)) await this.#giveUp(webhook.id, at);
  }

  /**
   * No attempt has succeeded for days: the webhook is switched off, as its customer could do, and both customer and
   * operator are told.
   */
  async #giveUp(webhookId: number, at: number): Promise<void> {
    const { store, log } = this.deps;
    const row = store.tables.webhooks.byId(webhookId);
    if (row?.active !== true) return;
    try {
      await store.write((tables) => tables.webhooks.switchOff(row, at));
    } finally {
      store.tables.webhooks.forget(row.accountId);
    }
    const facts = { webhook: row.publicId, url: row.url, failingSince: row.failingSince };
    log.warn(facts, "A webhook was switched off: every callback has failed for five days");
    this.changed(webhookId);
  }

  #reportEnd(
    state: "delivered" | "failed",
    { webhook }: WebhookQueue,
    { eventId }: DueDelivery,
    { failure, status, detail }: AttemptOutcome,
  ): void {
    this.deps.observer.ended(state);
    if (state === "delivered") return;
    const facts = { webhook: webhook.publicId, event: eventId, failure, status, detail };
    this.deps.log.warn(facts, "A callback failed for good");
  }

  async #endStopped(webhookId: number): Promise<void> {
    if (this.#ending.has(webhookId)) return;
    const { store, clock, log } = this.deps;
    this.#ending.add(webhookId);
    try {
      await endStoppedDeliveries(store, webhookId, clock, () => this.#isRunning);
    } catch (reason) {
      log.warn({ err: reason }, "Deliveries of a stopped webhook could not be ended yet");
      clock.after(retryMs, () => void this.#endStopped(webhookId));
    } finally {
      this.#ending.delete(webhookId);
    }
    this.wake([webhookId]);
  }
}
