/** The page of the documentation that says what to do about a condition. */
import type { ConditionCode } from "../../../conditions/conditions.ts";
import type { Language } from "../../language.ts";
import { helpPath, helpTitle } from "../help/help-document.tsx";

/** A document, and the id of a heading in its English text. */
export const conditionHelp: Readonly<Record<ConditionCode, readonly [name: string, heading?: string]>> = {
  Damaged: ["troubleshooting", "the-database-is-damaged"],
  Held: ["backup-and-restore", "restore"],
  ClockAhead: ["troubleshooting", "the-clock-jumped-ahead"],
  BooksAhead: ["troubleshooting", "the-books-are-ahead-of-the-clock"],
  DiskFull: ["troubleshooting", "the-disk-is-full"],
  WalGrows: ["troubleshooting", "everything-is-slow"],
  WebhookSwitchedOff: ["troubleshooting", "callbacks-do-not-come"],
  DeliveriesNotTaken: ["smpp-server", "receipts-and-texts-from-phones"],
  PasswordsGuessed: ["drop-in", "give-a-program-its-credential"],
  CannotStore: ["troubleshooting", "the-disk-is-full"],
  CommitsSlow: ["troubleshooting", "everything-is-slow"],
  EventLoopSlow: ["troubleshooting", "everything-is-slow"],
  CallbacksFail: ["troubleshooting", "callbacks-do-not-come"],
  RouteDown: ["troubleshooting", "messages-stay-queued"],
  ReceiptsUnmatched: ["when-receipts-do-not-match"],
  OtpLate: ["troubleshooting", "messages-stay-queued"],
  SingleLate: ["troubleshooting", "messages-stay-queued"],
  BulkLate: ["troubleshooting", "messages-stay-queued"],
  Refusals: ["troubleshooting", "messages-fail"],
  Throttled: ["connect-your-smsc"],
  ReceiptsMissing: ["when-receipts-do-not-match"],
  ReceiptsOrphaned: ["when-receipts-do-not-match"],
  BackupOld: ["backup-and-restore", "every-night"],
  FrequentBackupOld: ["backup-and-restore", "every-few-minutes-to-another-machine"],
  BackupNotElsewhere: ["backup-and-restore", "every-few-minutes-to-another-machine"],
  CertificateEnds: ["tls-and-proxies"],
  ClusterLogSilent: ["high-availability", "daily-work"],
  NodeAway: ["high-availability", "daily-work"],
  NodeBehind: ["high-availability", "daily-work"],
  NodeCannotWrite: ["high-availability", "daily-work"],
  NodesDiffer: ["high-availability", "when-nodes-differ"],
  EngineUnprotected: ["high-availability", "set-up"],
  QuotaNearlyUsed: ["prices-and-quotas", "quotas"],
  BalanceLow: ["prices-and-quotas", "balance-and-ledger"],
  DeliveryRateFell: ["troubleshooting", "messages-fail"],
  TrafficJumped: ["repair", "cancel-what-waits"],
};

/** In the reader's language where there is one; headings have their ids in English. */
export function conditionHelpHref(code: ConditionCode, language: Language): string {
  const [name, heading] = conditionHelp[code];
  if (language !== "en" && helpTitle(language, name) !== null) return helpPath(language, name);
  return heading === undefined ? helpPath("en", name) : `${helpPath("en", name)}#${heading}`;
}
