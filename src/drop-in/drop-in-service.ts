/** Answers requests to the drop-in listener: finds the protocol for each path, and logs and counts without content. */
import { clientAddress } from "../domain/client-address.ts";
import { type InFlightRequests, inFlightRequests } from "../http/in-flight.ts";
import type { Clock } from "../platform/clock.ts";
import { listenerTls } from "../platform/listener-tls.ts";
import type { Logger } from "../platform/log.ts";
import {
  idleTimeoutSeconds,
  type ListenerService,
  type OpenOptions,
  type OpenServer,
  requestBytesMax,
} from "../platform/renewable-listener.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import { type AnswerGate, gated } from "../store/replication.ts";
import type { DropInCustomers } from "./customers.ts";
import { type DropInProtocol, type DropInRoute, notFound, responseOf, type ServedRequest } from "./protocol.ts";
import { BodiesBusy, type RawRequest, RawRequests } from "./raw-request.ts";

/** Counts requests. `route`: one of a few names. `outcome`: see ServedRequest. */
export interface DropInObserver {
  served(route: string, outcome: string, durationMs: number): void;
}

export interface DropInServiceDeps {
  protocols: readonly DropInProtocol[];
  customers: Pick<DropInCustomers, "unread">;
  clock: Clock;
  log: Logger;
  observer: DropInObserver;
  trustedProxies: readonly string[];
  /** Null without a cluster. */
  answerGate?: AnswerGate | null;
}

export class DropInService implements ListenerService {
  readonly #requests: RawRequests;
  readonly #inFlight: InFlightRequests;

  constructor(private readonly deps: DropInServiceDeps) {
    this.#requests = new RawRequests(deps.clock, clientAddress(deps.trustedProxies));
    this.#inFlight = inFlightRequests(deps.clock);
    // A start that can still fail must accept nothing.
    this.#inFlight.begin();
  }

  open({ hostname, port, sharing, tls }: OpenOptions): OpenServer {
    return Bun.serve({
      hostname,
      port,
      ...(tls != null && { tls: listenerTls(tls) }),
      reusePort: sharing,
      development: false,
      idleTimeout: idleTimeoutSeconds,
      maxRequestBodySize: requestBytesMax,
      fetch: (request, server) => this.fetch(request, server),
      error: (reason) => this.#failed(reason),
    });
  }

  async fetch(request: Request, server: Pick<OpenServer, "requestIP">): Promise<Response> {
    const raw = this.#requests.of(request, () => server.requestIP(request)?.address ?? "unknown");
    const route = this.#routeOf(raw.path);
    if (route === null) return responseOf(notFound);
    const start = this.#inFlight.startToWaitFor();
    if (start !== null) await start;
    if (!this.#inFlight.enter()) return responseOf({ ...route.unavailable, closes: true });
    const { clock, customers, observer } = this.deps;
    const startedMs = clock.monotonic();
    try {
      const { answer, outcome } = await this.#serve(route, raw).catch((reason) => this.#unserved(route, reason));
      if (outcome === "unread") customers.unread(route.name, raw);
      observer.served(route.name, outcome, clock.monotonic() - startedMs);
      return responseOf(answer);
    } finally {
      raw.answered();
      this.#inFlight.leave();
    }
  }

  startTaking(): void {
    this.#inFlight.open();
  }

  stopTaking(): Promise<void> {
    return this.#inFlight.close();
  }

  /** Holds back any answer that a node taking over could not know. */
  async #serve(route: DropInRoute, raw: RawRequest): Promise<ServedRequest> {
    const gate = this.deps.answerGate ?? null;
    if (gate === null) return route.serve(raw);
    try {
      return await gated(gate, route.serve(raw));
    } catch (reason) {
      if (!(reason instanceof StoreUnavailable)) throw reason;
      return { answer: route.unavailable, outcome: "unavailable" };
    }
  }

  #routeOf(path: string): DropInRoute | null {
    for (const protocol of this.deps.protocols) {
      const route = protocol.find(path);
      if (route !== null) return route;
    }
    return null;
  }

  #unserved(route: DropInRoute, reason: unknown): ServedRequest {
    if (reason instanceof BodiesBusy) return { answer: { ...route.unavailable, closes: true }, outcome: "unavailable" };
    this.deps.log.error({ route: route.name, err: reason }, "A request to the drop-in listener failed by a defect");
    return { answer: route.unavailable, outcome: "defect" };
  }

  #failed(reason: unknown): Response {
    this.deps.log.error({ err: reason }, "The drop-in listener failed");
    return new Response(null, { status: 500 });
  }
}
