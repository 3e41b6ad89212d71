/** Conditions of everything that is renewed regularly: backups of the database, and the certificate. */
import { type ConditionFacts, type ConditionText, condition, fullDayMs, hourMs, minuteMs } from "./condition.ts";

/** Null if there never was one. */
interface AgeValues {
  ageMs: number | null;
}

const nightlyMsMax = 36 * hourMs;
/** One backup may fail, and one may be late. */
const intervalsMax = 3;
/** ACME clients renew 30 days before expiry: with fewer days left, a renewal has failed. */
const certificateMsMin = 14 * fullDayMs;

const olderThan = (ageMsMax: number, at: number | null, now: number): AgeValues[] =>
  at === null || now - at <= ageMsMax ? [] : [{ ageMs: at === 0 ? null : now - at }];

/** If only nightly backups are copied elsewhere, the newest may be as old as they may be. */
const elsewhereMsMax = (intervalMs: number | null) => (intervalMs ?? nightlyMsMax / intervalsMax) * intervalsMax;

const english =
  (what: string): ConditionText<AgeValues>["says"] =>
  ({ ageMs }, { duration }) =>
    ageMs === null ? `${what} was never made` : `${what} is ${duration(ageMs)} old`;
const persian =
  (what: string): ConditionText<AgeValues>["says"] =>
  ({ ageMs }, { duration }) =>
    ageMs === null ? `${what} هنوز ساخته نشده است` : `${what} از ${duration(ageMs)} پیش است`;

export const upkeepConditions = {
  BackupOld: condition<AgeValues>()({
    severity: "ticket",
    limit: { kind: "duration", is: "over", value: nightlyMsMax },
    check: "backup",
    find: ({ nightlyAt, now }: Pick<ConditionFacts, "nightlyAt" | "now">) => olderThan(nightlyMsMax, nightlyAt(), now),
    rule: { expr: `time() - peyk_last_backup_timestamp_seconds > ${nightlyMsMax / 1_000}`, values: { ageMs: 0 } },
    help: ["backup-and-restore", "every-night"],
    en: {
      name: "Nightly backup is old",
      says: english("The newest nightly backup"),
      todo: () => "journalctl -u peyk | grep backup",
    },
    fa: { name: "کهنگی نسخهٔ شبانه", says: persian("تازه‌ترین نسخهٔ شبانه") },
  }),
  FrequentBackupOld: condition<AgeValues>()({
    severity: "ticket",
    check: "frequent backup",
    find: ({
      frequentAt,
      frequentIntervalMs,
      now,
    }: Pick<ConditionFacts, "frequentAt" | "frequentIntervalMs" | "now">) => {
      const intervalMs = frequentIntervalMs();
      return intervalMs === null ? [] : olderThan(intervalMs * intervalsMax, frequentAt(), now);
    },
    rule: {
      expr: `time() - peyk_last_frequent_backup_timestamp_seconds > ${intervalsMax} * peyk_frequent_backup_interval_seconds`,
      values: { ageMs: 0 },
    },
    help: ["backup-and-restore", "every-few-minutes-to-another-machine"],
    en: {
      name: "Frequent backup is old",
      says: english("The newest backup of every few minutes"),
      todo: () => "journalctl -u peyk | grep backup",
    },
    fa: { name: "کهنگی نسخهٔ چنددقیقه‌ای", says: persian("تازه‌ترین نسخهٔ چنددقیقه‌ای") },
  }),
  BackupNotElsewhere: condition<AgeValues>()({
    severity: "ticket",
    check: "frequent backup",
    find: ({ shippedAt, frequentIntervalMs, now }: Pick<ConditionFacts, "shippedAt" | "frequentIntervalMs" | "now">) =>
      olderThan(elsewhereMsMax(frequentIntervalMs()), shippedAt(), now),
    rule: {
      expr: `time() - peyk_last_shipped_backup_timestamp_seconds
  > ${intervalsMax} * (peyk_frequent_backup_interval_seconds or on () vector(${nightlyMsMax / intervalsMax / 1_000}))`,
      values: { ageMs: 0 },
    },
    help: ["backup-and-restore", "every-few-minutes-to-another-machine"],
    en: {
      name: "No recent backup elsewhere",
      says: english("The newest backup on another machine"),
      todo: () => "journalctl -u peyk-ship-backup",
    },
    fa: { name: "نبود نسخهٔ تازه در جای دیگر", says: persian("تازه‌ترین نسخه روی دستگاه دیگر") },
  }),
  BackupTargetFails: condition<AgeValues & { why: string | null }>()({
    severity: "ticket",
    holdMs: 15 * minuteMs,
    find: ({ target, frequentIntervalMs, now }: Pick<ConditionFacts, "target" | "frequentIntervalMs" | "now">) => {
      const found = target();
      if (found === null) return [];
      const { copiedAt, begunAt, failure: why } = found;
      const isOld = olderThan(elsewhereMsMax(frequentIntervalMs()), copiedAt ?? begunAt, now).length > 0;
      return why === null && !isOld ? [] : [{ ageMs: copiedAt === null ? null : now - copiedAt, why }];
    },
    rule: {
      expr: `time() - peyk_last_target_backup_timestamp_seconds
  > ${intervalsMax} * (peyk_frequent_backup_interval_seconds or on () vector(${nightlyMsMax / intervalsMax / 1_000}))`,
      values: { ageMs: 0, why: null },
    },
    help: ["backup-and-restore", "to-a-bucket"],
    en: {
      name: "No recent backup in the bucket",
      says: ({ ageMs, why }, { duration, name }) =>
        (ageMs === null ? "No copy is in the bucket yet" : `The newest copy in the bucket is ${duration(ageMs)} old`) +
        (why === null ? "" : `: ${name(why.replace(/\.$/, ""))}`),
      todo: () => "peyk backup upload",
    },
    fa: {
      name: "نبود نسخهٔ تازه در باکت",
      says: ({ ageMs, why }, { duration, name }) =>
        (ageMs === null ? "هنوز نسخه‌ای در باکت نیست" : `تازه‌ترین نسخه در باکت از ${duration(ageMs)} پیش است`) +
        (why === null ? "" : `: ${name(why)}`),
    },
  }),
  CertificateEnds: condition<{ leftMs: number }>()({
    severity: "ticket",
    limit: { kind: "duration", is: "under", value: certificateMsMin },
    check: "certificate",
    isGrave: ({ leftMs }) => leftMs <= 0,
    find: ({ certificateEndsAt, now }: Pick<ConditionFacts, "certificateEndsAt" | "now">) => {
      const endsAt = certificateEndsAt();
      return endsAt === null || endsAt - now >= certificateMsMin ? [] : [{ leftMs: endsAt - now }];
    },
    rule: {
      expr: `peyk_certificate_end_timestamp_seconds - time() < ${certificateMsMin / 1_000}`,
      values: { leftMs: 1 },
    },
    help: ["tls-and-proxies"],
    en: {
      name: "Certificate ends",
      says: ({ leftMs }, { duration }) =>
        leftMs <= 0 ? "The certificate has ended" : `The certificate ends in ${duration(leftMs)}`,
      todo: () => "Renew it, then systemctl reload peyk",
    },
    fa: {
      name: "پایان گواهی",
      says: ({ leftMs }, { duration }) =>
        leftMs <= 0 ? "اعتبار گواهی به سر آمده است" : `اعتبار گواهی ${duration(leftMs)} دیگر به سر می‌آید`,
      todo: (_, { name }) => `آن را نو کنید، سپس: ${name("systemctl reload peyk")}`,
    },
  }),
};
