/** What the running service finds about itself, in English. */
import { sizeText } from "./size-text.ts";

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

/** Formats the values in a text: the reader has digits, a calendar and a time zone. */
export interface FindingWriting {
  number(value: number): string;
  bytes(bytes: number): string;
  /** `at`: epoch milliseconds. */
  date(at: number): string;
}

export type FindingTexts = {
  readonly [Code in FindingCode]: {
    says(values: FindingValues[Code], write: FindingWriting): string;
    /** Null if nothing needs to be done. */
    do: ((values: FindingValues[Code]) => string) | null;
  };
};

const disk = ({ freeBytes, totalBytes }: FindingValues["disk_free"]) =>
  `${sizeText(freeBytes)} free of ${sizeText(totalBytes)}`;
const freeSpace = () =>
  "Free some space, keep messages for less time (messages.retention_days), or keep fewer copies (backup.nightly_keep)";
const wal = ({ bytes }: FindingValues["wal_small"]) => sizeText(bytes);
const certificate = ({ names, endsAt }: FindingValues["certificate_good"]) =>
  `${names}, until ${new Date(endsAt).toISOString().slice(0, 10)}`;
const renew = () => "Renew it, then: systemctl reload peyk";
const nightly = ({ copies, hours }: FindingValues["nightly_fresh"]) =>
  `${copies} nightly copies, the newest ${hours} h old`;
const frequent = ({ minutes, elsewhereMinutes }: FindingValues["frequent_fresh"]) =>
  `The newest copy is ${minutes} min old, ${elsewhereMinutes === null ? "none is elsewhere" : `the newest elsewhere ${elsewhereMinutes} min old`}`;

export const englishFindings: FindingTexts = {
  disk_free: { says: disk, do: null },
  disk_low: { says: disk, do: freeSpace },
  disk_full: { says: (values) => `${disk(values)}: soon nothing can be accepted`, do: freeSpace },
  wal_small: { says: wal, do: null },
  wal_held: {
    says: (values) => `${wal(values)}: another process keeps the database open for reading`,
    do: () => "Find the sqlite3 shell or stuck backup and end it: lsof peyk.db",
  },
  tls_off: {
    says: () => "The public listener serves plain HTTP; put a proxy with TLS in front of it, or set tls.cert_file",
    do: null,
  },
  certificate_good: { says: certificate, do: null },
  certificate_ends: { says: (values) => `${certificate(values)}: ${values.days} days are left`, do: renew },
  certificate_expired: { says: (values) => `${certificate(values)}: it has expired`, do: renew },
  certificate_not_yet: {
    says: (values) => `${certificate(values)}, but not before ${new Date(values.beginsAt).toISOString()}`,
    do: () => "Check the clock, or wait",
  },
  certificate_unusable: {
    says: ({ words }) => words,
    do: () => "Correct the files; until then a start fails, and a reload keeps the old certificate",
  },
  fraud_limited: {
    says: ({ countries, isGuarded }) =>
      `Messages go to ${countries.length === 0 ? "every country" : countries.join(", ")}; the guard over one-time passwords is ${isGuarded ? "on" : "off"}`,
    do: null,
  },
  fraud_open: {
    says: () =>
      "Messages go to every country and the guard over one-time passwords is off: a stolen key can send without a limit",
    do: () =>
      'sending.countries = ["IR"], or otp.fraud_guard = true; for one account: peyk account update ID --countries IR',
  },
  drop_in_plain: {
    says: ({ address }) =>
      `The drop-in listener serves other machines without TLS at ${address}: passwords cross the network in plain`,
    do: () =>
      "Set tls.cert_file and tls.key_file, or let drop_in.listen serve this machine alone, behind a proxy that ends TLS",
  },
  alerts_told: {
    says: ({ channels }) => `Operators are notified by ${channels.join(", ")}; try it: peyk alert test`,
    do: null,
  },
  alerts_untold: {
    says: () => "Nobody is notified when something is wrong",
    do: () => "Name a mail server, a webhook or phones under [alerts]; or let Prometheus watch: see docs/alerts.md",
  },
  nightly_off: { says: () => "Nightly copies are off (backup.nightly_keep = 0)", do: null },
  nightly_none: {
    says: () => "There is no nightly copy yet",
    do: ({ file }) => `The first is made at 03:17; now: peyk backup create ${file}`,
  },
  nightly_fresh: { says: (values) => `${nightly(values)}; keep some on another machine`, do: null },
  nightly_old: {
    says: nightly,
    do: () => 'Look for "the nightly backup failed" in the log: journalctl -u peyk',
  },
  frequent_off: { says: () => "No copies every few minutes (backup.every_minutes = 0)", do: null },
  frequent_none: { says: () => "There is no copy yet", do: () => "Start the service; the first is made at once" },
  frequent_fresh: { says: frequent, do: null },
  frequent_old: {
    says: frequent,
    do: () => 'Look for "the frequent backup failed" in the log: journalctl -u peyk',
  },
  frequent_not_shipped: {
    says: (values) => `${frequent(values)}: ${values.words}`,
    do: () => "journalctl -u peyk-ship-backup",
  },
};

/** English needs none: it writes numbers as programs do. */
const plainWriting: FindingWriting = {
  number: String,
  bytes: (bytes) => `${bytes} B`,
  date: (at) => new Date(at).toISOString(),
};

export function findingWords<Code extends FindingCode>(
  { code, values }: { code: Code; values: FindingValues[Code] },
  texts = englishFindings,
  write = plainWriting,
): { says: string; do: string | null } {
  const text = texts[code];
  return { says: text.says(values, write), do: text.do?.(values) ?? null };
}
