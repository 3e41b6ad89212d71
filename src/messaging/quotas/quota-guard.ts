/** Refuses requests that would take an account or a key past its quota, and counts the others: all messages of a request or none. */
import { ApiError } from "../../domain/api-error.ts";
import { type Calendar, LocalCalendar, type LocalPeriod } from "../../domain/local-calendar.ts";
import type { Logger } from "../../platform/log.ts";
import { type QuotaRow, type QuotaTable, usedIn } from "../../store/quotas.ts";
import type { Tables } from "../../store/store.ts";
import type { Demand, Payer, Remark, Reservation } from "../rules/traffic-rules.ts";

/** The share of a quota from which on it is warned of. */
const warnedShare = 0.8;

export interface QuotaGuardDeps {
  quotas: QuotaTable;
  clock: { now(): number };
  directory: { key(id: number): { accountId: number } | null };
  timeZones: { of(accountId: number): string };
  /** Whose months are counted. */
  calendar: Calendar;
  log: Pick<Logger, "warn">;
}

/** A quota with what is used of it now. */
export interface QuotaUse {
  quota: QuotaRow;
  /** The present day or month. */
  period: LocalPeriod;
  partsUsed: number;
}

const isNearlyUsed = (used: number, { partsMax }: QuotaRow) => partsMax > 0 && used >= partsMax * warnedShare;

export class QuotaGuard implements Reservation {
  readonly #deps: QuotaGuardDeps;
  readonly #calendars = new Map<string, LocalCalendar>();

  constructor(deps: QuotaGuardDeps) {
    this.#deps = deps;
    deps.quotas.onUsed((before, after) => {
      const usedBefore = usedIn(before, after.startsAt);
      if (isNearlyUsed(usedBefore, after) || !isNearlyUsed(after.partsUsed, after)) return;
      const { subject, subjectId, period, partsMax, partsUsed } = after;
      deps.log.warn({ [subject]: subjectId, period, partsMax, partsUsed }, "a quota is nearly used up");
    });
  }

  check(payer: Payer, { parts }: Demand): void {
    if (parts > 0) this.#assertRoom(this.#usesOf(this.#deps.quotas, payer), parts);
  }

  reserve({ quotas }: Tables, payer: Payer, { parts }: Demand): void {
    if (parts === 0) return;
    const uses = this.#usesOf(quotas, payer);
    this.#assertRoom(uses, parts);
    for (const { quota, period } of uses) quotas.use(quota, period.startsAt, parts);
  }

  explain(payer: Payer, { parts }: Demand): Remark[] {
    return this.#usesOf(this.#deps.quotas, payer).map((use) => ({ rule: "quota", words: wordsOf(use, parts) }));
  }

  /** Of every account and key. */
  uses(): QuotaUse[] {
    return this.#deps.quotas.all().map((quota) => this.useOf(quota));
  }

  useOf(quota: QuotaRow): QuotaUse {
    const { timeZones, directory, clock } = this.#deps;
    const accountId = quota.subject === "account" ? quota.subjectId : directory.key(quota.subjectId)?.accountId;
    const period = this.#calendar(timeZones.of(accountId ?? 0))[quota.period](clock.now());
    return { quota, period, partsUsed: usedIn(quota, period.startsAt) };
  }

  /** Those of which less than a fifth is left. */
  nearlyUsed(): QuotaUse[] {
    return this.uses().filter(({ quota, partsUsed }) => isNearlyUsed(partsUsed, quota));
  }

  #usesOf(quotas: QuotaTable, { accountId, apiKeyId }: Payer): readonly QuotaUse[] {
    const ofAccount = quotas.of("account", accountId);
    const ofKey = quotas.of("key", apiKeyId);
    if (ofAccount.length === 0 && ofKey.length === 0) return none;
    return [...ofAccount, ...ofKey].map((quota) => this.useOf(quota));
  }

  /** Throws `quota_exceeded` with the time at which the last of the exceeded quotas begins anew. */
  #assertRoom(uses: readonly QuotaUse[], parts: number): void {
    const exceeded = uses.filter(({ quota, partsUsed }) => partsUsed + parts > quota.partsMax);
    const last = exceeded.toSorted((a, b) => a.period.endsAt - b.period.endsAt).at(-1);
    if (last === undefined) return;
    const retryAfterSeconds = Math.ceil((last.period.endsAt - this.#deps.clock.now()) / 1_000);
    throw new ApiError("quota_exceeded", { message: wordsOf(last, parts), retryAfterSeconds });
  }

  #calendar(timeZone: string): LocalCalendar {
    let calendar = this.#calendars.get(timeZone);
    if (calendar === undefined) {
      calendar = new LocalCalendar(timeZone, this.#deps.calendar);
      this.#calendars.set(timeZone, calendar);
    }
    return calendar;
  }
}

const none: readonly QuotaUse[] = [];

function wordsOf({ quota: { subject, period, partsMax }, partsUsed }: QuotaUse, parts: number): string {
  const left = Math.max(0, partsMax - partsUsed);
  return `The ${subject} may send ${partsMax} parts a ${period}; ${left} are left, and the request has ${parts}.`;
}
