/** The GSM 7-bit alphabet and its extension table (3GPP TS 23.038, 6.2.1 and 6.2.1.1), as octets with one septet each. */
import { lockingShiftTables } from "./national-locking-shift.ts";
import { singleShiftTables } from "./national-single-shift.ts";

/** A space stands where the alphabet holds the escape to the extension table: it is never looked up there. */
const basicAlphabet =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ ÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
  "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";

/** 0x0A is the table's page break. Its other two entries, 0x0D (control) and 0x1B (escape again), are no characters. */
const extension: Readonly<Record<number, string>> = {
  10: "\f",
  20: "^",
  40: "{",
  41: "}",
  47: "\\",
  60: "[",
  61: "~",
  62: "]",
  64: "|",
  101: "€",
};

const escapeSeptet = 0x1b;
const notInAlphabet = -1;
const escaped = 0x100;

/** By UTF-16 unit: the septet, plus `escaped` when an escape goes before it. The euro sign is the highest unit. */
const septetByUnit = new Int16Array(0x20ad).fill(notInAlphabet);
for (const [septet, character] of [...basicAlphabet].entries()) {
  if (septet !== escapeSeptet) septetByUnit[character.charCodeAt(0)] = septet;
}
for (const [septet, character] of Object.entries(extension)) {
  septetByUnit[character.charCodeAt(0)] = Number(septet) | escaped;
}

/** A text holds a character that the GSM 7-bit alphabet lacks. */
export class NotInAlphabetError extends Error {
  override readonly name = "NotInAlphabetError";
  constructor(readonly index: number) {
    super(`the character at index ${index} is not in the GSM 7-bit alphabet`);
  }
}

/** How many septets one UTF-16 unit takes: 1, 2 with the escape, 0 when the alphabet lacks it. */
export function septetCountOf(unit: number): 0 | 1 | 2 {
  const septet = septetByUnit[unit] ?? notInAlphabet;
  if (septet === notInAlphabet) return 0;
  return septet >= escaped ? 2 : 1;
}

/**
 * One septet per octet, an escape before each extension character.
 * @throws NotInAlphabetError when a character is in neither table.
 */
export function encodeGsm7(text: string): Uint8Array {
  const octets = new Uint8Array(text.length * 2);
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    const septet = septetByUnit[text.charCodeAt(index)] ?? notInAlphabet;
    if (septet === notInAlphabet) throw new NotInAlphabetError(index);
    if (septet >= escaped) octets[length++] = escapeSeptet;
    octets[length++] = septet & 0x7f;
  }
  return octets.slice(0, length);
}

/** National language identifiers (TS 23.038, 6.2.1.2.4) that a text's header names; null for GSM's own table. */
export interface NationalShift {
  locking: number | null;
  single: number | null;
}

const noShift: NationalShift = { locking: null, single: null };

/** False for identifiers that the standard reserves, and for Spanish as a locking shift, which it does not define. */
export function isKnownShift({ locking, single }: NationalShift): boolean {
  return (locking === null || lockingShiftTables.has(locking)) && (single === null || singleShiftTables.has(single));
}

/**
 * Reads any octets, as TS 23.038 tells a receiver to: an unknown extension is the character of the basic table or of the
 * locking shift's, an escape followed by an escape or by nothing is a space. The high bit of an octet is ignored, and so is a
 * shift that is not known.
 */
export function decodeGsm7(octets: Uint8Array, shift = noShift): string {
  const basic = (shift.locking === null ? null : lockingShiftTables.get(shift.locking)) ?? basicAlphabet;
  const extended = shift.single === null ? undefined : singleShiftTables.get(shift.single);
  let text = "";
  for (let index = 0; index < octets.length; index += 1) {
    const septet = (octets[index] ?? 0) & 0x7f;
    if (septet !== escapeSeptet) {
      text += basic.charAt(septet);
      continue;
    }
    index += 1;
    const second = (octets[index] ?? escapeSeptet) & 0x7f;
    text += extensionOf(second, extended) ?? basic.charAt(second);
  }
  return text;
}

function extensionOf(septet: number, extended: string | undefined): string | undefined {
  if (extended === undefined) return extension[septet];
  const character = extended.charAt(septet);
  return character === " " ? undefined : character;
}
