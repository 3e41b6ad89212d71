/** What an alert is raised for. */
import type { AlertCoding } from "../domain/alert-text.ts";
import type { MetricSamples } from "./metric-samples.ts";

/** `page`: somebody should get up for it; `ticket`: it can wait until morning. */
export type Severity = "page" | "ticket";

/** One thing that is wrong. */
export type AlertFinding = {
  /** A route, an account, a class; empty for the service as a whole. */
  subject: string;
  /** A sentence without its full stop. */
  words: string;
} & AlertCoding;

export interface AlertCondition {
  /** With `Peyk` before it, the name of its rule for Prometheus where there is one (docs/alerts.rules.yml). */
  name: string;
  severity: Severity;
  /** It must stand for so long before anybody is told. */
  holdMs: number;
  /** How far back it looks: after a start it is not taken as over before. */
  windowMs: number;
  /** A route: texts about it go by another one. */
  isOfRoute?: true;
  /** What to do: a command. */
  todo(subject: string): string;
  /** `now`: epoch milliseconds. */
  find(samples: MetricSamples, now: number): readonly AlertFinding[] | Promise<readonly AlertFinding[]>;
}
