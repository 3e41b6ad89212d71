/**
 * Keeps a verified connection open for the next callback to the same address, port and name: briefly, and for no other.
 */
import type { Socket } from "node:net";
import type { Clock, Timer } from "../../platform/clock.ts";
import { closeConnection, listen } from "./tls-connection.ts";

/** Shorter than the 5 s after which many servers close: reusing a connection that is about to close is a race. */
const idleMsMax = 4_000;
/** An expired or replaced certificate is noticed within this time. */
const ageMsMax = 60_000;
const connectionsMax = 128;

interface IdleConnection {
  socket: Socket;
  timer: Timer;
  unlisten: () => void;
}

export class IdleConnections {
  readonly #byKey = new Map<string, IdleConnection[]>();
  /** When each connection was first put here, in monotonic milliseconds. */
  readonly #firstPutAt = new WeakMap<Socket, number>();
  readonly #clock: Clock;
  #count = 0;
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A live connection for this key, the most recently used first; the caller owns it until it puts it back. */
  take(key: string): Socket | null {
    const connection = this.#byKey.get(key)?.at(-1);
    if (connection === undefined) return null;
    this.#remove(key, connection);
    return connection.socket;
  }

  /** `socket` must be between two messages. It is closed if it cannot be kept. */
  put(key: string, socket: Socket): void {
    const now = this.#clock.monotonic();
    const firstPutAt = this.#firstPutAt.get(socket) ?? now;
    this.#firstPutAt.set(socket, firstPutAt);
    const isKept = !this.#isClosed && this.#count < connectionsMax && now - firstPutAt < ageMsMax;
    if (isKept && !socket.destroyed) this.#add(key, socket);
    else closeConnection(socket);
  }

  close(): void {
    this.#isClosed = true;
    for (const [key, connections] of this.#byKey)
      for (const connection of [...connections]) this.#expire(key, connection);
  }

  #add(key: string, socket: Socket): void {
    // Unsolicited bytes or an end: either way the next callback must not use this connection.
    const expire = () => this.#expire(key, connection);
    const unlisten = listen(socket, { data: expire, end: expire, error: expire });
    const connection: IdleConnection = { socket, timer: this.#clock.after(idleMsMax, expire), unlisten };
    const known = this.#byKey.get(key);
    if (known === undefined) this.#byKey.set(key, [connection]);
    else known.push(connection);
    this.#count += 1;
  }

  #expire(key: string, connection: IdleConnection): void {
    if (this.#remove(key, connection)) closeConnection(connection.socket);
  }

  /** False if it was already taken or removed. */
  #remove(key: string, connection: IdleConnection): boolean {
    const connections = this.#byKey.get(key) ?? [];
    const index = connections.indexOf(connection);
    if (index === -1) return false;
    connections.splice(index, 1);
    if (connections.length === 0) this.#byKey.delete(key);
    this.#count -= 1;
    connection.timer.cancel();
    connection.unlisten();
    return true;
  }
}
