/** Splits a text into the contents of one or more submit_sm, encoded and marked by the route's mode for long messages. */
import type { MessageEncoding } from "../../domain/message.ts";
import {
  encodeGsm7,
  encodeUcs2,
  septetPartSizes,
  septetPartSizesUdh16,
  splitText,
  unitPartSizes,
  unitPartSizesUdh16,
} from "../../domain/text.ts";
import type { Segmentation } from "./codec.ts";
import { dataCoding, esmClass } from "./constants.ts";
import type { LongMessageMode } from "./options.ts";

export interface PartContent {
  esmClass: number;
  dataCoding: number;
  shortMessage: Buffer;
  optional: Readonly<Record<string, unknown>>;
}

/** The number of different references that a mode can carry (3GPP TS 23.040 §9.2.3.24.1 and .8; SMPP 3.4 §5.3.2.22). */
export function referenceCount(mode: LongMessageMode): 256 | 65_536 {
  return mode === "udh8" ? 256 : 65_536;
}

/**
 * Splits a text for `mode`. The header of `udh16` takes an octet more than that of `udh8`, so its parts hold one
 * character less and may be one more than the customer's part count; `payload` is one submit, whatever its length.
 * @throws NotInAlphabetError when a `Latin` text is not.
 */
export function splitForMode(text: string, encoding: MessageEncoding, mode: LongMessageMode): string[] {
  const latin = encoding === "Latin";
  const sizes = latin ? septetPartSizes : unitPartSizes;
  const sizesUdh16 = latin ? septetPartSizesUdh16 : unitPartSizesUdh16;
  const texts = splitText(text, { encoding, ...(mode === "udh16" ? sizesUdh16 : sizes) });
  return mode === "payload" ? [text] : texts;
}

/** The content of part `index` of `texts`. */
export function partContent(
  texts: readonly string[],
  index: number,
  { encoding, mode, reference }: { encoding: MessageEncoding; mode: LongMessageMode; reference: number },
): PartContent {
  const text = texts[index] ?? "";
  const octets = Buffer.from(encoding === "Latin" ? encodeGsm7(text) : encodeUcs2(text));
  const content = { esmClass: 0, dataCoding: encoding === "Latin" ? dataCoding.smscDefault : dataCoding.ucs2 };
  if (mode === "payload" && octets.length > singleOctetsMax(encoding)) {
    return { ...content, shortMessage: noOctets, optional: { message_payload: octets } };
  }
  if (texts.length === 1) return { ...content, shortMessage: octets, optional: noParameters };
  const position = { reference, parts: texts.length, part: index + 1 };
  if (mode === "sar") return { ...content, shortMessage: octets, optional: segmentationOf(position) };
  const header = mode === "udh16" ? headerUdh16(position) : headerUdh8(position);
  return {
    esmClass: esmClass.udhIndicator,
    dataCoding: content.dataCoding,
    shortMessage: Buffer.concat([header, octets]),
    optional: noParameters,
  };
}

const noOctets = Buffer.alloc(0);
const noParameters = {};

function singleOctetsMax(encoding: MessageEncoding): number {
  return encoding === "Latin" ? septetPartSizes.singleMax : 2 * unitPartSizes.singleMax;
}

function headerUdh8({ reference, parts, part }: Segmentation): Buffer {
  return Buffer.from([5, 0x00, 3, reference, parts, part]);
}

function headerUdh16({ reference, parts, part }: Segmentation): Buffer {
  return Buffer.from([6, 0x08, 4, reference >> 8, reference & 0xff, parts, part]);
}

function segmentationOf({ reference, parts, part }: Segmentation): Readonly<Record<string, unknown>> {
  return { sar_msg_ref_num: reference, sar_total_segments: parts, sar_segment_seqnum: part };
}
