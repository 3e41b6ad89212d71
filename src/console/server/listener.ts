/** Opens a listener of the console. */
import { listenFailure } from "../../platform/listen-error.ts";

export interface ConsoleListener {
  /** `http://127.0.0.1:8081`, with the real port where 0 was configured. */
  url: string;
  stop(): Promise<void>;
}

/** `peer`: the address of the other end of the connection. */
export type AnswerFrom = (request: Request, peer: string) => Response | Promise<Response>;

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
      fetch: (request, server) => answer(request, server.requestIP(request)?.address ?? ""),
    });
    return { url: `http://${host}:${server.port}`, stop: () => server.stop(true) };
  } catch (reason) {
    const sentence = listenFailure(reason, `${host}:${port}`, "--console-listen");
    if (sentence === null) throw reason;
    throw new ConsoleCannotListen(sentence, { cause: reason });
  }
}
