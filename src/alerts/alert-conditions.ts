/** What alerts are raised for: the entries of the table of conditions. */
import type { Severity, WatchedFacts } from "../conditions/condition.ts";
import {
  type AlertCoding,
  conditionCodes,
  conditionTraits,
  findCondition,
  isShownIn,
} from "../conditions/conditions.ts";

/** One problem. */
export type AlertFinding = {
  /** A route or an account; empty for the service as a whole. */
  subject: string;
  /** A sentence without its full stop. */
  words: string;
  /** What to do: a command. */
  todo: string;
} & AlertCoding;

export interface AlertCondition {
  /** Prefixed with `Peyk`, the name of its Prometheus rule if there is one (docs/alerts.rules.yml). */
  name: string;
  severity: Severity;
  holdMs: number;
  windowMs: number;
  /** The minimum time between two checks; 0 to check every time. */
  everyMs: number;
  isOfRoute: boolean;
  find(facts: WatchedFacts): readonly AlertFinding[] | Promise<readonly AlertFinding[]>;
}

export const alertConditions: readonly AlertCondition[] = conditionCodes
  .filter((code) => isShownIn("alert", code))
  .map((code) => ({ name: code, ...conditionTraits(code), find: (facts) => findCondition(code, facts) }));
