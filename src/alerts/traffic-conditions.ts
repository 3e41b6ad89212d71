/** Conditions by what was sent: a route that delivers less than it used to, an account that suddenly sends much more. */

import { alertOf } from "../domain/alert-text.ts";
import { accountIdText } from "../domain/id-text.ts";
import type { Clock } from "../platform/clock.ts";
import type { FiguresRequest, FiguresRow } from "../reports/protocol.ts";
import { slotMs } from "../store/rollup-counts.ts";
import type { AlertCondition, AlertFinding } from "./condition.ts";

export interface TrafficConditionsDeps {
  figures(request: FiguresRequest): Promise<FiguresRow[]>;
  routeName(id: number): string | null;
  accountName(id: number): string | null;
  clock: Pick<Clock, "monotonic">;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;
/** The figures of a week are read by then again. */
const judgedEveryMs = 10 * 60_000;

/** Receipts of nearly all messages have come after an hour. */
const settledMs = hourMs;
const judgedMs = 2 * hourMs;
const messagesMin = 50;
const weekMessagesMin = 500;
/** Of what the route delivered in the week before. */
const shareMin = 0.7;

const jumpMessagesMin = 1_000;
/** Of the account's highest hour of the week before. */
const jumpFactor = 5;

export function trafficConditions(deps: TrafficConditionsDeps): AlertCondition[] {
  return [deliveryRateFell(deps), trafficJumped(deps)];
}

function deliveryRateFell(deps: TrafficConditionsDeps): AlertCondition {
  return {
    name: "DeliveryRateFell",
    severity: "ticket",
    holdMs: 0,
    windowMs: 0,
    isOfRoute: true,
    todo: (route) => `peyk message search --status failed --route ${route}`,
    find: every(deps.clock, async (now) => {
      const to = now - settledMs;
      const recent = await deps.figures({ ...span(to - judgedMs, to), by: ["routeId"], filter: {} });
      const judged = recent.filter(({ routeId, messages }) => routeId !== 0 && messages >= messagesMin);
      if (judged.length === 0) return [];
      const week = await deps.figures({ ...span(to - dayMs - weekMs, to - dayMs), by: ["routeId"], filter: {} });
      return judged.flatMap((row): AlertFinding[] => {
        const before = week.find(({ routeId }) => routeId === row.routeId);
        const subject = deps.routeName(row.routeId ?? 0);
        if (subject === null || before === undefined || before.messages < weekMessagesMin) return [];
        const [share, shareBefore] = [deliveredShare(row), deliveredShare(before)];
        if (share >= shareBefore * shareMin) return [];
        return [alertOf("DeliveryRateFell", subject, { route: subject, share, shareBefore })];
      });
    }),
  };
}

function trafficJumped(deps: TrafficConditionsDeps): AlertCondition {
  return {
    name: "TrafficJumped",
    severity: "page",
    holdMs: 0,
    windowMs: 0,
    todo: (account) =>
      `peyk message search --account ${account}; if it is not its own: peyk account suspend ${account}`,
    find: every(deps.clock, async (now) => {
      const recent = await deps.figures({ ...span(now - hourMs, now), by: ["accountId"], filter: {} });
      const found = recent
        .filter(({ messages }) => messages >= jumpMessagesMin)
        .map(async ({ accountId = 0, messages }): Promise<AlertFinding[]> => {
          const week = span(now - hourMs - weekMs, now - hourMs);
          const hours = await deps.figures({ ...week, period: "hour", by: [], filter: { accountId } });
          const highest = hours.reduce((most, hour) => Math.max(most, hour.messages), 0);
          if (messages <= highest * jumpFactor) return [];
          const account = accountIdText(accountId);
          const name = deps.accountName(accountId);
          return [alertOf("TrafficJumped", account, { account, name, messages, highest })];
        });
      return (await Promise.all(found)).flat();
    }),
  };
}

const deliveredShare = ({ statuses, messages }: FiguresRow) => (statuses.delivered ?? 0) / messages;

/** Whole quarters of an hour of acceptance. */
function span(from: number, to: number) {
  const whole = (at: number) => at - (at % slotMs);
  return { from: whole(from), to: whole(to), period: "all", timeZone: "UTC", calendar: "gregory" } as const;
}

/** Judges anew every ten minutes, and gives the last findings in between. */
function every(
  clock: TrafficConditionsDeps["clock"],
  find: (now: number) => Promise<AlertFinding[]>,
): AlertCondition["find"] {
  let judgedAt = Number.NEGATIVE_INFINITY;
  let findings: AlertFinding[] = [];
  return async (_, now) => {
    if (clock.monotonic() - judgedAt < judgedEveryMs) return findings;
    findings = await find(now);
    judgedAt = clock.monotonic();
    return findings;
  };
}
