/** What needs an operator's look, as data: each thing with what its sentence is made of. */
import type { Reason } from "../domain/reason.ts";
import { freeBytes } from "../platform/disk-space.ts";
import { troubleOf } from "../providers/provider.ts";
import { booksAheadMs } from "./clock.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdText } from "./ids.ts";

/** Moments in epoch milliseconds. `reason`: the same as `cause`, as data. */
export type Attention =
  | { kind: "damaged"; reason: string; copy: string | null }
  | { kind: "held"; since: number }
  | { kind: "clock"; aheadMs: number }
  /** What was booked is ahead of a clock that is believed. */
  | { kind: "booksAhead"; aheadMs: number }
  | { kind: "routeDown"; route: string; since: number; waiting: number; cause: string; reason: Reason | null }
  | {
      kind: "callbacksFailing";
      webhook: string;
      account: string;
      host: string;
      since: number;
      waiting: number;
      /** Null: the service has switched it off. */
      answer: string | null;
      /** The same as data; `failure`: as the attempts of callbacks name it. */
      attempt: { failure: string | null; status: number | null; detail: string | null } | null;
    }
  | { kind: "receiptsUnmatched"; route: string; count: number }
  /** `more`: beside the senders that are named. */
  | { kind: "simulator"; senders: readonly string[]; more: number }
  | { kind: "backupOld"; at: number }
  | { kind: "certificate"; endsAt: number }
  | { kind: "disk"; freeBytes: number };

/** Of those that a simulator carries. */
const sendersNamedMax = 5;
const dayMs = 24 * 3_600_000;
/** A certificate is usually renewed a month before its end. */
const certificateMsMin = 14 * dayMs;
const freeBytesMin = 1_000_000_000;
/** A receipt may come before the answer to its submit; after this time it belongs to nothing. */
const orphanMsMin = 60_000;
/** A backup may fail once and be late once before anybody is told. */
const backupIntervalsMax = 3;

export function attentionOf(deps: OperatorDeps, waitingByRoute: ReadonlyMap<number, number>): Attention[] {
  return [
    ...damaged(deps),
    ...held(deps),
    ...wrongClock(deps),
    ...booksAhead(deps),
    ...routesDown(deps, waitingByRoute),
    ...callbacksFailing(deps),
    ...receiptsUnmatched(deps),
    ...simulated(deps),
    ...fullDisk(deps),
    ...certificateEnding(deps),
    ...backupOld(deps),
  ];
}

function damaged({ damage }: OperatorDeps): Attention[] {
  const found = damage.damage();
  return found === null ? [] : [{ kind: "damaged", reason: found.reason, copy: found.copy }];
}

function held({ sending }: OperatorDeps): Attention[] {
  const since = sending.heldSince();
  return since === null ? [] : [{ kind: "held", since }];
}

function wrongClock({ wallClock }: OperatorDeps): Attention[] {
  const doubt = wallClock.doubt();
  return doubt === null ? [] : [{ kind: "clock", aheadMs: doubt.aheadMs }];
}

function booksAhead({ bookingClock }: OperatorDeps): Attention[] {
  const aheadMs = booksAheadMs(bookingClock);
  return aheadMs === null ? [] : [{ kind: "booksAhead", aheadMs }];
}

/** One that nothing waits for and no active sender uses holds nobody up. */
function routesDown(
  { directory, running, routingPlans }: OperatorDeps,
  waitingByRoute: ReadonlyMap<number, number>,
): Attention[] {
  const used = routingPlans.plans.usedRoutes();
  return directory.routes().flatMap(({ id, name: route, enabled }) => {
    const state = running.state(id);
    if (!enabled || state === null || state.health.up) return [];
    const waiting = waitingByRoute.get(id) ?? 0;
    if (waiting === 0 && !used.has(id)) return [];
    const broken = troubleOf(state.health);
    const told = { cause: broken?.lastError ?? "", reason: broken?.lastReason ?? null };
    return [{ kind: "routeDown" as const, route, since: state.upChangedAt, waiting, ...told }];
  });
}

function callbacksFailing({ webhooks, directory }: OperatorDeps): Attention[] {
  return webhooks.failing().map(({ webhook, waiting, answer, attempt }) => ({
    kind: "callbacksFailing",
    webhook: webhook.publicId,
    account: directory.account(webhook.accountId)?.name ?? accountIdText(webhook.accountId),
    host: new URL(webhook.url).host,
    since: webhook.failingSince ?? webhook.switchedOffAt ?? webhook.updatedAt,
    waiting,
    answer,
    attempt: attempt === null ? null : { failure: attempt.failure, status: attempt.status, detail: attempt.detail },
  }));
}

/** Routes on which receipts came and none of them has matched. */
function receiptsUnmatched({ directory, running, messages, clock }: OperatorDeps): Attention[] {
  return directory.routes().flatMap(({ id, name: route }) => {
    if (running.state(id)?.receiptsMatched !== 0) return [];
    const aged = messages.unmatchedReceipts(id).filter(({ receivedAt }) => clock.now() - receivedAt > orphanMsMin);
    return aged.length === 0 ? [] : [{ kind: "receiptsUnmatched" as const, route, count: aged.length }];
  });
}

/** With simulated routes everything looks delivered and no message reaches a phone. */
function simulated({ directory, routingPlans: { plans } }: OperatorDeps): Attention[] {
  const first = (senderId: number) => directory.routeById(plans.firstRouteUsedBy(senderId) ?? 0);
  const senders = directory.activeSenders().filter(({ id }) => first(id)?.kind === "simulator");
  if (senders.length === 0) return [];
  const named = senders.slice(0, sendersNamedMax).map(({ sender }) => sender);
  return [{ kind: "simulator", senders: named, more: senders.length - named.length }];
}

function fullDisk({ facts }: OperatorDeps): Attention[] {
  const free = freeBytes(facts.dataDir);
  return free >= freeBytesMin ? [] : [{ kind: "disk", freeBytes: free }];
}

function certificateEnding({ certificateEndsAt, clock }: OperatorDeps): Attention[] {
  const endsAt = certificateEndsAt();
  return endsAt === null || endsAt - clock.now() > certificateMsMin ? [] : [{ kind: "certificate", endsAt }];
}

function backupOld({ backups, clock }: OperatorDeps): Attention[] {
  const intervalMs = backups.intervalMs() ?? dayMs;
  const at = backups.newestAt();
  return at === null || clock.now() - at <= intervalMs * backupIntervalsMax ? [] : [{ kind: "backupOld", at }];
}
