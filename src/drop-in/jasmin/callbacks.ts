/**
 * Jasmin's delivery receipts: a form or a query sent to `dlr-url`, by level; the receiver acknowledges with
 * `ACK/Jasmin`.
 */
import type { MessageErrorCode, PublicStatus } from "../../domain/message.ts";
import { receiptDate } from "../../domain/smpp-time.ts";
import type { CallbackProtocol, CallbackReport } from "../message-callbacks.ts";

/** Bits: 1 for the carrier's acceptance, 2 for the final status. */
export const dlrLevels: Readonly<Record<string, number>> = { 1: 1, 2: 2, 3: 3 };

export interface JasminCallbackFields {
  [name: string]: string;
  method: string;
}

export const jasminCallbacks: CallbackProtocol = {
  name: "jasmin",
  wants: (message, status, mask) => (levelOf(message, status, mask) & mask) !== 0,
  request(report) {
    const { url = "", method = "POST" } = report.fields;
    const form = new URLSearchParams(argumentsOf(report)).toString();
    const isGet = method === "GET";
    return {
      url: isGet ? withQuery(url, form) : url,
      method: isGet ? "GET" : "POST",
      headers: () => ({
        "User-Agent": "Peyk",
        Accept: "text/plain",
        "Content-Type": "application/x-www-form-urlencoded",
      }),
      body: isGet ? "" : form,
      isAcknowledged: (body) => Buffer.from(body).toString("latin1").trim() === "ACK/Jasmin",
    };
  },
};

/**
 * 0 for a status that is not reported. A failure before the hand-over is also sent at level 1 to those who ask for it.
 */
function levelOf({ sentAt }: { sentAt: number | null }, status: PublicStatus, mask: number): 0 | 1 | 2 {
  if (status === "sent") return 1;
  const isEnd = status === "delivered" || status === "failed" || status === "cancelled";
  if (!isEnd) return 0;
  return sentAt === null && (mask & 1) === 1 ? 1 : 2;
}

function argumentsOf(report: CallbackReport): Record<string, string> {
  const { status, at, message, mask, errorCode } = report;
  const level = levelOf(message, status, mask);
  const shared = { id: message.trackingCode, level: String(level) };
  if (level === 1) return { ...shared, message_status: acceptanceOf(status, errorCode), connector: "peyk" };
  return {
    ...shared,
    message_status: endOf(status, errorCode),
    connector: "peyk",
    id_smsc: message.trackingCode,
    sub: "001",
    dlvrd: status === "delivered" ? "001" : "000",
    subdate: receiptDate(message.submittedAt),
    donedate: receiptDate(at),
    err: status === "delivered" ? "000" : (errorCode ?? status),
    text: "",
  };
}

/** The status that a carrier would have answered (SMPP 3.4, 5.1.3). */
function acceptanceOf(status: PublicStatus, errorCode: MessageErrorCode | null): string {
  if (status === "sent") return "ESME_ROK";
  return errorCode === "recipient_invalid" ? "ESME_RINVDSTADR" : "ESME_RSUBMITFAIL";
}

/** SMPP 3.4, 5.2.28. */
function endOf(status: PublicStatus, errorCode: MessageErrorCode | null): string {
  if (status === "delivered") return "DELIVRD";
  if (status === "cancelled") return "DELETED";
  if (errorCode === "expired") return "EXPIRED";
  return errorCode === "rejected_by_network" || errorCode === "blocked" ? "REJECTD" : "UNDELIV";
}

function withQuery(url: string, query: string): string {
  return `${url}${url.includes("?") ? "&" : "?"}${query}`;
}
