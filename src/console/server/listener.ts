/** Opens a listener of the console. */
import { listenFailure } from "../../platform/listen-error.ts";

export interface ConsoleListener {
  /** `http://127.0.0.1:8081`, with the real port where 0 was configured. */
  url: string;
  stop(): Promise<void>;
}

export interface ClientConnection {
  /** The address of its other end. */
  peer: string;
  /** From now on it may be silent for as long as it likes: Bun would cut it after 10 s. */
  mayBeSilent(): void;
}

export type AnswerFrom = (request: Request, connection: ClientConnection) => Response | Promise<Response>;

/** Files of imports are the largest that a form posts. */
const requestBytesMax = 16 * 1024 * 1024;

/** The console's address cannot be bound; the message says why. */
export class ConsoleCannotListen extends Error {
  override readonly name = "ConsoleCannotListen";
}

/** @throws ConsoleCannotListen */
export function listenForConsole(
  answer: AnswerFrom,
  { hostname, port }: { hostname: string; port: number },
): ConsoleListener {
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  try {
    // A second process must fail here, not share the port.
    const server = Bun.serve({
      hostname,
      port,
      reusePort: false,
      development: false,
      maxRequestBodySize: requestBytesMax,
      fetch: (request, server) =>
        answer(request, {
          peer: server.requestIP(request)?.address ?? "",
          mayBeSilent: () => server.timeout(request, 0),
        }),
    });
    return { url: `http://${host}:${server.port}`, stop: () => server.stop(true) };
  } catch (reason) {
    const sentence = listenFailure(reason, `${host}:${port}`, "--console-listen");
    if (sentence === null) throw reason;
    throw new ConsoleCannotListen(sentence, { cause: reason });
  }
}
