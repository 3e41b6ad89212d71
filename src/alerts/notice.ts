/** Notices to operators: one for everything that is due, so that a storm of alerts is a single message. */
import { isoTime } from "../platform/clock.ts";
import type { Alert, Due } from "./alert-book.ts";

export interface AlertNotice extends Due {
  /** A UUID: the same for every channel and attempt. */
  id: string;
  /** Epoch milliseconds. */
  at: number;
  /** Sent by `peyk alert test`. */
  isTest: boolean;
}

/** Fits into three parts at most. */
const smsLengthMax = 450;

/** The alerts of a notice in the order in which they are listed. */
export const alertsOf = ({ fired, again, resolved }: Due): Alert[] => [...fired, ...again, ...resolved];

/** The most serious alert, whether it is resolved, and how many more there are; null for a test. */
export function noticeLead({ isTest, ...due }: AlertNotice): { alert: Alert; isOver: boolean; more: number } | null {
  const standing = [...due.fired, ...due.again];
  const gravest = standing.find(({ severity }) => severity === "page") ?? standing[0];
  const alert = gravest ?? due.resolved[0];
  if (isTest || alert === undefined) return null;
  return { alert, isOver: gravest === undefined, more: alertsOf(due).length - 1 };
}

/** One line. */
export function noticeTitle(notice: AlertNotice): string {
  const lead = noticeLead(notice);
  if (lead === null) return "Peyk: a test of the alerts";
  const { alert, isOver, more } = lead;
  return `Peyk: ${isOver ? "over: " : ""}${alert.words}${more === 0 ? "" : ` (and ${more} more)`}`;
}

/** Plain text for people. */
export function noticeText({ isTest, fired, again, resolved }: AlertNotice): string {
  if (isTest) return "This is a test, sent by: peyk alert test\n";
  const line = ({ words, todo, since }: Alert) => `- ${words}.\n  Since ${isoTime(since)}. What to do: ${todo}\n`;
  const section = (title: string, alerts: readonly Alert[]) =>
    alerts.length === 0 ? [] : [`${title}\n${alerts.map(line).join("")}`];
  const over = resolved.map(({ words, since }) => `- ${words}.\n  It stood since ${isoTime(since)}.\n`);
  return [
    ...section("New:", fired),
    ...section("Still, after a day:", again),
    ...(over.length === 0 ? [] : [`Over:\n${over.join("")}`]),
    "All that stands: peyk alert list\n",
  ].join("\n");
}

/** For a phone: new and resolved alerts, cut to three parts. */
export function noticeSms(notice: AlertNotice): string {
  if (notice.isTest) return noticeTitle(notice);
  const told = [
    ...[...notice.fired, ...notice.again].map(({ words }) => words),
    ...notice.resolved.map(({ words }) => `Over: ${words}`),
  ];
  const text = `Peyk: ${told.join(". ")}.`;
  return text.length <= smsLengthMax ? text : `${text.slice(0, smsLengthMax - 1)}…`;
}

/** The body of the webhook. Code and values are null for an alert stored by an older version. */
export function noticeBody({ id, at, isTest, fired, again, resolved }: AlertNotice): string {
  const shown = ({ condition, subject, severity, words, code, values, todo, since }: Alert) => ({
    condition,
    subject: subject === "" ? null : subject,
    severity,
    summary: words,
    code: code ?? null,
    values: values ?? null,
    todo,
    since: isoTime(since),
  });
  const data = { isTest, fired: fired.map(shown), standing: again.map(shown), resolved: resolved.map(shown) };
  return JSON.stringify({ id, type: alertEventKind, createdAt: isoTime(at), data });
}

export const alertEventKind = "operator.alert";
