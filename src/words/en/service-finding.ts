/** English: what the running service finds about itself. */
import type { FindingCode, FindingValues } from "../../domain/service-finding.ts";

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

const mib = 1024 * 1024;
const wholeMib = (bytes: number) => Math.floor(bytes / mib);
const disk = ({ freeBytes, totalBytes }: FindingValues["disk_free"]) =>
  `${wholeMib(freeBytes)} MiB free of ${wholeMib(totalBytes)}`;
const freeSpace = () =>
  "free some space, keep messages for less time (messages.retention_days), or keep fewer copies (backup.nightly_keep)";
const wal = ({ bytes }: FindingValues["wal_small"]) => `${(bytes / mib).toFixed(1)} MiB`;
const certificate = ({ names, endsAt }: FindingValues["certificate_good"]) =>
  `${names}, until ${new Date(endsAt).toISOString().slice(0, 10)}`;
const renew = () => "renew it, then: systemctl reload peyk";
const nightly = ({ copies, hours }: FindingValues["nightly_fresh"]) =>
  `${copies} nightly copies, the newest ${hours} h old`;
const frequent = ({ minutes, elsewhereMinutes }: FindingValues["frequent_fresh"]) =>
  `the newest copy is ${minutes} min old, ${elsewhereMinutes === null ? "none is elsewhere" : `the newest elsewhere ${elsewhereMinutes} min old`}`;

export const englishFindings: FindingTexts = {
  disk_free: { says: disk, do: null },
  disk_low: { says: disk, do: freeSpace },
  disk_full: { says: (values) => `${disk(values)}: soon nothing can be accepted`, do: freeSpace },
  wal_small: { says: wal, do: null },
  wal_held: {
    says: (values) => `${wal(values)}: another process keeps the database open for reading`,
    do: () => "find the sqlite3 shell or stuck backup and end it: lsof peyk.db",
  },
  tls_off: {
    says: () => "the public listener serves plain HTTP; put a proxy with TLS in front of it, or set tls.cert_file",
    do: null,
  },
  certificate_good: { says: certificate, do: null },
  certificate_ends: { says: (values) => `${certificate(values)}: ${values.days} days are left`, do: renew },
  certificate_expired: { says: (values) => `${certificate(values)}: it has expired`, do: renew },
  certificate_not_yet: {
    says: (values) => `${certificate(values)}, but not before ${new Date(values.beginsAt).toISOString()}`,
    do: () => "check the clock, or wait",
  },
  certificate_unusable: {
    says: ({ words }) => words,
    do: () => "correct the files; until then a start fails, and a reload keeps the old certificate",
  },
  fraud_limited: {
    says: ({ countries, isGuarded }) =>
      `messages go to ${countries.length === 0 ? "every country" : countries.join(", ")}; the guard over one-time passwords is ${isGuarded ? "on" : "off"}`,
    do: null,
  },
  fraud_open: {
    says: () =>
      "messages go to every country and the guard over one-time passwords is off: a stolen key can send without a limit",
    do: () =>
      'sending.countries = ["IR"], or otp.fraud_guard = true; for one account: peyk account update ID --countries IR',
  },
  drop_in_plain: {
    says: ({ address }) =>
      `the drop-in listener serves other machines without TLS at ${address}: passwords cross the network in plain`,
    do: () =>
      "set tls.cert_file and tls.key_file, or let drop_in.listen serve this machine alone, behind a proxy that ends TLS",
  },
  alerts_told: {
    says: ({ channels }) => `operators are told by ${channels.join(", ")}; try it: peyk alert test`,
    do: null,
  },
  alerts_untold: {
    says: () => "nobody is told when something is wrong",
    do: () => "name a mail server, a webhook or phones under [alerts]; or let Prometheus watch: see docs/alerts.md",
  },
  nightly_off: { says: () => "nightly copies are off (backup.nightly_keep = 0)", do: null },
  nightly_none: {
    says: () => "there is no nightly copy yet",
    do: ({ file }) => `the first comes at 03:17; now: peyk backup create ${file}`,
  },
  nightly_fresh: { says: (values) => `${nightly(values)}; keep some on another machine`, do: null },
  nightly_old: {
    says: nightly,
    do: () => 'look for "the nightly backup failed" in the log: journalctl -u peyk',
  },
  frequent_off: { says: () => "no copies every few minutes (backup.every_minutes = 0)", do: null },
  frequent_none: { says: () => "there is no copy yet", do: () => "start the service; the first is made at once" },
  frequent_fresh: { says: frequent, do: null },
  frequent_old: {
    says: frequent,
    do: () => 'look for "the frequent backup failed" in the log: journalctl -u peyk',
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
