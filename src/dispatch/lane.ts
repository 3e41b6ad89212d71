/**
 * A lane: the waiting messages of one sender, class, target and priority. Memory holds a bounded page of it; the index
 * on disk is authoritative.
 */
import { type LaneKey, laneStart, type QueuePosition, type QueueTable } from "../store/queue.ts";

/** Positions held in memory per lane, at 50 bytes each; a million waiting messages cost one page. */
const pageSize = 128;

export class Lane {
  readonly key: LaneKey;
  readonly accountId: number;
  /** Parts of the last message sent: probably the same for the next one. */
  partsHeld = 1;
  readonly #queue: QueueTable;
  #page: QueuePosition[] = [];
  #read = 0;
  #cursor: QueuePosition = laneStart;
  /** Everything due and on disk is in the page, or was taken from it. */
  #complete = false;
  /** Wall time at which the next scheduled message becomes due; null if there is none. */
  #nextDueAt: number | null = null;

  constructor(key: LaneKey, accountId: number, queue: QueueTable) {
    this.key = key;
    this.accountId = accountId;
    this.#queue = queue;
  }

  get nextDueAt(): number | null {
    return this.#nextDueAt;
  }

  /** A message was committed to this lane. If there is no room for its position, it is read from disk later. */
  offer(position: QueuePosition, now: number): void {
    if (position.dueAt > now) {
      this.#nextDueAt = Math.min(this.#nextDueAt ?? position.dueAt, position.dueAt);
      return;
    }
    if (this.#complete && this.#page.length - this.#read < pageSize) {
      this.#page.push(position);
      if (isBefore(this.#cursor, position)) this.#cursor = position;
      return;
    }
    this.#complete = false;
    // A clock that went back gives positions before the cursor, and so does a run of messages released in slices.
    // Reading a position twice is harmless: the claim decides.
    if (isBefore(position, this.#cursor)) this.#cursor = { dueAt: position.dueAt, id: position.id - 1 };
  }

  /** Reads the lane from its start again: after a failed claim, and with each sweep, so that nothing is missed. */
  rewind(): void {
    this.#page = [];
    this.#read = 0;
    this.#cursor = laneStart;
    this.#complete = false;
  }

  /** The next due position, or null. `clockHigh`: the highest wall time ever seen (see QueueTable.page). */
  peek(now: number, clockHigh: number): QueuePosition | null {
    if (this.#nextDueAt !== null && this.#nextDueAt <= now) {
      this.#nextDueAt = null;
      this.#complete = false;
    }
    if (this.#read === this.#page.length && !this.#complete) this.#load(now, clockHigh);
    return this.#page[this.#read] ?? null;
  }

  /** Takes the position that `peek` returned. */
  shift(): void {
    this.#read += 1;
    if (this.#read === this.#page.length) {
      this.#page = [];
      this.#read = 0;
    }
  }

  #load(now: number, clockHigh: number): void {
    this.#page = this.#queue.page(this.key, this.#cursor, now, clockHigh, pageSize);
    this.#read = 0;
    this.#cursor = this.#page.at(-1) ?? this.#cursor;
    this.#complete = this.#page.length < pageSize;
    if (this.#complete) this.#nextDueAt = this.#queue.nextDue(this.key, now);
  }
}

function isBefore(position: QueuePosition, other: QueuePosition): boolean {
  return position.dueAt < other.dueAt || (position.dueAt === other.dueAt && position.id < other.id);
}
