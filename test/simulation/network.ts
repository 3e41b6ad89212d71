/** Connections of a run: two ends of a stream each, whose octets arrive later, in order, and split anywhere. */
import { EventEmitter } from "node:events";
import { Socket } from "node:net";
import type { Chance } from "./chance.ts";
import { time } from "./virtual-time.ts";

type Listening = Parameters<EventEmitter["on"]>;

/** The part of a socket's interface that Peyk uses, without a connection of the system. */
export class SimulatedSocket extends Socket {
  #other: SimulatedSocket | null = null;
  #isGone = false;
  #isEnded = false;
  #isHeld = false;
  readonly #held: Buffer[] = [];
  #lastArrivalAt = 0;
  readonly #chance: Chance;
  /** False once the process with this end is dead: nothing leaves any more. */
  readonly #isAlive: () => boolean;
  /** Of the process with this end, if several run; otherwise 0. */
  readonly #life: number;

  constructor(chance: Chance, isAlive: () => boolean, life = 0) {
    super();
    this.#life = life;
    this.#chance = chance;
    this.#isAlive = isAlive;
    Object.defineProperties(this, {
      destroyed: { get: () => this.#isGone },
      writable: { get: () => !this.#isGone && !this.#isEnded },
      writableLength: { get: () => 0 },
    });
  }

  join(other: SimulatedSocket): void {
    this.#other = other;
  }

  override on(...[name, listener]: Listening): this {
    EventEmitter.prototype.on.call(this, name, listener);
    return this;
  }

  override setNoDelay(): this {
    return this;
  }

  override write(octets: Uint8Array | string): boolean {
    if (this.#isGone || this.#isEnded || !this.#isAlive()) return false;
    const content = Buffer.from(octets);
    const cutAt = this.#chance.happens(0.1) ? this.#chance.between(0, content.length) : content.length;
    for (const part of [content.subarray(0, cutAt), content.subarray(cutAt)]) {
      if (part.length > 0) this.#later(0.1 + 3 * this.#chance.fraction(), (other) => other.#take(part));
    }
    return true;
  }

  override pause(): this {
    this.#isHeld = true;
    return this;
  }

  override resume(): this {
    this.#isHeld = false;
    for (let part = this.#nextHeld(); part !== undefined; part = this.#nextHeld()) this.emit("data", part);
    return this;
  }

  override end(): this {
    if (this.#isGone || this.#isEnded) return this;
    this.#isEnded = true;
    this.#later(0.5, (other) => {
      other.close();
      this.close();
    });
    return this;
  }

  override destroy(): this {
    if (this.#isGone) return this;
    this.close();
    this.#later(0.5, (other) => other.close());
    return this;
  }

  /** The process with this end is dead, and the kernel tells the other end. */
  kill(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#later(1, (other) => other.close());
  }

  /** The connection is over, with an error if it did not end well. */
  close(error?: Error): void {
    if (this.#isGone) return;
    this.#isGone = true;
    if (error !== undefined) this.emit("error", error);
    this.emit("close", false);
  }

  #nextHeld(): Buffer | undefined {
    return this.#isHeld || this.#isGone ? undefined : this.#held.shift();
  }

  #take(part: Buffer): void {
    if (this.#isGone || !this.#isAlive()) return;
    if (this.#isHeld || this.#held.length > 0) this.#held.push(part);
    else this.emit("data", part);
  }

  /** Not before earlier data. */
  #later(delayMs: number, arrives: (other: SimulatedSocket) => void): void {
    this.#lastArrivalAt = Math.max(this.#lastArrivalAt + 0.01, time.monotonic + delayMs);
    const other = this.#other;
    if (other !== null) time.inLife(other.#life, this.#lastArrivalAt - time.monotonic, () => arrives(other));
  }
}

export interface Pair {
  near: SimulatedSocket;
  far: SimulatedSocket;
}

/** `isAlive`: of the process with the near end; the world's end lives for ever. */
export function connectionOf(chance: Chance, isAlive: () => boolean, life = 0): Pair {
  const near = new SimulatedSocket(chance, isAlive, life);
  const far = new SimulatedSocket(chance, () => true);
  near.join(far);
  far.join(near);
  return { near, far };
}
