/** Verifies the signature of a call, over the raw octets. */
import { timingSafeEqual } from "node:crypto";
import type { SignatureProof } from "./intake-template.ts";

export interface SignedCall {
  header(name: string): string | null;
  octets: Uint8Array;
  /** Epoch milliseconds. */
  now: number;
}

/** What identifies a replay of a signed call; null if neither a time nor an id is signed. */
export interface SignatureFound {
  replayId: string | null;
}

/** Signatures in one header, and secrets in one file; any more are ignored. */
const signaturesMax = 10;
/** As long as those that are made here. */
const listedSecretMin = 16;
const headerUnitsMax = 4_096;

/** Null if the call is not signed with the secret, or is too old or from the future. */
export function signatureOf(proof: SignatureProof, secret: string, call: SignedCall): SignatureFound | null {
  switch (proof.kind) {
    case "standard-webhooks":
      return standardWebhook(proof, secret, call);
    case "stamped":
      return stamped(proof, secret, call);
    case "body":
      return ofBody(proof, secret, call);
  }
}

/** True if the call has signature headers at all: otherwise its body is not read. */
export function hasSignature(proof: SignatureProof, header: SignedCall["header"]): boolean {
  const names =
    proof.kind === "standard-webhooks"
      ? ["webhook-id", "webhook-timestamp", "webhook-signature"]
      : [proof.header, ...(proof.kind === "body" && proof.timestampHeader !== null ? [proof.timestampHeader] : [])];
  return names.every((name) => {
    const value = header(name);
    return value !== null && value.length > 0 && value.length <= headerUnitsMax;
  });
}

const hmac = (key: string | Uint8Array, ...pieces: readonly (string | Uint8Array)[]): Buffer => {
  const hasher = new Bun.CryptoHasher("sha256", key);
  for (const piece of pieces) hasher.update(piece);
  return Buffer.from(hasher.digest());
};

const isSame = (given: Buffer, expected: Buffer): boolean =>
  given.length === expected.length && timingSafeEqual(given, expected);

const isTimely = (stamp: string, toleranceSeconds: number, now: number): boolean =>
  /^\d{1,12}$/.test(stamp) && Math.abs(Number(stamp) - now / 1_000) <= toleranceSeconds;

/**
 * `v1,whsec_…`, or several separated by commas or spaces while a secret is being replaced. Each is base64; a secret in
 * any other format is itself the key.
 */
export function standardWebhookKeys(secret: string): Buffer[] {
  const marked = secret.split(/[\s,|]+/).filter((word) => word.startsWith("whsec_"));
  if (marked.length === 0) return [Buffer.from(secret, "base64")];
  return marked.slice(0, signaturesMax).map((word) => Buffer.from(word.slice("whsec_".length), "base64"));
}

/** While a secret is being replaced, both, separated by a comma; one with a comma in it is still a secret. */
function textKeys(secret: string): string[] {
  const listed = secret.split(",", signaturesMax).map((word) => word.trim());
  const isList = listed.length > 1 && listed.every((word) => word.length >= listedSecretMin);
  return isList ? [...listed, secret] : [secret];
}

function standardWebhook(
  { toleranceSeconds }: Extract<SignatureProof, { kind: "standard-webhooks" }>,
  secret: string,
  { header, octets, now }: SignedCall,
): SignatureFound | null {
  const [id, stamp, signatures] = [header("webhook-id"), header("webhook-timestamp"), header("webhook-signature")];
  if (id === null || id === "" || stamp === null || signatures === null || !isTimely(stamp, toleranceSeconds, now))
    return null;
  const given = signatures.split(" ", signaturesMax).flatMap((one) => (one.startsWith("v1,") ? [one.slice(3)] : []));
  const isSigned = standardWebhookKeys(secret).some((key) => {
    const expected = hmac(key, `${id}.${stamp}.`, octets);
    return key.length > 0 && given.filter((one) => isSame(Buffer.from(one, "base64"), expected)).length > 0;
  });
  return isSigned ? { replayId: `webhook ${id}` } : null;
}

function stamped(
  { header: name, toleranceSeconds }: Extract<SignatureProof, { kind: "stamped" }>,
  secret: string,
  { header, octets, now }: SignedCall,
): SignatureFound | null {
  const fields = (header(name) ?? "").split(",", signaturesMax + 1).map((field) => field.trim());
  const stamp = fields.find((field) => field.startsWith("t="))?.slice(2) ?? "";
  if (!isTimely(stamp, toleranceSeconds, now)) return null;
  const given = fields.flatMap((field) => (field.startsWith("v1=") ? [Buffer.from(field.slice(3), "hex")] : []));
  const signature = textKeys(secret)
    .map((key) => hmac(key, `${stamp}.`, octets))
    .find((expected) => given.some((one) => isSame(one, expected)));
  return signature === undefined ? null : { replayId: `stamp ${stamp} ${signature.toString("hex")}` };
}

function ofBody(
  {
    header: name,
    prefix,
    encoding,
    timestampHeader,
    separator,
    toleranceSeconds,
  }: Extract<SignatureProof, { kind: "body" }>,
  secret: string,
  { header, octets, now }: SignedCall,
): SignatureFound | null {
  const given = header(name) ?? "";
  if (!given.startsWith(prefix)) return null;
  const signature = Buffer.from(given.slice(prefix.length).trim(), encoding);
  const stamp = timestampHeader === null ? null : (header(timestampHeader) ?? "");
  if (stamp !== null && !isTimely(stamp, toleranceSeconds, now)) return null;
  const signed = stamp === null ? "" : `${stamp}${separator}`;
  if (!textKeys(secret).some((key) => isSame(signature, hmac(key, signed, octets)))) return null;
  return { replayId: stamp === null ? null : `stamp ${stamp} ${signature.toString("hex")}` };
}
