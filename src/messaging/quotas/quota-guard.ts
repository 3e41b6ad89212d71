/** Refuses requests that would take an account or a key past its quota, and counts the others: all messages of a request or none. */

import { ApiError } from "../../domain/api-error.ts";
import { type Calendar, LocalCalendar, type LocalPeriod } from "../../domain/local-calendar.ts";
import { type ProblemValues, problemText } from "../../domain/operator-problem.ts";
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
    const { quotas } = this.#deps;
    if (isCounted(quotas, payer, parts)) this.#assertRoom(quotas, payer, parts);
  }

  reserve({ quotas }: Tables, payer: Payer, { parts }: Demand): void {
    if (!isCounted(quotas, payer, parts)) return;
    const { accountId, apiKeyId, at } = payer;
    const calendar = this.#assertRoom(quotas, payer, parts);
    for (const one of quotas.of("account", accountId)) quotas.use(one, startOf(one, calendar, at), parts);
    for (const one of quotas.of("key", apiKeyId)) quotas.use(one, startOf(one, calendar, at), parts);
  }

  /** Of a period that is over nothing is given back. */
  giveBack({ quotas }: Tables, payer: Payer, { parts }: Demand, reservedAt: number): void {
    if (!isCounted(quotas, payer, parts)) return;
    const calendar = this.#calendarOf(payer.accountId);
    for (const one of [...quotas.of("account", payer.accountId), ...quotas.of("key", payer.apiKeyId)]) {
      const startsAt = startOf(one, calendar, reservedAt);
      if (one.startsAt === startsAt) quotas.use(one, startsAt, -Math.min(parts, one.partsUsed));
    }
  }

  explain(payer: Payer, { parts }: Demand): Remark[] {
    const { quotas } = this.#deps;
    if (!isCounted(quotas, payer, parts)) return [];
    return this.#usesBy(quotas, payer).map((use) => ({
      rule: "quota",
      words: problemText({ code: "quota_exceeded", values: valuesOf(use, parts) }),
    }));
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

  /** Throws `quota_exceeded`. Returns the calendar that counts. */
  #assertRoom(quotas: QuotaTable, payer: Payer, parts: number): LocalCalendar {
    const { accountId, apiKeyId, at } = payer;
    const calendar = this.#calendarOf(accountId);
    const isRoom =
      haveRoom(quotas.of("account", accountId), calendar, at, parts) &&
      haveRoom(quotas.of("key", apiKeyId), calendar, at, parts);
    if (!isRoom) throw exceeded(this.#usesBy(quotas, payer), parts, at);
    return calendar;
  }

  /** Of the account, then of the key. */
  #usesBy(quotas: QuotaTable, { accountId, apiKeyId, at }: Payer): QuotaUse[] {
    const calendar = this.#calendarOf(accountId);
    return [...quotas.of("account", accountId), ...quotas.of("key", apiKeyId)].map((counted) => {
      const period = calendar[counted.row.period](at);
      return { quota: counted.row, period, partsUsed: usedIn(counted, period.startsAt) };
    });
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

const startOf = ({ row }: CountedQuota, calendar: LocalCalendar, at: number) => calendar[row.period](at).startsAt;

// Every acceptance asks both of these twice: they make no object.
const isCounted = (quotas: QuotaTable, { accountId, apiKeyId }: Payer, parts: number): boolean =>
  parts > 0 && (quotas.of("account", accountId).length > 0 || quotas.of("key", apiKeyId).length > 0);

function haveRoom(counted: readonly CountedQuota[], calendar: LocalCalendar, at: number, parts: number): boolean {
  for (const one of counted) if (usedIn(one, startOf(one, calendar, at)) + parts > one.row.partsMax) return false;
  return true;
}

export class QuotaExceeded extends ApiError {
  constructor(
    readonly values: ProblemValues["quota_exceeded"],
    retryAfterSeconds: number,
  ) {
    super("quota_exceeded", { message: problemText({ code: "quota_exceeded", values }), retryAfterSeconds });
  }
}

/** Tells of the exceeded quota that begins anew as the last. */
function exceeded(uses: readonly QuotaUse[], parts: number, at: number): ApiError {
  const over = uses.filter(({ quota, partsUsed }) => partsUsed + parts > quota.partsMax);
  const last = over.reduce((a, b) => (b.period.endsAt > a.period.endsAt ? b : a));
  const retryAfterSeconds = Math.ceil((last.period.endsAt - at) / 1_000);
  return new QuotaExceeded(valuesOf(last, parts), retryAfterSeconds);
}

function valuesOf({ quota, partsUsed }: QuotaUse, parts: number): ProblemValues["quota_exceeded"] {
  const { subject, period, partsMax } = quota;
  return { subject, period, partsMax, left: Math.max(0, partsMax - partsUsed), parts };
}
