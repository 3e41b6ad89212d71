/** Checks that a call really comes from the provider: its address, its password, its signature. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { addressMatcher } from "../../domain/address-ranges.ts";
import { urlencodedFields } from "../../domain/urlencoded-fields.ts";
import type { FieldRule, ProviderCallback, ProviderCallbackAnswer } from "./callbacks.ts";
import { callFieldsMax, fieldOf } from "./callbacks.ts";

export const signatureAlgorithms = ["sha256", "sha1", "sha512"] as const;
export const signatureEncodings = ["hex", "base64"] as const;

/**
 * What is signed: the body's octets, the URL as the provider called it, the form's fields sorted (name, then value), a
 * header, a field.
 */
export type SignedPiece = "body" | "url" | "sortedForm" | { from: "header"; name: string } | FieldRule;

export interface SignatureRule {
  /** Where to find the signature. */
  at: { from: "header"; name: string } | FieldRule;
  algorithm: (typeof signatureAlgorithms)[number];
  encoding: (typeof signatureEncodings)[number];
  /** Precedes the signature itself, such as `sha256=`. */
  prefix: string;
  /** Joined by `separator`. */
  over: readonly SignedPiece[];
  separator: string;
  /** The secret in the file that signs it. */
  key: (typeof signatureKeys)[number];
  /** Its hash signs in its place. */
  keyHash: (typeof signatureAlgorithms)[number] | null;
}

export const signatureKeys = ["callbackKey", "password", "token"] as const;

/** Every check that is set must pass. */
export interface CallerRules {
  /** IP addresses and CIDR ranges; empty: any. */
  addresses: readonly string[];
  /** The user name of HTTP basic authentication, with the file's `callbackPassword`; null: none is asked for. */
  username: string | null;
  signature: SignatureRule | null;
}

export type CallerSecrets = Readonly<Record<"callbackPassword" | (typeof signatureKeys)[number], string>>;

const plain = { contentType: "text/plain; charset=utf-8" } as const;
const refused: ProviderCallbackAnswer = { status: 403, ...plain, body: "refused" };
/** Some providers send a password only after a 401. */
const unauthorised: ProviderCallbackAnswer = {
  status: 401,
  ...plain,
  body: "who is it?",
  challenge: 'Basic realm="callbacks"',
};

/** Why a call is refused, for the log, and the answer; null if it is really the provider's. */
export type CheckCaller = (call: ProviderCallback) => { problem: string; answer: ProviderCallbackAnswer } | null;

/** `url`: as given to the provider. */
export function callerCheck(rules: CallerRules, secrets: CallerSecrets, url: string): CheckCaller {
  const isFrom = rules.addresses.length === 0 ? () => true : addressMatcher(rules.addresses);
  const credentials = Buffer.from(`${rules.username}:${secrets.callbackPassword}`).toString("base64");
  return (call) => {
    if (!isFrom(call.address)) return { problem: `${call.address} is not among caller.addresses`, answer: refused };
    if (rules.username !== null && !isSame(call.header("Authorization") ?? "", `Basic ${credentials}`)) {
      return { problem: "the user name or password is missing or wrong", answer: unauthorised };
    }
    if (rules.signature === null || isSigned(call, rules.signature, secrets[rules.signature.key], url)) return null;
    return { problem: "the signature is missing or wrong", answer: refused };
  };
}

function isSigned(call: ProviderCallback, rule: SignatureRule, key: string, url: string): boolean {
  const given = pieceOf(call, rule.at, url)?.toString("utf8") ?? "";
  const secret = rule.keyHash === null ? key : createHash(rule.keyHash).update(key).digest();
  const hmac = createHmac(rule.algorithm, secret);
  for (const [index, piece] of rule.over.entries()) {
    const signed = pieceOf(call, piece, url);
    if (signed === null) return false;
    if (index > 0) hmac.update(rule.separator);
    hmac.update(signed);
  }
  const expected = hmac.digest(rule.encoding);
  if (!given.startsWith(rule.prefix)) return false;
  const signature = given.slice(rule.prefix.length).trim();
  return isSame(rule.encoding === "hex" ? signature.toLowerCase() : signature, expected);
}

/** Null if the call has no such piece. */
function pieceOf(call: ProviderCallback, piece: SignedPiece, url: string): Buffer | null {
  if (piece === "body") return Buffer.from(call.octets);
  if (piece === "url") return Buffer.from(call.query === "" ? url : `${url}?${call.query}`);
  if (piece === "sortedForm") return sortedForm(call.body);
  const text = piece.from === "header" ? call.header(piece.name) : fieldOf(call, piece);
  return text === null ? null : Buffer.from(text);
}

function sortedForm(body: string): Buffer | null {
  const fields = urlencodedFields(body, callFieldsMax);
  if (fields === null) return null;
  const texts = [...fields].map(([name, value]) => name + value);
  return Buffer.from(texts.sort().join(""));
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
