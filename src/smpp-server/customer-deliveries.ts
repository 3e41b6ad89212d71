/**
 * Delivers a credential's queue over its binds, the least loaded first, until one of them has acknowledged each
 * delivery.
 */

import type { SmppCharset } from "../domain/credential.ts";
import type { Clock, Timer } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { LoopTurns } from "../platform/loop-turns.ts";
import { inNextTurn } from "../platform/next-turn.ts";
import type { DueCredentialDelivery } from "../store/credential-deliveries.ts";
import type { AnswerGate } from "../store/replication.ts";
import type { Store } from "../store/store.ts";
import type { CustomerSession, DeliverAnswer } from "./customer-session.ts";
import { customerStatus } from "./customer-status.ts";
import { deliveryFrames } from "./delivery-frames.ts";

export interface CustomerDeliveriesDeps {
  accountId: number;
  credentialId: number;
  store: Store;
  clock: Clock;
  log: Logger;
  charset(): SmppCharset;
  sessions(): ReadonlySet<CustomerSession>;
  /** False while a restored copy is held. */
  mayDeliver(): boolean;
  /** Shared by all credentials; accounts take turns. */
  turns: LoopTurns;
  observer: { delivered(kind: "receipt" | "inbound", isAcknowledged: boolean): void };
  answerGate?: Pick<AnswerGate, "pass"> | null;
}

const pageRows = 200;
/** Deliveries sent in one turn of the event loop: about a millisecond. */
const turnRows = 50;
const beginning = { dueAt: Number.MIN_SAFE_INTEGER, id: 0 };
/** Wait after a disk error, and while an answer is still on its way to a socket. */
const retryStoreMs = 1_000;
const owedMs = 20;
const firstDelayMs = 5_000;
/** The longest delay after a refused delivery. */
const delayMsMax = 3_600_000;

/** A delivery in flight. */
interface InFlight {
  row: DueCredentialDelivery;
  partsLeft: number;
  /** Number of a part that was refused. */
  refusal: number | null;
  isLost: boolean;
}

export class CustomerDeliveries {
  readonly #inFlight = new Map<number, InFlight>();
  /** Those that a connection took along when it ended. They are read again one by one, since they come before the cursor. */
  readonly #returned = new Set<number>();
  #page: DueCredentialDelivery[] = [];
  #cursor = beginning;
  #acknowledged: number[] = [];
  #isWriting = false;
  #timer: Timer | null = null;
  #reference = 0;
  #isPumping = false;
  #willWake = false;
  #isPullingIn = false;
  /** The page that was read is held back. */
  #isPassing = false;
  #isStopped = false;

  constructor(private readonly deps: CustomerDeliveriesDeps) {}

  /** Call when something may be queued, or there may be room to send. */
  wake(): void {
    const now = this.deps.clock.now();
    // The clock went back: what was queued since comes before what was read.
    if (now < this.#cursor.dueAt) this.#cursor = { dueAt: now - 1, id: 0 };
    if (this.#isPumping || this.#willWake || this.#isStopped || !this.deps.mayDeliver()) return;
    this.#isPumping = true;
    try {
      this.#pump();
    } finally {
      this.#isPumping = false;
    }
  }

  /**
   * Runs once per turn of the event loop: each wake reads the store, and 2,000 binds that ended together held the loop
   * for 100 ms.
   */
  wakeSoon(): void {
    if (this.#willWake) return;
    this.#willWake = true;
    this.deps.turns.add(this.#turn, this.deps.accountId);
  }

  readonly #turn = (): void => {
    this.#willWake = false;
    this.wake();
  };

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  #pump(): void {
    let sent = 0;
    for (let session = this.#leastLoaded(); session !== null; session = this.#leastLoaded()) {
      if (sent === turnRows) {
        this.wakeSoon();
        return;
      }
      sent += 1;
      const row = this.#next();
      if (row === null) return;
      const isOwed = row.submitId !== null && this.#owes(row.submitId);
      if (isOwed) {
        this.#page.unshift(row);
        this.#wakeIn(owedMs);
        return;
      }
      this.#send(row, session);
    }
  }

  #leastLoaded(): CustomerSession | null {
    let best: CustomerSession | null = null;
    for (const session of this.deps.sessions()) {
      if (session.room > 0 && (best === null || session.openDeliveries < best.openDeliveries)) best = session;
    }
    return best;
  }

  #owes(submitId: number): boolean {
    for (const session of this.deps.sessions()) if (session.mayOwe(submitId)) return true;
    return false;
  }

  #send(row: DueCredentialDelivery, session: CustomerSession): void {
    const { charset } = this.deps;
    this.#reference += 1;
    const takesTlvs = session.bound?.takesTlvs === true;
    const frames = deliveryFrames(row, { charset: charset(), takesTlvs, reference: this.#reference });
    const entry: InFlight = { row, partsLeft: frames.length, refusal: null, isLost: false };
    this.#inFlight.set(row.id, entry);
    // Nothing left to report.
    if (frames.length === 0) this.#acknowledge(row.id);
    for (const frame of frames) session.deliver(frame, (answer) => this.#answered(entry, answer));
  }

  #answered(entry: InFlight, answer: DeliverAnswer): void {
    entry.partsLeft -= 1;
    if (answer === null) entry.isLost = true;
    else if (answer.status !== customerStatus.ok) entry.refusal = answer.status;
    if (entry.partsLeft > 0) return;
    const { row } = entry;
    const isAcknowledged = !entry.isLost && entry.refusal === null;
    this.deps.observer.delivered(row.inboundId === null ? "receipt" : "inbound", isAcknowledged);
    if (isAcknowledged) this.#acknowledge(row.id);
    else if (entry.refusal !== null && !entry.isLost) this.#refused(entry, entry.refusal);
    else this.#release(row.id);
  }

  /** Those of one turn are written together. */
  #acknowledge(id: number): void {
    this.#acknowledged.push(id);
    if (this.#isWriting) return;
    this.#isWriting = true;
    inNextTurn(() => void this.#writeAcknowledged());
  }

  async #writeAcknowledged(): Promise<void> {
    const { store, log } = this.deps;
    const ids = this.#acknowledged;
    this.#acknowledged = [];
    try {
      await store.write((tables) => tables.credentialDeliveries.remove(ids));
      for (const id of ids) this.#inFlight.delete(id);
    } catch (reason) {
      log.error({ err: reason }, "acknowledged receipts could not be taken off the list; this is tried again");
      this.#acknowledged.push(...ids);
      await new Promise<void>((resolve) => this.deps.clock.after(retryStoreMs, resolve));
    }
    this.#isWriting = false;
    if (this.#acknowledged.length > 0) this.#acknowledge(this.#acknowledged.pop() ?? 0);
    this.wake();
  }

  /** The customer refused it: retry later, at growing intervals. */
  #refused({ row }: InFlight, status: number): void {
    const { store, clock, log, credentialId } = this.deps;
    const dueAt = clock.now() + Math.min(firstDelayMs * 2 ** Math.min(row.attempts, 20), delayMsMax);
    const statusText = `0x${status.toString(16).padStart(8, "0")}`;
    log.debug({ credential: credentialId, delivery: row.id, status: statusText }, "a delivery was refused");
    store
      .write((tables) => tables.credentialDeliveries.retry(row.id, dueAt))
      .then(
        () => this.#putOff(row.id),
        (reason: unknown) => {
          log.error({ err: reason }, "a refused delivery could not be put off");
          this.#release(row.id);
        },
      );
  }

  /** It comes after what was read: reading all that is in flight again took 19 ms with 10,000. */
  #putOff(id: number): void {
    this.#inFlight.delete(id);
    this.wakeSoon();
  }

  /** Puts it back to be delivered again. */
  #release(id: number): void {
    this.#inFlight.delete(id);
    this.#returned.add(id);
    this.wakeSoon();
  }

  /** Null while none may be sent. */
  #next(): DueCredentialDelivery | null {
    if (this.#isPassing) return null;
    return this.#nextReturned() ?? this.#page.shift() ?? this.#readPage();
  }

  #nextReturned(): DueCredentialDelivery | null {
    for (const id of this.#returned) {
      this.#returned.delete(id);
      const row = this.deps.store.tables.credentialDeliveries.byId(id);
      if (row !== null) return row;
    }
    return null;
  }

  #readPage(): DueCredentialDelivery | null {
    const { store, clock, credentialId } = this.deps;
    const { credentialDeliveries } = store.tables;
    const now = clock.now();
    for (;;) {
      const rows = credentialDeliveries.due(credentialId, now, this.#cursor, pageRows);
      const last = rows.at(-1);
      if (last === undefined) break;
      this.#cursor = { dueAt: last.dueAt, id: last.id };
      this.#page = rows.filter(({ id }) => !this.#inFlight.has(id));
      if (this.#page.length > 0) return this.#passes() ? (this.#page.shift() ?? null) : null;
    }
    // If the clock went back, deliveries may be due that come before the last one read.
    if (this.#inFlight.size === 0) this.#cursor = beginning;
    const nextDue = credentialDeliveries.nextDue(credentialId, now);
    if (nextDue === null) return null;
    if (nextDue - now <= delayMsMax) this.#wakeIn(Math.max(nextDue - now, 1));
    else this.#pullIn(now);
    return null;
  }

  /** Of what was read nothing is sent that a node taking over would not know; false while that is awaited. */
  #passes(): boolean {
    const passing = this.deps.answerGate?.pass() ?? null;
    if (passing === null) return true;
    this.#isPassing = true;
    // Those of all credentials pass at the same time.
    const passed = () => {
      this.#isPassing = false;
      this.wakeSoon();
    };
    passing.then(passed, () => {
      // The next attempt reads the page again, and asks anew.
      this.#page = [];
      this.#cursor = beginning;
      this.deps.clock.after(retryStoreMs, passed);
    });
    return false;
  }

  /** The clock was ahead when they were queued, in this run or the last one. */
  #pullIn(now: number): void {
    if (this.#isPullingIn) return;
    const { store, credentialId } = this.deps;
    this.#isPullingIn = true;
    store
      .write((tables) => tables.credentialDeliveries.pullIn(credentialId, now, now + delayMsMax))
      .finally(() => {
        this.#isPullingIn = false;
      })
      .then(
        () => this.wake(),
        () => this.#wakeIn(retryStoreMs),
      );
  }

  #wakeIn(delayMs: number): void {
    this.#timer?.cancel();
    this.#timer = this.deps.clock.after(delayMs, () => this.wake());
  }
}
