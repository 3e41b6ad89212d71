/**
 * How a route's carrier is doing: the outcome and delivery time of its messages, and its refusals, over the last hour
 * and day.
 */
import type { Route } from "../messaging/directory/directory.ts";
import { isoTime } from "../platform/clock.ts";
import type { FiguresRow } from "../reports/protocol.ts";
import type { CountedRefusal } from "../store/refusals.ts";
import { slotMs } from "../store/rollup-counts.ts";
import { timeOrNull } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";

const hourMs = 3_600_000;
const spans = { hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs } as const;
type Span = keyof typeof spans;
/** The most common ones; a carrier that varies its wording must not fill a page. */
const codesMax = 50;

type FiguresDeps = Pick<OperatorDeps, "reports" | "refusals" | "clock">;

export type RouteFiguresAnswer = Awaited<ReturnType<typeof routeFigures>>;

export async function routeFigures({ reports, refusals, clock }: FiguresDeps, { id }: Route, signal?: AbortSignal) {
  const now = clock.now();
  const spanFigures = async (span: Span) => {
    const [row] = await reports.figures(
      {
        // Whole quarters of an hour.
        from: Math.floor((now - spans[span]) / slotMs) * slotMs,
        to: now + slotMs,
        by: [],
        period: "all",
        timeZone: "UTC",
        calendar: "gregory",
        filter: { routeId: id },
      },
      signal,
    );
    return figuresOf(row);
  };
  const [hour, day] = await Promise.all([spanFigures("hour"), spanFigures("day")]);
  const rows = refusals(id, now - spans.week);
  return {
    /** For messages accepted in the last hour and the last 24 hours, in whole quarters of an hour. */
    hour,
    day,
    /** Most common in the last seven days first. */
    refusals: codesOf(rows, now),
    /** Over the last day, in quarters of an hour, oldest first. */
    refusalsOverTime: rows
      .filter(({ slotAt }) => slotAt > now - spans.day)
      .map(({ slotAt, ...row }) => ({ at: isoTime(slotAt), ...row })),
  };
}

function figuresOf(row: FiguresRow | undefined) {
  const { delivered = 0, failed = 0, sent = 0 } = row?.statuses ?? {};
  const decided = delivered + failed;
  return {
    messages: row?.messages ?? 0,
    delivered,
    failed,
    /** Without a receipt so far. */
    open: sent,
    /** The share of final messages that were delivered, from 0 to 1; null if there are none. */
    deliveryRate: decided === 0 ? null : delivered / decided,
    /** From when they were due until the receipt. */
    receiptMedianMs: row?.deliveryMedianMs ?? null,
    receiptP95Ms: row?.deliveryP95Ms ?? null,
    /** How many receipts came within 1, 2, 5, 10 and 30 seconds, each without those before, and later. */
    receiptTimes: row?.deliveryTimes ?? [],
  };
}

function codesOf(rows: readonly CountedRefusal[], now: number) {
  const byCode = Map.groupBy(rows, ({ kind, code }) => `${kind} ${code}`);
  const sum = (some: readonly CountedRefusal[], span: Span) =>
    some.reduce((total, { slotAt, messages }) => (slotAt > now - spans[span] - slotMs ? total + messages : total), 0);
  return [...byCode.values()]
    .flatMap((some) => {
      const [first] = some;
      if (first === undefined) return [];
      const { kind, code } = first;
      return [{ kind, code, hour: sum(some, "hour"), day: sum(some, "day"), week: sum(some, "week") }];
    })
    .sort((a, b) => b.week - a.week)
    .slice(0, codesMax);
}

/** Receipts arrive within a message's validity at the carrier, which is two days nearly everywhere. */
const receiptsMs = 3 * 24 * 3_600_000;

export type DrainAnswer = Awaited<ReturnType<typeof drainAnswer>>;

/** What a draining route still waits for. */
export async function drainAnswer(
  { reports, running, clock }: Pick<OperatorDeps, "reports" | "running" | "clock">,
  { id, drainingSince }: Route,
  signal: AbortSignal,
) {
  const time = { from: clock.now() - receiptsMs, to: Number.MAX_SAFE_INTEGER, period: "all", timeZone: "UTC" } as const;
  const all = { ...time, calendar: "gregory", by: [], filter: { routeId: id } } as const;
  const [figures] = await reports.figures(all, signal);
  const unanswered = running.state(id)?.unanswered ?? 0;
  const awaitingReceipts = figures?.statuses.sent ?? 0;
  return {
    drainingSince: timeOrNull(drainingSince),
    /** Parts submitted and not answered yet. */
    unanswered,
    /** Messages accepted within the last three days that the carrier has taken and not reported on. */
    awaitingReceipts,
    isDrained: drainingSince !== null && unanswered === 0 && awaitingReceipts === 0,
  };
}
