/** Normalises a part received from a carrier: its numbers, its position in a long message, and its fingerprints. */
import { createHash } from "node:crypto";
import { normaliseAddress } from "../domain/phone-number.ts";
import type { InboundPart } from "../providers/provider.ts";
import type { AssemblyKey, StoredPart } from "../store/inbound-parts.ts";
import { contentOf } from "./join-parts.ts";

export interface Arrival extends Omit<StoredPart, "number"> {
  routeId: number;
  sender: string;
  receiver: string;
  receivedAt: number;
  /** Null for a single-part message. */
  position: { key: AssemblyKey; number: number } | null;
  /** Parts that share one of these, while it is remembered, are repeats. */
  fingerprints: readonly Fingerprint[];
}

export interface Fingerprint {
  digest: Uint8Array;
  /** By the provider's own id, or by content and position in a long message. */
  by: "id" | "position";
}

/** The part count is one octet of the user data header (3GPP TS 23.040 §9.2.3.24.1). */
const partsMax = 255;
/** Half of a SHA-256: a disk error is far likelier than a collision. */
const digestOctets = 16;

export function arrivalOf(routeId: number, part: InboundPart, region: string): Arrival {
  const sender = normaliseAddress(part.sender, region).toWellFormed();
  const receiver = normaliseAddress(part.receiver, region).toWellFormed();
  const concat = isPosition(part.concat) ? part.concat : null;
  const content = contentOf(part.text, part.binary);
  const position = concat && {
    key: { routeId, sender, receiver, reference: concat.reference, partCount: concat.parts },
    number: concat.part,
  };
  const described = [routeId, sender, receiver, concat?.reference, concat?.parts, concat?.part, content.isBinary];
  const fingerprints: Fingerprint[] = [];
  if (part.providerId !== undefined)
    fingerprints.push({ by: "id", digest: digestOf([...described, part.providerId], content.content) });
  if (position !== null) fingerprints.push({ by: "position", digest: digestOf(described, content.content) });
  return { routeId, sender, receiver, receivedAt: part.receivedAt, position, fingerprints, ...content };
}

/** An impossible position is ignored: the part then becomes its own message, and nothing is lost. */
function isPosition(concat: InboundPart["concat"]): concat is NonNullable<InboundPart["concat"]> {
  if (concat === undefined) return false;
  const { reference, part, parts } = concat;
  return Number.isSafeInteger(reference) && parts >= 2 && parts <= partsMax && isWithin(part, parts);
}

function isWithin(part: number, parts: number): boolean {
  return Number.isInteger(part) && Number.isInteger(parts) && part >= 1 && part <= parts;
}

/**
 * The content is included besides the provider's id: some providers give all parts of a message one id, some restart
 * from zero, and a message mistaken for a repeat is lost.
 */
function digestOf(described: readonly unknown[], content: Uint8Array): Uint8Array {
  const hash = createHash("sha256").update(JSON.stringify(described)).update(content);
  return hash.digest().subarray(0, digestOctets);
}
