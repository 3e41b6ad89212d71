/** Opens a listener of the console or the portal, and replaces its certificate when there is a new one. */
import type { Server } from "bun";
import { cannotListen } from "../../platform/listen-error.ts";
import { listenerTls, type TlsFiles } from "../../platform/listener-tls.ts";

export interface ClientConnection {
  /** The client's address. */
  peer: string;
  /** Lets this answer stay silent for as long as it needs; otherwise the connection is cut. */
  mayBeSilent(): void;
}

export type AnswerFrom = (request: Request, connection: ClientConnection) => Response | Promise<Response>;

export interface ConsoleListenOptions {
  hostname: string;
  /** 0 lets the system choose. */
  port: number;
  tls: TlsFiles | null;
  /** The option that sets the address: `--console-listen`. */
  setting: string;
  /** Seconds after which a silent connection is cut; 10 by default. */
  idleSeconds?: number;
}

export interface ConsoleListener {
  /** `http://127.0.0.1:8081`, with the real port where 0 was configured. */
  url: string;
  /** New connections use this certificate; requests in progress finish with the old one. Only with TLS enabled. */
  renew(tls: TlsFiles): void;
  stop(): Promise<void>;
}

/** Import files are the largest thing that a form posts. */
const requestBytesMax = 16 * 1024 * 1024;

/** @throws CannotListen */
export function listenForConsole(answer: AnswerFrom, options: ConsoleListenOptions): ConsoleListener {
  const { hostname, tls, setting } = options;
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  /** The last server listens; those before it finish the requests that they started. */
  const servers: Server<unknown>[] = [];
  try {
    servers.push(open(answer, options));
  } catch (reason) {
    throw cannotListen("console_listen", reason, `${host}:${options.port}`, setting);
  }
  const port = servers[0]?.port ?? options.port;
  return {
    url: `${tls === null ? "http" : "https"}://${host}:${port}`,
    renew(renewed) {
      // The port is free between these two lines, which run in one turn of the event loop.
      void servers.at(-1)?.stop();
      servers.push(open(answer, { ...options, port, tls: renewed }));
    },
    async stop() {
      await Promise.all(servers.map((server) => server.stop(true)));
    },
  };
}

function open(answer: AnswerFrom, { hostname, port, tls, idleSeconds = 10 }: ConsoleListenOptions): Server<unknown> {
  return Bun.serve({
    hostname,
    port,
    ...(tls !== null && { tls: listenerTls(tls) }),
    // A second process must fail here instead of sharing the port.
    reusePort: false,
    development: false,
    maxRequestBodySize: requestBytesMax,
    idleTimeout: idleSeconds,
    async fetch(request, server) {
      let isSilent = false;
      const response = await answer(request, {
        peer: server.requestIP(request)?.address ?? "",
        mayBeSilent() {
          isSilent = true;
          server.timeout(request, 0);
        },
      });
      return isSilent ? whenEnded(response, () => server.timeout(request, idleSeconds)) : response;
    },
  });
}

/** The connection is kept alive for the next request. */
function whenEnded(response: Response, ended: () => void): Response {
  if (response.body === null) {
    ended();
    return response;
  }
  return new Response(
    response.body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({ flush: ended })),
    response,
  );
}
