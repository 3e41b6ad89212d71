/** The stored text of a message that contains a secret: a masked text for everybody, and the complete text, sealed. */

/** Cannot occur in a customer's text: control characters are refused. */
const seam = "\u0001";

/** A stored text whose secret is masked in `visible` and present in `sealed`. */
export function joinSealed(visible: string, sealed: Uint8Array): string {
  return `${visible}${seam}${Buffer.from(sealed).toString("base64")}`;
}

/** A stored text as it may be shown; one without a sealed part is shown in full. */
export function visibleText(stored: string): string {
  const end = stored.indexOf(seam);
  return end === -1 ? stored : stored.slice(0, end);
}

/** The sealed part of a stored text, or null if there is none: it never had one, or was redacted. */
export function sealedPart(stored: string): Uint8Array | null {
  const end = stored.indexOf(seam);
  return end === -1 ? null : Buffer.from(stored.slice(end + seam.length), "base64");
}
