/** Joins the parts of a message: characters split between two parts are restored; octets are kept separate. */
import { decodeGsm7, encodeGsm7, NotInAlphabetError } from "../domain/text.ts";
import type { StoredPart } from "../store/inbound-parts.ts";

export interface Joined {
  /** Well-formed Unicode. */
  text: string;
  /** The content of the parts without text; null if all have text. */
  octets: Uint8Array | null;
}

/** The content of a part, as stored until the others arrive. */
export function contentOf(text: string, binary: string | undefined): Omit<StoredPart, "number"> {
  return binary === undefined
    ? { content: Buffer.from(text, "utf16le"), isBinary: false }
    : { content: Buffer.from(binary, "hex"), isBinary: true };
}

/** `parts` are in order; some may be missing. */
export function joinParts(parts: readonly Omit<StoredPart, "number">[]): Joined {
  const texts = parts.filter((part) => !part.isBinary).map((part) => Buffer.from(part.content).toString("utf16le"));
  const binary = parts.filter((part) => part.isBinary).map((part) => part.content);
  return { text: joinTexts(texts), octets: binary.length === 0 ? null : Buffer.concat(binary) };
}

const gsmEscape = "\u001b";

/**
 * Some senders leave half a surrogate pair at the end of a part, or a GSM escape whose character starts the next one. A
 * half without its other half becomes U+FFFD; an escape without its character becomes a space, as TS 23.038 requires.
 */
function joinTexts(texts: readonly string[]): string {
  let joined = "";
  for (const text of texts) {
    if (!joined.endsWith(gsmEscape)) joined += text;
    else joined = joined.slice(0, -1) + (text === "" ? gsmEscape : extensionOf(text) + text.slice(1));
  }
  if (joined.endsWith(gsmEscape)) joined = `${joined.slice(0, -1)} `;
  return joined.toWellFormed();
}

/** The first character from the extension table, or preceded by a space if the table lacks it. */
function extensionOf(text: string): string {
  const first = text.charAt(0);
  try {
    return decodeGsm7(Uint8Array.of(0x1b, ...encodeGsm7(first)));
  } catch (reason) {
    if (reason instanceof NotInAlphabetError) return ` ${first}`;
    throw reason;
  }
}
