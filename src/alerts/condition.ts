/** What an alert is raised for: the entries of the table of conditions. */
import type { Severity, WatchedFacts } from "../conditions/condition.ts";
import {
  type AlertCoding,
  conditionCodes,
  conditionTraits,
  findCondition,
  isShownIn,
} from "../conditions/conditions.ts";

/** One thing that is wrong. */
export type AlertFinding = {
  /** A route, an account; empty for the service as a whole. */
  subject: string;
  /** A sentence without its full stop. */
  words: string;
  /** What to do: a command. */
  todo: string;
} & AlertCoding;

export interface AlertCondition {
  /** With `Peyk` before it, the name of its rule for Prometheus where there is one (docs/alerts.rules.yml). */
  name: string;
  severity: Severity;
  holdMs: number;
  windowMs: number;
  /** It is judged so often at most; 0 for each look. */
  everyMs: number;
  isOfRoute: boolean;
  find(facts: WatchedFacts): readonly AlertFinding[] | Promise<readonly AlertFinding[]>;
}

export const alertConditions: readonly AlertCondition[] = conditionCodes
  .filter((code) => isShownIn("alert", code))
  .map((code) => ({ name: code, ...conditionTraits(code), find: (facts) => findCondition(code, facts) }));
