/** What a carrier refused, by the code that it gave: for the figures of its route. */
import type { Reason } from "./reason.ts";

export const refusalKinds = ["rejected", "temporary", "throttled", "uncertain", "receipt"] as const;
export type RefusalKind = (typeof refusalKinds)[number];

export const isRefusal = (kind: string): kind is RefusalKind => refusalKinds.some((known) => known === kind);

/** Carriers can be talkative; a code is short. */
const codeLengthMax = 40;

/** The carrier's own code where it gave one, else Peyk's word for what happened. Never its text, which may repeat a message's. */
export function refusalCode(reason: Reason): string {
  switch (reason.code) {
    case "smpp_refused":
    case "smpp_nack":
      return reason.statusName ?? `0x${reason.status.toString(16).toUpperCase().padStart(8, "0")}`;
    case "http_answered":
      return httpCode(reason.status, reason.carrierCode);
    case "http_unmatched":
      return httpCode(reason.status);
    case "link_lost":
    case "partly_accepted":
      return refusalCode(reason.cause);
    default:
      return reason.code;
  }
}

const httpCode = (status: number, carrierCode?: string) =>
  (carrierCode === undefined ? `HTTP ${status}` : `HTTP ${status}, ${carrierCode}`).slice(0, codeLengthMax);

/** Behind these a receipt's words are of one message alone. */
const details = [" done date:", " message_state:", " network_error_code:", " by query_sm"];

/** Of a receipt: the carrier's words for the state, such as `stat:UNDELIV err:001`. */
export function receiptCode(words: string): string {
  const ends = details.map((detail) => words.indexOf(detail)).filter((index) => index !== -1);
  return words.slice(0, Math.min(codeLengthMax, ...ends));
}
