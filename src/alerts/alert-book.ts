/** Which alerts stand, since when, and of which somebody has to be told: pure rules over findings and time. */
import type { Severity } from "../conditions/condition.ts";
import type { AlertCondition, AlertFinding } from "./condition.ts";

/** Times are epoch milliseconds. */
export type Alert = AlertFinding & {
  condition: string;
  severity: Severity;
  /** When it was found first. */
  since: number;
  /** Since when it has stood long enough to be told of; null until then. */
  firingSince: number | null;
  /** When somebody was told last; null for never. */
  toldAt: number | null;
  /** Since when it is not found any more; null while it is. */
  clearSince: number | null;
};

/** What is to be told now. */
export interface Due {
  fired: Alert[];
  /** Told before, and standing for another day. */
  again: Alert[];
  resolved: Alert[];
}

/** It must be gone for so long: what comes and goes is told once. */
const resolveMs = 2 * 60_000;
const againMs = 24 * 3_600_000;

const keyOf = ({ name }: Pick<AlertCondition, "name">, { subject }: Pick<AlertFinding, "subject">) =>
  `${name}/${subject}`;

export class AlertBook {
  readonly #alerts = new Map<string, Alert>();
  readonly #startedAt: number;

  /** `alerts`: as the last run of the service left them. */
  constructor(alerts: readonly Alert[], startedAt: number) {
    for (const alert of alerts) this.#alerts.set(keyOf({ name: alert.condition }, alert), alert);
    this.#startedAt = startedAt;
  }

  /** The oldest first. */
  all(): Alert[] {
    return [...this.#alerts.values()].sort((a, b) => a.since - b.since);
  }

  firing(): Alert[] {
    return this.all().filter(({ firingSince, clearSince }) => firingSince !== null && clearSince === null);
  }

  /** Takes over what was found of a condition at `now`. */
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

  /** Those of whom somebody was told: resolved ones are forgotten. */
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
    // After a start rates have no past yet: that says nothing.
    if (now - this.#startedAt < condition.windowMs) return;
    if (alert.toldAt === null) this.#alerts.delete(key);
    else this.#alerts.set(key, { ...alert, clearSince: alert.clearSince ?? now });
  }
}
