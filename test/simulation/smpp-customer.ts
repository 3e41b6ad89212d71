/** An SMPP customer: binds, submits until it has an answer, and receives its receipts. */
import type { ListenForSockets, SocketListenerOptions } from "../../src/platform/socket-listener.ts";
import { Chance } from "./chance.ts";
import type { Model, ModelMessage } from "./model.ts";
import { connectionOf, type SimulatedSocket } from "./network.ts";
import { answerTo, commands, cstring, encodePdu, type Pdu, pduReader, submitBody } from "./pdu.ts";
import { time } from "./virtual-time.ts";

export interface SmppLogin {
  systemId: string;
  password: string;
}

/** The tag of the TLV that is its Idempotency-Key. */
export const keyTag = 0x1401;
const answerMsMax = 10_000;
const rebindMs = 1_500;
/** How often it disconnects instead of acknowledging a receipt, or refuses it for now (ESME_RX_T_APPN). */
const [breaksOff, refuses, busy] = [0.03, 0.03, 0x64];
/** The refusals after which a submit is retried. */
const again: readonly number[] = [0x08, 0x14, 0x58, 0x64];
/** If a quota is exhausted. */
const submitFailed = 0x45;
/** After its acknowledgement a receipt is off the list within this time, unless the disk refuses. */
const storedMs = 1_500;

export class SmppCustomer {
  readonly #model: Model;
  readonly #chance: Chance;
  readonly #login: SmppLogin;
  readonly #waiting: ModelMessage[] = [];
  readonly #submitted = new Map<number, ModelMessage>();
  /** When each receipt was first acknowledged, by its id and state. */
  readonly #receipts = new Map<string, number>();
  #open: { connected: SocketListenerOptions["connected"]; mayTake(): boolean; isAlive(): boolean } | null = null;
  #socket: SimulatedSocket | null = null;
  #isBound = false;
  #sequence = 0;
  isCalm = false;

  constructor(model: Model, seed: number, login: SmppLogin) {
    this.#model = model;
    this.#chance = new Chance(seed, "smpp customer");
    this.#login = login;
  }

  /** The listener of a living service. */
  listenerOf(isAlive: () => boolean, opened: (socket: SimulatedSocket) => void): ListenForSockets {
    return async ({ connected, mayTake, port }) => {
      this.#open = {
        isAlive,
        mayTake,
        connected: (socket, address) => {
          if (socket instanceof Object && "kill" in socket) connected(socket, address);
        },
      };
      this.#dialLater(opened);
      return { port, renew: () => {}, stop: () => {} };
    };
  }

  /** Submits it as soon as there is a bind, until it is acknowledged. */
  send(message: ModelMessage): void {
    this.#waiting.push(message);
    this.#pump();
  }

  #dialLater(opened: (socket: SimulatedSocket) => void): void {
    const open = this.#open;
    time.after(rebindMs * (0.5 + this.#chance.fraction()), () => {
      if (open === null || open !== this.#open || !open.isAlive()) return;
      if (!open.mayTake()) {
        this.#dialLater(opened);
        return;
      }
      const { near, far } = connectionOf(this.#chance, open.isAlive);
      opened(near);
      this.#socket = far;
      far.on(
        "data",
        pduReader((pdu) => this.#take(far, pdu)),
      );
      far.on("close", () => this.#closed(far, opened));
      open.connected(near, "192.0.2.7");
      const body = Buffer.concat([
        cstring(this.#login.systemId),
        cstring(this.#login.password),
        cstring(""),
        Buffer.of(0x34, 0, 0, 0),
      ]);
      this.#write(far, commands.bindTransceiver, body);
    });
  }

  #closed(socket: SimulatedSocket, opened: (socket: SimulatedSocket) => void): void {
    if (socket !== this.#socket) return;
    this.#socket = null;
    this.#isBound = false;
    this.#model.journal.tell("smpp customer: closed");
    this.#model.disturbances.add("customer", 1_000);
    this.#waiting.push(...this.#submitted.values());
    this.#submitted.clear();
    this.#dialLater(opened);
  }

  #write(socket: SimulatedSocket, command: number, body: Buffer): number {
    this.#sequence += 1;
    socket.write(encodePdu({ command, status: 0, sequence: this.#sequence, body }));
    return this.#sequence;
  }

  #pump(): void {
    const socket = this.#socket;
    if (socket === null || !this.#isBound) return;
    for (const message of this.#waiting.splice(0)) {
      const { recipient, key, planned } = message;
      const from = planned.carrier === "smpp" ? "982000123" : "982000124";
      const sequence = this.#write(
        socket,
        commands.submit,
        submitBody({ from, to: recipient, text: `text ${recipient}`, key, keyTag }),
      );
      this.#submitted.set(sequence, message);
      time.after(answerMsMax, () => {
        if (!this.#submitted.delete(sequence)) return;
        this.#waiting.push(message);
        this.#pump();
      });
    }
    if (!this.isCalm && this.#chance.happens(0.03)) time.after(this.#chance.between(0, 300), () => socket.destroy());
  }

  #take(socket: SimulatedSocket, pdu: Pdu): void {
    const { command, status, sequence, body } = pdu;
    if (command === answerTo(commands.bindTransceiver)) {
      this.#model.journal.tell("smpp customer: bound", status);
      this.#isBound = status === 0;
      if (status === 0) this.#pump();
      else socket.end();
    } else if (command === answerTo(commands.submit)) this.#answered(sequence, status, body);
    else if (command === commands.deliver) this.#receipt(socket, pdu);
    else if (command === commands.enquireLink || command === commands.unbind) {
      socket.write(encodePdu({ command: answerTo(command), status: 0, sequence, body: Buffer.alloc(0) }));
      if (command === commands.unbind) socket.end();
    }
  }

  #answered(sequence: number, status: number, body: Buffer): void {
    const message = this.#submitted.get(sequence);
    this.#submitted.delete(sequence);
    if (message === undefined) return;
    if (status === 0) {
      this.#model.acknowledged(message, body.toString("latin1", 0, body.indexOf(0)));
      return;
    }
    this.#model.journal.tell("smpp customer: refused", message.recipient, status);
    const isLimited =
      status === submitFailed && this.#model.disturbances.touch(["operator"], time.monotonic, time.monotonic);
    if (!again.includes(status) && !isLimited) {
      this.#model.journal.violated("answers", `a submit to ${message.recipient} was refused with ${status}`);
      return;
    }
    time.after(this.#model.patience * this.#chance.between(200, 3_000), () => this.send(message));
  }

  #receipt(socket: SimulatedSocket, { sequence, body }: Pdu): void {
    const [, id = "", state = ""] = /id:(\S+) .*stat:(\S+)/.exec(body.toString("latin1")) ?? [];
    const name = `${id} ${state}`;
    const acknowledgedAt = this.#receipts.get(name);
    this.#model.journal.tell("smpp customer: receipt", name);
    const roll = this.isCalm ? 1 : this.#chance.fraction();
    if (roll < breaksOff) {
      socket.destroy();
      return;
    }
    if (roll < breaksOff + refuses) {
      socket.write(encodePdu({ command: answerTo(commands.deliver), status: busy, sequence, body: cstring("") }));
      return;
    }
    if (acknowledgedAt !== undefined) this.#judgeAgain(name, acknowledgedAt);
    this.#receipts.set(name, acknowledgedAt ?? time.monotonic);
    socket.write(encodePdu({ command: answerTo(commands.deliver), status: 0, sequence, body: cstring("") }));
  }

  #judgeAgain(name: string, acknowledgedAt: number): void {
    const { disturbances, journal } = this.#model;
    const storedAt = acknowledgedAt + storedMs;
    const until = disturbances.touch(["disk"], acknowledgedAt - storedMs, storedAt)
      ? disturbances.endOf(["disk"], storedAt, storedAt) + 10_000
      : storedAt;
    if (disturbances.touch(["crash", "customer"], acknowledgedAt - 100, until)) return;
    journal.violated("events once", `the receipt ${name} came again though it was acknowledged`);
  }

  /** Whether it was told how the message ended. */
  hasReceipt(code: string, state: "DELIVRD" | "other"): boolean {
    return [...this.#receipts.keys()].some(
      (name) => name.startsWith(`${code} `) && name.endsWith("DELIVRD") === (state === "DELIVRD"),
    );
  }
}
