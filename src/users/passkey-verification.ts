/** Judges what browsers answer for passkeys. Loaded at the first answer, with the library that does it. */

import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import { decodeAttestationObject } from "@simplewebauthn/server/helpers";
import { type Static, type TSchema, Type as t } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { passkeyAlgorithms } from "./passkey-requests.ts";

const answerShape = <Shape extends TSchema>(response: Shape) =>
  t.Object({
    id: t.String({ maxLength: 1_400 }),
    rawId: t.String(),
    type: t.Literal("public-key"),
    response,
    clientExtensionResults: t.Object({}),
  });
const assertionShape = answerShape(
  t.Object({ clientDataJSON: t.String(), authenticatorData: t.String(), signature: t.String() }),
);
const creationShape = answerShape(t.Object({ clientDataJSON: t.String(), attestationObject: t.String() }));
const clientShape = t.Object({ challenge: t.String() });

export type Assertion = Static<typeof assertionShape>;
export type Creation = Static<typeof creationShape>;

/** Null if it is not of the shape. */
function shaped<Shape extends TSchema>(shape: Shape, text: string): Static<Shape> | null {
  try {
    const value: unknown = JSON.parse(text);
    return Value.Check(shape, value) ? value : null;
  } catch {
    return null;
  }
}

export const assertionIn = (text: string): Assertion | null => shaped(assertionShape, text);
export const creationIn = (text: string): Creation | null => shaped(creationShape, text);

/** Which challenge it answers. */
export const challengeIn = ({ response }: Assertion | Creation): string =>
  shaped(clientShape, Buffer.from(response.clientDataJSON, "base64url").toString())?.challenge ?? "";

interface Expected {
  /** Of the pages, in the reader's browser. */
  origin: string;
  host: string;
  challenge: string;
  isUserVerified: boolean;
}

const expectations = ({ origin, host, challenge, isUserVerified }: Expected) => ({
  expectedOrigin: origin,
  expectedRPID: host,
  expectedChallenge: challenge,
  requireUserVerification: isUserVerified,
});

/** What its authenticator counts. The caller compares it, since a count that went back is told. @throws Error saying what is wrong */
export async function assertionCounter(response: Assertion, publicKey: Uint8Array, expected: Expected) {
  const credential = { id: response.id, publicKey: Uint8Array.from(publicKey), counter: 0 };
  const options = { response, credential, ...expectations(expected) };
  const { verified, authenticationInfo } = await verifyAuthenticationResponse(options);
  if (!verified) throw new Error("the signature is wrong");
  return authenticationInfo.newCounter;
}

/** @throws Error saying what is wrong */
export async function createdPasskey(response: Creation, expected: Expected) {
  // None was asked for. Certificates in one would be looked up elsewhere.
  const statement = decodeAttestationObject(
    Uint8Array.from(Buffer.from(response.response.attestationObject, "base64url")),
  );
  if (statement.get("attStmt").get("x5c") !== undefined) throw new Error("it came with certificates");
  const supportedAlgorithmIDs = [...passkeyAlgorithms];
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    supportedAlgorithmIDs,
    ...expectations(expected),
  });
  if (!verified) throw new Error("the attestation is wrong");
  const { id, publicKey, counter } = registrationInfo.credential;
  return { credentialId: id, publicKey: Buffer.from(publicKey), counter };
}
