/**
 * Reads a deliver_sm (SMPP 3.4 §4.6.1), of which every receipt is one, octet by octet: 0.4 µs. The package's codec,
 * which makes an object with a property for each field, takes 1.2 to 4, and reads whatever is not read here.
 */
import { type DeliverSm, decodeDelivery, type SmppAddress } from "./codec.ts";
import { commandIds, headerOctets } from "./constants.ts";

/** @throws MalformedPduError */
export function readDelivery(frame: Buffer): DeliverSm {
  return readKnown(frame) ?? decodeDelivery(frame);
}

/** Optional parameters of receipts (§5.3.2). */
const tags = { receiptedMessageId: 0x001e, networkError: 0x0423, messageState: 0x0427 } as const;

const tagOctets = 4;

/** Null for another command, another optional parameter, and a frame that is not filled exactly by its fields. */
function readKnown(frame: Buffer): DeliverSm | null {
  if (frame.length < headerOctets || frame.readUInt32BE(0) !== frame.length) return null;
  if (frame.readUInt32BE(4) !== commandIds.deliverSm) return null;
  const sourceAt = endOfText(frame, headerOctets); // after service_type
  const destinationAt = endOfText(frame, sourceAt + 2);
  const flagsAt = endOfText(frame, destinationAt + 2);
  const validityAt = endOfText(frame, flagsAt + 3); // after schedule_delivery_time
  const codingAt = endOfText(frame, validityAt) + 2;
  const contentAt = codingAt + 3;
  // A missing NUL or octet leads here: positions only grow.
  if (contentAt > frame.length) return null;
  const contentEnd = contentAt + (frame[contentAt - 1] ?? 0);
  const optional = readOptional(frame, contentEnd);
  if (optional === null) return null;
  return {
    source: addressAt(frame, sourceAt, destinationAt),
    destination: addressAt(frame, destinationAt, flagsAt),
    esmClass: frame[flagsAt] ?? 0,
    dataCoding: frame[codingAt] ?? 0,
    content: frame.subarray(contentAt, contentEnd),
    segmentation: null,
    ...optional,
  };
}

/** Where the text that starts at `from` ends, its NUL included; past the frame if it has none. */
function endOfText(frame: Buffer, from: number): number {
  let at = from;
  while (frame[at]) at += 1;
  return at + 1;
}

function addressAt(frame: Buffer, from: number, end: number): SmppAddress {
  return { ton: frame[from] ?? 0, npi: frame[from + 1] ?? 0, digits: frame.toString("ascii", from + 2, end - 1) };
}

type Optional = Pick<DeliverSm, "receiptedMessageId" | "messageState" | "networkError">;

/** Null if there is anything else, such as message_payload, or if a length is not the parameter's. */
function readOptional(frame: Buffer, from: number): Optional | null {
  const read: Optional = { receiptedMessageId: null, messageState: null, networkError: null };
  let at = from;
  while (at + tagOctets <= frame.length) {
    const tag = frame.readUInt16BE(at);
    const start = at + tagOctets;
    at = start + frame.readUInt16BE(at + 2);
    if (at > frame.length) return null;
    if (tag === tags.receiptedMessageId) {
      const end = frame.indexOf(0, start);
      read.receiptedMessageId = frame.toString("latin1", start, end === -1 ? at : Math.min(end, at)) || null;
    } else if (tag === tags.messageState && at === start + 1) read.messageState = frame[start] ?? null;
    else if (tag === tags.networkError) read.networkError = frame.subarray(start, at);
    else return null;
  }
  return at === frame.length ? read : null;
}
