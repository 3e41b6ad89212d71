/** A TCP peer without a protocol: a test writes octets by hand, and sees what was received. */
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

export class RawPeer {
  readonly sockets: Socket[] = [];
  /** All octets that came over any connection. */
  received: Buffer = Buffer.alloc(0);
  readonly #server: Server;

  private constructor(readonly onOctets: (socket: Socket, octets: Buffer) => void) {
    this.#server = createServer((socket) => {
      this.sockets.push(socket);
      socket.on("error", () => socket.destroy());
      socket.on("data", (octets: Buffer) => {
        this.received = Buffer.concat([this.received, octets]);
        this.onOctets(socket, octets);
      });
    });
  }

  static async start(onOctets: (socket: Socket, octets: Buffer) => void = () => {}): Promise<RawPeer> {
    const peer = new RawPeer(onOctets);
    await new Promise<void>((resolve) => peer.#server.listen(0, "127.0.0.1", () => resolve()));
    return peer;
  }

  get port(): number {
    const address: string | AddressInfo | null = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the peer does not listen");
    return address.port;
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}
