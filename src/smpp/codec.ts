/** Encodes and decodes PDUs with the codec of the npm package `smpp`, with types and without its text conversions. */
import { addTLV, commands, PDU } from "smpp";
import { headerOctets, pduOctetsMax } from "./constants.ts";

/** The codec would refuse more than 16,384 octets. */
PDU.maxLength = pduOctetsMax;

/**
 * The codec without its filters, which guess how octets encode text and lose what they cannot decode. The filter for
 * message_payload also assigns an undeclared variable, which throws in a compiled binary, whose modules are strict.
 */
class OctetPdu extends PDU {
  protected override _filter(): void {}
}

/** Several SMSCs omit the closing NUL here; the codec's own reader would read past the end of the value. */
addTLV<Buffer | string>("receipted_message_id", {
  id: 0x001e,
  type: {
    read: (octets, offset, length) => octets.toString("latin1", offset, offset + length).replace(/\0.*$/s, ""),
    write: (value, octets, offset) => {
      octets.write(`${value}\0`, offset, "latin1");
    },
    size: (value) => value.length + 1,
    default: "",
  },
});

/** A PDU whose body does not agree with its length fields. */
export class MalformedPduError extends Error {
  override readonly name = "MalformedPduError";
}

export interface SmppAddress {
  ton: number;
  npi: number;
  digits: string;
}

export interface Segmentation {
  reference: number;
  part: number;
  parts: number;
}

/** The content of a deliver_sm or a data_sm. */
export interface DeliverSm {
  source: SmppAddress;
  destination: SmppAddress;
  esmClass: number;
  dataCoding: number;
  /** short_message, or message_payload if short_message is empty. */
  content: Buffer;
  segmentation: Segmentation | null;
  receiptedMessageId: string | null;
  messageState: number | null;
  networkError: Buffer | null;
}

/** The addresses, flags and octets of a submit_sm, whose layout is a deliver_sm's. */
export function describeSubmit(frame: Buffer): string {
  const { source, destination, esmClass, dataCoding, content } = decodeDelivery(frame);
  const address = ({ ton, npi, digits }: SmppAddress) => `${digits} (${ton}/${npi})`;
  const flags = `esm_class 0x${esmClass.toString(16).padStart(2, "0")}, data_coding ${dataCoding}`;
  const octets = content.toString("hex").replace(/../g, "$& ").trimEnd();
  return `from ${address(source)} to ${address(destination)}, ${flags}, ${content.length} octets: ${octets}`;
}

/** §4.8.1; the source must be that of the submit. */
export interface QueryFields {
  messageId: string;
  source: SmppAddress;
}

export function encodeQuery({ messageId, source }: QueryFields, sequence: number): Buffer {
  return new OctetPdu("query_sm", {
    message_id: messageId,
    source_addr_ton: source.ton,
    source_addr_npi: source.npi,
    source_addr: source.digits,
    sequence_number: sequence,
  }).toBuffer();
}

/** The state in a query_sm_resp (§4.8.2), null if it has none. @throws MalformedPduError */
export function readQueryAnswer(frame: Buffer): { state: number | null; errorCode: number } {
  const pdu = decode(frame);
  return { state: numberOr(pdu.message_state, null), errorCode: numberOr(pdu.error_code, 0) };
}

export interface BindFields {
  commandId: number;
  systemId: string;
  password: string;
  systemType: string;
  addressRange: string;
  bindTon: number;
  bindNpi: number;
}

export function encodeBind(fields: BindFields, sequence: number): Buffer {
  return new OctetPdu(commandName(fields.commandId), {
    system_id: fields.systemId,
    password: fields.password,
    system_type: fields.systemType,
    interface_version: 0x34,
    addr_ton: fields.bindTon,
    addr_npi: fields.bindNpi,
    address_range: fields.addressRange,
    sequence_number: sequence,
  }).toBuffer();
}

const emptyBodies = new Map<number, number>();

/**
 * The body length of a command whose fields are all empty. Cached, because one is written for every receipt.
 */
function emptyBodyOctets(commandId: number): number {
  const known = emptyBodies.get(commandId);
  if (known !== undefined) return known;
  const octets = new OctetPdu(commandName(commandId)).toBuffer().length - headerOctets;
  emptyBodies.set(commandId, octets);
  return octets;
}

/**
 * A PDU with an empty body or, answering deliver_sm or data_sm, an empty message_id, which a refusal leaves out.
 */
export function encodePlain(commandId: number, sequence: number, status = 0): Buffer {
  const bodyOctets = emptyBodyOctets(commandId);
  const frame = Buffer.alloc(headerOctets + (status === 0 ? bodyOctets : 0));
  frame.writeUInt32BE(frame.length, 0);
  frame.writeUInt32BE(commandId, 4);
  frame.writeUInt32BE(status, 8);
  writeSequence(frame, sequence);
  return frame;
}

const names = new Map(Object.entries(commands).map(([name, { id }]) => [id, name]));

function commandName(commandId: number): string {
  const name = names.get(commandId);
  if (name === undefined) throw new RangeError(`no SMPP command has the id ${commandId}`);
  return name;
}

/** A command's name for the log; `command 0x0000abcd` for an unknown one. */
export function describeCommand(commandId: number): string {
  return names.get(commandId) ?? `command 0x${commandId.toString(16).padStart(8, "0")}`;
}

export const commandIdOf = (frame: Buffer): number => frame.readUInt32BE(4);
export const statusOf = (frame: Buffer): number => frame.readUInt32BE(8);
export const sequenceOf = (frame: Buffer): number => frame.readUInt32BE(12);

export function writeSequence(frame: Buffer, sequence: number): void {
  frame.writeUInt32BE(sequence, 12);
}

/** @throws MalformedPduError */
function decode(frame: Buffer): PDU {
  try {
    return new OctetPdu(frame);
  } catch (cause) {
    throw new MalformedPduError(`malformed ${describeCommand(commandIdOf(frame))} of ${frame.length} octets`, {
      cause,
    });
  }
}

/** The message_id at the start of a submit_sm_resp, null if missing or empty. The rest is not read. */
export function readMessageId(frame: Buffer): string | null {
  const end = frame.indexOf(0, headerOctets);
  return frame.toString("latin1", headerOctets, end === -1 ? frame.length : end) || null;
}

/**
 * Every field by name; optional parameters that the standard does not define, by tag. @throws MalformedPduError
 */
export function readFieldsOf(frame: Buffer): Readonly<Record<string, unknown>> {
  return { ...decode(frame) };
}

/** Like `readDelivery` (deliver-frame.ts), of every deliver_sm, data_sm and submit_sm. @throws MalformedPduError */
export function decodeDelivery(frame: Buffer): DeliverSm {
  const pdu = decode(frame);
  const shortMessage = octetsOr(pdu.short_message, noOctets);
  return {
    source: readAddress(pdu.source_addr_ton, pdu.source_addr_npi, pdu.source_addr),
    destination: readAddress(pdu.dest_addr_ton, pdu.dest_addr_npi, pdu.destination_addr),
    esmClass: numberOr(pdu.esm_class, 0),
    dataCoding: numberOr(pdu.data_coding, 0),
    content: shortMessage.length > 0 ? shortMessage : octetsOr(pdu.message_payload, noOctets),
    segmentation: readSegmentation(pdu),
    receiptedMessageId: textOrNull(pdu.receipted_message_id),
    messageState: numberOr(pdu.message_state, null),
    networkError: octetsOr(pdu.network_error_code, null),
  };
}

const noOctets = Buffer.alloc(0);

function readAddress(ton: unknown, npi: unknown, digits: unknown): SmppAddress {
  return { ton: numberOr(ton, 0), npi: numberOr(npi, 0), digits: textOrNull(digits) ?? "" };
}

function readSegmentation(pdu: PDU): Segmentation | null {
  const reference = numberOr(pdu.sar_msg_ref_num, null);
  const parts = numberOr(pdu.sar_total_segments, null);
  const part = numberOr(pdu.sar_segment_seqnum, null);
  return reference === null || parts === null || part === null ? null : { reference, part, parts };
}

function numberOr<Otherwise>(value: unknown, otherwise: Otherwise): number | Otherwise {
  return typeof value === "number" ? value : otherwise;
}

function octetsOr<Otherwise>(value: unknown, otherwise: Otherwise): Buffer | Otherwise {
  return Buffer.isBuffer(value) ? value : otherwise;
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
