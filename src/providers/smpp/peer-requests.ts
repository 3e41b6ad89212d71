/**
 * Answers the SMSC's requests: deliveries once they are committed, enquire_link at once, unknown commands with a nack.
 */
import type { Logger } from "../../platform/log.ts";
import {
  commandIdOf,
  type DeliverSm,
  describeCommand,
  encodePlain,
  MalformedPduError,
  sequenceOf,
} from "../../smpp/codec.ts";
import { answerBit, commandIds, commandStatus } from "../../smpp/constants.ts";
import { readDelivery } from "../../smpp/deliver-frame.ts";
import type { Wire } from "../../smpp/wire.ts";

/** With this many deliveries waiting for their commit, reading stops until half of them are committed. */
const openMax = 1_000;

export interface PeerRequestEvents {
  /** Resolves when the content is committed: only then is the PDU answered. */
  delivery(delivery: DeliverSm): Promise<void>;
  /** A delivery was answered. */
  answered(): void;
  unbound(): void;
}

export class PeerRequests {
  #open = 0;
  #held = false;

  constructor(
    readonly wire: Wire,
    readonly events: PeerRequestEvents,
    readonly log: Logger,
  ) {}

  /** Deliveries that are not answered yet. */
  get openCount(): number {
    return this.#open;
  }

  /** True while nothing is read from the peer, because too many deliveries wait for the store. */
  get isHeld(): boolean {
    return this.#held;
  }

  take(frame: Buffer, isBound: boolean): void {
    const commandId = commandIdOf(frame);
    const sequence = sequenceOf(frame);
    switch (commandId) {
      case commandIds.deliverSm:
      case commandIds.dataSm:
        if (isBound) this.#takeDelivery(commandId, sequence, frame);
        else this.#answer(commandId, sequence, commandStatus.invalidBindStatus);
        break;
      case commandIds.enquireLink:
        this.#answer(commandId, sequence, commandStatus.ok);
        break;
      case commandIds.unbind:
        this.#answer(commandId, sequence, commandStatus.ok);
        this.events.unbound();
        break;
      case commandIds.alertNotification:
      case commandIds.outbind:
        break;
      default:
        this.log.warn(`the SMSC sent ${describeCommand(commandId)}, which is not expected here`);
        this.wire.write(encodePlain(commandIds.genericNack, sequence, commandStatus.invalidCommandId));
    }
  }

  #takeDelivery(commandId: number, sequence: number, frame: Buffer): void {
    const delivery = this.#read(frame);
    if (delivery === null) {
      this.#answer(commandId, sequence, commandStatus.permanentApplicationError);
      return;
    }
    this.#count(1);
    this.events.delivery(delivery).then(
      () => this.#finish(commandId, sequence, commandStatus.ok),
      (error: unknown) => {
        this.log.error({ err: error }, "a delivery was not stored; the SMSC is asked to send it again");
        this.#finish(commandId, sequence, commandStatus.temporaryApplicationError);
      },
    );
  }

  /** Null for a malformed body: a repeat would not help. */
  #read(frame: Buffer): DeliverSm | null {
    try {
      return readDelivery(frame);
    } catch (error) {
      if (!(error instanceof MalformedPduError)) throw error;
      this.log.warn(`the SMSC sent a ${error.message}; refused`);
      return null;
    }
  }

  #finish(commandId: number, sequence: number, status: number): void {
    this.#answer(commandId, sequence, status);
    this.#count(-1);
    this.events.answered();
  }

  #answer(commandId: number, sequence: number, status: number): void {
    this.wire.write(encodePlain(commandId + answerBit, sequence, status));
  }

  #count(change: 1 | -1): void {
    this.#open += change;
    const held = this.#held ? this.#open > openMax / 2 : this.#open >= openMax;
    if (held === this.#held) return;
    this.#held = held;
    this.wire.hold(held);
  }
}
