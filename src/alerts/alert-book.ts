/** Which alerts are active, since when, and which must be reported: pure rules over findings and time. */
import type { Severity } from "../conditions/condition.ts";
import type { AlertCondition, AlertFinding } from "./alert-conditions.ts";

/** Times are epoch milliseconds. */
export type Alert = AlertFinding & {
  condition: string;
  severity: Severity;
  /** When it was first found. */
  since: number;
  /** Since when it has lasted long enough to be reported; null until then. */
  firingSince: number | null;
  /** When it was last reported; null for never. */
  toldAt: number | null;
  /** Since when it is no longer found; null while it is. */
  clearSince: number | null;
};

/** What is to be reported now. */
export interface Due {
  fired: Alert[];
  /** Reported before, and active for another day. */
  again: Alert[];
  resolved: Alert[];
}

/** It must be gone for this long, so that a flapping alert is reported once. */
const resolveMs = 2 * 60_000;
const againMs = 24 * 3_600_000;

const keyOf = ({ name }: Pick<AlertCondition, "name">, { subject }: Pick<AlertFinding, "subject">) =>
  `${name}/${subject}`;

export class AlertBook {
  readonly #alerts = new Map<string, Alert>();
  readonly #startedAt: number;

  /** `alerts`: as left by the last run of the service. */
  constructor(alerts: readonly Alert[], startedAt: number) {
    for (const alert of alerts) this.#alerts.set(keyOf({ name: alert.condition }, alert), alert);
    this.#startedAt = startedAt;
  }

  /** Oldest first. */
  all(): Alert[] {
    return [...this.#alerts.values()].sort((a, b) => a.since - b.since);
  }

  firing(): Alert[] {
    return this.all().filter(({ firingSince, clearSince }) => firingSince !== null && clearSince === null);
  }

  /** Applies the findings of a condition at `now`. */
  update(condition: AlertCondition, findings: readonly AlertFinding[], now: number): void {
    const found = new Map(findings.map((finding) => [keyOf(condition, finding), finding]));
    for (const [key, finding] of found) this.#stands(key, condition, finding, now);
    for (const [key, alert] of this.#alerts) {
      if (alert.condition === condition.name && !found.has(key)) this.#isGone(key, alert, condition, now);
    }
  }

  due(now: number): Due {
    const firing = this.firing();
    return {
      fired: firing.filter(({ toldAt }) => toldAt === null),
      again: firing.filter(({ toldAt }) => toldAt !== null && now - toldAt >= againMs),
      resolved: this.all().filter(({ clearSince }) => clearSince !== null && now - clearSince >= resolveMs),
    };
  }

  /** Records that these were reported; resolved ones are dropped. */
  told({ fired, again, resolved }: Due, now: number): void {
    for (const { condition, subject } of [...fired, ...again]) {
      const key = keyOf({ name: condition }, { subject });
      const alert = this.#alerts.get(key);
      if (alert !== undefined) this.#alerts.set(key, { ...alert, toldAt: now });
    }
    for (const { condition, subject } of resolved) this.#alerts.delete(keyOf({ name: condition }, { subject }));
  }

  #stands(key: string, condition: AlertCondition, finding: AlertFinding, now: number): void {
    const { name, severity, holdMs } = condition;
    const before = this.#alerts.get(key);
    const since = before?.since ?? now;
    const firingSince = before?.firingSince ?? (now - since >= holdMs ? now : null);
    const rest = { severity, since, firingSince, toldAt: before?.toldAt ?? null };
    this.#alerts.set(key, { ...finding, condition: name, ...rest, clearSince: null });
  }

  #isGone(key: string, alert: Alert, condition: AlertCondition, now: number): void {
    // After startup, rates have no history yet, so a missing finding means nothing.
    if (now - this.#startedAt < condition.windowMs) return;
    if (alert.toldAt === null) this.#alerts.delete(key);
    else this.#alerts.set(key, { ...alert, clearSince: alert.clearSince ?? now });
  }
}
