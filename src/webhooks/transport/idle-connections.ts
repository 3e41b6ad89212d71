/**
 * Keeps a verified connection open for the next callback to the same address, port and name: briefly, and for no other.
 */
import type { Clock } from "../../platform/clock.ts";
import type { CallbackConnection } from "./connection.ts";

/** Shorter than the 5 s after which many servers close: reusing a connection that is about to close is a race. */
const idleMsMax = 4_000;
/** Half a second: what is kept too long by it still ends before those 5 s. */
const sweepEveryMs = 500;
/** An expired or replaced certificate is noticed within this time, also where a TLS session is resumed. */
export const verifiedMsMax = 60_000;
const connectionsMax = 128;

export class IdleConnections {
  readonly #byKey = new Map<string, CallbackConnection[]>();
  /** When each was put here, in monotonic milliseconds; in that order. */
  readonly #putAt = new Map<CallbackConnection, number>();
  #isSweeping = false;
  #isClosed = false;

  constructor(private readonly clock: Clock) {}

  /** A live connection for this key, the most recently used first; the caller owns it until it puts it back. */
  take(key: string): CallbackConnection | null {
    const connection = this.#byKey.get(key)?.at(-1);
    if (connection === undefined) return null;
    this.remove(connection);
    return connection;
  }

  /** The connection must be between two messages. It is closed if it cannot be kept. */
  put(connection: CallbackConnection): void {
    const now = this.clock.monotonic();
    const { key, verifiedAt } = connection;
    if (this.#isClosed || this.#putAt.size >= connectionsMax || now - verifiedAt >= verifiedMsMax) {
      connection.close();
      return;
    }
    this.#putAt.set(connection, now);
    const known = this.#byKey.get(key);
    if (known === undefined) this.#byKey.set(key, [connection]);
    else known.push(connection);
    this.#sweepLater();
  }

  /** It was taken, or has closed. */
  remove(connection: CallbackConnection): void {
    if (!this.#putAt.delete(connection)) return;
    const { key } = connection;
    const kept = this.#byKey.get(key) ?? [];
    kept.splice(kept.indexOf(connection), 1);
    if (kept.length === 0) this.#byKey.delete(key);
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of [...this.#putAt.keys()]) connection.close();
  }

  /** One timer for all: a timer for each use cost as much as its write. */
  #sweepLater(): void {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    this.clock.after(sweepEveryMs, () => {
      this.#isSweeping = false;
      const latest = this.clock.monotonic() - idleMsMax;
      for (const [connection, putAt] of [...this.#putAt]) {
        if (putAt > latest) break;
        connection.close();
      }
      if (this.#putAt.size > 0) this.#sweepLater();
    });
  }
}
