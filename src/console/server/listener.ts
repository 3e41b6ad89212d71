/** Opens a listener of the console or the portal, and gives it a new certificate when there is one. */
import type { Server } from "bun";
import { listenFailure } from "../../platform/listen-error.ts";

export interface ClientConnection {
  /** The address of its other end. */
  peer: string;
  /** From now on it may be silent for as long as it likes: Bun would cut it after 10 s. */
  mayBeSilent(): void;
}

export type AnswerFrom = (request: Request, connection: ClientConnection) => Response | Promise<Response>;

export interface ListenerTls {
  /** PEM. */
  cert: string;
  key: string;
}

export interface ConsoleListenOptions {
  hostname: string;
  /** 0 lets the system choose. */
  port: number;
  tls: ListenerTls | null;
  /** What sets the address: `--console-listen`. */
  setting: string;
}

export interface ConsoleListener {
  /** `http://127.0.0.1:8081`, with the real port where 0 was configured. */
  url: string;
  /** New connections get this certificate; what is under way ends with the old one. Only where TLS is on. */
  renew(tls: ListenerTls): void;
  stop(): Promise<void>;
}

/** Files of imports are the largest that a form posts. */
const requestBytesMax = 16 * 1024 * 1024;

/** The console's address cannot be bound; the message says why. */
export class ConsoleCannotListen extends Error {
  override readonly name = "ConsoleCannotListen";
}

/** @throws ConsoleCannotListen */
export function listenForConsole(answer: AnswerFrom, options: ConsoleListenOptions): ConsoleListener {
  const { hostname, tls, setting } = options;
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  /** The last one listens; those before it answer what they have begun. */
  const servers: Server<unknown>[] = [];
  try {
    servers.push(open(answer, options));
  } catch (reason) {
    const sentence = listenFailure(reason, `${host}:${options.port}`, setting);
    if (sentence === null) throw reason;
    throw new ConsoleCannotListen(sentence, { cause: reason });
  }
  const port = servers[0]?.port ?? options.port;
  return {
    url: `${tls === null ? "http" : "https"}://${host}:${port}`,
    renew(renewed) {
      // The port is free between the two lines, and for no turn of the event loop.
      void servers.at(-1)?.stop();
      servers.push(open(answer, { ...options, port, tls: renewed }));
    },
    async stop() {
      await Promise.all(servers.map((server) => server.stop(true)));
    },
  };
}

function open(answer: AnswerFrom, { hostname, port, tls }: ConsoleListenOptions): Server<unknown> {
  return Bun.serve({
    hostname,
    port,
    ...(tls !== null && { tls: { cert: tls.cert, key: tls.key } }),
    // A second process must fail here, not share the port.
    reusePort: false,
    development: false,
    maxRequestBodySize: requestBytesMax,
    fetch: (request, server) =>
      answer(request, {
        peer: server.requestIP(request)?.address ?? "",
        mayBeSilent: () => server.timeout(request, 0),
      }),
  });
}
