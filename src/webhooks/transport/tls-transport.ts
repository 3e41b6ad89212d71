/** Sends callbacks by HTTP/1.1, on a new verified connection or an idle one to the same address, port and name. */
import { trustedAuthorities } from "../../platform/authorities.ts";
import type { Clock } from "../../platform/clock.ts";
import { dropOldest } from "../../platform/drop-oldest.ts";
import { CallbackConnection, type ConnectionOwner, type VerifiedSession } from "./connection.ts";
import { IdleConnections, verifiedMsMax } from "./idle-connections.ts";
import { type CallbackRequest, type CallbackResponse, type Transport, TransportFailed } from "./transport.ts";

/** Of different destinations; the oldest goes. */
const sessionsMax = 1_000;

const keyOf = ({ address, port, host, isPlain }: CallbackRequest) =>
  `${isPlain ? "plain " : ""}${address} ${port} ${host}`;

/**
 * Connections are reused because a handshake per delivery allowed only 1,500 to 1,900 deliveries a second on two idle
 * cores; reuse allows 60,000. It is safe: a connection, and a TLS session, serves only the address, port and name it was
 * verified for, and each attempt checks its address first. The pool of fetch cannot be keyed like this. undici 8.12.4
 * was tried: it drops the connection at an unrequested `100 Continue`, which RFC 9110 §15.2 tells a client to accept.
 */
export class TlsTransport implements Transport {
  readonly #clock: Clock;
  readonly #idle: IdleConnections;
  readonly #extraCertificates: string | null;
  readonly #owner: ConnectionOwner;
  readonly #sessions = new Map<string, VerifiedSession>();
  #authorities: string[] | null = null;

  /** `extraCertificates`: PEM of additional authorities, trusted besides the system's for every destination. */
  constructor(clock: Clock, extraCertificates: string | null = null) {
    this.#clock = clock;
    this.#extraCertificates = extraCertificates;
    this.#idle = new IdleConnections(clock);
    this.#owner = {
      onIdle: (connection) => this.#idle.put(connection),
      onClosed: (connection) => this.#idle.remove(connection),
      onSession: ({ key }, session) => this.#keepSession(key, session),
    };
  }

  async post(request: CallbackRequest, signal: AbortSignal): Promise<CallbackResponse> {
    const key = keyOf(request);
    const idle = this.#idle.take(key);
    if (idle !== null) {
      try {
        return await idle.post(request, signal);
      } catch (error) {
        // The peer may close an idle connection while a request is on its way: the only failure that is retried at once.
        const wasStale =
          error instanceof TransportFailed && error.failure === "connection_lost" && error.isBeforeResponse;
        if (!wasStale) throw error;
      }
    }
    return (await this.#open(key, request, signal)).post(request, signal);
  }

  close(): void {
    this.#idle.close();
  }

  #open(key: string, request: CallbackRequest, signal: AbortSignal): Promise<CallbackConnection> {
    const now = this.#clock.monotonic();
    const known = this.#sessions.get(key);
    const session = known !== undefined && now - known.verifiedAt < verifiedMsMax ? known : null;
    // Reading 145 authorities takes 20 ms: the first callback pays for it rather than startup.
    this.#authorities ??= trustedAuthorities(this.#extraCertificates);
    const authorities = request.isPlain === true ? null : this.#authorities;
    return CallbackConnection.open(key, request, { authorities, now, session }, this.#owner, signal);
  }

  #keepSession(key: string, session: VerifiedSession): void {
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    dropOldest(this.#sessions, sessionsMax);
  }
}
