/** Reads from an HTTP route's file who may call it: `caller`, with addresses, a user name, a signature. */
import { isIpOrCidr } from "../../domain/address-ranges.ts";
import type { JsonFileReader } from "../../domain/json-file.ts";
import {
  type CallerRules,
  type SignatureRule,
  type SignedPiece,
  signatureAlgorithms,
  signatureEncodings,
  signatureKeys,
} from "./caller-check.ts";
import { readField } from "./rule-files.ts";

const addressesMax = 100;
const piecesMax = 20;
const anyone: CallerRules = { addresses: [], username: null, signature: null };

export function readCallerRules(reader: JsonFileReader): CallerRules {
  const rules = reader.section("caller", (caller) => ({
    addresses: readAddresses(caller),
    username: caller.text("username", null, { lengthMin: 1, lengthMax: 200 }),
    signature: caller.section("signature", readSignature),
  }));
  return rules ?? anyone;
}

function readAddresses(caller: JsonFileReader): string[] {
  const value = caller.value("addresses") ?? [];
  const isRange = (range: unknown): range is string => typeof range === "string" && isIpOrCidr(range);
  if (Array.isArray(value) && value.length <= addressesMax && value.every(isRange)) return value;
  caller.problem("addresses", { code: "caller_addresses", values: { max: addressesMax } });
  return [];
}

function readSignature(signature: JsonFileReader): SignatureRule {
  return {
    at: readAt(signature),
    algorithm: signature.choice("algorithm", signatureAlgorithms, "sha256"),
    encoding: signature.choice("encoding", signatureEncodings, "hex"),
    prefix: signature.text("prefix", "", { lengthMax: 50 }),
    over: readPieces(signature),
    separator: signature.text("separator", "", { lengthMax: 10 }),
    key: signature.choice("key", signatureKeys, "callbackKey"),
    keyHash:
      signature.value("keyHash") === undefined ? null : signature.choice("keyHash", signatureAlgorithms, "sha256"),
  };
}

/** `"header": "X-Signature"`, or `"field"` as in receipts. */
function readAt(signature: JsonFileReader): SignatureRule["at"] {
  const header = signature.text("header", null, { lengthMin: 1, lengthMax: 100 });
  const field = readField(signature, "field");
  if ((header === null) === (field === null)) signature.problem("", { code: "signature_place", values: {} });
  return field ?? { from: "header", name: header ?? "" };
}

/** Default `"body"`: one piece, or a list of pieces. */
function readPieces(signature: JsonFileReader): SignedPiece[] {
  const value = signature.value("over") ?? "body";
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (list.length === 0 || list.length > piecesMax)
    signature.problem("over", { code: "signature_pieces", values: { max: piecesMax } });
  return list.slice(0, piecesMax).flatMap((piece, index) => {
    if (piece === "body" || piece === "url" || piece === "sortedForm") return [piece];
    return signature.object(Array.isArray(value) ? `over[${index}]` : "over", piece, readPiece) ?? [];
  });
}

function readPiece(piece: JsonFileReader): SignedPiece | null {
  for (const from of ["header", "query", "form", "json"] as const) {
    const name = piece.text(from, null, { lengthMin: 1, lengthMax: 200 });
    if (name !== null && piece.keys().length === 1) return { from, name };
  }
  piece.problem("", { code: "signature_piece", values: {} });
  return null;
}
