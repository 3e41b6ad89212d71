/** Passkeys without a browser: the service on a store, and an authenticator that does what a test tells it. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isFactorDemanded } from "../../src/domain/roles.ts";
import { createKeyedHash } from "../../src/platform/keyed-hash.ts";
import { silentLog } from "../../src/platform/log.ts";
import { PasskeyService, type PasskeyServiceDeps } from "../../src/users/passkey-service.ts";
import { noProvider } from "./no-provider.ts";

export const openPasskeys = (deps: Pick<PasskeyServiceDeps, "store" | "clock" | "random" | "ends">) =>
  new PasskeyService({
    ...deps,
    providerRoles: noProvider.providerRoles,
    log: silentLog,
    handles: createKeyedHash(deps.random.bytes(32)),
    urls: { console: null, portal: null },
    isFactorDemanded: (role) => isFactorDemanded("nobody", role),
  });

const url64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64url");
const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest();

/** Lengths of one or two bytes (RFC 8949 § 3). */
function cbor(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}
const cborBytes = (bytes: Uint8Array) => Buffer.concat([cbor(2, bytes.length), bytes]);
const cborText = (text: string) => Buffer.concat([cbor(3, text.length), Buffer.from(text)]);

/** A map of an ES256 key in COSE (RFC 9053 § 7.1). */
function coseKey(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const [head, beforeY] = [Buffer.from("a50102032620012158", "hex"), Buffer.from("2258", "hex")];
  const point = (one: string) => Buffer.concat([Buffer.from([32]), Buffer.from(one, "base64url")]);
  return Buffer.concat([head, point(x), beforeY, point(y)]);
}

const flags = { present: 0x01, verified: 0x04, attested: 0x40 };

/** What differs from what an honest browser and authenticator answer. */
interface Lies {
  origin?: string;
  host?: string;
  isVerified?: boolean;
  counter?: number;
  /** As WebAuthn's attestation; a certificate in it. */
  certificate?: Uint8Array;
}

interface Asked {
  challenge: string;
}

/** One key of one authenticator, at one origin. */
export class SoftAuthenticator {
  readonly id = randomBytes(16);
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  readonly #origin: string;
  counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** The answer to `proposal`. */
  created({ challenge }: Asked, lies: Lies = {}): string {
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id]);
    const key = coseKey(this.#keys.publicKey);
    const data = Buffer.concat([this.#data(flags.attested, lies), attested, key]);
    const { certificate } = lies;
    const statement = certificate === undefined ? cbor(5, 0) : this.#statement(certificate);
    const attestationObject = Buffer.concat([
      cbor(5, 3),
      cborText("fmt"),
      cborText(certificate === undefined ? "none" : "packed"),
      cborText("attStmt"),
      statement,
      cborText("authData"),
      cborBytes(data),
    ]);
    const clientDataJSON = url64(this.#client("webauthn.create", challenge, lies));
    return this.#answer({ clientDataJSON, attestationObject: url64(attestationObject) });
  }

  /** The answer to `request`. */
  asserted({ challenge }: Asked, lies: Lies = {}): string {
    this.counter += 1;
    const client = this.#client("webauthn.get", challenge, lies);
    const data = this.#data(0, lies);
    const signature = sign("sha256", Buffer.concat([data, sha256(client)]), this.#keys.privateKey);
    return this.#answer({
      clientDataJSON: url64(client),
      authenticatorData: url64(data),
      signature: url64(signature),
    });
  }

  #statement = (certificate: Uint8Array) =>
    Buffer.concat([cbor(5, 1), cborText("x5c"), cbor(4, 1), cborBytes(certificate)]);

  #data(extra: number, { host = new URL(this.#origin).hostname, isVerified = true, counter = this.counter }: Lies) {
    const flag = flags.present | (isVerified ? flags.verified : 0) | extra;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(host), Buffer.from([flag]), count]);
  }

  #client = (type: string, challenge: string, { origin = this.#origin }: Lies) =>
    JSON.stringify({ type, challenge, origin, crossOrigin: false });

  #answer(response: object): string {
    const id = url64(this.id);
    return JSON.stringify({ id, rawId: id, type: "public-key", response, clientExtensionResults: {} });
  }
}
