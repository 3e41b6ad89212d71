/** Refuses requests that would take an account or a key past its quota, and counts the others: all messages of a request or none. */
import { ApiError } from "../../domain/api-error.ts";
import { type Calendar, LocalCalendar, type LocalPeriod } from "../../domain/local-calendar.ts";
import type { Logger } from "../../platform/log.ts";
import { type CountedQuota, type QuotaRow, type QuotaTable, usedIn } from "../../store/quotas.ts";
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

  isLimiting({ accountId, apiKeyId }: Payer): boolean {
    const { quotas } = this.#deps;
    return quotas.of("account", accountId).length > 0 || quotas.of("key", apiKeyId).length > 0;
  }

  check(payer: Payer, { parts }: Demand): void {
    this.#assertRoom(this.#deps.quotas, payer, parts);
  }

  reserve({ quotas }: Tables, payer: Payer, { parts }: Demand): void {
    this.#assertRoom(quotas, payer, parts);
    this.#eachOf(quotas, payer, parts, (counted, { startsAt }) => quotas.use(counted, startsAt, parts));
  }

  explain(payer: Payer, { parts }: Demand): Remark[] {
    const remarks: Remark[] = [];
    this.#eachOf(this.#deps.quotas, payer, parts, (counted, period) => {
      const use = { quota: counted.row, period, partsUsed: usedIn(counted, period.startsAt) };
      remarks.push({ rule: "quota", words: wordsOf(use, parts) });
    });
    return remarks;
  }

  /** Of every account and key. */
  uses(): QuotaUse[] {
    return this.#deps.quotas.all().map((quota) => this.#useOf(quota));
  }

  /** Those of which less than a fifth is left. */
  nearlyUsed(): QuotaUse[] {
    return this.uses().filter(({ quota, partsUsed }) => isNearlyUsed(partsUsed, quota));
  }

  #useOf(quota: QuotaRow): QuotaUse {
    const { directory, clock } = this.#deps;
    const accountId = quota.subject === "account" ? quota.subjectId : directory.key(quota.subjectId)?.accountId;
    const period = this.#calendarOf(accountId ?? 0)[quota.period](clock.now());
    return { quota, period, partsUsed: usedIn(quota, period.startsAt) };
  }

  /** Those of the account and those of the key. */
  #eachOf(
    quotas: QuotaTable,
    { accountId, apiKeyId }: Payer,
    parts: number,
    take: (counted: CountedQuota, period: LocalPeriod) => void,
  ): void {
    const ofAccount = quotas.of("account", accountId);
    const ofKey = quotas.of("key", apiKeyId);
    if (parts === 0 || (ofAccount.length === 0 && ofKey.length === 0)) return;
    const calendar = this.#calendarOf(accountId);
    const now = this.#deps.clock.now();
    for (const counted of ofAccount) take(counted, calendar[counted.row.period](now));
    for (const counted of ofKey) take(counted, calendar[counted.row.period](now));
  }

  /** Throws `quota_exceeded` with the time at which the last of the exceeded quotas begins anew. */
  #assertRoom(quotas: QuotaTable, payer: Payer, parts: number): void {
    let last: QuotaUse | null = null;
    this.#eachOf(quotas, payer, parts, (counted, period) => {
      const partsUsed = usedIn(counted, period.startsAt);
      if (partsUsed + parts <= counted.row.partsMax || period.endsAt <= (last?.period.endsAt ?? 0)) return;
      last = { quota: counted.row, period, partsUsed };
    });
    if (last !== null) throw this.#exceeded(last, parts);
  }

  #exceeded(use: QuotaUse, parts: number): ApiError {
    const retryAfterSeconds = Math.ceil((use.period.endsAt - this.#deps.clock.now()) / 1_000);
    return new ApiError("quota_exceeded", { message: wordsOf(use, parts), retryAfterSeconds });
  }

  #calendarOf(accountId: number): LocalCalendar {
    const timeZone = this.#deps.timeZones.of(accountId);
    let calendar = this.#calendars.get(timeZone);
    if (calendar === undefined) {
      calendar = new LocalCalendar(timeZone, this.#deps.calendar);
      this.#calendars.set(timeZone, calendar);
    }
    return calendar;
  }
}

function wordsOf({ quota: { subject, period, partsMax }, partsUsed }: QuotaUse, parts: number): string {
  const left = Math.max(0, partsMax - partsUsed);
  return `The ${subject} may send ${partsMax} parts a ${period}; ${left} are left, and the request has ${parts}.`;
}
