/** Identifies the caller of an intake: by a password or token before the body is read, or by a signature over it. */
import { timingSafeEqual } from "node:crypto";
import { hasSignature, signatureOf } from "../../domain/intake/caller-signature.ts";
import {
  type CallerProof,
  intakeLimits,
  isSignature,
  type SignatureProof,
} from "../../domain/intake/intake-template.ts";
import { urlencodedFields } from "../../domain/urlencoded-fields.ts";
import type { CredentialOwner } from "../../messaging/directory/credential-directory.ts";
import type { Intakes } from "../../messaging/intake/intakes.ts";
import type { DropInCustomers, SignInOutcome } from "../customers.ts";
import type { RawBody, RawRequest } from "../raw-request.ts";

export interface CallerDeps {
  customers: DropInCustomers;
  intakes: Intakes;
  clock: { now(): number };
}

/** `body`: as read for the signature; null if unread. `replayId`: the id that is signed. */
export interface KnownCaller {
  owner: CredentialOwner;
  body: RawBody | null;
  replayId: string | null;
}

/** For an unknown name: the same work and the same answer as for a wrong password. */
const noProof: CallerProof = { kind: "basic", username: null };

export async function callerOf(
  name: string,
  request: RawRequest,
  deps: CallerDeps,
): Promise<KnownCaller | "wrong" | "throttled"> {
  const proof = deps.intakes.templateOf(name)?.caller ?? noProof;
  if (isSignature(proof)) return signedCaller(name, proof, request, deps);
  const secret = secretIn(proof, name, request) ?? "";
  const signedIn = deps.customers.signIn("intake", name, secret, request);
  return typeof signedIn === "string" ? signedIn : { owner: signedIn, body: null, replayId: null };
}

async function signedCaller(
  name: string,
  proof: SignatureProof,
  request: RawRequest,
  { customers, intakes, clock }: CallerDeps,
): Promise<KnownCaller | "wrong" | "throttled"> {
  // No body is read for a call without a signature or with one that is too long: both are wrong.
  const body = hasSignature(proof, request.header) ? await request.body(intakeLimits.bodyBytesMax) : null;
  const octets = body !== null && "octets" in body ? body.octets : null;
  let replayId: string | null = null;
  const proves = ({ credential }: CredentialOwner): boolean => {
    if (octets === null) return false;
    const call = { header: request.header, octets, now: clock.now() };
    const found = intakes.secrets(credential).map((secret) => signatureOf(proof, secret, call));
    const right = found.find((one) => one !== null) ?? null;
    replayId = right?.replayId ?? null;
    return right !== null;
  };
  const signedIn: SignInOutcome = customers.signInBy("intake", name, request, proves);
  return typeof signedIn === "string" ? signedIn : { owner: signedIn, body, replayId };
}

/** Null if the request has none, or one of another kind. */
function secretIn(proof: Exclude<CallerProof, SignatureProof>, name: string, request: RawRequest): string | null {
  switch (proof.kind) {
    case "basic":
      return basicPassword(request.header("authorization") ?? "", proof.username ?? name);
    case "bearer":
      return /^bearer ([!-~]{1,4096})$/i.exec(request.header("authorization") ?? "")?.[1] ?? null;
    case "header":
      return request.header(proof.name);
    case "query":
      return urlencodedFields(request.query, intakeLimits.fieldsMax)?.get(proof.name) ?? null;
  }
}

function basicPassword(header: string, username: string): string | null {
  const encoded = /^basic ([A-Za-z0-9+/=]{1,8192})$/i.exec(header)?.[1];
  if (encoded === undefined) return null;
  const pair = Buffer.from(encoded, "base64");
  const colon = pair.indexOf(":");
  if (colon === -1) return null;
  const [given, expected] = [pair.subarray(0, colon), Buffer.from(username)];
  const isSame = given.length === expected.length && timingSafeEqual(given, expected);
  return isSame ? pair.toString("utf8", colon + 1) : null;
}
