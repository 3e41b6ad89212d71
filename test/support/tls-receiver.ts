/** A raw TLS receiver for tests: it reads whole requests, and the test writes the bytes of each response. */
import { createServer, type TLSSocket } from "node:tls";
import type { KeyPair } from "./certificates.ts";

export interface ReceivedRequest {
  /** The request line and the headers, as text. */
  head: string;
  body: string;
  /** Which connection it came on, counted from 1. */
  connection: number;
}

export interface TlsReceiver {
  port: number;
  requests: ReceivedRequest[];
  /** How many handshakes were completed. */
  connections: () => number;
  stop(): void;
}

/** The whole request at the start of `text`, or null while it is incomplete. */
function wholeRequest(text: string): { head: string; body: string; length: number } | null {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return null;
  const head = text.slice(0, end);
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  const body = text.slice(end + 4, end + 4 + length);
  return body.length < length ? null : { head, body, length: end + 4 + length };
}

/** `respond` is called once for each whole request, `greet` once for each new connection. */
export async function tlsReceiver(
  pair: KeyPair,
  respond: (socket: TLSSocket, request: ReceivedRequest) => void,
  greet: (socket: TLSSocket) => void = () => undefined,
): Promise<TlsReceiver> {
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<TLSSocket>();
  let connections = 0;
  const server = createServer({ ...pair, ALPNProtocols: ["http/1.1"] }, (socket) => {
    connections += 1;
    const connection = connections;
    let pending = "";
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (bytes) => {
      pending += bytes.toString("latin1");
      for (let whole = wholeRequest(pending); whole !== null; whole = wholeRequest(pending)) {
        pending = pending.slice(whole.length);
        const request = { head: whole.head, body: Buffer.from(whole.body, "latin1").toString(), connection };
        requests.push(request);
        respond(socket, request);
      }
    });
    greet(socket);
  });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    requests,
    connections: () => connections,
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

export const okResponse = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
