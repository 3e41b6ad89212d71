/** Decodes texts from octets in a named charset. Malformed octets are never replaced: what was meant would be lost. */

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const utf8Names = /^utf-?8$/i;
/** TextDecoder takes UCS-2 for little-endian. */
const utf16Names = /^(utf-?16be|ucs-?2|iso-10646-ucs-2)$/i;

/** Throws RangeError for an unknown charset. */
function decoderOf(charset: string): TextDecoder {
  if (utf8Names.test(charset)) return utf8;
  return new TextDecoder(utf16Names.test(charset) ? "utf-16be" : charset, { fatal: true, ignoreBOM: true });
}

/** Null for an unknown charset, and for octets that are invalid in it. `utf-8|iso-8859-1`: the first that fits. */
export function charsetText(octets: Uint8Array, charset = "utf-8"): string | null {
  try {
    return decoderOf(charset).decode(octets);
  } catch (reason) {
    if (!(reason instanceof RangeError || reason instanceof TypeError)) throw reason;
    const [first = "", second, third] = charset.split("|", 3);
    if (second === undefined || third !== undefined) return null;
    return charsetText(octets, first) ?? charsetText(octets, second);
  }
}

export const isCharset = (charset: string): boolean =>
  charset.split("|", 3).every((one, index) => index < 2 && charsetText(new Uint8Array(), one) !== null);
