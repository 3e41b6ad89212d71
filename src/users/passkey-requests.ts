/** What pages ask browsers for passkeys, as WebAuthn's JSON (level 3, § 5.1.8 and 5.1.9). */
import { isIP } from "node:net";
import type { PasskeyRow } from "../store/passkeys.ts";
import type { UserRow } from "../store/users.ts";
import { challengeMs } from "./passkey-challenges.ts";

/** In COSE's numbering: Ed25519, ES256, RS256. */
export const passkeyAlgorithms = [-8, -7, -257] as const;

/** The name that passkeys are bound to under this origin; null if browsers allow none there. */
export function passkeyHost(origin: string): string | null {
  const { protocol, hostname } = new URL(origin);
  const isAddress = hostname.startsWith("[") || isIP(hostname) !== 0;
  return !isAddress && (protocol === "https:" || hostname === "localhost") ? hostname : null;
}

const idsOf = (passkeys: readonly PasskeyRow[]) =>
  passkeys.map(({ credentialId: id }) => ({ type: "public-key", id }) as const);

/** `passkeys`: one of these; none: whichever the person chooses, and then the person is verified as well. */
export const requestOptions = (challenge: string, host: string, passkeys: readonly PasskeyRow[]) => ({
  challenge,
  timeout: challengeMs,
  rpId: host,
  allowCredentials: idsOf(passkeys),
  userVerification: passkeys.length === 0 ? "required" : "discouraged",
});

export interface Creatable {
  challenge: string;
  host: string;
  /** What the service is called. */
  service: string;
  user: Pick<UserRow, "name">;
  handle: Buffer;
  signsIn: boolean;
  /** Those that the user has: an authenticator makes no second one. */
  passkeys: readonly PasskeyRow[];
}

export const creationOptions = ({ challenge, host, service, user, handle, signsIn, passkeys }: Creatable) => ({
  challenge,
  timeout: challengeMs,
  rp: { id: host, name: service },
  user: { id: handle.toString("base64url"), name: user.name, displayName: user.name },
  pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type: "public-key", alg })),
  excludeCredentials: idsOf(passkeys),
  attestation: "none",
  authenticatorSelection: signsIn
    ? { residentKey: "required", requireResidentKey: true, userVerification: "required" }
    : { residentKey: "discouraged", userVerification: "discouraged" },
});
