/** Opens the public listener: Bun's limits set so that the answers to bad requests are ours, and a certificate that can be renewed. */
import type { Server } from "bun";
import { type Clock, sleep, systemClock } from "../platform/clock.ts";
import { steerConnections } from "../platform/port-steering.ts";
import type { PublicApi } from "./api.ts";

export interface TlsFiles {
  /** PEM. */
  cert: string;
  key: string;
}

export interface PublicListener {
  hostname: string;
  port: number;
  /** `https://127.0.0.1:8443`. */
  url: string;
  /** New connections get this certificate; those that are open end after their next answer, or when idle. Only where TLS is on. */
  renew(tls: TlsFiles): void;
  /** Takes no new request, resolves when those in flight are answered, and closes. */
  stop(): Promise<void>;
}

export interface ListenOptions {
  hostname: string;
  /** 0 lets the system choose. */
  port: number;
  clock?: Clock;
  tls?: TlsFiles | null;
  /**
   * How long a stop leaves the sockets open after the last answer, 50 by default: closed at once, five stops in six under load
   * cut off answers to stored messages.
   */
  lingerMs?: number;
}

type OpenServer = Server<unknown>;

/** Longer than a body may take to arrive (`bodyArrivesMsMax`): a closed connection would swallow the answer. */
const idleTimeoutSeconds = 60;
/** After this the last connection to a listener that was replaced has been idle for too long. */
export const replacedListenerMs = (idleTimeoutSeconds + 10) * 1_000;

/** Far above our own limits, which answer in the contract's shape; Bun's own 413 has no body. */
const requestBytesMax = Number.MAX_SAFE_INTEGER;

export function listenPublicly(
  api: PublicApi,
  { hostname, port, clock = systemClock, tls, lingerMs = 50 }: ListenOptions,
): PublicListener {
  const sharing = tls != null;
  /** In the order of the kernel's group. The last one opened serves; the others only answer the connections that they have. */
  const group: OpenServer[] = [];
  const first = open(api, { hostname, port: sharing ? freePort(hostname, port) : port, sharing, tls });
  group.push(first);
  const chosenPort = first.port ?? port;

  /** The kernel moves the last listener to the index of the one that closes, and so does this. */
  async function close(server: OpenServer): Promise<void> {
    const index = group.indexOf(server);
    const last = group.pop();
    if (last !== undefined && last !== server) group[index] = last;
    const stopped = server.stop();
    steerConnections(chosenPort, group.indexOf(current));
    await stopped;
  }

  let current = first;
  return {
    hostname,
    port: chosenPort,
    url: `${sharing ? "https" : "http"}://${hostname.includes(":") ? `[${hostname}]` : hostname}:${chosenPort}`,
    renew(renewed) {
      if (!sharing) throw new Error("A listener without TLS has no certificate to renew");
      const before = current;
      current = open(api, { hostname, port: chosenPort, sharing, tls: renewed });
      group.push(current);
      steerConnections(chosenPort, group.length - 1);
      before.reload({ routes: {}, fetch: async (request) => lastAnswer(await api.fetch(request)) });
      clock.after(replacedListenerMs, () => void close(before));
    },
    async stop() {
      await api.stopTaking();
      if (lingerMs > 0) await sleep(clock, lingerMs);
      await Promise.all(group.map((server) => server.stop(true)));
    },
  };
}

interface OpenOptions {
  hostname: string;
  port: number;
  /** Whether a second listener of ours may open on the port, as `renew` does. */
  sharing: boolean;
  tls: TlsFiles | null | undefined;
}

function open(api: PublicApi, { sharing, tls, ...address }: OpenOptions): OpenServer {
  const listeners = new Set(process.listeners("beforeExit"));
  api.app.listen({
    ...address,
    ...(tls != null && { tls: { cert: tls.cert, key: tls.key } }),
    reusePort: sharing,
    development: false,
    idleTimeout: idleTimeoutSeconds,
    maxRequestBodySize: requestBytesMax,
  });
  // Elysia would stop the server at the end of the process, which the server does itself; and a renewal would add a listener each time.
  for (const listener of process.listeners("beforeExit")) {
    if (!listeners.has(listener)) process.off("beforeExit", listener);
  }
  const { server } = api.app;
  if (server === null) throw new Error("The public listener did not open");
  return server;
}

/** A second process on the port must fail, not share it: so the port is taken alone for a moment before it is taken shared. */
function freePort(hostname: string, port: number): number {
  const alone = Bun.serve({ hostname, port, reusePort: false, fetch: () => new Response() });
  const taken = alone.port ?? port;
  void alone.stop(true);
  return taken;
}

/** The client opens its next connection anew, and meets the new certificate. */
function lastAnswer(response: Response): Response {
  response.headers.set("Connection", "close");
  return response;
}
