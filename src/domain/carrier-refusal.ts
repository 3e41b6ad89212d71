/** Carrier refusals by code, for the figures of a route. */
import type { Reason } from "./reason.ts";

export const refusalKinds = ["rejected", "temporary", "throttled", "uncertain", "receipt"] as const;
export type RefusalKind = (typeof refusalKinds)[number];

export const isRefusal = (kind: string): kind is RefusalKind => refusalKinds.some((known) => known === kind);

/** Carriers can be verbose; a code is short. */
const codeLengthMax = 40;

/**
 * The carrier's own code if it gave one, else Peyk's word for what happened. Never its text, which may repeat the
 * message.
 */
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

/** What follows these in a receipt concerns only one message. */
const details = [" done date:", " message_state:", " network_error_code:", " by query_sm"];

/** For a receipt: the carrier's words for the state, such as `stat:UNDELIV err:001`. */
export function receiptCode(words: string): string {
  const ends = details.map((detail) => words.indexOf(detail)).filter((index) => index !== -1);
  return words.slice(0, Math.min(codeLengthMax, ...ends));
}
