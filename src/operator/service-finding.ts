/** The running service's findings about itself: how grave each is, and its English as commands show it. */
import { type FindingCode, type FindingValues, findingWords } from "../domain/service-finding.ts";
import type { Finding, Grade } from "./finding.ts";

export type ServiceFinding<Code extends FindingCode = FindingCode> = {
  [One in Code]: Finding & { code: One; values: FindingValues[One] };
}[Code];

const kinds: Readonly<Record<FindingCode, { check: string; grade: Grade }>> = {
  disk_free: { check: "disk", grade: "ok" },
  disk_low: { check: "disk", grade: "warn" },
  disk_full: { check: "disk", grade: "bad" },
  wal_small: { check: "wal", grade: "ok" },
  wal_held: { check: "wal", grade: "warn" },
  tls_off: { check: "certificate", grade: "note" },
  certificate_good: { check: "certificate", grade: "ok" },
  certificate_ends: { check: "certificate", grade: "warn" },
  certificate_expired: { check: "certificate", grade: "bad" },
  certificate_not_yet: { check: "certificate", grade: "bad" },
  certificate_unusable: { check: "certificate", grade: "bad" },
  fraud_limited: { check: "fraud", grade: "ok" },
  fraud_open: { check: "fraud", grade: "warn" },
  drop_in_plain: { check: "drop-in", grade: "warn" },
  alerts_told: { check: "alerts", grade: "ok" },
  alerts_untold: { check: "alerts", grade: "note" },
  nightly_off: { check: "backup", grade: "note" },
  nightly_none: { check: "backup", grade: "note" },
  nightly_fresh: { check: "backup", grade: "ok" },
  nightly_old: { check: "backup", grade: "warn" },
  frequent_off: { check: "frequent backup", grade: "note" },
  frequent_none: { check: "frequent backup", grade: "note" },
  frequent_fresh: { check: "frequent backup", grade: "ok" },
  frequent_old: { check: "frequent backup", grade: "warn" },
  frequent_not_shipped: { check: "frequent backup", grade: "warn" },
};

export function findingOf<Code extends FindingCode>(code: Code, values: FindingValues[Code]) {
  return { ...kinds[code], ...findingWords<Code>({ code, values }), code, values };
}
