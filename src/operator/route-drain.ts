/** What a draining route still waits for. */
import type { Route } from "../messaging/directory/directory.ts";
import { timeOrNull } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";

/** Receipts arrive within a message's validity at the carrier, which is two days nearly everywhere. */
const receiptsMs = 3 * 24 * 3_600_000;

export type DrainAnswer = Awaited<ReturnType<typeof drainAnswer>>;

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
