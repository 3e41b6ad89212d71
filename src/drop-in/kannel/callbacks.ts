/**
 * Kannel's delivery reports: a GET of `dlr-url`, with the outcome filled into its escapes (user's guide, "Delivery
 * reports").
 */
import type { PublicStatus } from "../../domain/message.ts";
import { isoTime } from "../../platform/clock.ts";
import type { CallbackProtocol, CallbackReport } from "../message-callbacks.ts";

/** Bits of `dlr-mask`, and the values of `%d`. */
export const dlrTypes = { delivered: 1, failed: 2, buffered: 4, handedOver: 8, refused: 16 } as const;

/** A mask with none of these bits asks for nothing. */
export const dlrBits = dlrTypes.delivered | dlrTypes.failed | dlrTypes.handedOver | dlrTypes.refused;

export const kannelCallbacks: CallbackProtocol = {
  name: "kannel",
  wants: (message, status, mask) => (typeOf(message, status) & mask) !== 0,
  request(report) {
    return {
      url: filledUrl(report.fields.url ?? "", escapesOf(report)),
      method: "GET",
      headers: () => ({ "User-Agent": "Peyk" }),
      body: "",
    };
  },
};

/** 0 for a status that Kannel does not report. A failure before any carrier had the message counts as its refusal. */
function typeOf({ sentAt }: { sentAt: number | null }, status: PublicStatus): number {
  if (status === "sent") return dlrTypes.handedOver;
  if (status === "delivered") return dlrTypes.delivered;
  if (status === "failed" || status === "cancelled") return sentAt === null ? dlrTypes.refused : dlrTypes.failed;
  return 0;
}

/** Fields known when the message arrives; `escapesOf` adds the rest. */
export interface KannelCallbackFields {
  [name: string]: string;
  to: string;
  from: string;
  username: string;
  account: string;
  binfo: string;
  charset: string;
  metaData: string;
}

function escapesOf(report: CallbackReport): Readonly<Record<string, string>> {
  const { eventId, status, at, message, fields } = report;
  const { to = "", from = "", username = "", account = "", binfo = "", charset = "", metaData = "", url = "" } = fields;
  const receipt = receiptText(report);
  return {
    d: String(typeOf(message, status)),
    p: to,
    P: from,
    q: to.replace(/^00/, "+"),
    Q: from.replace(/^00/, "+"),
    a: receipt,
    A: receipt,
    b: receipt,
    t: `${isoTime(at).slice(0, 10)} ${isoTime(at).slice(11, 19)}`,
    T: String(Math.floor(at / 1_000)),
    I: eventId,
    F: message.trackingCode,
    i: "peyk",
    n: username,
    o: account,
    B: binfo,
    c: "-1",
    C: charset,
    m: "-1",
    M: "-1",
    D: metaData,
    O: "00",
    R: url,
  };
}

/** In the format of Kannel's carrier texts, with our public error codes. */
function receiptText({ status, message, errorCode }: CallbackReport): string {
  if (status === "sent") return "ACK/";
  if (message.sentAt === null) return `NACK/${errorCode ?? status}`;
  const isDelivered = status === "delivered";
  return `id:${message.trackingCode} stat:${isDelivered ? "DELIVRD" : "UNDELIV"} err:${isDelivered ? "000" : (errorCode ?? status)} text:`;
}

/** Unknown escapes stay unchanged, and so do the colons of a time. */
const filledUrl = (url: string, escapes: Readonly<Record<string, string>>): string =>
  url.replace(/%([a-zA-Z])/g, (whole, letter: string) => {
    const value = escapes[letter];
    return value === undefined ? whole : letter === "t" ? value.replace(" ", "+") : percentEncoded(value);
  });

/**
 * Encoded as Kannel does: a plus for a space; everything but letters, digits, dots, dashes and underscores
 * percent-encoded.
 */
const percentEncoded = (text: string): string =>
  [...Buffer.from(text)]
    .map((octet) => {
      const character = String.fromCharCode(octet);
      if (/[A-Za-z0-9._-]/.test(character)) return character;
      return character === " " ? "+" : `%${octet.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
