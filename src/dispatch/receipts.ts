/** Receipts become statuses: found by the id that the route gave the part, committed, and only then acknowledged. */
import type { MessageErrorCode } from "../domain/message.ts";
import type { Receipt } from "../providers/provider.ts";
import type { MessageRow } from "../store/messages.ts";
import type { PartRow, ReceiptState } from "../store/parts.ts";
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
  if (message === null || part.receipt === "delivered" || part.receipt === "failed") return "repeated";
  if (part.receipt !== report.state) tables.parts.setReceipt(part, report.state);
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

/** Delivered when every part is, failed as soon as one is. */
function decide(tables: Tables, message: MessageRow, report: PartReport, at: number): void {
  if (report.state === "failed") {
    tables.messages.move(message, { to: "failed", at, errorCode: report.error ?? "undeliverable" });
    return;
  }
  const partsDelivered = message.partsDelivered + 1;
  if (partsDelivered < message.partCount) tables.messages.setPartsDelivered(message.id, partsDelivered);
  else tables.messages.move(message, { to: "delivered", at, partsDelivered });
}

/** Takes a receipt in: applied to its part, or kept until the answer to the submit brings the part's id. */
export function takeReceipt(tables: Tables, routeId: number, receipt: Receipt, now: number): ReceiptEffect {
  const report: PartReport = { state: receipt.state, error: receipt.error ?? null, detail: receipt.detail };
  for (const id of receipt.ids) {
    const part = tables.parts.byProviderId(routeId, id);
    if (part !== null) return applyReport(tables, part, report, routeId, now);
  }
  // Each spelling of the id gets a row: which of them the submit answer will use is not known yet.
  for (const providerId of new Set(receipt.ids)) {
    const { state, error, detail } = report;
    tables.parts.insertOrphan({ routeId, providerId, state, errorCode: error, detail, at: receipt.at }, now);
  }
  return "orphaned";
}

/** The answer to a submit brought the parts' ids: stores them and joins the receipts that were faster. */
export function storeParts(
  tables: Tables,
  message: MessageRow,
  routeId: number,
  partIds: readonly (string | null)[],
  now: number,
): void {
  for (const [index, providerId] of partIds.entries()) {
    if (providerId === null) continue;
    const number = index + 1;
    tables.parts.insert(message.id, number, routeId, providerId);
    for (const orphan of tables.parts.takeOrphans(routeId, providerId)) {
      const part = tables.parts.byProviderId(routeId, providerId);
      const report = { state: orphan.state, error: orphan.errorCode, detail: orphan.detail };
      if (part !== null) applyReport(tables, part, report, routeId, now);
    }
  }
}
