/** Keeps a verified connection for the next callback to the same address, port and name; briefly, and never for another. */
import type { TLSSocket } from "node:tls";
import type { Clock, Timer } from "../platform/clock.ts";
import { abandon, listen } from "./socket-listeners.ts";

/** Shorter than the 5 s after which many servers close: a connection that is about to go is not worth the race. */
const idleMsMax = 4_000;
/** A certificate that ran out or was replaced is noticed within this time. */
const ageMsMax = 60_000;
const connectionsMax = 128;

interface IdleConnection {
  socket: TLSSocket;
  timer: Timer;
  unlisten: () => void;
}

export class IdleConnections {
  readonly #byKey = new Map<string, IdleConnection[]>();
  /** When each connection was first given, in monotonic milliseconds. */
  readonly #since = new WeakMap<TLSSocket, number>();
  #count = 0;
  #isClosed = false;

  constructor(readonly clock: Clock) {}

  /** A live connection for this key, the most recently used first; it belongs to the caller until given back. */
  take(key: string): TLSSocket | null {
    const connection = this.#byKey.get(key)?.at(-1);
    if (connection === undefined) return null;
    this.#remove(key, connection);
    return connection.socket;
  }

  /** Takes a connection that stands at a message boundary; closes it where it cannot be kept. */
  give(key: string, socket: TLSSocket): void {
    const since = this.#since.get(socket) ?? this.clock.monotonic();
    this.#since.set(socket, since);
    const isKept = !this.#isClosed && this.#count < connectionsMax && this.clock.monotonic() - since < ageMsMax;
    if (isKept && !socket.destroyed) this.#keep(key, socket);
    else abandon(socket);
  }

  close(): void {
    this.#isClosed = true;
    for (const [key, connections] of this.#byKey)
      for (const connection of [...connections]) this.#expire(key, connection);
  }

  #keep(key: string, socket: TLSSocket): void {
    // Bytes that nobody asked for, or an end: either way the next callback must not meet them.
    const expire = () => this.#expire(key, connection);
    const unlisten = listen(socket, { data: expire, end: expire, error: expire });
    const connection: IdleConnection = { socket, timer: this.clock.after(idleMsMax, expire), unlisten };
    const known = this.#byKey.get(key);
    if (known === undefined) this.#byKey.set(key, [connection]);
    else known.push(connection);
    this.#count += 1;
  }

  #expire(key: string, connection: IdleConnection): void {
    if (this.#remove(key, connection)) abandon(connection.socket);
  }

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
