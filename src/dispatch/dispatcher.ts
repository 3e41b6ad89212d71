/** The queue: claims due messages in turn, hands them to their route, and wakes up when one becomes due. */
import { lateAfterMs } from "../domain/delivery-failover.ts";
import { type Clock, sleep, type Timer } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import { afterThisStretch, nextTurn } from "../platform/next-turn.ts";
import type { Random } from "../platform/random.ts";
import type { Provider, ProviderEvents, Receipt, SubmitOutcome } from "../providers/provider.ts";
import type { MessageRow } from "../store/messages.ts";
import type { LaneKey, QueuePosition } from "../store/queue.ts";
import type { Store } from "../store/store.ts";
import { type ClaimCandidate, claimCandidates, collectCandidates } from "./claim.ts";
import type { ClaimRules } from "./claim-rules.ts";
import { LaneScheduler } from "./lane-scheduler.ts";
import { storeRetryMs } from "./outcome-intake.ts";
import { OverdueReceipts } from "./overdue-receipts.ts";
import { moveQuiet } from "./quiet-lanes.ts";
import { type ReceiptEffect, ReceiptIntake } from "./receipts.ts";
import { RouteSelector, type SenderRoutes } from "./route-selector.ts";
import type { RouteSet, RunningRoute } from "./route-set.ts";
import type { OpenText } from "./submission.ts";
import { Submitter } from "./submitter.ts";
import { expireOverdue, pullInAccepted, pullInRetries, recoverUncertain } from "./sweep.ts";

export interface DispatchObserver {
  submitted(route: RunningRoute, outcome: SubmitOutcome, parts: number): void;
  receipt(routeId: number, state: Receipt["state"], effect: Exclude<ReceiptEffect, "late">): void;
}

export interface DispatcherDeps {
  store: Store;
  clock: Clock;
  random: Random;
  log: Logger;
  directory: SenderRoutes;
  observer: DispatchObserver;
  openText: OpenText;
  rules: ClaimRules;
  /** False while the wall clock is in doubt (see ClaimDeps). */
  mayExpire(): boolean;
  /** See SubmitterDeps. */
  turn?: () => Promise<void> | null;
}

/** The longest sleep: a wall clock that was set forward is noticed within this time. */
const tickMsMax = 1_000;
/** The shortest sleep before something that is due soon. */
const tickMsMin = 5;
const sweepEveryMs = 60_000;
const moveEveryMs = 1_000;

export class Dispatcher {
  readonly #lanes: LaneScheduler;
  readonly #selector: RouteSelector;
  readonly #submitter: Submitter;
  readonly #receipts: ReceiptIntake;
  readonly #overdue: OverdueReceipts;
  /** Claims not yet on disk. */
  readonly #claiming = new Set<Promise<void>>();
  #recalling: Promise<void> = Promise.resolve();
  #pullingIn: Promise<void> = Promise.resolve();
  /** The disk refused; the next sweep tries again. */
  #mustPullIn = false;
  readonly #isOver = () => !this.#serving;
  #pumpAsked = false;
  #serving = false;
  /** Set for a while after the disk refused claims. */
  #paused = false;
  #timer: Timer | null = null;
  #sweepAt: number;
  /** The wall clock at the last tick. */
  #tickedAt = 0;
  #moveAt = 0;
  /** Fails messages past their validity, while it runs. */
  #expiring: Promise<void> | null = null;
  /** Moves of messages to the end of quiet hours. */
  #moving: Promise<void> = Promise.resolve();

  constructor(private readonly deps: DispatcherDeps) {
    const { store, clock, random, log, directory, observer, openText, rules, turn } = deps;
    this.#lanes = new LaneScheduler(store.tables.queue, clock, (senderId) => directory.accountOf(senderId));
    this.#selector = new RouteSelector(directory, clock, random, rules);
    this.#receipts = new ReceiptIntake(store, clock);
    this.#overdue = new OverdueReceipts({ store, clock, log });
    this.#sweepAt = clock.monotonic() + sweepEveryMs;
    this.#submitter = new Submitter({
      store,
      clock,
      log,
      selector: this.#selector,
      openText,
      submitted: (route, outcome, parts) => observer.submitted(route, outcome, parts),
      willRetry: (message, dueAt) => this.#lanes.offer(message, { dueAt, id: message.id }),
      roomFreed: this.changed,
      ...(turn && { turn }),
    });
  }

  /** Recovers what the last run left behind, then starts claiming. */
  async start(routes: RouteSet): Promise<void> {
    const { store, clock, log } = this.deps;
    this.#selector.attach(routes);
    store.tables.orphanReceipts.look();
    await this.#overdue.forgetOthers(this.#selector.all());
    await recoverUncertain(store, (routeId) => this.#selector.outcomeContext(routeId, 1));
    await pullInRetries(store, clock.now());
    this.#lanes.rewind();
    this.#serving = true;
    this.#recalling = recallUnreported(store, this.#selector.all(), this.#isOver).catch((reason: unknown) =>
      log.error({ err: reason }, "providers were not reminded of what they took"),
    );
    this.#pullIn();
    this.#tick();
  }

  /**
   * Stops claiming, and resolves once the claims in progress are handed over: if left behind, they would be uncertain
   * at the next start, and the policy `fail` would fail messages that were never sent. Submits in flight settle when
   * their route stops.
   */
  async hold(): Promise<void> {
    this.#serving = false;
    this.#timer?.cancel();
    await Promise.allSettled([
      ...this.#claiming,
      this.#recalling,
      this.#pullingIn,
      this.#overdue.settled(),
      this.#moving,
      this.#expiring,
    ]);
  }

  /** Resolves once every answer is stored. */
  settled(): Promise<void> {
    return this.#submitter.settled();
  }

  /** Puts committed messages into their lanes. */
  readonly accepted = (waiting: readonly (LaneKey & QueuePosition & { submittedAt: number })[]): void => {
    for (const message of waiting) this.#lanes.offer(message, message, message.submittedAt);
    this.changed();
  };

  /** The clock is trusted again: messages held meanwhile are sent, or expire. */
  readonly clockBelieved = (): void => {
    if (!this.#serving) return;
    this.#sweepAt = 0;
    this.#timer?.cancel();
    this.#timer = this.deps.clock.after(0, () => this.#tick());
  };

  /**
   * A route, an account or a window has changed. Claims once per turn of the event loop, however often this is called.
   */
  readonly changed = (): void => {
    if (this.#pumpAsked || !this.#serving || this.#paused) return;
    this.#pumpAsked = true;
    afterThisStretch(() => void this.#pump());
  };

  /** Takes the events of a route's provider. */
  events(routeId: number): Omit<ProviderEvents, "healthChanged" | "inbound"> {
    return {
      receipt: async (receipt) => {
        const effect = await this.#receipts.take(routeId, receipt);
        const route = this.#selector.route(routeId);
        if (route !== undefined && effect !== "orphaned") noteReceipt(route, effect, this.deps.clock.now());
        this.deps.observer.receipt(routeId, receipt.state, effect === "late" ? "applied" : effect);
      },
      lateAnswer: (messageId, outcome) => this.#submitter.storeLateAnswer(messageId, outcome, routeId),
    };
  }

  async #pump(): Promise<void> {
    this.#pumpAsked = false;
    if (!this.#serving || this.#paused) return;
    const candidates = collectCandidates(this.#lanes, this.#selector);
    this.#sleep();
    if (candidates.length === 0) return;
    const claiming = this.#claim(candidates);
    this.#claiming.add(claiming);
    try {
      await claiming;
    } catch (reason) {
      for (const { choice, partsHeld } of candidates) choice.route.limiter.unclaim(partsHeld);
      await this.#pauseAfter(reason);
    } finally {
      this.#claiming.delete(claiming);
    }
    this.changed();
  }

  async #claim(candidates: readonly ClaimCandidate[]): Promise<void> {
    const claimed = await claimCandidates({ ...this.deps, selector: this.#selector }, candidates);
    for (const [index, candidate] of candidates.entries()) this.#handOver(candidate, claimed[index] ?? null);
  }

  #handOver({ choice, lane, partsHeld }: ClaimCandidate, message: MessageRow | null): void {
    choice.route.limiter.unclaim(partsHeld);
    if (message === null) return;
    lane.partsHeld = message.partCount;
    const route = this.#selector.route(message.routeId ?? 0) ?? choice.route;
    this.#submitter.begin(route, choice.routeIds.length, message);
  }

  async #pauseAfter(reason: unknown): Promise<void> {
    const { log, clock } = this.deps;
    log.error({ err: reason }, "claims were not stored; the queue waits");
    this.#lanes.rewind();
    this.#paused = true;
    await sleep(clock, storeRetryMs);
    this.#paused = false;
  }

  /** Sets the timer for when a limiter's rate or pause lets messages through again, or a message becomes due. */
  #sleep(): void {
    const { clock } = this.deps;
    this.#timer?.cancel();
    const waits: number[] = [tickMsMax];
    for (const { limiter } of this.#selector.all()) {
      const waitMs = limiter.waitMs();
      if (waitMs > 0) waits.push(waitMs);
    }
    const nextDueAt = this.#lanes.nextDueAt();
    if (nextDueAt !== null) waits.push(Math.max(nextDueAt - clock.now(), tickMsMin));
    this.#timer = clock.after(Math.min(...waits), () => this.#tick());
  }

  async #sweep(): Promise<void> {
    const { clock, store, mayExpire } = this.deps;
    store.tables.orphanReceipts.look();
    if (await pullInRetries(store, clock.now())) {
      this.#lanes.rewind();
      this.changed();
    }
    if (this.#mustPullIn) this.#pullIn();
    // A walk over a long queue may outlast the time to the next one.
    if (!mayExpire() || this.#expiring !== null) return;
    this.#expiring = expireOverdue(store, this.#lanes.all(), clock.now(), this.#isOver);
    await this.#expiring.finally(() => {
      this.#expiring = null;
    });
  }

  #pullIn(): void {
    const { store, clock, log } = this.deps;
    this.#mustPullIn = false;
    this.#pullingIn = pullInAccepted(store, this.#lanes.all(), clock.now(), this.#isOver).then(
      this.changed,
      (reason: unknown) => {
        this.#mustPullIn = true;
        log.error({ err: reason }, "messages accepted by a clock that was ahead still wait");
      },
    );
  }

  #tick(): void {
    const { clock, store, log } = this.deps;
    const failed = (reason: unknown) => log.error({ err: reason }, "sweep failed");
    const now = clock.now();
    const wentBack = now < this.#tickedAt - tickMsMax;
    this.#tickedAt = now;
    if (wentBack || clock.monotonic() >= this.#sweepAt) {
      this.#sweepAt = clock.monotonic() + sweepEveryMs;
      this.#lanes.rewind();
      void this.#sweep().catch(failed);
    }
    this.#overdue.look(this.#selector.all());
    if (clock.monotonic() >= this.#moveAt) {
      this.#moveAt = Number.POSITIVE_INFINITY;
      this.#moving = moveQuiet(store, this.#lanes.all(), clock.now(), this.#selector.quietUntil)
        .catch(failed)
        .finally(() => {
          this.#moveAt = clock.monotonic() + moveEveryMs;
        });
    }
    this.changed();
  }
}

/** Receipts that waited while the route was down are not the carrier's delay. */
function noteReceipt(route: RunningRoute, effect: ReceiptEffect, now: number): void {
  route.receiptsMatched += 1;
  if (route.configuration.failover === null || effect === "repeated") return;
  route.pace.add(effect === "late" && now - route.upChangedAt > lateAfterMs, now);
}

/** Only the newest messages are examined: older ones await no receipt from a provider that reports at once. */
const messagesMax = 100_000;
/** Messages per slice: less than a millisecond. */
const sliceMessages = 2_000;

/** Stops early once `isOver`. */
async function recallUnreported(store: Store, routes: Iterable<RunningRoute>, isOver: () => boolean): Promise<void> {
  const forgetful = new Map<number, Provider>();
  for (const { configuration, provider } of routes) {
    if (provider.recall !== undefined) forgetful.set(configuration.id, provider);
  }
  if (forgetful.size === 0) return;
  const end = store.tables.messageSearch.end();
  const first = Math.max(end - messagesMax, 1);
  for (let before = end; before > first && !isOver(); before -= sliceMessages) {
    const found = store.tables.parts.unreported(Math.max(before - sliceMessages, first), before);
    for (const part of found) forgetful.get(part.routeId)?.recall?.(part);
    await nextTurn();
  }
}
