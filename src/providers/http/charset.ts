/** Decodes fields of a query or form whose octets are not UTF-8. */

/** The octets of the first field called `name`, before any charset is assumed; null where there is none. */
export function fieldOctets(encoded: string, name: string): Buffer | null {
  // A percent sign and two digits are one octet.
  const keyLengthMax = 3 * Buffer.byteLength(name);
  for (let from = 0; from <= encoded.length; ) {
    const ampersand = encoded.indexOf("&", from);
    const end = ampersand === -1 ? encoded.length : ampersand;
    const pair = encoded.slice(from, end);
    from = end + 1;
    const equals = pair.indexOf("=");
    const [key, value] = equals === -1 ? [pair, ""] : [pair.slice(0, equals), pair.slice(equals + 1)];
    // Decoded one after the other, half a million names took 0.7 s.
    const mayBe = key === name || (key.length <= keyLengthMax && /[%+]/.test(key));
    if (mayBe && percentDecoded(key).toString("utf8") === name) return percentDecoded(value);
  }
  return null;
}

const [percent, plus, space] = [0x25, 0x2b, 0x20];

/** A plus is a space; a percent sign without two hexadecimal digits is itself (WHATWG URL, "percent-decode"). */
function percentDecoded(encoded: string): Buffer {
  const octets = Buffer.from(encoded);
  let length = 0;
  for (let index = 0; index < octets.length; index += 1) {
    const octet = octets[index] ?? 0;
    const escaped = octet === percent ? hexValue(octets[index + 1]) * 16 + hexValue(octets[index + 2]) : Number.NaN;
    if (!Number.isNaN(escaped)) index += 2;
    // Never ahead of what is read.
    octets[length++] = Number.isNaN(escaped) ? (octet === plus ? space : octet) : escaped;
  }
  return octets.subarray(0, length);
}

/** NaN for what is no hexadecimal digit. */
function hexValue(octet = 0): number {
  const small = octet | 0x20;
  if (octet >= 0x30 && octet <= 0x39) return octet - 0x30;
  return small >= 0x61 && small <= 0x66 ? small - 0x61 + 10 : Number.NaN;
}

/** Null for a charset that is no text (Kannel's `8-BIT`) or unknown, and for octets that are invalid in it. */
export function decodeCharset(octets: Buffer, charset: string): string | null {
  if (/^(utf-16be|ucs-?2|iso-10646-ucs-2)$/i.test(charset)) {
    return octets.length % 2 === 1 ? null : Buffer.from(octets).swap16().toString("utf16le");
  }
  try {
    return new TextDecoder(charset === "" ? "utf-8" : charset, { ignoreBOM: true }).decode(octets);
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return null;
    throw error;
  }
}
