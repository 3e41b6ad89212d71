/** Normalises a part that a carrier handed in: its numbers, its position in a long message, and its fingerprints. */
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
  /** Null for a message in one piece. */
  position: { key: AssemblyKey; number: number } | null;
  /** Parts that share one of them, while it is remembered, are repeats. */
  fingerprints: readonly Fingerprint[];
}

export interface Fingerprint {
  digest: Uint8Array;
  /** By the provider's own id, or by the position in a long message and the content. */
  by: "id" | "position";
}

/** The number of parts is one octet of the user data header (3GPP TS 23.040 §9.2.3.24.1). */
const partsMax = 255;
/** Half of a SHA-256: a disk error is far more likely than two parts that share it. */
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

/** An impossible position counts as none: the part is then a message of its own, and nothing is lost. */
function isPosition(concat: InboundPart["concat"]): concat is NonNullable<InboundPart["concat"]> {
  if (concat === undefined) return false;
  const { reference, part, parts } = concat;
  return Number.isSafeInteger(reference) && parts >= 2 && parts <= partsMax && isWithin(part, parts);
}

function isWithin(part: number, parts: number): boolean {
  return Number.isInteger(part) && Number.isInteger(parts) && part >= 1 && part <= parts;
}

/**
 * The content counts beside the provider's id: some providers give all parts of a message one id, some count from zero again
 * after a restart, and a message that is mistaken for a repeat is lost.
 */
function digestOf(described: readonly unknown[], content: Uint8Array): Uint8Array {
  const hash = createHash("sha256").update(JSON.stringify(described)).update(content);
  return hash.digest().subarray(0, digestOctets);
}
