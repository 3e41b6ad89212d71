/**
 * Everything that can be wrong with the service: one entry each, from which alerts, status, first page, doctor and
 * alert rules are derived.
 */

import type { Language } from "../domain/console-look.ts";
import { sizeText } from "../domain/size-text.ts";
import { isoTime } from "../platform/clock.ts";
import { clusterConditions } from "./cluster.ts";
import {
  type ConditionEntry,
  type ConditionFacts,
  type ConditionLimit,
  type Found,
  fullDayMs,
  hourMs,
  minuteMs,
  type Severity,
  type View,
  type WatchedFacts,
  type Writing,
} from "./condition.ts";
import { routeConditions, watchedRouteConditions } from "./routes.ts";
import { serviceConditions, watchedServiceConditions } from "./service.ts";
import { trafficConditions } from "./traffic.ts";
import { upkeepConditions } from "./upkeep.ts";

/** `300 ms`, `45 s`, `12 min`, `5 h`, `3 d`. */
function duration(ms: number): string {
  const units = [
    [fullDayMs, "d"],
    [hourMs, "h"],
    [minuteMs, "min"],
    [1_000, "s"],
  ] as const;
  const [unitMs, unit] = units.find(([each]) => ms >= 2 * each) ?? [1, "ms"];
  return `${Math.round(ms / unitMs)} ${unit}`;
}

export const plainWriting: Writing = {
  number: String,
  percent: (share) => `${Math.round(share * 100)} %`,
  bytes: sizeText,
  duration,
  moment: isoTime,
  name: (text) => text,
};

/** With the placeholders that Prometheus fills in. */
export const ruleWriting: Writing = {
  number: () => "{{ $value }}",
  percent: () => "{{ $value | humanizePercentage }}",
  bytes: () => "{{ $value | humanize1024 }}B",
  duration: () => "{{ $value | humanizeDuration }}",
  moment: () => "{{ $value | humanizeTimestamp }}",
  name: (text) => text,
};

/** Conditions that any view can evaluate immediately, most severe first. */
const present = { ...serviceConditions, ...routeConditions, ...upkeepConditions, ...clusterConditions };
/** Conditions that only the alerts evaluate, every half minute: other views show their result. */
const watched = { ...watchedServiceConditions, ...watchedRouteConditions, ...trafficConditions };
export const conditions = { ...present, ...watched };

type Table = typeof conditions;
export type ConditionCode = keyof Table;
export type PresentCode = keyof typeof present;
export type ConditionValues = {
  [Code in ConditionCode]: Table[Code] extends ConditionEntry<infer Values, never> ? Values : never;
};

/** A problem, with the values for its sentence. */
export type CodedCondition<Code extends ConditionCode = ConditionCode> = {
  [One in Code]: { code: One; values: ConditionValues[One] };
}[Code];

/** An alert stored by an older version has no code. */
export type AlertCoding = CodedCondition | { code?: never; values?: never };

type Entries<Code extends ConditionCode, Asked> = {
  readonly [One in Code]: ConditionEntry<ConditionValues[One], Asked>;
};
const presentEntries: {
  readonly [One in PresentCode]: ConditionEntry<ConditionValues[One], ConditionFacts, Found<ConditionValues[One]>>;
} = present;
const entries: Entries<ConditionCode, WatchedFacts> = conditions;

const presentCodes = Object.keys(present) as PresentCode[];
export const conditionCodes = Object.keys(conditions) as ConditionCode[];

export const isShownIn = (view: View, code: ConditionCode) => entries[code].notIn?.[view] === undefined;
export const isConditionCode = (text: string): text is ConditionCode => text in conditions;
export const isPresent = (code: ConditionCode): code is PresentCode => code in present;

export const conditionName = (code: ConditionCode, language: Language): string => entries[code][language].name;
export const conditionHelp = (code: ConditionCode) => entries[code].help;

export function conditionWords<Code extends ConditionCode>(
  { code, values }: { code: Code; values: ConditionValues[Code] },
  write: Writing = plainWriting,
  language: Language = "en",
) {
  const entry: ConditionEntry<ConditionValues[Code], WatchedFacts> = entries[code];
  const { says, todo } = entry[language];
  return { says: says(values, write), todo: todo?.(values, write) ?? write.name(entry.en.todo(values, write)) };
}

export type ConditionFinding = CodedCondition & {
  /** A route or an account; empty for the service as a whole. */
  subject: string;
  /** A sentence without its full stop. */
  words: string;
  todo: string;
};

export function conditionFinding<Code extends ConditionCode>(
  code: Code,
  values: ConditionValues[Code],
): ConditionFinding {
  const entry: ConditionEntry<ConditionValues[Code], WatchedFacts> = entries[code];
  const { says: words, todo } = conditionWords<Code>({ code, values });
  return { ...({ code, values } as CodedCondition), subject: entry.subject?.(values) ?? "", words, todo };
}

/** Current problems. */
export async function findCondition<Code extends ConditionCode>(code: Code, facts: WatchedFacts) {
  const entry: ConditionEntry<ConditionValues[Code], WatchedFacts> = entries[code];
  return (await entry.find(facts)).map((values) => conditionFinding<Code>(code, values));
}

export interface ConditionTraits {
  severity: Severity;
  holdMs: number;
  windowMs: number;
  everyMs: number;
  limit: ConditionLimit | null;
  isOfRoute: boolean;
  check: string | null;
  notIn: { readonly [One in View]?: string };
}

/** What an entry declares, independent of its values. */
export function conditionTraits(code: ConditionCode): ConditionTraits {
  const {
    severity,
    holdMs = 0,
    windowMs = 0,
    everyMs = 0,
    limit = null,
    isOfRoute = false,
    check = null,
    notIn = {},
  } = entries[code];
  return { severity, holdMs, windowMs, everyMs, limit, isOfRoute, check, notIn };
}

/** The same for Prometheus: the expression, and the sentence as a rule fills it in; null where no metric shows it. */
export function conditionRule<Code extends ConditionCode>(code: Code) {
  const entry: ConditionEntry<ConditionValues[Code], WatchedFacts> = entries[code];
  if (!("expr" in entry.rule)) return null;
  const { expr, values } = entry.rule;
  return { expr, ...conditionWords<Code>({ code, values }, ruleWriting) };
}

/** Current problems that can be evaluated immediately, for one view. */
export function presentFindings(facts: ConditionFacts, view: View): ConditionFinding[] {
  return presentCodes.flatMap((code) => (isShownIn(view, code) ? presentOf(code, facts) : []));
}

function presentOf<Code extends PresentCode>(code: Code, facts: ConditionFacts): ConditionFinding[] {
  const entry: ConditionEntry<ConditionValues[Code], ConditionFacts, Found<ConditionValues[Code]>> = presentEntries[
    code
  ];
  const found = entry.find(facts);
  return found.map((values) => conditionFinding<Code>(code, values));
}
