/** The text of a sendsms request: its octets, decoded by `coding` and `charset` as Kannel does. */

const utf16 = /^(utf-?16be|ucs-?2|iso-10646-ucs-2)$/i;

/** GSM text defaults to UTF-8, coding 2 to big-endian UTF-16. Null if the octets are no valid text. */
export function sendsmsText(octets: Buffer, coding: number, charset: string): string | null {
  if (utf16.test(charset) || (charset === "" && coding === 2)) return utf16Text(octets);
  try {
    return new TextDecoder(charset === "" ? "utf-8" : charset, { fatal: true, ignoreBOM: true }).decode(octets);
  } catch (reason) {
    // Unknown charset, or octets that are invalid in it.
    if (reason instanceof RangeError || reason instanceof TypeError) return null;
    throw reason;
  }
}

function utf16Text(octets: Buffer): string | null {
  if (octets.length % 2 === 1) return null;
  const text = Buffer.from(octets).swap16().toString("utf16le");
  return text.isWellFormed() ? text : null;
}
