/**
 * Refuses requests that would exceed the quota of an account or a key, and counts the others: all messages of a request
 * or none.
 */

import { ApiError } from "../../domain/api-error.ts";
import { type Calendar, LocalCalendar, type LocalPeriod } from "../../domain/local-calendar.ts";
import { englishProblems, type ProblemValues } from "../../domain/operator-problem.ts";
import { type BookingClock, bookedAheadMsMax } from "../../platform/booking-clock.ts";
import type { Logger } from "../../platform/log.ts";
import { type CountedQuota, type QuotaRow, type QuotaTable, usedIn } from "../../store/quotas.ts";
import type { Tables } from "../../store/store.ts";
import type { Demand, Payer, Remark, Reservation } from "../rules/traffic-rules.ts";

/** The used share of a quota at which a warning starts. */
const warnedShare = 0.8;

export interface QuotaGuardDeps {
  quotas: QuotaTable;
  bookingClock: Pick<BookingClock, "now">;
  directory: { key(id: number): { accountId: number; revokedAt: number | null } | null };
  timeZones: { of(accountId: number): string };
  /** The calendar whose months count. */
  calendar: Calendar;
  log: Pick<Logger, "warn">;
}

/** A quota with its current usage. */
export interface QuotaUse {
  quota: QuotaRow;
  /** The current day or month. */
  period: LocalPeriod;
  partsUsed: number;
}

const isNearlyUsed = (used: number, { partsMax }: QuotaRow) => partsMax > 0 && used >= partsMax * warnedShare;

export class QuotaGuard implements Reservation {
  readonly #calendars = new Map<string, LocalCalendar>();

  constructor(private readonly deps: QuotaGuardDeps) {
    deps.quotas.onUsed((before, after) => {
      const usedBefore = usedIn(before, after.startsAt);
      if (isNearlyUsed(usedBefore, after) || !isNearlyUsed(after.partsUsed, after)) return;
      const { subject, subjectId, period, partsMax, partsUsed } = after;
      deps.log.warn({ [subject]: subjectId, period, partsMax, partsUsed }, "a quota is nearly used up");
    });
  }

  isLimiting({ accountId, apiKeyId }: Payer): boolean {
    const { quotas } = this.deps;
    return quotas.of("account", accountId).length > 0 || quotas.of("key", apiKeyId).length > 0;
  }

  check(payer: Payer, { parts }: Demand): void {
    const { quotas } = this.deps;
    if (isCounted(quotas, payer, parts)) this.#assertRoom(quotas, payer, parts);
  }

  reserve({ quotas }: Tables, payer: Payer, { parts }: Demand): void {
    if (!isCounted(quotas, payer, parts)) return;
    const { accountId, apiKeyId, bookedAt } = payer;
    const calendar = this.#assertRoom(quotas, payer, parts);
    for (const one of quotas.of("account", accountId))
      quotas.use(one, periodOf(one, calendar, bookedAt).startsAt, parts);
    for (const one of quotas.of("key", apiKeyId)) quotas.use(one, periodOf(one, calendar, bookedAt).startsAt, parts);
  }

  /** Nothing is given back once the period is over. */
  giveBack({ quotas }: Tables, payer: Payer, { parts }: Demand, reservedAt: number): void {
    if (!isCounted(quotas, payer, parts)) return;
    const calendar = this.#calendarOf(payer.accountId);
    for (const one of [...quotas.of("account", payer.accountId), ...quotas.of("key", payer.apiKeyId)]) {
      const startsAt = calendar[one.row.period](reservedAt).startsAt;
      if (one.startsAt === startsAt) quotas.use(one, startsAt, -Math.min(parts, one.partsUsed));
    }
  }

  explain(payer: Payer, { parts }: Demand): Remark[] {
    const { quotas } = this.deps;
    if (!isCounted(quotas, payer, parts)) return [];
    return this.#usesBy(quotas, payer).map((use) => ({
      rule: "quota",
      words: englishProblems.quota_exceeded(valuesOf(use, parts)),
    }));
  }

  /** For every account and key. */
  uses(): QuotaUse[] {
    return this.deps.quotas.all().map((quota) => this.#useOf(quota));
  }

  /** Without those of revoked keys. */
  inForce(): QuotaUse[] {
    const { directory } = this.deps;
    return this.uses().filter(
      ({ quota: { subject, subjectId } }) => subject === "account" || directory.key(subjectId)?.revokedAt === null,
    );
  }

  /** Quotas with less than a fifth left. */
  nearlyUsed(): QuotaUse[] {
    return this.inForce().filter(({ quota, partsUsed }) => isNearlyUsed(partsUsed, quota));
  }

  #useOf(quota: QuotaRow): QuotaUse {
    const { directory, bookingClock } = this.deps;
    const accountId = quota.subject === "account" ? quota.subjectId : directory.key(quota.subjectId)?.accountId;
    const counted = { ...quota, row: quota };
    return useOf(counted, this.#calendarOf(accountId ?? 0), bookingClock.now());
  }

  /** Throws `quota_exceeded`. Returns the calendar that applies. */
  #assertRoom(quotas: QuotaTable, payer: Payer, parts: number): LocalCalendar {
    const { accountId, apiKeyId, bookedAt } = payer;
    const calendar = this.#calendarOf(accountId);
    const isRoom =
      haveRoom(quotas.of("account", accountId), calendar, bookedAt, parts) &&
      haveRoom(quotas.of("key", apiKeyId), calendar, bookedAt, parts);
    if (!isRoom) throw exceeded(this.#usesBy(quotas, payer), parts, bookedAt);
    return calendar;
  }

  /** The account's quotas, then the key's. */
  #usesBy(quotas: QuotaTable, { accountId, apiKeyId, bookedAt }: Payer): QuotaUse[] {
    const calendar = this.#calendarOf(accountId);
    const counted = [...quotas.of("account", accountId), ...quotas.of("key", apiKeyId)];
    return counted.map((one) => useOf(one, calendar, bookedAt));
  }

  #calendarOf(accountId: number): LocalCalendar {
    const timeZone = this.deps.timeZones.of(accountId);
    let calendar = this.#calendars.get(timeZone);
    if (calendar === undefined) {
      calendar = new LocalCalendar(timeZone, this.deps.calendar);
      this.#calendars.set(timeZone, calendar);
    }
    return calendar;
  }
}

/**
 * The period in which a request booked at `bookedAt` counts. If the next period has already begun, because of a faster
 * request or a clock that went back slightly, that one is used: counting the old period again would reset it.
 */
function periodOf({ row, startsAt }: CountedQuota, calendar: LocalCalendar, bookedAt: number): LocalPeriod {
  const aheadMs = startsAt - bookedAt;
  return calendar[row.period](aheadMs > 0 && aheadMs <= bookedAheadMsMax ? startsAt : bookedAt);
}

function useOf(counted: CountedQuota, calendar: LocalCalendar, bookedAt: number): QuotaUse {
  const period = periodOf(counted, calendar, bookedAt);
  return { quota: counted.row, period, partsUsed: usedIn(counted, period.startsAt) };
}

// Every acceptance calls both of these twice, so they allocate no objects.
const isCounted = (quotas: QuotaTable, { accountId, apiKeyId }: Payer, parts: number): boolean =>
  parts > 0 && (quotas.of("account", accountId).length > 0 || quotas.of("key", apiKeyId).length > 0);

function haveRoom(counted: readonly CountedQuota[], calendar: LocalCalendar, bookedAt: number, parts: number): boolean {
  for (const one of counted) {
    if (usedIn(one, periodOf(one, calendar, bookedAt).startsAt) + parts > one.row.partsMax) return false;
  }
  return true;
}

export class QuotaExceeded extends ApiError {
  constructor(
    readonly values: ProblemValues["quota_exceeded"],
    retryAfterSeconds: number,
  ) {
    super("quota_exceeded", { message: englishProblems.quota_exceeded(values), retryAfterSeconds });
  }
}

/** Reports the exceeded quota that is renewed last. */
function exceeded(uses: readonly QuotaUse[], parts: number, bookedAt: number): ApiError {
  const over = uses.filter(({ quota, partsUsed }) => partsUsed + parts > quota.partsMax);
  const last = over.reduce((a, b) => (b.period.endsAt > a.period.endsAt ? b : a));
  const retryAfterSeconds = Math.ceil((last.period.endsAt - bookedAt) / 1_000);
  return new QuotaExceeded(valuesOf(last, parts), retryAfterSeconds);
}

function valuesOf({ quota, partsUsed }: QuotaUse, parts: number): ProblemValues["quota_exceeded"] {
  const { subject, period, partsMax } = quota;
  return { subject, period, partsMax, left: Math.max(0, partsMax - partsUsed), parts };
}
