/**
 * Sends callbacks by HTTP/1.1 over node:tls, on a new verified connection or an idle one to the same address, port and
 * name.
 */
import { isIP, type Socket } from "node:net";
import type { Clock } from "../../platform/clock.ts";
import { IdleConnections } from "./idle-connections.ts";
import { ResponseReader } from "./response-reader.ts";
import {
  closeConnection,
  createTrustContext,
  listen,
  openPlain,
  openVerified,
  type TrustContext,
} from "./tls-connection.ts";
import { type CallbackRequest, type CallbackResponse, type Transport, TransportFailed } from "./transport.ts";

const keyOf = ({ address, port, host, isPlain }: CallbackRequest) =>
  `${isPlain ? "plain " : ""}${address} ${port} ${host}`;

function requestBytes({ method = "POST", isPlain, host, port, target, headers, body }: CallbackRequest): Uint8Array {
  const isOwnPort = port === (isPlain ? 80 : 443);
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}${isOwnPort ? "" : `:${port}`}`;
  const length = method === "GET" ? {} : { "Content-Length": String(body.length) };
  const ownHeaders = { Host: authority, "Accept-Encoding": "identity", ...length };
  const lines = Object.entries({ ...headers, ...ownHeaders }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1"), body]);
}

/**
 * `keep` gets the connection if it can carry another request; otherwise it is closed.
 * @throws TransportFailed with `connection_lost`, `malformed_answer` or `aborted`.
 */
function postOn(
  socket: Socket,
  request: CallbackRequest,
  signal: AbortSignal,
  keep: (socket: Socket) => void,
): Promise<CallbackResponse> {
  return new Promise((resolve, reject) => {
    const reader = new ResponseReader();
    const release = () => {
      signal.removeEventListener("abort", onAbort);
      unlisten();
      if (reader.isConnectionReusable) keep(socket);
      else closeConnection(socket);
    };
    const fail = (failure: TransportFailed) => {
      release();
      reject(failure);
    };
    const lose = (detail: string) => fail(new TransportFailed("connection_lost", detail, !reader.hasBegun));
    /** False: more of the response is needed. */
    const settle = (): boolean => {
      const { state, status } = reader;
      if (state === "head" || state === "body") return false;
      if (state === "malformed" || status === null) {
        fail(new TransportFailed("malformed_answer", "not an HTTP/1.1 response"));
        return true;
      }
      release();
      resolve({ status, retryAfter: reader.header("retry-after"), body: reader.body });
      return true;
    };
    const onAbort = () => fail(new TransportFailed("aborted", "ended while waiting for the response"));
    const unlisten = listen(socket, {
      data: (bytes) => {
        reader.push(bytes);
        settle();
      },
      end: () => {
        reader.close();
        if (!settle()) lose("the connection ended before the response did");
      },
      error: (error) => lose(error.message),
    });
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
    else socket.write(requestBytes(request));
  });
}

/**
 * Connections are reused because a handshake per delivery allowed only 1,500 to 1,900 deliveries a second on two idle
 * cores; reuse allows 60,000. It is safe: a connection serves only the address, port and name it was verified for, and
 * each attempt checks its address first. The pool of fetch cannot be keyed like this. undici 8.12.4 was tried: it drops
 * the connection at an unrequested `100 Continue`, which RFC 9110 §15.2 tells a client to accept, and takes 57 µs of
 * CPU per callback, against 33 here.
 */
export class TlsTransport implements Transport {
  readonly #idle: IdleConnections;
  readonly #extraCertificates: string | null;
  #trust: TrustContext | null = null;

  /** `extraCertificates`: PEM of additional authorities, trusted besides the system's for every destination. */
  constructor(clock: Clock, extraCertificates: string | null = null) {
    this.#extraCertificates = extraCertificates;
    this.#idle = new IdleConnections(clock);
  }

  async post(request: CallbackRequest, signal: AbortSignal): Promise<CallbackResponse> {
    const idle = this.#idle.take(keyOf(request));
    if (idle === null) return this.#postOnNew(request, signal);
    try {
      return await postOn(idle, request, signal, (socket) => this.#idle.put(keyOf(request), socket));
    } catch (error) {
      // The peer may close an idle connection while a request is on its way: the only failure that is retried at once.
      const wasStale =
        error instanceof TransportFailed && error.failure === "connection_lost" && error.isBeforeResponse;
      if (!wasStale) throw error;
      return this.#postOnNew(request, signal);
    }
  }

  close(): void {
    this.#idle.close();
  }

  /** Loading 145 authorities takes 20 ms: the first callback pays for it rather than startup. */
  #trusted(): TrustContext {
    this.#trust ??= createTrustContext(this.#extraCertificates);
    return this.#trust;
  }

  async #postOnNew(request: CallbackRequest, signal: AbortSignal): Promise<CallbackResponse> {
    const socket = request.isPlain
      ? await openPlain(request, signal)
      : await openVerified(request, this.#trusted(), signal);
    return postOn(socket, request, signal, (unused) => this.#idle.put(keyOf(request), unused));
  }
}
