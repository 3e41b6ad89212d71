/** One request and its answer on a connection that stands. */
import { isIP } from "node:net";
import type { TLSSocket } from "node:tls";
import { AnswerReader } from "./answer-reader.ts";
import { abandon, listen } from "./socket-listeners.ts";
import { type CallbackAnswer, type CallbackRequest, TransportFailed } from "./transport.ts";

function requestBytes({ host, port, target, headers, body }: CallbackRequest): Uint8Array {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}${port === 443 ? "" : `:${port}`}`;
  const ownHeaders = { Host: authority, "Accept-Encoding": "identity", "Content-Length": String(body.length) };
  const lines = Object.entries({ ...headers, ...ownHeaders }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`POST ${target} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1"), body]);
}

function answerOf(reader: AnswerReader, status: number): CallbackAnswer {
  return { status, retryAfter: reader.header("retry-after"), body: reader.body };
}

/**
 * `giveBack` gets the connection where it may carry another request; otherwise it is closed.
 * @throws TransportFailed with `connection_lost`, `malformed_answer` or `aborted`.
 */
export function postOnConnection(
  socket: TLSSocket,
  request: CallbackRequest,
  signal: AbortSignal,
  giveBack: (socket: TLSSocket) => void,
): Promise<CallbackAnswer> {
  return new Promise((resolve, reject) => {
    const reader = new AnswerReader();
    const release = () => {
      signal.removeEventListener("abort", onAbort);
      unlisten();
      if (reader.isConnectionReusable) giveBack(socket);
      else abandon(socket);
    };
    const fail = (failure: TransportFailed) => {
      release();
      reject(failure);
    };
    const lost = (detail: string) => fail(new TransportFailed("connection_lost", detail, !reader.hasBegun));
    const advance = (): boolean => {
      const isWhole = reader.state === "ended" || reader.state === "full";
      if (isWhole && reader.status !== null) {
        release();
        resolve(answerOf(reader, reader.status));
      } else if (reader.state === "malformed") fail(new TransportFailed("malformed_answer", "not an HTTP/1.1 answer"));
      return isWhole;
    };
    const onAbort = () => fail(new TransportFailed("aborted", "ended while waiting for the answer"));
    const unlisten = listen(socket, {
      data: (bytes) => {
        reader.push(bytes);
        advance();
      },
      end: () => {
        reader.close();
        if (!advance()) lost("the connection ended before the answer did");
      },
      error: (error) => lost(error.message),
    });
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
    else socket.write(requestBytes(request));
  });
}
