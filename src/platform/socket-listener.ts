/** Listens for connections of a protocol of its own (SMPP, SMTP), with or without TLS. */
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type Server as TlsServer } from "node:tls";
import { errorMessage } from "./error-code.ts";
import { listenerTls, type TlsFiles } from "./listener-tls.ts";
import type { Logger } from "./log.ts";
import { Strangers } from "./strangers.ts";

export interface SocketListenerOptions {
  /** `SMPP`, for the log. */
  protocol: string;
  hostname: string;
  /** 0 lets the system choose. */
  port: number;
  /** Null for a listener without TLS. */
  tls: TlsFiles | null;
  log: Logger;
  /** What counts as one client. */
  networkOf(address: string): string;
  /** TLS handshakes at once; one more ends the oldest of the network that has most. */
  handshakesMax: number;
  /** How long one may take, 10 seconds by default. */
  handshakeMs?: number;
  /** True if one more connection fits. */
  mayTake(): boolean;
  connected(socket: Socket, address: string): void;
}

export interface SocketListener {
  port: number;
  /** New connections get this certificate; open ones keep the old one. */
  renew(tls: TlsFiles): void;
  /** Accepts no more connections; open ones stay. */
  stop(): void;
}

export type ListenForSockets = (options: SocketListenerOptions) => Promise<SocketListener>;

/** Rejects if the address is in use. */
export async function listenForSockets(options: SocketListenerOptions): Promise<SocketListener> {
  const {
    hostname,
    port,
    tls,
    handshakesMax,
    handshakeMs = 10_000,
    protocol,
    log,
    networkOf,
    mayTake,
    connected,
  } = options;
  const take = (socket: Socket) => {
    socket.on("error", () => {});
    if (mayTake()) connected(socket, plainAddress(socket.remoteAddress ?? ""));
    else {
      log.warn(
        { address: socket.remoteAddress },
        `a connection by ${protocol} was closed: there are as many as there may be`,
      );
      socket.destroy();
    }
  };
  const server: Server | TlsServer =
    tls === null ? createServer(take) : createTlsServer({ ...listenerTls(tls), handshakeTimeout: handshakeMs }, take);
  if (tls !== null) limitHandshakes(server, handshakesMax, networkOf, log);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: hostname, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  server.on("error", (error: Error) => log.error({ why: errorMessage(error) }, `the ${protocol} listener failed`));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    renew(renewed) {
      if (tls === null || !("setSecureContext" in server)) throw new Error("A listener in plain has no certificate");
      server.setSecureContext(listenerTls(renewed));
    },
    stop: () => void server.close(),
  };
}

/** Bun reports a handshake that fails or takes too long, and leaves its connection open. */
function limitHandshakes(
  server: Server,
  handshakesMax: number,
  networkOf: (address: string) => string,
  log: Logger,
): void {
  const handshakes = new Strangers<Socket>(({ bytesRead }) => bytesRead === 0, networkOf);
  server.on("connection", (socket) => {
    handshakes.add(socket, plainAddress(socket.remoteAddress ?? ""));
    socket.on("error", () => {});
    socket.once("close", () => handshakes.delete(socket));
    const ended = handshakes.size > handshakesMax ? handshakes.leastWorthy : null;
    if (ended === null) return;
    handshakes.delete(ended);
    ended.destroy();
  });
  server.on("secureConnection", (socket: Socket) => handshakes.delete(socket));
  server.on("tlsClientError", (error: Error, socket: Socket) => {
    log.debug({ why: errorMessage(error) }, "a TLS handshake failed");
    socket.destroy();
  });
}

/** Unmaps an IPv4 address that a dual-stack listener reports as IPv6. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");
