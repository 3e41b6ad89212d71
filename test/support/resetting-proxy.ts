/** Sits between a client and a server on this machine, and resets all of its connections on request. */
import { connect, createServer, type Server, type Socket } from "node:net";

export class ResettingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(targetPort: number) {
    this.#server = createServer((client) => {
      const target = connect({ port: targetPort, host: "127.0.0.1" });
      for (const [one, other] of [
        [client, target],
        [target, client],
      ] as const) {
        this.#sockets.add(one);
        one.on("data", (octets: Buffer) => other.write(octets));
        one.on("error", () => {});
        one.on("close", () => {
          this.#sockets.delete(one);
          other.destroy();
        });
      }
    });
  }

  static async start(targetPort: number): Promise<ResettingProxy> {
    const proxy = new ResettingProxy(targetPort);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", () => resolve()));
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The proxy does not listen");
    return address.port;
  }

  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  stop(): void {
    this.reset();
    this.#server.close();
  }
}
