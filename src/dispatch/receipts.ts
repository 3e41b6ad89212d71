/** Receipts become statuses: found by the id that the route gave the part, committed, and only then acknowledged. */
import type { MessageErrorCode } from "../domain/message.ts";
import { isFinal } from "../domain/status.ts";
import type { Receipt } from "../providers/provider.ts";
import type { MessageRow } from "../store/messages.ts";
import { isDecided, type PartRow, type ReceiptState } from "../store/parts.ts";
import type { Tables } from "../store/store.ts";

/** What a receipt says of one part, whichever way it came. */
export interface PartReport {
  state: ReceiptState;
  error: MessageErrorCode | null;
  detail: string;
}

export type ReceiptEffect = "applied" | "repeated" | "orphaned";

/** Applies a report to its part and, where that decides it, to the message. A part that is decided stays so. */
export function applyReport(
  tables: Tables,
  part: PartRow,
  report: PartReport,
  routeId: number,
  at: number,
): ReceiptEffect {
  const message = tables.messages.byId(part.messageId);
  if (message === null || isDecided(part)) return "repeated";
  const isOnlyPart = message.partCount === 1;
  if (isOnlyPart && isFinal(message.state)) return "repeated";
  // The state of a message of one part says what became of it: one write less in the path of nearly every message.
  const isTold = isOnlyPart && message.state === "submitted" && report.state !== "pending";
  if (!isTold && part.receipt !== report.state) tables.parts.setReceipt(part, report.state);
  if (report.state === "pending") return "applied";
  if (report.state === "failed") {
    tables.timeline.add(message.id, {
      at,
      kind: "receipt_failed",
      routeId,
      detail: `Part ${part.number}: ${report.detail}`,
    });
  }
  if (message.state === "submitted") decide(tables, message, report, at);
  return "applied";
}

/** Delivered when every part is that has an id on its route, failed as soon as one is. */
function decide(tables: Tables, message: MessageRow, report: PartReport, at: number): void {
  if (report.state === "failed") {
    tables.messages.move(message, { to: "failed", at, errorCode: report.error ?? "undeliverable" });
  } else if (message.partCount === 1 || isWhole(tables, message)) {
    tables.messages.move(message, { to: "delivered", at, partsDelivered: message.partCount });
  }
}

/**
 * How many ids a long message has is the route's affair: one for each part, one for all of it (`payload`, most HTTP
 * providers), or, where headers take more room, one more than the rules in domain count.
 */
function isWhole(tables: Tables, message: MessageRow): boolean {
  const { tracked, delivered } = tables.parts.countsOf(message.id);
  if (delivered < tracked) tables.messages.setPartsDelivered(message.id, Math.min(delivered, message.partCount));
  return delivered >= tracked;
}

/** Takes a receipt in: applied to its part, or kept until the answer to the submit brings the part's id. */
export function takeReceipt(tables: Tables, routeId: number, receipt: Receipt, now: number): ReceiptEffect {
  const report: PartReport = { state: receipt.state, error: receipt.error ?? null, detail: receipt.detail };
  for (const id of receipt.ids) {
    const part = tables.parts.byProviderId(routeId, id);
    if (part !== null) return applyReport(tables, part, report, routeId, now);
  }
  // Which spelling the submit answer will use is not known yet.
  const { state, error, detail } = report;
  const providerIds = [...new Set(receipt.ids)];
  tables.parts.insertOrphan({ routeId, providerIds, state, errorCode: error, detail, at: receipt.at }, now);
  return "orphaned";
}

/** The answer to a submit brought the parts' ids: stores them all, then joins the receipts that were faster. */
export function storeParts(
  tables: Tables,
  message: MessageRow,
  routeId: number,
  partIds: readonly (string | null)[],
  now: number,
): void {
  for (const [index, providerId] of partIds.entries()) {
    if (providerId !== null) tables.parts.insert(message.id, index + 1, routeId, providerId);
  }
  for (const providerId of partIds) {
    if (providerId !== null) joinOrphans(tables, routeId, providerId, now);
  }
}

function joinOrphans(tables: Tables, routeId: number, providerId: string, now: number): void {
  for (const orphan of tables.parts.takeOrphans(routeId, providerId)) {
    const part = tables.parts.byProviderId(routeId, providerId);
    const report = { state: orphan.state, error: orphan.errorCode, detail: orphan.detail };
    if (part !== null) applyReport(tables, part, report, routeId, now);
  }
}
