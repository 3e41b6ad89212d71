/** Opens an HTTP listener whose certificate can be renewed without losing a connection. */
import type { Server } from "bun";
import { type Clock, sleep } from "./clock.ts";
import type { TlsFiles } from "./listener-tls.ts";
import { steerConnections } from "./port-steering.ts";

export type OpenServer = Server<unknown>;

export interface OpenOptions {
  hostname: string;
  port: number;
  /** Whether a second listener of this process may open on the port, as `renew` requires. */
  sharing: boolean;
  tls: TlsFiles | null | undefined;
}

/** Answers the requests of a listener. */
export interface ListenerService {
  open(options: OpenOptions): OpenServer;
  fetch(request: Request, server: Pick<OpenServer, "requestIP">): Response | Promise<Response>;
  /** Refuses new requests; resolves when those in flight are answered. */
  stopTaking(): Promise<void>;
}

export interface RenewableListener {
  hostname: string;
  port: number;
  /** `https://127.0.0.1:8443`. */
  url: string;
  /** New connections get this certificate; open ones end after their next answer, or when idle. Only with TLS. */
  renew(tls: TlsFiles): void;
  /** Refuses new requests, waits until those in flight are answered, and closes. */
  stop(): Promise<void>;
}

export interface RenewableListenOptions {
  hostname: string;
  /** 0 lets the system choose. */
  port: number;
  clock: Clock;
  tls?: TlsFiles | null;
  /**
   * How long a stop leaves the sockets open after the last answer, 50 by default: when closed at once, five in six
   * stops under load cut off answers to stored messages.
   */
  lingerMs?: number;
}

/** Longer than a body may take to arrive: closing the connection earlier would lose the answer. */
export const idleTimeoutSeconds = 60;
/** By then the last connection to a replaced listener has been idle for too long. */
export const replacedListenerMs = (idleTimeoutSeconds + 10) * 1_000;

/** Far above our own limits, which answer in the protocol's format; Bun's own 413 has no body. */
export const requestBytesMax = Number.MAX_SAFE_INTEGER;

export function listenRenewably(
  service: ListenerService,
  { hostname, port, clock, tls, lingerMs = 50 }: RenewableListenOptions,
): RenewableListener {
  const sharing = tls != null;
  /** In the order of the kernel's group. The last one opened serves; the others only finish their open connections. */
  const group: OpenServer[] = [];
  const first = service.open({ hostname, port: sharing ? freePort(hostname, port) : port, sharing, tls });
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
      current = service.open({ hostname, port: chosenPort, sharing, tls: renewed });
      group.push(current);
      steerConnections(chosenPort, group.length - 1);
      before.reload({
        routes: {},
        fetch: async (request) => lastAnswer(await service.fetch(request, before)),
      });
      clock.after(replacedListenerMs, () => void close(before));
    },
    async stop() {
      await service.stopTaking();
      if (lingerMs > 0) await sleep(clock, lingerMs);
      await Promise.all(group.map((server) => server.stop(true)));
    },
  };
}

/**
 * A second process on the port must fail rather than share it, so the port is briefly bound exclusively before it is
 * shared.
 */
function freePort(hostname: string, port: number): number {
  const alone = Bun.serve({ hostname, port, reusePort: false, fetch: () => new Response() });
  const taken = alone.port ?? port;
  void alone.stop(true);
  return taken;
}

/** The client reconnects for its next request, and gets the new certificate. */
function lastAnswer(response: Response): Response {
  response.headers.set("Connection", "close");
  return response;
}
