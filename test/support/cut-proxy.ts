/**
 * A TCP proxy that a test can cut: nothing passes any more, and neither end is notified. It can also delay, and forget the
 * connections that it has.
 */
import { connect, createServer, type Socket } from "node:net";
import { freePort } from "./free-ports.ts";

export interface CutProxy {
  port: number;
  cut(): void;
  /** From now on everything arrives this much later, both ways. */
  delay(ms: number): void;
  /** What is open carries nothing any more, as at a firewall that lost its state; what is opened later does. */
  forget(): void;
  mend(): void;
  stop(): void;
}

export async function cutProxy(target: number): Promise<CutProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  let age = 0;
  let delayMs = 0;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
  };
  const server = createServer((client) => {
    keep(client);
    if (isCut) return;
    const bornIn = age;
    const upstream = connect(target, "127.0.0.1");
    keep(upstream);
    const pass = (from: Socket, to: Socket) => {
      let busyUntil = 0;
      // In order, though the delay may become shorter.
      const later = (act: () => void) => {
        busyUntil = Math.max(busyUntil, performance.now() + delayMs);
        const waitMs = busyUntil - performance.now();
        const unlessCut = () => (isCut || age !== bornIn ? undefined : act());
        if (waitMs <= 0) unlessCut();
        else setTimeout(unlessCut, waitMs);
      };
      from.on("data", (chunk) => later(() => to.write(chunk)));
      from.on("close", () => later(() => to.destroy()));
    };
    pass(client, upstream);
    pass(upstream, client);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
  return {
    port,
    cut: () => {
      isCut = true;
    },
    delay(ms) {
      delayMs = ms;
    },
    forget() {
      age += 1;
    },
    mend() {
      isCut = false;
      // What was swallowed never arrives: as after a partition, earlier connections are dead.
      for (const socket of sockets) socket.destroy();
    },
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
