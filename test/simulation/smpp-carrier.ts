/** A carrier over SMPP: accepts binds, answers submits according to its temper, and delivers receipts until they are acknowledged. */
import type { Carrier, OwedReceipt } from "./carrier.ts";
import { OpenSubmits } from "./carrier.ts";
import { Chance } from "./chance.ts";
import { connectionOf, type SimulatedSocket } from "./network.ts";
import {
  answerTo,
  commands,
  cstring,
  encodePdu,
  type Pdu,
  pduReader,
  readSubmit,
  receiptBody,
  textBody,
} from "./pdu.ts";
import { line, type OwedText, type Phones } from "./phones.ts";
import { time } from "./virtual-time.ts";

const statuses = { accepted: 0, temporary: 0x08, throttled: 0x58, rejected: 0x0b } as const;
const empty = Buffer.alloc(0);
/** An unacknowledged receipt is delivered again. */
const redeliverMs = 15_000;

export class SmppCarrier {
  readonly carrier: Carrier;
  readonly #sessions = new Set<Session>();
  readonly #chance: Chance;
  readonly phones: Phones;

  constructor(carrier: Carrier, phones: Phones, seed: number) {
    this.carrier = carrier;
    this.phones = phones;
    this.#chance = new Chance(seed, "smpp connections");
    carrier.deliver = () => this.#deliver();
  }

  /** The near end of a connection that a living service dials. */
  dial(isAlive: () => boolean, life = 0): SimulatedSocket {
    const { near, far } = connectionOf(this.#chance, isAlive, life);
    time.inLife(life, 1 + 20 * this.#chance.fraction(), () => {
      if (!isAlive() || near.destroyed) return;
      if (!this.carrier.isUp) {
        near.close(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }));
        return;
      }
      this.#sessions.add(new Session(far, this, this.#chance, (session) => this.#sessions.delete(session)));
      near.emit("connect");
    });
    return near;
  }

  goDown(): void {
    this.carrier.isUp = false;
    this.reset();
  }

  comeUp(): void {
    if (!this.carrier.isUp) this.carrier.returns();
    this.carrier.isUp = true;
  }

  reset(): void {
    for (const session of [...this.#sessions]) session.reset();
  }

  #deliver(): void {
    const session = [...this.#sessions].find(({ isBound }) => isBound);
    if (session === undefined) return;
    for (const receipt of this.carrier.owed()) session.deliver(receipt);
    for (const text of this.phones.owed()) session.deliver(text);
  }
}

class Session {
  isBound = false;
  readonly #socket: SimulatedSocket;
  readonly #carrier: Carrier;
  readonly #chance: Chance;
  readonly #open = new OpenSubmits();
  readonly #delivering = new Map<number, OwedReceipt | OwedText>();
  readonly #phones: Phones;
  #sequence = 0;

  constructor(
    socket: SimulatedSocket,
    { carrier, phones }: Pick<SmppCarrier, "carrier" | "phones">,
    chance: Chance,
    ended: (session: Session) => void,
  ) {
    this.#phones = phones;
    this.#socket = socket;
    this.#carrier = carrier;
    this.#chance = chance;
    socket.on(
      "data",
      pduReader((pdu) => this.#take(pdu)),
    );
    socket.on("close", () => {
      this.isBound = false;
      ended(this);
      carrier.model.disturbances.add("connection", 3_000);
      carrier.model.journal.tell("smpp: closed");
    });
  }

  reset(): void {
    this.#carrier.model.journal.tell("smpp: resets");
    this.#socket.destroy();
  }

  #take(pdu: Pdu): void {
    switch (pdu.command) {
      case commands.bindTransceiver:
        this.#bind(pdu);
        return;
      case commands.submit:
        this.#submit(pdu);
        return;
      case commands.enquireLink:
        this.#answer(pdu, 0);
        return;
      case commands.unbind:
        this.#answer(pdu, 0);
        this.#socket.end();
        return;
      case answerTo(commands.deliver):
        this.#delivered(pdu);
        return;
    }
  }

  #answer({ command, sequence }: Pdu, status: number, body: Buffer = empty): void {
    this.#socket.write(encodePdu({ command: answerTo(command), status, sequence, body }));
  }

  #bind(pdu: Pdu): void {
    if (!this.#carrier.isCalm && this.#chance.happens(0.03)) {
      this.#answer(pdu, 0x0d);
      return;
    }
    this.#answer(pdu, 0, cstring("carrier"));
    this.isBound = true;
    this.#carrier.model.journal.tell("smpp: bound");
    time.after(50, this.#carrier.deliver);
  }

  #submit(pdu: Pdu): void {
    const { destination, part } = readSubmit(pdu.body);
    const open = this.#open.begin();
    this.#carrier.judgeWindow(this.#open);
    const { decision, submit } = this.#carrier.take(destination.replace(/^\+/, ""), part);
    const { answerAfterMs, resetAfterMs, outcome, id } = decision;
    if (resetAfterMs !== null) time.after(resetAfterMs, () => this.reset());
    if (answerAfterMs === null) return;
    time.after(answerAfterMs, () => {
      open.end();
      if (this.#socket.destroyed) return;
      this.#carrier.answered(submit);
      this.#answer(pdu, statuses[outcome], outcome === "accepted" ? cstring(id) : empty);
    });
  }

  deliver(owed: OwedReceipt | OwedText): void {
    if ([...this.#delivering.values()].includes(owed)) return;
    this.#sequence += 1;
    const sequence = this.#sequence;
    this.#delivering.set(sequence, owed);
    if ("recipient" in owed) this.#carrier.model.receiptTold(owed);
    this.#socket.write(encodePdu({ command: commands.deliver, status: 0, sequence, body: bodyOf(owed) }));
    time.after(redeliverMs, () => {
      this.#delivering.delete(sequence);
      if (!owed.isAcknowledged) this.#carrier.deliver();
    });
  }

  #delivered({ sequence, status }: Pdu): void {
    const owed = this.#delivering.get(sequence);
    if (owed === undefined || status !== 0 || owed.isAcknowledged) return;
    if ("phone" in owed) this.#phones.acknowledged(owed);
    else this.#carrier.acknowledged(owed);
  }
}

function bodyOf(owed: OwedReceipt | OwedText): Buffer {
  if ("phone" in owed) return textBody({ ...owed, from: owed.phone, to: line });
  const { id, recipient, isDelivered } = owed;
  return receiptBody({ id, state: isDelivered ? "DELIVRD" : "UNDELIV", from: recipient, to: line });
}
