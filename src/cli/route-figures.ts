/** The part of `peyk route show` that tells the carrier's mood. */
import type { RouteFiguresAnswer } from "../operator/route-figures.ts";
import { formatTable } from "./text.ts";

const shownCodes = 15;

export function routeFiguresText({ hour, day, refusals }: RouteFiguresAnswer): string[] {
  const rows = [["hour", hour] as const, ["day", day] as const].map(([name, figures]) => [
    name,
    String(figures.messages),
    String(figures.delivered),
    String(figures.failed),
    String(figures.open),
    figures.deliveryRate === null ? "-" : `${(figures.deliveryRate * 100).toFixed(1)} %`,
    secondsText(figures.receiptMedianMs),
    secondsText(figures.receiptP95Ms),
  ]);
  const codes = refusals
    .slice(0, shownCodes)
    .map((one) => [one.code, one.kind, String(one.hour), String(one.day), String(one.week)]);
  return [
    ...(day.messages === 0
      ? []
      : [formatTable(["LAST", "MESSAGES", "DELIVERED", "FAILED", "OPEN", "RATE", "RECEIPT P50", "P95"], rows)]),
    ...(codes.length === 0 ? [] : [formatTable(["REFUSED WITH", "KIND", "HOUR", "DAY", "WEEK"], codes)]),
  ];
}

const secondsText = (ms: number | null) => (ms === null ? "-" : `${(ms / 1_000).toFixed(1)} s`);
