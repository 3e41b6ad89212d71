/** The queue's clerk: takes messages in turn, claims them, hands them to their route, and wakes up when something is due. */
import { type Clock, sleep, type Timer } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import type { ProviderEvents, Receipt, SubmitOutcome } from "../providers/provider.ts";
import type { MessageRow } from "../store/messages.ts";
import type { LaneKey } from "../store/queue.ts";
import type { Store } from "../store/store.ts";
import { type ClaimCandidate, claimCandidates, collectCandidates } from "./claim-batch.ts";
import { LaneScheduler } from "./lane-scheduler.ts";
import { type ReceiptIntake, receiptIntake } from "./receipt-intake.ts";
import type { ReceiptEffect } from "./receipts.ts";
import { RouteSelector, type SenderRoutes } from "./route-selector.ts";
import type { RouteSet, RunningRoute } from "./route-set.ts";
import { type Submitter, storeRetryMs, submitter } from "./submitter.ts";
import { sweep, takeUpUncertain } from "./sweep.ts";

export interface DispatchObserver {
  submitted(route: RunningRoute, outcome: SubmitOutcome, parts: number): void;
  receipt(routeId: number, state: Receipt["state"], effect: ReceiptEffect): void;
}

export interface DispatcherOptions {
  store: Store;
  clock: Clock;
  random: Random;
  log: Logger;
  directory: SenderRoutes;
  observer: DispatchObserver;
  /** The whole text of a one-time password, which rests sealed. Throws where the key is another one by now. */
  openText(message: MessageRow): string;
}

/** The longest sleep: a wall clock that was set forward is noticed within this time. */
const tickMsMax = 1_000;
/** The shortest sleep before something that is due soon. */
const tickMsMin = 5;
const sweepEveryMs = 60_000;

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #lanes: LaneScheduler;
  readonly #ways: RouteSelector;
  readonly #handover: Submitter;
  readonly #receipts: ReceiptIntake;
  /** Claims that the disk has not taken yet. */
  readonly #claiming = new Set<Promise<void>>();
  #pumpAsked = false;
  #serving = false;
  /** Set for a while after the disk refused claims. */
  #resting = false;
  #timer: Timer | null = null;
  #sweepAt: number;

  constructor(options: DispatcherOptions) {
    const { store, clock, random, log, directory, observer, openText } = options;
    this.#options = options;
    this.#lanes = new LaneScheduler(store.tables.queue, clock, directory.accountOf);
    this.#ways = new RouteSelector(directory, clock, random);
    this.#receipts = receiptIntake(store, clock);
    this.#sweepAt = clock.monotonic() + sweepEveryMs;
    this.#handover = submitter({
      store,
      clock,
      log,
      selector: this.#ways,
      openText,
      submitted: (route, outcome, parts) => observer.submitted(route, outcome, parts),
      waits: (message, dueAt) => this.#lanes.offer(message, { dueAt, id: message.id }),
      ended: this.changed,
    });
  }

  /** Takes up what the last run left behind, then begins to serve. */
  async start(routes: RouteSet): Promise<void> {
    const { store } = this.#options;
    this.#ways.open(routes);
    store.tables.parts.lookForOrphans();
    await takeUpUncertain(store, (routeId) => this.#ways.contextOf(routeId, 1));
    this.#lanes.rewind();
    this.#serving = true;
    this.#tick();
  }

  /**
   * Claims nothing more, and resolves once what was being claimed is handed over: left behind, it would be uncertain at the next
   * start, and the policy `fail` would give up what nobody had sent. What is in flight settles when its route stops.
   */
  async hold(): Promise<void> {
    this.#serving = false;
    this.#timer?.cancel();
    await Promise.allSettled(this.#claiming);
  }

  /** Waits until every answer is written down. */
  settled(): Promise<void> {
    return this.#handover.settled();
  }

  /** Messages were committed; their ids go to the lanes. */
  readonly accepted = (waiting: readonly (LaneKey & { id: number; dueAt: number })[]): void => {
    for (const message of waiting) this.#lanes.offer(message, message);
    this.changed();
  };

  /** Something that a way depends on has changed: a route, an account, a window. Pumps once a turn, however many ask. */
  readonly changed = (): void => {
    if (this.#pumpAsked || !this.#serving || this.#resting) return;
    this.#pumpAsked = true;
    queueMicrotask(() => void this.#pump());
  };

  /** What the provider of a route tells. */
  events(routeId: number): Omit<ProviderEvents, "healthChanged" | "inbound"> {
    return {
      receipt: async (receipt) => {
        const effect = await this.#receipts.take(routeId, receipt);
        this.#options.observer.receipt(routeId, receipt.state, effect);
      },
      lateAnswer: (messageId, outcome) => this.#handover.answeredLate(messageId, outcome, routeId),
    };
  }

  async #pump(): Promise<void> {
    this.#pumpAsked = false;
    if (!this.#serving || this.#resting) return;
    const picks = collectCandidates(this.#lanes, this.#ways);
    this.#sleep();
    if (picks.length === 0) return;
    const claiming = this.#claim(picks);
    this.#claiming.add(claiming);
    try {
      await claiming;
    } catch (reason) {
      for (const { way, partsHeld } of picks) way.route.limiter.refund(partsHeld);
      await this.#standBack(reason);
    } finally {
      this.#claiming.delete(claiming);
    }
    this.changed();
  }

  async #claim(picks: readonly ClaimCandidate[]): Promise<void> {
    const claimed = await claimCandidates(this.#options.store, picks, this.#ways, this.#options.log);
    for (const [index, pick] of picks.entries()) this.#handOver(pick, claimed[index] ?? null);
  }

  #handOver({ way, lane, partsHeld }: ClaimCandidate, message: MessageRow | null): void {
    way.route.limiter.refund(partsHeld);
    if (message === null) return;
    lane.partsHeld = message.partCount;
    this.#handover.begin(this.#ways.route(message.routeId ?? 0) ?? way.route, way.routeIds.length, message);
  }

  async #standBack(reason: unknown): Promise<void> {
    const { log, clock } = this.#options;
    log.error({ err: reason }, "claims were not stored; the queue waits");
    this.#lanes.rewind();
    this.#resting = true;
    await sleep(clock, storeRetryMs);
    this.#resting = false;
  }

  /** Until a gate opens by itself or something becomes due. */
  #sleep(): void {
    const { clock } = this.#options;
    this.#timer?.cancel();
    const waits: number[] = [tickMsMax];
    for (const { limiter } of this.#ways.all()) {
      const waitMs = limiter.waitMs();
      if (waitMs > 0) waits.push(waitMs);
    }
    const nextDueAt = this.#lanes.nextDueAt();
    if (nextDueAt !== null) waits.push(Math.max(nextDueAt - clock.now(), tickMsMin));
    this.#timer = clock.after(Math.min(...waits), () => this.#tick());
  }

  #tick(): void {
    const { clock, store, log } = this.#options;
    if (clock.monotonic() >= this.#sweepAt) {
      this.#sweepAt = clock.monotonic() + sweepEveryMs;
      this.#lanes.rewind();
      const failed = (reason: unknown) => log.error({ err: reason }, "sweep failed");
      void sweep(store, this.#lanes.all(), clock.now()).catch(failed);
    }
    this.changed();
  }
}
