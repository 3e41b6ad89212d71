/** TLS connections to a single address each, returned only after their certificate has been verified for the name. */
import { connect as connectPlain, isIP, type Socket } from "node:net";
import { checkServerIdentity, connect, createSecureContext, type PeerCertificate, type TLSSocket } from "node:tls";
import { trustedAuthorities } from "../../platform/authorities.ts";
import { errorCode } from "../../platform/error-code.ts";
import { type CallbackRequest, TransportFailed } from "./transport.ts";

interface SocketListeners {
  data?: (bytes: Uint8Array) => void;
  /** The peer closed its side, or the whole connection is gone. */
  end?: () => void;
  error?: (error: Error) => void;
  /** A connection without TLS is established. */
  connect?: () => void;
  secureConnect?: () => void;
}

const ignore = () => undefined;

/** Returns a function that removes exactly these listeners: the stream's own stay. */
export function listen(socket: Socket, listeners: SocketListeners): () => void {
  const { data, end = ignore, error = ignore, connect = ignore, secureConnect = ignore } = listeners;
  if (data !== undefined) socket.on("data", data);
  socket.on("end", end);
  socket.on("close", end);
  socket.on("error", error);
  socket.on("connect", connect);
  socket.on("secureConnect", secureConnect);
  return () => {
    if (data !== undefined) socket.off("data", data);
    socket.off("end", end);
    socket.off("close", end);
    socket.off("error", error);
    socket.off("connect", connect);
    socket.off("secureConnect", secureConnect);
  };
}

/** Errors that come after this are ignored. */
export function closeConnection(socket: Socket): void {
  socket.on("error", ignore);
  socket.destroy();
}

export type TrustContext = ReturnType<typeof createSecureContext>;

/** `extra`: additional trusted authorities in PEM. */
export function createTrustContext(extra: string | null): TrustContext {
  return createSecureContext({ ca: trustedAuthorities(extra), minVersion: "TLSv1.2" });
}

/** OpenSSL's verification errors under Node's codes. */
const certificateCodes =
  /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_|PATH_LENGTH|CRL_|UNSPECIFIED|ERROR_IN_CERT)/;

function failureOf(error: Error): TransportFailed {
  const code = errorCode(error);
  if (certificateCodes.test(code)) return new TransportFailed("certificate_refused", `${code}: ${error.message}`);
  return new TransportFailed(/^(?:ERR_SSL|ERR_TLS|EPROTO)/.test(code) ? "tls_failed" : "connect_failed", error.message);
}

/** The runtime has verified this already; it is checked again because so much depends on it. */
function verificationFailure(socket: TLSSocket, host: string): TransportFailed | null {
  const mismatch = checkServerIdentity(host, socket.getPeerCertificate());
  if (mismatch !== undefined) return new TransportFailed("certificate_refused", mismatch.message);
  return socket.authorized ? null : new TransportFailed("certificate_refused", String(socket.authorizationError));
}

/**
 * NODE_TLS_REJECT_UNAUTHORIZED in the environment has no effect: verification is requested here and checked again.
 * @throws TransportFailed with `connect_failed`, `certificate_refused`, `tls_failed` or `aborted`.
 */
export function openVerified(
  { address, port, host }: Pick<CallbackRequest, "address" | "port" | "host">,
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
  return settled(socket, signal, (settle) => ({
    end: () => settle(new TransportFailed("connect_failed", "the connection ended during the TLS handshake")),
    secureConnect: () => settle(verificationFailure(socket, host)),
  }));
}

/** @throws TransportFailed with `connect_failed` or `aborted`. */
export function openPlain(
  { address, port }: Pick<CallbackRequest, "address" | "port">,
  signal: AbortSignal,
): Promise<Socket> {
  return settled(connectPlain({ host: address, port }), signal, (settle) => ({
    end: () => settle(new TransportFailed("connect_failed", "the connection ended at once")),
    connect: () => settle(null),
  }));
}

function settled<Opened extends Socket>(
  socket: Opened,
  signal: AbortSignal,
  listenersOf: (settle: (failure: TransportFailed | null) => void) => SocketListeners,
): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const settle = (failure: TransportFailed | null) => {
      signal.removeEventListener("abort", onAbort);
      unlisten();
      if (failure === null) return resolve(socket);
      closeConnection(socket);
      reject(failure);
    };
    const onAbort = () => settle(new TransportFailed("aborted", "ended while connecting"));
    const unlisten = listen(socket, { error: (error) => settle(failureOf(error)), ...listenersOf(settle) });
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
  });
}
