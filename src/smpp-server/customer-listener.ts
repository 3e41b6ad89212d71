/** Listens for customers, in plain or by TLS, and turns each connection into a session. */
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type Server as TlsServer } from "node:tls";
import { errorMessage } from "../platform/error-code.ts";
import type { Logger } from "../platform/log.ts";

export interface CustomerListenerOptions {
  hostname: string;
  /** 0 lets the system choose. */
  port: number;
  /** PEM; null for a listener in plain. */
  tls: { cert: string; key: string } | null;
  log: Logger;
  /** Whether one more connection fits. */
  mayTake(): boolean;
  connected(socket: Socket, address: string): void;
}

export interface CustomerListener {
  port: number;
  /** New connections get this certificate; those that are open keep the old one. */
  renew(tls: { cert: string; key: string }): void;
  /** Takes no more connections; those that are open stay. */
  stop(): void;
}

/** Rejects where the address is taken. */
export async function listenForCustomers(options: CustomerListenerOptions): Promise<CustomerListener> {
  const { hostname, port, tls, log, mayTake, connected } = options;
  const take = (socket: Socket) => {
    socket.on("error", () => {});
    if (mayTake()) connected(socket, plainAddress(socket.remoteAddress ?? ""));
    else {
      log.warn({ address: socket.remoteAddress }, "a connection by SMPP was closed: there are as many as there may be");
      socket.destroy();
    }
  };
  const server: Server | TlsServer = tls === null ? createServer(take) : createTlsServer({ ...tls }, take);
  server.on("tlsClientError", (error: Error) => log.debug({ why: errorMessage(error) }, "a TLS handshake failed"));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: hostname, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  server.on("error", (error: Error) => log.error({ why: errorMessage(error) }, "the SMPP listener failed"));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    renew(renewed) {
      if (tls === null || !("setSecureContext" in server)) throw new Error("A listener in plain has no certificate");
      server.setSecureContext({ ...renewed });
    },
    stop: () => void server.close(),
  };
}

/** An IPv4 address as such, also where the listener speaks both. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");
