/** The transport over node:tls: a fresh verified connection, or a recent one to the very same address, port and name. */
import type { Clock } from "../platform/clock.ts";
import { postOnConnection } from "./http-exchange.ts";
import { IdleConnections } from "./idle-connections.ts";
import { type CallbackAnswer, type CallbackRequest, type Transport, TransportFailed } from "./transport.ts";
import { createTrustContext, openVerified, type TrustContext } from "./verified-connection.ts";

const keyOf = ({ address, port, host }: CallbackRequest) => `${address} ${port} ${host}`;

/**
 * Reuse is needed: a handshake for each delivery came to 1,500 to 1,900 deliveries a second on two cores that had nothing else to
 * do, a connection used again to 60,000. It is safe because a connection serves only the address, port and name that it was
 * verified for, and each attempt judges its address before it comes here. Why not fetch: its pool cannot be told that much.
 */
export class TlsTransport implements Transport {
  readonly #idle: IdleConnections;
  readonly #extraCertificates: string | null;
  #trust: TrustContext | null = null;

  /** `extraCertificates`: PEM of further authorities, trusted beside the system's for every destination. */
  constructor(clock: Clock, extraCertificates: string | null = null) {
    this.#extraCertificates = extraCertificates;
    this.#idle = new IdleConnections(clock);
  }

  async post(request: CallbackRequest, signal: AbortSignal): Promise<CallbackAnswer> {
    const idle = this.#idle.take(keyOf(request));
    if (idle === null) return this.#postAfresh(request, signal);
    try {
      return await postOnConnection(idle, request, signal, (socket) => this.#idle.give(keyOf(request), socket));
    } catch (error) {
      // The peer may close an idle connection while a request is on its way to it: the one failure that is tried again at once.
      const wasStale = error instanceof TransportFailed && error.failure === "connection_lost" && error.isBeforeAnswer;
      if (!wasStale) throw error;
      return this.#postAfresh(request, signal);
    }
  }

  close(): void {
    this.#idle.close();
  }

  async #postAfresh(request: CallbackRequest, signal: AbortSignal): Promise<CallbackAnswer> {
    // Reading 145 authorities takes 20 ms: the first callback pays for it, and not the start of the service.
    this.#trust ??= createTrustContext(this.#extraCertificates);
    const socket = await openVerified(request, this.#trust, signal);
    return postOnConnection(socket, request, signal, (unused) => this.#idle.give(keyOf(request), unused));
  }
}
