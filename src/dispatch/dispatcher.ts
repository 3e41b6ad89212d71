/** The queue's clerk: takes messages in turn, claims them, hands them to their route and writes down what became of them. */
import { messageClasses } from "../domain/message.ts";
import type { Clock, Timer } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import type { ProviderEvents, Receipt, SubmitOutcome } from "../providers/provider.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import type { MessageRow } from "../store/messages.ts";
import type { LaneKey } from "../store/queue.ts";
import type { Store, Tables } from "../store/store.ts";
import { claim } from "./claim.ts";
import type { Lane } from "./lane.ts";
import { Lanes } from "./lanes.ts";
import { receiptIntake } from "./receipt-intake.ts";
import type { ReceiptEffect } from "./receipts.ts";
import type { RouteSet, RunningRoute } from "./routes.ts";
import { submitSealed } from "./sealed.ts";
import { type SettlementContext, settle, settleLate } from "./settlement.ts";
import { submissionOf } from "./submission.ts";
import { sweep, takeUpUncertain } from "./sweep.ts";

/** What the dispatcher asks of the accounts' directory. */
export interface SenderDirectory {
  accountOf(senderId: number): number;
  /** Route ids in order of preference. */
  routesOf(senderId: number): readonly number[];
  isSuspended(accountId: number): boolean;
}

export interface DispatchObserver {
  submitted(route: RunningRoute, outcome: SubmitOutcome, parts: number): void;
  receipt(routeId: number, state: Receipt["state"], effect: ReceiptEffect): void;
}

export interface DispatcherOptions {
  store: Store;
  clock: Clock;
  random: Random;
  log: Logger;
  directory: SenderDirectory;
  observer: DispatchObserver;
  /** The whole text of a one-time password, which rests sealed. Throws where the key is another one by now. */
  openText(message: MessageRow): string;
}

/** Messages claimed in one transaction at the most: more would hold the event loop and delay the answers of others. */
const claimsMax = 256;
/** How long to leave the disk alone after it refused a write. */
const storeRetryMs = 1_000;
/** The longest sleep: a wall clock that was set forward is noticed within this time. */
const tickMsMax = 1_000;
/** The shortest sleep before something that is due soon. */
const tickMsMin = 5;
const sweepEveryMs = 60_000;

/** The way that a message may take now, and all routes of its sender in order. */
interface Way {
  route: RunningRoute;
  routeIds: readonly number[];
}

interface Pick {
  messageId: number;
  way: Way;
}

export type Dispatcher = ReturnType<typeof dispatcher>;

export function dispatcher(options: DispatcherOptions) {
  const { store, clock, random, log, directory, observer } = options;
  const lanes = new Lanes(store.tables.queue, clock, directory.accountOf);
  const receipts = receiptIntake(store, clock);
  let routes: RouteSet | null = null;
  let pumpAsked = false;
  let serving = false;
  /** Set for a while after the disk refused claims. */
  let resting = false;
  let timer: Timer | null = null;
  let sweepAt = clock.monotonic() + sweepEveryMs;
  /** Submits handed over and not yet written down. */
  const unsettled = new Set<Promise<void>>();

  function contextOf(routeId: number, routeCount: number): SettlementContext {
    const onUncertain = routes?.get(routeId)?.configuration.onUncertain ?? "resend";
    return { routeId, routeCount, onUncertain, now: clock.now(), jitter: random.fraction() };
  }

  /** The first route of the sender that is up; null while that one is full or slow, too: its turn comes. */
  function wayOf(lane: Lane): Way | null {
    if (directory.isSuspended(lane.accountId)) return null;
    const routeIds = directory.routesOf(lane.key.senderId);
    for (const routeId of routeIds) {
      const route = routes?.get(routeId);
      if (route?.up) return route.gate.open() ? { route, routeIds } : null;
    }
    return null;
  }

  /** After a refusal the next route of the sender takes its try, where that one is up and has room: failover in order. */
  function routeOfTry({ route, routeIds }: Way, message: MessageRow): RunningRoute {
    const next = routes?.get(routeIds[message.attempts % routeIds.length] ?? 0);
    return next?.up && next.gate.open() ? next : route;
  }

  function gatherPicks(): Pick[] {
    const picks: Pick[] = [];
    while (picks.length < claimsMax) {
      const turn = lanes.take(wayOf);
      if (turn === null) break;
      // The number of parts is known at the claim; until then the message holds one place.
      turn.way.route.gate.take(1);
      picks.push({ messageId: turn.place.id, way: turn.way });
    }
    return picks;
  }

  function claimPicks(tables: Tables, picks: readonly Pick[]): (MessageRow | null)[] {
    return picks.map(({ messageId, way }) =>
      claim(tables, messageId, (message) => {
        const context = contextOf(routeOfTry(way, message).configuration.id, way.routeIds.length);
        // A message that nobody answered for is judged by the route that it was on.
        return { ...context, onUncertain: contextOf(message.routeId ?? context.routeId, 1).onUncertain };
      }),
    );
  }

  /** A message whose claim breaks off must not hold up the others of its group. */
  async function claimAll(picks: readonly Pick[]): Promise<(MessageRow | null)[]> {
    try {
      return await store.write((tables) => claimPicks(tables, picks));
    } catch (reason) {
      if (reason instanceof StoreUnavailable || picks.length === 1) throw reason;
      const alone = (pick: Pick) =>
        store
          .write((tables) => claimPicks(tables, [pick])[0] ?? null)
          .catch((defect: unknown) => {
            log.error({ messageId: pick.messageId, err: defect }, "a message cannot be claimed");
            return null;
          });
      return Promise.all(picks.map(alone));
    }
  }

  async function pump(): Promise<void> {
    pumpAsked = false;
    if (!serving || resting) return;
    const picks = gatherPicks();
    schedule();
    if (picks.length === 0) return;
    try {
      const claimed = await claimAll(picks);
      for (const [index, pick] of picks.entries()) handOver(pick, claimed[index] ?? null);
    } catch (reason) {
      for (const { way } of picks) way.route.gate.refund(1);
      await standBack(reason);
    }
    ask();
  }

  async function standBack(reason: unknown): Promise<void> {
    log.error({ err: reason }, "claims were not stored; the queue waits");
    lanes.rewind();
    resting = true;
    await new Promise<void>((resolve) => clock.after(storeRetryMs, resolve));
    resting = false;
  }

  function handOver({ way }: Pick, message: MessageRow | null): void {
    way.route.gate.refund(1);
    if (message === null) return;
    const route = routes?.get(message.routeId ?? 0) ?? way.route;
    route.gate.take(message.partCount);
    const settled = submit(route, way.routeIds.length, message)
      .catch((reason: unknown) => log.error({ trackingCode: message.trackingCode, err: reason }, "submit went astray"))
      .finally(() => {
        unsettled.delete(settled);
        ask();
      });
    unsettled.add(settled);
  }

  async function submit(route: RunningRoute, routeCount: number, message: MessageRow): Promise<void> {
    const outcome = await handedTo(route, message).catch(broke);
    route.gate.give(message.partCount);
    if (outcome.kind === "throttled" && outcome.pause === "route") route.gate.throttle(outcome.retryAfterMs);
    route.counts[outcome.kind] = (route.counts[outcome.kind] ?? 0) + 1;
    observer.submitted(route, outcome, message.partCount);
    if (outcome.kind !== "accepted") {
      const { trackingCode } = message;
      log.info(
        { trackingCode, route: route.configuration.name, outcome: outcome.kind, detail: outcome.detail },
        "submit",
      );
    }
    const context = contextOf(route.configuration.id, routeCount);
    const after = await writeUntilStored((tables) => settle(tables, message, outcome, context));
    if (after?.dueAt != null) lanes.offer(message, { dueAt: after.dueAt, id: message.id });
  }

  function handedTo({ provider }: RunningRoute, message: MessageRow): Promise<SubmitOutcome> {
    if (message.class !== messageClasses.otp) return provider.submit(submissionOf(message, message.text));
    return submitSealed(message, options.openText, (text) => provider.submit(submissionOf(message, text)));
  }

  /** A provider never rejects. Should one do so all the same, nobody knows what it did. */
  function broke(reason: unknown): SubmitOutcome {
    log.error({ err: reason }, "a provider broke off");
    return { kind: "uncertain", detail: `The provider broke off: ${String(reason)}`, lateAnswer: false };
  }

  /** What a carrier has done cannot be undone: the write is tried until the disk takes it, and the route's window stays taken. */
  async function writeUntilStored<T>(change: (tables: Tables) => T): Promise<T> {
    for (;;) {
      try {
        return await store.write(change);
      } catch (reason) {
        if (!(reason instanceof StoreUnavailable)) throw reason;
        log.error({ err: reason }, "an answer waits for the disk");
        await new Promise<void>((resolve) => clock.after(storeRetryMs, resolve));
      }
    }
  }

  /** Pumps once in this turn of the event loop, however many ask. */
  function ask(): void {
    if (pumpAsked || !serving || resting) return;
    pumpAsked = true;
    queueMicrotask(() => void pump());
  }

  /** Sleeps until a gate opens by itself or something becomes due. */
  function schedule(): void {
    timer?.cancel();
    const waits: number[] = [tickMsMax];
    for (const { gate } of routes?.all() ?? []) {
      const waitMs = gate.waitMs();
      if (waitMs > 0) waits.push(waitMs);
    }
    const nextDueAt = lanes.nextDueAt();
    if (nextDueAt !== null) waits.push(Math.max(nextDueAt - clock.now(), tickMsMin));
    timer = clock.after(Math.min(...waits), tick);
  }

  function tick(): void {
    if (clock.monotonic() >= sweepAt) {
      sweepAt = clock.monotonic() + sweepEveryMs;
      lanes.rewind();
      void sweep(store, lanes.all(), clock.now()).catch((reason: unknown) =>
        log.error({ err: reason }, "sweep failed"),
      );
    }
    ask();
  }

  function events(routeId: number): Omit<ProviderEvents, "healthChanged" | "inbound"> {
    return {
      async receipt(receipt) {
        const effect = await receipts.take(routeId, receipt);
        observer.receipt(routeId, receipt.state, effect);
      },
      lateAnswer(messageId, outcome) {
        const context = contextOf(routeId, 1);
        void writeUntilStored((tables) => settleLate(tables, messageId, outcome, context));
      },
    };
  }

  return {
    events,

    /** Messages were committed; their ids go to the lanes. */
    accepted(waiting: readonly (LaneKey & { id: number; dueAt: number })[]): void {
      for (const message of waiting) lanes.offer(message, message);
      ask();
    },

    /** Something that `wayOf` asks about has changed: a route, an account, a window. */
    changed: ask,

    /** Takes up what the last run left behind, then begins to serve. */
    async start(routeSet: RouteSet): Promise<void> {
      routes = routeSet;
      store.tables.parts.lookForOrphans();
      await takeUpUncertain(store, (routeId) => contextOf(routeId, 1));
      lanes.rewind();
      serving = true;
      tick();
    },

    /** Hands over nothing more. What is in flight settles when its route stops. */
    hold(): void {
      serving = false;
      timer?.cancel();
    },

    /** Waits until every answer is written down. */
    async settled(): Promise<void> {
      await Promise.all(unsettled);
    },
  };
}
