/** What the running service finds about itself: codes and values. */

/** The values of each sentence. Moments in epoch milliseconds. */
export interface FindingValues {
  disk_free: { freeBytes: number; totalBytes: number };
  disk_low: FindingValues["disk_free"];
  disk_full: FindingValues["disk_free"];
  wal_small: { bytes: number };
  wal_held: { bytes: number };
  tls_off: object;
  certificate_good: { names: string; endsAt: number };
  certificate_ends: { names: string; endsAt: number; days: number };
  certificate_expired: { names: string; endsAt: number };
  certificate_not_yet: { names: string; endsAt: number; beginsAt: number };
  /** `words`: which file, and why. */
  certificate_unusable: { words: string };
  /** No countries: messages may go to any. */
  fraud_limited: { countries: readonly string[]; isGuarded: boolean };
  fraud_open: object;
  /** `address`: of the drop-in listener. */
  drop_in_plain: { address: string };
  alerts_told: { channels: readonly ("webhook" | "mail" | "sms")[] };
  alerts_untold: object;
  nightly_off: object;
  /** `file`: where a first backup could be put. */
  nightly_none: { file: string };
  nightly_fresh: { copies: number; hours: number };
  nightly_old: { copies: number; hours: number };
  frequent_off: object;
  frequent_none: object;
  /** `elsewhereMinutes`: the age of the newest backup copied elsewhere; null if there is none. */
  frequent_fresh: { minutes: number; elsewhereMinutes: number | null };
  frequent_old: FindingValues["frequent_fresh"];
  frequent_not_shipped: { minutes: number; elsewhereMinutes: number | null; words: string };
}

export type FindingCode = keyof FindingValues;
