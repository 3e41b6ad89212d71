/**
 * Splits a text into the contents of one or more submit_sm, encoded and marked by the route's mode for long messages.
 */

import type { MessageEncoding } from "../domain/message.ts";
import {
  encodeGsm7,
  encodeUcs2,
  septetPartSizes,
  septetPartSizesUdh16,
  splitText,
  unitPartSizes,
  unitPartSizesUdh16,
} from "../domain/text.ts";
import type { FileValueOf } from "../fields/file.ts";
import type { smppCarrierFields } from "../fields/smpp-carrier.ts";
import { type Charset, encodeSmscText } from "./charset.ts";
import type { Segmentation } from "./codec.ts";
import { dataCoding, esmClass } from "./constants.ts";

/** How a long message is sent: with an 8-bit or 16-bit reference, with sar TLVs, or in one message_payload. */
export type LongMessageMode = FileValueOf<typeof smppCarrierFields.longMessages>;

export interface PartContent {
  esmClass: number;
  dataCoding: number;
  shortMessage: Buffer;
  optional: Readonly<Record<string, Buffer | number>>;
}

/** The number of different references that a mode can carry (3GPP TS 23.040 §9.2.3.24.1 and .8; SMPP 3.4 §5.3.2.22). */
export function referenceCount(mode: LongMessageMode): 256 | 65_536 {
  return mode === "udh8" ? 256 : 65_536;
}

/**
 * Splits a text for `mode`. The header of `udh16` is an octet longer than that of `udh8`, so its parts hold one
 * character less and may be one more than the part count that the customer sees; `payload` is one submit, whatever its
 * length.
 * @throws NotInAlphabetError if a `Latin` text is not in the alphabet.
 */
export function splitForMode(text: string, encoding: MessageEncoding, mode: LongMessageMode): string[] {
  const latin = encoding === "Latin";
  const sizes = latin ? septetPartSizes : unitPartSizes;
  const sizesUdh16 = latin ? septetPartSizesUdh16 : unitPartSizesUdh16;
  const texts = splitText(text, { encoding, ...(mode === "udh16" ? sizesUdh16 : sizes) });
  return mode === "payload" ? [text] : texts;
}

export interface PartForm {
  encoding: MessageEncoding;
  /** For `Latin` texts, all of whose characters are in the alphabet. */
  charset: Charset;
  mode: LongMessageMode;
  reference: number;
}

/** The content of part `index` of `texts`. */
export function partContent(texts: readonly string[], index: number, form: PartForm): PartContent {
  const { encoding, mode, reference } = form;
  const text = texts[index] ?? "";
  const content = { esmClass: 0, dataCoding: encoding === "Latin" ? dataCoding.smscDefault : dataCoding.ucs2 };
  if (texts.length === 1 || mode === "sar") {
    const octets = octetsOf(text, form, 0);
    if (mode === "payload" && !fitsOnePart(text, encoding)) {
      return { ...content, shortMessage: noOctets, optional: { message_payload: octets } };
    }
    const position = { reference, parts: texts.length, part: index + 1 };
    return { ...content, shortMessage: octets, optional: texts.length === 1 ? noParameters : segmentationOf(position) };
  }
  const position = { reference, parts: texts.length, part: index + 1 };
  const header = mode === "udh16" ? headerUdh16(position) : headerUdh8(position);
  return {
    esmClass: esmClass.udhIndicator,
    dataCoding: content.dataCoding,
    shortMessage: Buffer.concat([header, octetsOf(text, form, header.length)]),
    optional: noParameters,
  };
}

function octetsOf(text: string, { encoding, charset }: PartForm, headerOctets: number): Buffer {
  return encoding === "Latin" ? encodeSmscText(text, charset, headerOctets) : Buffer.from(encodeUcs2(text));
}

/** Counted in septets for every charset: the SMSC converts to GSM's alphabet. */
function fitsOnePart(text: string, encoding: MessageEncoding): boolean {
  return encoding === "Latin"
    ? encodeGsm7(text).length <= septetPartSizes.singleMax
    : text.length <= unitPartSizes.singleMax;
}

const noOctets = Buffer.alloc(0);
const noParameters = {};

function headerUdh8({ reference, parts, part }: Segmentation): Buffer {
  return Buffer.from([5, 0x00, 3, reference, parts, part]);
}

function headerUdh16({ reference, parts, part }: Segmentation): Buffer {
  return Buffer.from([6, 0x08, 4, reference >> 8, reference & 0xff, parts, part]);
}

function segmentationOf({ reference, parts, part }: Segmentation): PartContent["optional"] {
  return { sar_msg_ref_num: reference, sar_total_segments: parts, sar_segment_seqnum: part };
}
