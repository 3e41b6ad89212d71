/** Delivers what the outbox holds: each webhook at its own pace, none delayed by another, and every outcome on disk. */
import { type Clock, sleep } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import type { DueDelivery } from "../store/outbox.ts";
import type { Store } from "../store/store.ts";
import type { AttemptFailure, AttemptOutcome, CallbackAttempts } from "./attempt.ts";
import { ConcurrencyLimiter } from "./concurrency-limiter.ts";
import { deliveryOutcome, OutcomeWriter } from "./delivery-outcome.ts";
import { endStoppedDeliveries } from "./stopped-deliveries.ts";
import { healthAfter, isGivenUp } from "./webhook-health.ts";
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
  attempts: Pick<CallbackAttempts, "run">;
  openSecret(sealed: Uint8Array): string;
  isSuspended(accountId: number): boolean;
  observer: DeliveryObserver;
  /** How long an outcome waits for others to be stored with, in milliseconds; 10 unless told otherwise. */
  gatherMs?: number;
}

/** The longest wait that the schedule or a receiver can set, jitter included: a later due time comes from a clock that was wrong. */
const waitMsMax = 72 * 60_000;
/** A sleeping queue looks again after this time at the latest, so that a wall clock that jumped ahead is noticed. */
const sleepMsMax = 60_000;
/** No attempt begins while so many are not on disk yet. */
const unfinishedMax = 256;
const retryMs = 1_000;

export class Deliverer {
  readonly #deps: DelivererDeps;
  readonly #queues: WebhookQueues;
  readonly #outcomes: OutcomeWriter;
  readonly #limiter = new ConcurrencyLimiter();
  /** Webhooks whose stopped deliveries are being marked. */
  readonly #ending = new Set<number>();
  /** Attempts begun whose outcome is not on disk yet. */
  #unfinished = 0;
  #isRunning = false;
  #onAllFinished: (() => void) | null = null;

  constructor(deps: DelivererDeps) {
    const { store, clock, log, gatherMs = 10 } = deps;
    this.#deps = deps;
    this.#queues = new WebhookQueues({ ...deps, webhooks: store.tables.webhooks });
    this.#outcomes = new OutcomeWriter({ store, clock, log, gatherMs, isRunning: () => this.#isRunning });
  }

  /** How many attempts are under way. */
  get inFlight(): number {
    return this.#limiter.inFlight;
  }

  /** Delivers what was left when the service last stopped, and from now on whatever is recorded. */
  start(): void {
    const { outbox } = this.#deps.store.tables;
    this.#isRunning = true;
    outbox.subscribe((webhookIds) => this.wake(webhookIds));
    for (const webhookId of outbox.waitingWebhooks()) void this.#endStopped(webhookId);
  }

  /** Something of these webhooks may be due by now. */
  wake(webhookIds: Iterable<number>): void {
    if (!this.#isRunning) return;
    for (const id of webhookIds) {
      const queue = this.#ending.has(id) ? null : this.#queues.open(id);
      if (queue !== null) this.#enqueue(queue);
    }
    this.#fillSlots();
  }

  /** A webhook was changed, switched off or removed, and that is on disk. If nothing may be sent to it now, its attempts end. */
  changed(webhookId: number): void {
    this.#queues.refresh(webhookId);
    if (this.#isRunning) void this.#endStopped(webhookId);
  }

  /** An account was changed, perhaps suspended or resumed. */
  accountChanged(accountId: number): void {
    const ids = this.#deps.store.tables.webhooks.ofAccount(accountId).map(({ id }) => id);
    if (!this.#deps.isSuspended(accountId)) this.wake(ids);
    else for (const id of ids) this.#queues.close(id);
  }

  /** Begins no attempt any more, waits up to `graceMs` for those under way, and ends the rest; these are made again after a start. */
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
    const grace = this.#deps.clock.after(graceMs, endAll);
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
    const { store, clock } = this.#deps;
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

  /** Nothing of the queue is due now. If nothing waits at all, it is removed. */
  #sleepUntilDue(queue: WebhookQueue): void {
    if (!queue.isIdle) return;
    const { store, clock } = this.#deps;
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
        // A defect, or a disk that refuses while the service stops: nothing is recorded, and the attempt is made again.
        const facts = { err: reason, webhook: queue.webhook.publicId, event: delivery.eventId };
        this.#deps.log.error(facts, "A callback attempt broke");
        return this.#isRunning ? sleep(this.#deps.clock, retryMs) : undefined;
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
    const { eventId, kind, body } = delivery;
    const { webhook } = queue;
    const signingSecret = queue.signingSecretAt(this.#deps.clock.now());
    const number = delivery.attempts + 1;
    const callback = { url: webhook.url, signingSecret, eventId, kind, body, attempt: number };
    const attempted = await this.#deps.attempts.run(callback, queue.stop.signal).finally(freeSlot);
    this.#deps.observer.attempted(attempted.failure ?? "delivered", attempted.durationMs);
    if (attempted.failure === "stopped") return;
    const at = this.#deps.clock.now();
    const health = healthAfter(queue.health, attempted.failure, at);
    const hasChanged = health !== queue.health;
    queue.health = health;
    // The slot is used again before the outcome is on disk: a slow disk must not slow callbacks down.
    this.#enqueue(queue);
    this.#fillSlots();
    const outcome = deliveryOutcome(attempted, number, at, this.#deps.random.fraction());
    const { retryAfterMs: _, ...attempt } = attempted;
    await this.#outcomes.write({
      deliveryId: delivery.id,
      attempt: { ...attempt, at },
      health: hasChanged ? { webhookId: webhook.id, health } : null,
      outcome,
    });
    if (outcome.state !== "waiting") this.#reportEnd(outcome.state, queue, delivery, attempted);
    if (isGivenUp(health)) await this.#giveUp(webhook.id, at);
  }

  /** Nobody has answered for days: the webhook is switched off, as its customer could do it, and both are told. */
  async #giveUp(webhookId: number, at: number): Promise<void> {
    const { store, log } = this.#deps;
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
    this.#deps.observer.ended(state);
    if (state === "delivered") return;
    const facts = { webhook: webhook.publicId, event: eventId, failure, status, detail };
    this.#deps.log.warn(facts, "A callback failed for good");
  }

  async #endStopped(webhookId: number): Promise<void> {
    if (this.#ending.has(webhookId)) return;
    const { store, clock, log } = this.#deps;
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
