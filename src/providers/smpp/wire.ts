/** A socket of PDUs: reads them whole, writes all of one turn of the event loop at once, and bounds both directions. */
import type { Socket } from "node:net";
import type { Reason } from "../../domain/reason.ts";
import type { Clock } from "../../platform/clock.ts";
import { lossReason } from "../connection.ts";
import { FrameLengthError, FrameReader } from "./frame-reader.ts";

/** Octets that the peer has not taken, above which nothing is written to it or read from it. */
const backlogOctetsMax = 256 * 1024;
/** How long a closed connection may take to deliver what was written last. */
const lingerMs = 1_000;

export interface WireEvents {
  /** A whole PDU, a view into a buffer that will be reused. */
  frame(frame: Buffer): void;
  /** The peer sent an invalid length; nothing more is read. */
  unreadable(error: FrameLengthError): void;
  /** The peer takes octets again. */
  drained(): void;
  lost(reason: Reason): void;
}

/** Sees every PDU while it `isOn`. */
export interface WireTap {
  readonly isOn: boolean;
  /** `isSecret`: it carries a one-time password. */
  wrote(frame: Buffer, isSecret: boolean): void;
  read(frame: Buffer): void;
}

export class Wire {
  readonly #reader = new FrameReader();
  #gathered: Buffer[] = [];
  #gatheredOctets = 0;
  #scheduled: ReturnType<typeof setImmediate> | null = null;
  #held = false;
  #paused = false;
  #over = false;

  constructor(
    readonly socket: Socket,
    readonly clock: Clock,
    readonly events: WireEvents,
    readonly tap: WireTap | null = null,
  ) {
    socket.setNoDelay(true);
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("drain", () => {
      this.#regulate();
      if (!this.#over) this.events.drained();
    });
    socket.on("error", (error) => this.#lost(lossReason(error)));
    socket.on("close", () => this.#lost({ code: "connection_closed" }));
  }

  /** True when the peer reads so slowly that nothing more should be written. */
  get backlogged(): boolean {
    return this.#gatheredOctets + this.socket.writableLength > backlogOctetsMax;
  }

  /** Octets of a PDU of which more are to come. */
  get heldOctets(): number {
    return this.#reader.heldOctets;
  }

  /** A longer PDU is not read. */
  set pduOctetsMax(octets: number) {
    this.#reader.octetsMax = octets;
  }

  /** Whether everything that was written has left for the peer. */
  get isDrained(): boolean {
    return this.#gatheredOctets === 0 && this.socket.writableLength === 0;
  }

  /** All PDUs of a turn go out in one write: 55,000 submits with receipts a second on loopback; a write for each gave 36,000. */
  write(frame: Buffer, isSecret = false): void {
    if (this.#over) return;
    if (this.tap?.isOn) this.tap.wrote(frame, isSecret);
    this.#gathered.push(frame);
    this.#gatheredOctets += frame.length;
    this.#scheduled ??= setImmediate(() => this.#flush());
  }

  /** While held, nothing is read from the peer. */
  hold(held: boolean): void {
    this.#held = held;
    this.#regulate();
  }

  /** Writes what is left and closes, at once or as soon as the peer has taken it. Safe to call again. */
  close(): void {
    if (this.#over) return;
    this.#flush();
    this.#over = true;
    if (this.socket.destroyed) return;
    const linger = this.clock.after(lingerMs, () => this.socket.destroy());
    this.socket.once("close", () => linger.cancel());
    this.socket.resume();
    this.socket.end();
  }

  #read(chunk: Buffer): void {
    if (this.#over) return;
    try {
      this.#reader.push(chunk, (frame) => {
        if (this.tap?.isOn) this.tap.read(frame);
        this.events.frame(frame);
        return !this.#over;
      });
    } catch (error) {
      if (!(error instanceof FrameLengthError)) throw error;
      this.events.unreadable(error);
    }
    this.#regulate();
  }

  #flush(): void {
    if (this.#scheduled !== null) clearImmediate(this.#scheduled);
    this.#scheduled = null;
    const [first] = this.#gathered;
    if (first === undefined || this.#over) return;
    const octets = this.#gathered.length === 1 ? first : Buffer.concat(this.#gathered, this.#gatheredOctets);
    this.#gathered = [];
    this.#gatheredOctets = 0;
    if (this.socket.writable) this.socket.write(octets);
    this.#regulate();
  }

  /** Reads nothing from a peer that does not read its answers: they would fill the memory. */
  #regulate(): void {
    const pause = this.#held || this.backlogged;
    if (this.#over || pause === this.#paused) return;
    this.#paused = pause;
    if (pause) this.socket.pause();
    else this.socket.resume();
  }

  #lost(reason: Reason): void {
    if (this.#over) return;
    this.#over = true;
    this.socket.destroy();
    this.events.lost(reason);
  }
}
