/** Decodes fields of a query or form whose octets are not UTF-8. */

/** The octets of the first field called `name`, before any charset is assumed; null where there is none. */
export function fieldOctets(encoded: string, name: string): Buffer | null {
  for (const pair of encoded.split("&")) {
    const equals = pair.indexOf("=");
    const [key, value] = equals === -1 ? [pair, ""] : [pair.slice(0, equals), pair.slice(equals + 1)];
    if (percentDecoded(key).toString("utf8") === name) return percentDecoded(value);
  }
  return null;
}

/** A plus is a space; a percent sign without two hexadecimal digits is itself (WHATWG URL, "percent-decode"). */
function percentDecoded(encoded: string): Buffer {
  const source = Buffer.from(encoded.replaceAll("+", " "));
  const octets = Buffer.alloc(source.length);
  let length = 0;
  for (let index = 0; index < source.length; index += 1) {
    const hex = source[index] === 0x25 ? source.toString("latin1", index + 1, index + 3) : "";
    const isEscape = /^[0-9a-f]{2}$/i.test(hex);
    octets[length++] = isEscape ? Number.parseInt(hex, 16) : (source[index] ?? 0);
    if (isEscape) index += 2;
  }
  return octets.subarray(0, length);
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
