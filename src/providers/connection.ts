/** Opens the connection to a carrier, plain or TLS; a failure is explained in words for the operator. */
import { readFileSync } from "node:fs";
import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Clock } from "../platform/clock.ts";
import { errorCode, fileFailure } from "../platform/error-code.ts";
import { type ProbeStep, probeStep } from "./provider.ts";

/** `connect`: the host was not reached; `tls`: it was, and the handshake failed. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  constructor(
    readonly step: "connect" | "tls",
    message: string,
  ) {
    super(message);
  }
}

export interface TlsOptions {
  /** PEM file of the authority that signed the carrier's certificate; null: the system's authorities. */
  caFile: string | null;
  /** The name in the certificate, where it is not `host`. */
  serverName: string | null;
  /** Peyk's own certificate with its chain, and its key, for a carrier that asks for one; PEM. */
  client?: { certFile: string; keyFile: string };
}

export interface CarrierAddress {
  host: string;
  port: number;
  tls: TlsOptions | null;
}

export interface Connection {
  /** @throws ConnectionError */
  opened: Promise<Socket>;
  /** Gives up waiting; `opened` rejects. */
  abort(): void;
}

export function openConnection(peer: CarrierAddress, clock: Clock, timeoutMs: number): Connection {
  let abort = (): void => {};
  const opened = new Promise<Socket>((resolve, reject) => {
    const socket = peer.tls === null ? connectPlain({ host: peer.host, port: peer.port }) : dialTls(peer, peer.tls);
    let step: "connect" | "tls" = "connect";
    const fail = (message: string): void => {
      timer.cancel();
      reject(new ConnectionError(step, message));
      socket.on("error", () => {});
      socket.destroy();
    };
    const timer = clock.after(timeoutMs, () => fail(timeoutText(peer, step, timeoutMs)));
    abort = () => fail("stopped");
    const failed = (error: Error): void => fail(explain(error, peer));
    socket.once("error", failed);
    socket.once("connect", () => {
      step = peer.tls === null ? "connect" : "tls";
    });
    socket.once(peer.tls === null ? "connect" : "secureConnect", () => {
      timer.cancel();
      socket.removeListener("error", failed);
      resolve(socket);
    });
  });
  return { opened, abort: () => abort() };
}

/** Opens a connection and reports it as the steps `connect` and, with TLS, `tls`. The caller ends the socket. */
export async function probeConnection(
  peer: CarrierAddress,
  clock: Clock,
  timeoutMs: number,
): Promise<{ steps: ProbeStep[]; socket: Socket | null }> {
  const opened = await openConnection(peer, clock, timeoutMs).opened.catch((error: unknown) =>
    error instanceof ConnectionError ? error : new ConnectionError("connect", String(error)),
  );
  const failure = opened instanceof ConnectionError ? opened : null;
  const isReached = failure === null || failure.step === "tls";
  const steps: ProbeStep[] = [
    { step: "connect", ok: isReached, detail: isReached ? `${peer.host}:${peer.port}` : failure.message },
  ];
  if (isReached && peer.tls !== null) {
    steps.push(
      failure === null
        ? probeStep("tls", true, { code: "test_certificate_good" })
        : { step: "tls", ok: false, detail: failure.message },
    );
  }
  return { steps, socket: opened instanceof ConnectionError ? null : opened };
}

/** @throws ConnectionError when the authority's file cannot be read. */
function dialTls(peer: CarrierAddress, tls: TlsOptions): Socket {
  const name = tls.serverName ?? (isIP(peer.host) === 0 ? peer.host : null);
  return connectTls({
    host: peer.host,
    port: peer.port,
    rejectUnauthorized: true,
    ...(name === null ? {} : { servername: name }),
    ...(tls.caFile === null ? {} : { ca: readPem("the authority's file", tls.caFile) }),
    ...(tls.client === undefined ? {} : readClient(tls.client)),
  });
}

const readClient = ({ certFile, keyFile }: NonNullable<TlsOptions["client"]>) => ({
  cert: readPem("the certificate's file", certFile),
  key: readPem("the key's file", keyFile),
});

/** Read anew for each connection: a file that was renewed is used from the next one on. */
function readPem(which: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new ConnectionError("tls", `${which} ${file} cannot be read: ${fileFailure(error)}`);
  }
}

function timeoutText(peer: CarrierAddress, step: "connect" | "tls", timeoutMs: number): string {
  const address = `${peer.host}:${peer.port}`;
  if (step === "connect") return `${address} did not accept a connection within ${timeoutMs} ms`;
  return `${address} accepted the connection, but no TLS handshake came of it within ${timeoutMs} ms; does it speak TLS there?`;
}

const explanations: Readonly<Record<string, (peer: CarrierAddress) => string>> = {
  ENOTFOUND: (peer) => `the name ${peer.host} does not resolve`,
  EAI_AGAIN: (peer) => `the name ${peer.host} could not be looked up`,
  ECONNREFUSED: (peer) => `${peer.host}:${peer.port} refuses connections: nothing listens there`,
  EHOSTUNREACH: (peer) => `${peer.host} is unreachable`,
  ENETUNREACH: (peer) => `the network of ${peer.host} is unreachable`,
  ETIMEDOUT: (peer) => `${peer.host}:${peer.port} did not answer`,
  CERT_HAS_EXPIRED: () => "the certificate has expired",
  CERT_NOT_YET_VALID: () => "the certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: () => "the certificate is self-signed and its authority's file is not set",
  SELF_SIGNED_CERT_IN_CHAIN: () => "the certificate's authority is not in the authority's file",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: () => "the certificate's authority is not in the authority's file",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () =>
    "the certificate is not signed by a known authority; name its authority's file",
  ERR_TLS_CERT_ALTNAME_INVALID: () => "the certificate is for another name",
  ERR_SSL_WRONG_VERSION_NUMBER: (peer) => `${peer.host}:${peer.port} does not speak TLS`,
};

function explain(error: Error, peer: CarrierAddress): string {
  const explanation = explanations[errorCode(error)]?.(peer);
  return explanation === undefined ? error.message : `${explanation} (${error.message})`;
}

/** The alerts of TLS (RFC 8446 §6.2) with which a peer ends a connection because of Peyk's certificate. */
const certificateAlerts: Readonly<Record<string, string>> = {
  CERTIFICATE_REQUIRED: "the peer asks for a certificate of Peyk's own: tls.certFile and tls.keyFile",
  UNKNOWN_CA: "the peer does not know the authority of Peyk's certificate",
  CERTIFICATE_EXPIRED: "the peer says that Peyk's certificate has expired",
  CERTIFICATE_REVOKED: "the peer says that Peyk's certificate was revoked",
  BAD_CERTIFICATE: "the peer refuses Peyk's certificate",
  CERTIFICATE_UNKNOWN: "the peer refuses Peyk's certificate",
  UNSUPPORTED_CERTIFICATE: "the peer refuses Peyk's certificate",
  ACCESS_DENIED: "the peer refuses Peyk's certificate",
};

/** Why an open connection broke. OpenSSL's own words name the alert at their end. */
export function explainLoss(error: Error): string {
  const alert = error.message.split("ALERT_").at(-1) ?? "";
  return certificateAlerts[alert] ?? error.message;
}
