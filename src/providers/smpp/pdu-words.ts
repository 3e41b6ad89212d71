/** Describes a PDU as text for `peyk route trace`, with the field names of the specification and without passwords. */
import type { Ia5Charset } from "../../domain/credential.ts";
import type { Charset } from "../../smpp/charset.ts";
import {
  commandIdOf,
  describeCommand,
  MalformedPduError,
  readFieldsOf,
  sequenceOf,
  statusOf,
} from "../../smpp/codec.ts";
import { answerBit, commandIds, namedStatus } from "../../smpp/constants.ts";
import { readDelivery } from "../../smpp/deliver-frame.ts";
import { shownNumber, shownText, type TraceView } from "../route-trace.ts";
import { readInbound } from "./inbound.ts";
import { readFields, readReceipt, receiptText } from "./receipt.ts";

export interface PduView extends TraceView {
  /** For the direction that the PDU took. */
  charset: Charset;
  /** The alphabet of data_coding 1. */
  ia5: Ia5Charset;
  /** Peyk sent it. */
  isOutbound: boolean;
  /** It contains a one-time password. */
  isSecret: boolean;
}

const withContent: ReadonlySet<number> = new Set([commandIds.submitSm, commandIds.deliverSm, commandIds.dataSm]);
/** Present in each PDU, and shown first. */
const headFields: ReadonlySet<string> = new Set([
  "command",
  "command_length",
  "command_id",
  "command_status",
  "sequence_number",
]);
const addressFields: ReadonlySet<string> = new Set(["source_addr", "destination_addr", "callback_num"]);
const textFields: ReadonlySet<string> = new Set(["short_message", "message_payload", "additional_status_info_text"]);
const octetsShown = 64;

/** Trace lines have a limit of their own. */
export function describePdu(frame: Buffer, view: PduView): string {
  const head = headOf(frame);
  try {
    const fields = Object.entries(readFieldsOf(frame)).filter(([name]) => !headFields.has(name));
    const isReceipt = withContent.has(commandIdOf(frame)) && readReceipt(readDelivery(frame)) !== null;
    const told = fields.flatMap(([name, value]) => describeField(name, value, { ...view, isReceipt }) ?? []);
    const content = withContent.has(commandIdOf(frame)) ? [describeContent(frame, view)] : [];
    return [head, ...told, ...content].join(", ");
  } catch (error) {
    if (!(error instanceof MalformedPduError)) throw error;
    return `${head}, malformed: ${frame.length} octets that do not agree with their length fields`;
  }
}

function headOf(frame: Buffer): string {
  const command = `${describeCommand(commandIdOf(frame))} ${sequenceOf(frame)}`;
  if (commandIdOf(frame) < answerBit) return command;
  const { status, statusName } = namedStatus(statusOf(frame));
  const code = `0x${status.toString(16).toUpperCase().padStart(2, "0")}`;
  return `${command}: ${statusName ?? "carrier's own status"} (${code})`;
}

/** Null for fields that are shown elsewhere or say nothing. */
function describeField(name: string, value: unknown, view: PduView & { isReceipt: boolean }): string | null {
  if (textFields.has(name) || value === "" || value === undefined || value === null) return null;
  if (name === "password") return "password hidden";
  const shown = textOf(value);
  if (addressFields.has(name)) return `${name} ${shownNumber(shown, view)}`;
  const tag = /^\d+$/.test(name) ? Number(name) : null;
  if (tag === null) return `${name} ${shown}`;
  const label = `0x${tag.toString(16).padStart(4, "0")}`;
  return mayBeShown(view) ? `${label} ${shown}` : `${label} hidden`;
}

/**
 * Peyk's own parameters contain no text; a carrier's own may, and a receipt may be that of a one-time password.
 */
const mayBeShown = (view: PduView & { isReceipt: boolean }) => view.isOutbound || (view.showsTexts && !view.isReceipt);

function textOf(value: unknown): string {
  if (!Buffer.isBuffer(value)) return String(value);
  const octets = value.subarray(0, octetsShown);
  const text = octets.toString("latin1");
  const shown = /^[\x20-\x7e]+$/.test(text) ? JSON.stringify(text) : octets.toString("hex");
  return value.length > octetsShown ? `${shown}… (${value.length} octets)` : shown;
}

const idLengthMax = 65;
const firstWord = (value: string) => (value.split(/\s/, 1)[0] ?? "").slice(0, idLengthMax);

/**
 * The text, or of a receipt only the fields that identify it: the rest may quote the message.
 */
function describeContent(frame: Buffer, view: PduView): string {
  const delivery = readDelivery(frame);
  if (readReceipt(delivery) !== null) {
    const fields = [...readFields(receiptText(delivery))].map(([name, value]) => `${name}:${firstWord(value)}`);
    return `receipt ${fields.join(" ") || "without a text"}`;
  }
  const { text, binary, concat } = readInbound(delivery, 0, view.charset, view.ia5);
  const part = concat === undefined ? "" : `part ${concat.part} of ${concat.parts} (reference ${concat.reference}), `;
  const octets = `${delivery.content.length} octets: `;
  if (binary !== undefined) return `${part}${octets}no text`;
  return part + octets + shownText(text, { showsTexts: view.showsTexts && !view.isSecret });
}
