/**
 * Parses delivery receipts (SMPP 3.4 §5.3.2.35 and Appendix B): recognised by esm_class, TLVs take precedence over the
 * text.
 */
import type { MessageErrorCode } from "../../domain/message.ts";
import type { DeliverSm } from "../../smpp/codec.ts";
import { dataCoding, esmClass } from "../../smpp/constants.ts";
import type { Receipt } from "../provider.ts";

/** A receipt with its id as the SMSC wrote it; null if it has none. */
export interface SmscReceipt extends Omit<Receipt, "ids" | "at"> {
  id: string | null;
}

type Meaning = { state: Receipt["state"]; error?: MessageErrorCode; name: string };

const delivered: Meaning = { state: "delivered", name: "DELIVRD" };
const pending = (name: string): Meaning => ({ state: "pending", name });
const failed = (name: string, error: MessageErrorCode): Meaning => ({ state: "failed", error, name });

/** message_state (§5.2.28). */
const meaningsByState = new Map<number, Meaning>([
  [0, pending("SCHEDULED")],
  [1, pending("ENROUTE")],
  [2, delivered],
  [3, failed("EXPIRED", "expired")],
  [4, failed("DELETED", "undeliverable")],
  [5, failed("UNDELIV", "undeliverable")],
  [6, pending("ACCEPTD")],
  [7, pending("UNKNOWN")],
  [8, failed("REJECTD", "rejected_by_network")],
  [9, failed("SKIPPED", "undeliverable")],
]);

/** By prefix: SMSCs write DELIVRD, DELIVERED and DELIVERD. From Appendix B and from practice. */
const meaningsByWord: readonly (readonly [string, Meaning])[] = [
  ["DELIV", delivered],
  ["EXPIR", failed("EXPIRED", "expired")],
  ["DELET", failed("DELETED", "undeliverable")],
  ["UNDEL", failed("UNDELIV", "undeliverable")],
  ["FAIL", failed("FAILED", "undeliverable")],
  ["SKIP", failed("SKIPPED", "undeliverable")],
  ["REJ", failed("REJECTD", "rejected_by_network")],
];

/**
 * The receipt in a deliver_sm or data_sm, or null for a text from a phone. The text alone does not make it a receipt: a
 * subscriber can type `id:… stat:DELIVRD`. An intermediate notification (§5.2.12) is never final, whatever state it
 * names.
 */
export function readReceipt(delivery: DeliverSm): SmscReceipt | null {
  const type = delivery.esmClass & esmClass.messageTypeMask;
  const isReceipt = type === esmClass.receipt || type === esmClass.intermediateNotification;
  if (!isReceipt && delivery.receiptedMessageId === null) return null;
  const fields = readFields(receiptText(delivery));
  const word = (fields.get("stat") ?? "").toUpperCase();
  const meaning = meaningOf(delivery.messageState, word);
  const isIntermediate = type === esmClass.intermediateNotification;
  const { state, error, name } = isIntermediate ? pending(meaning.name) : meaning;
  return {
    id: delivery.receiptedMessageId ?? (fields.get("id") || null),
    state,
    ...(error === undefined ? {} : { error }),
    detail: detailOf(delivery, word || name, fields),
  };
}

/** The meaning of a message_state alone, as in the answer to a query. */
export function reportOfState(messageState: number): Pick<Receipt, "state" | "error"> & { name: string } {
  return meaningsByState.get(messageState) ?? pending(`STATE${messageState}`);
}

function meaningOf(messageState: number | null, word: string): Meaning {
  const byState = messageState === null ? undefined : meaningsByState.get(messageState);
  const byWord = meaningsByWord.find(([beginning]) => word.startsWith(beginning));
  return byState ?? byWord?.[1] ?? pending(word === "" ? "no state" : word);
}

export function receiptText({ content, dataCoding: coding }: DeliverSm): string {
  if (coding !== dataCoding.ucs2 || content.length % 2 === 1) return content.toString("latin1");
  return Buffer.from(content).swap16().toString("utf16le");
}

const fieldNames = /(?:^|\s)(id|sub|dlvrd|submit[ _]?date|done[ _]?date|stat|err|text)\s*:/gi;

/** The fields of Appendix B take about 150 characters. A payload may be 64 KB, and is not searched for more. */
const fieldsLengthMax = 1_000;

/**
 * Reads fields in any order, some possibly missing; each value ends where the next field begins. The message's text is
 * not read.
 */
export function readFields(whole: string): Map<string, string> {
  const text = whole.slice(0, fieldsLengthMax);
  const fields = new Map<string, string>();
  let open: { name: string; from: number } | null = null;
  const close = (end: number): void => {
    if (open !== null && !fields.has(open.name)) fields.set(open.name, text.slice(open.from, end).trim());
    open = null;
  };
  for (const match of text.matchAll(fieldNames)) {
    const name = (match[1] ?? "").toLowerCase().replace(/[ _]/g, "");
    close(match.index);
    if (name === "text") return fields;
    open = { name, from: match.index + match[0].length };
  }
  close(text.length);
  return fields;
}

/** The SMSC's own words for the operator, never the message's text. */
function detailOf(delivery: DeliverSm, word: string, fields: ReadonlyMap<string, string>): string {
  const words = [`stat:${word.slice(0, 20)}`];
  const err = fields.get("err");
  const doneDate = fields.get("donedate");
  if (err) words.push(`err:${err.slice(0, 20)}`);
  if (doneDate) words.push(`done date:${doneDate.slice(0, 20)}`);
  if (delivery.messageState !== null) words.push(`message_state:${delivery.messageState}`);
  if (delivery.networkError !== null) words.push(`network_error_code:${delivery.networkError.toString("hex")}`);
  return words.join(" ");
}
