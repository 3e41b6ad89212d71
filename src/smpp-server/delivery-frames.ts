/** Encodes deliveries to customers as deliver_sm: receipts in the form that clients parse, and texts from phones. */
import type { SmppCharset } from "../domain/credential.ts";
import { type MessageErrorCode, messageErrorCodes } from "../domain/message.ts";
import { receiptDate } from "../domain/smpp-time.ts";
import { measureText } from "../domain/text.ts";
import { destinationAddress, sourceAddress } from "../smpp/address.ts";
import { canEncode } from "../smpp/charset.ts";
import type { SmppAddress } from "../smpp/codec.ts";
import { commandIds, dataCoding, esmClass } from "../smpp/constants.ts";
import { partContent, splitForMode } from "../smpp/parts.ts";
import { encodeSubmit } from "../smpp/submit-frame.ts";
import type { DueCredentialDelivery } from "../store/credential-deliveries.ts";
import { messageState, receiptWord } from "./message-states.ts";

export interface DeliveryForm {
  charset: SmppCharset;
  /** Binds below 3.4 do not support TLVs. */
  takesTlvs: boolean;
  /** Reference number shared by the parts of a long text. */
  reference: number;
}

const chosen = { ton: null, npi: null };
const noOctets = Buffer.alloc(0);
const unknown: SmppAddress = { ton: 0, npi: 0, digits: "" };

/** Empty if the message or text is gone. Sequence numbers are filled in later. */
export function deliveryFrames(row: DueCredentialDelivery, form: DeliveryForm): Buffer[] {
  if (row.inboundId !== null) return inboundFrames(row, form);
  const receipt = receiptFrame(row, form);
  return receipt === null ? [] : [receipt];
}

interface DeliverFields {
  source: SmppAddress;
  destination: SmppAddress;
  esmClass: number;
  dataCoding: number;
  shortMessage: Buffer;
  optional: Readonly<Record<string, Buffer | number>>;
}

/** deliver_sm has the same fields as submit_sm (§4.6.1). */
function deliverFrame(fields: DeliverFields): Buffer {
  const none = { serviceType: "", protocolId: 0, priorityFlag: 0, validityPeriod: "", registeredDelivery: 0 };
  const frame = encodeSubmit({ ...none, ...fields }, noOctets);
  frame.writeUInt32BE(commandIds.deliverSm, 4);
  return frame;
}

/** 0 for no error; carriers' own codes are not passed on. */
const errorNumber = (code: MessageErrorCode | null): number =>
  code === null ? 0 : messageErrorCodes.indexOf(code) + 1;

/** "GSM" in network_error_code (§5.3.2.31). */
const gsmNetwork = 3;

/** The receipt text of Appendix B, plus TLVs. */
function receiptFrame(row: DueCredentialDelivery, { takesTlvs }: DeliveryForm): Buffer | null {
  const id = row.code ?? row.trackingCode;
  const recipient = destinationAddress(row.recipient ?? row.partRecipient ?? "", chosen);
  const { submittedAt, endedAt, state } = row;
  if (id === null || recipient === null || submittedAt === null || endedAt === null || state === null) return null;
  const number = errorNumber(row.errorCode);
  const delivered = state === messageState.delivered ? "001" : "000";
  const dates = `submit date:${receiptDate(submittedAt)} done date:${receiptDate(endedAt)}`;
  const outcome = `stat:${receiptWord(state)} err:${String(number).padStart(3, "0")}`;
  const text = `id:${id} sub:001 dlvrd:${delivered} ${dates} ${outcome} text:`;
  const network = Buffer.from([gsmNetwork, number >> 8, number & 0xff]);
  const idOctets = Buffer.from(id, "latin1");
  const optional = { receipted_message_id: idOctets, message_state: state, network_error_code: network };
  return deliverFrame({
    source: recipient,
    destination: sourceAddress(row.sender ?? row.partSender ?? "", chosen) ?? unknown,
    esmClass: esmClass.receipt,
    dataCoding: dataCoding.smscDefault,
    shortMessage: Buffer.from(text, "latin1"),
    optional: takesTlvs ? optional : {},
  });
}

/** A phone's text, in as many parts as it needs; UCS-2 if data_coding 0 lacks any of its characters. */
function inboundFrames(row: DueCredentialDelivery, { charset, reference }: DeliveryForm): Buffer[] {
  const { text, phone, receiver } = row;
  if (text === null || phone === null || receiver === null) return [];
  const { encoding: measured } = measureText(text);
  const encoding = measured === "Latin" && !canEncode(text, charset) ? "Unicode" : measured;
  const mode = "udh8";
  const texts = splitForMode(text, encoding, mode);
  const source = sourceAddress(phone, chosen) ?? unknown;
  const destination = sourceAddress(receiver, chosen) ?? unknown;
  return texts.map((_, index) => {
    const content = partContent(texts, index, { encoding, charset, mode, reference: reference & 0xff });
    return deliverFrame({ source, destination, ...content });
  });
}
