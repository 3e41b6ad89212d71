/** The part of SMPP 3.4 that a carrier needs, implemented separately: the tested code must not encode its own test. */

export const commands = {
  nack: 0x80000000,
  submit: 0x00000004,
  deliver: 0x00000005,
  unbind: 0x00000006,
  bindTransceiver: 0x00000009,
  enquireLink: 0x00000015,
} as const;

export const answerTo = (command: number) => (command | 0x80000000) >>> 0;

export interface Pdu {
  command: number;
  status: number;
  sequence: number;
  body: Buffer;
}

const headerBytes = 16;

export function encodePdu({ command, status, sequence, body }: Pdu): Buffer {
  const pdu = Buffer.alloc(headerBytes + body.length);
  for (const [index, value] of [pdu.length, command, status, sequence].entries()) pdu.writeUInt32BE(value, 4 * index);
  body.copy(pdu, headerBytes);
  return pdu;
}

/** Reads whole PDUs from octets that arrive in pieces. */
export function pduReader(take: (pdu: Pdu) => void): (part: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (part) => {
    rest = Buffer.concat([rest, part]);
    while (rest.length >= headerBytes && rest.length >= rest.readUInt32BE(0)) {
      const pdu = rest.subarray(0, rest.readUInt32BE(0));
      rest = rest.subarray(pdu.length);
      take({
        command: pdu.readUInt32BE(4),
        status: pdu.readUInt32BE(8),
        sequence: pdu.readUInt32BE(12),
        body: pdu.subarray(headerBytes),
      });
    }
  };
}

export const cstring = (text: string) => Buffer.from(`${text}\0`, "latin1");

export interface Submit {
  source: string;
  destination: string;
  /** Of a long message, from 1. */
  part: number;
  text: string;
}

/** The body of a submit_sm (SMPP 3.4, 4.4.1). */
export function readSubmit(body: Buffer): Submit {
  let at = 0;
  const text = () => {
    const end = body.indexOf(0, at);
    const read = body.toString("latin1", at, end);
    at = end + 1;
    return read;
  };
  const octet = () => body[at++] ?? 0;
  text();
  at += 2;
  const source = text();
  at += 2;
  const destination = text();
  const hasHeader = (octet() & 0x40) !== 0;
  at += 2;
  text();
  text();
  at += 2;
  const coding = octet();
  at += 1;
  const length = octet();
  const content = body.subarray(at, at + length);
  const headerLength = hasHeader ? (content[0] ?? 0) + 1 : 0;
  const shown = content.subarray(headerLength);
  return {
    source,
    destination,
    part: hasHeader ? (content[headerLength - 1] ?? 1) : 1,
    text: coding === 8 ? Buffer.from(shown).swap16().toString("utf16le") : shown.toString("latin1"),
  };
}

export interface SubmitFields {
  from: string;
  to: string;
  text: string;
  key: string;
  keyTag: number;
}

/** The body of a submit_sm that requests a receipt, with its own key. */
export function submitBody({ from, to, text, key, keyTag }: SubmitFields): Buffer {
  const content = Buffer.from(text, "latin1");
  const value = Buffer.from(key, "latin1");
  const tlv = Buffer.alloc(4);
  tlv.writeUInt16BE(keyTag, 0);
  tlv.writeUInt16BE(value.length, 2);
  return Buffer.concat([
    cstring(""),
    Buffer.of(1, 1),
    cstring(from),
    Buffer.of(1, 1),
    cstring(to),
    Buffer.of(0, 0, 0),
    cstring(""),
    cstring(""),
    Buffer.of(1, 0, 0, 0, content.length),
    content,
    tlv,
    value,
  ]);
}

export interface DeliveryReport {
  id: string;
  state: string;
  from: string;
  to: string;
}

/** The body of a deliver_sm with a receipt (SMPP 3.4, 4.6.1 and appendix B). */
export function receiptBody({ id, state, from, to }: DeliveryReport): Buffer {
  const text = `id:${id} sub:001 dlvrd:001 submit date:2601051200 done date:2601051201 stat:${state} err:000 text:x`;
  return Buffer.concat([
    cstring(""),
    Buffer.of(1, 1),
    cstring(from),
    Buffer.of(1, 1),
    cstring(to),
    Buffer.of(4, 0, 0),
    cstring(""),
    cstring(""),
    Buffer.of(0, 0, 0, 0, text.length),
    Buffer.from(text, "latin1"),
  ]);
}

export interface PhoneText {
  from: string;
  to: string;
  text: string;
  concat: { reference: number; part: number; parts: number } | null;
}

/** The body of a deliver_sm with a text from a phone. */
export function textBody({ from, to, text, concat }: PhoneText): Buffer {
  const header = concat === null ? [] : [5, 0, 3, concat.reference, concat.parts, concat.part];
  const content = Buffer.concat([Buffer.from(header), Buffer.from(text, "latin1")]);
  return Buffer.concat([
    cstring(""),
    Buffer.of(1, 1),
    cstring(from),
    Buffer.of(1, 1),
    cstring(to),
    Buffer.of(concat === null ? 0 : 0x40, 0, 0),
    cstring(""),
    cstring(""),
    Buffer.of(0, 0, 0, 0, content.length),
    content,
  ]);
}
