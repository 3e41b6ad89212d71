/** Opens a TLS connection to one address and lets nobody have it before its certificate was verified for the name. */
import { isIP } from "node:net";
import {
  checkServerIdentity,
  connect,
  createSecureContext,
  getCACertificates,
  type PeerCertificate,
  rootCertificates,
  type TLSSocket,
} from "node:tls";
import { errorCode } from "../platform/error-code.ts";
import { abandon, listen } from "./socket-listeners.ts";
import { TransportFailed } from "./transport.ts";

export type TrustContext = ReturnType<typeof createSecureContext>;

/** The system's authorities as the operator keeps them (on a machine without any, the runtime's own), and `extra` in PEM. */
export function createTrustContext(extra: string | null): TrustContext {
  const system = getCACertificates("system");
  const authorities = system.length > 0 ? system : rootCertificates;
  return createSecureContext({
    ca: extra === null ? [...authorities] : [...authorities, extra],
    minVersion: "TLSv1.2",
  });
}

/** OpenSSL's verification errors under Node's codes. */
const certificateCodes =
  /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_|PATH_LENGTH|CRL_|UNSPECIFIED|ERROR_IN_CERT)/;

function failureOf(error: Error): TransportFailed {
  const code = errorCode(error);
  if (certificateCodes.test(code)) return new TransportFailed("certificate_refused", `${code}: ${error.message}`);
  return new TransportFailed(/^(?:ERR_SSL|ERR_TLS|EPROTO)/.test(code) ? "tls_failed" : "connect_failed", error.message);
}

/** The runtime has refused already what fails here; a guard this dear is not left to one lock. */
function verificationFailure(socket: TLSSocket, host: string): TransportFailed | null {
  const mismatch = checkServerIdentity(host, socket.getPeerCertificate());
  if (mismatch !== undefined) return new TransportFailed("certificate_refused", mismatch.message);
  return socket.authorized ? null : new TransportFailed("certificate_refused", String(socket.authorizationError));
}

export interface VerifiedPeer {
  address: string;
  port: number;
  host: string;
}

/**
 * The environment's NODE_TLS_REJECT_UNAUTHORIZED has no say: verification is asked for here and checked again.
 * @throws TransportFailed with `connect_failed`, `certificate_refused`, `tls_failed` or `aborted`.
 */
export function openVerified(
  { address, port, host }: VerifiedPeer,
  trust: TrustContext,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const socket = connect({
    host: address,
    port,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    secureContext: trust,
    rejectUnauthorized: true,
    ALPNProtocols: ["http/1.1"],
    checkServerIdentity: (_name: string, certificate: PeerCertificate) => checkServerIdentity(host, certificate),
  });
  return new Promise((resolve, reject) => {
    const settle = (failure: TransportFailed | null) => {
      signal.removeEventListener("abort", onAbort);
      unlisten();
      if (failure === null) return resolve(socket);
      abandon(socket);
      reject(failure);
    };
    const onAbort = () => settle(new TransportFailed("aborted", "ended while connecting"));
    const unlisten = listen(socket, {
      error: (error) => settle(failureOf(error)),
      end: () => settle(new TransportFailed("connect_failed", "the connection ended before TLS stood")),
      secureConnect: () => settle(verificationFailure(socket, host)),
    });
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
  });
}
