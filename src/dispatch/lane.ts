/** A lane: what waits under one sender in one class. Memory holds a bounded page of it; the index on disk is the truth. */
import { type LaneKey, laneStart, type QueuePosition, type QueueTable } from "../store/queue.ts";

/** Places held in memory for each lane. A place is 50 bytes; a million waiting messages cost one page. */
const pageSize = 128;

export class Lane {
  readonly key: LaneKey;
  readonly accountId: number;
  /** Parts of the message that went last: what the next one will probably have. */
  partsHeld = 1;
  readonly #queue: QueueTable;
  #page: QueuePosition[] = [];
  #read = 0;
  #cursor: QueuePosition = laneStart;
  /** Everything that is due and on disk is in the page, or was taken from it. */
  #complete = false;
  /** Wall time at which something that is not due yet becomes due; null when nothing waits for its time. */
  #nextDueAt: number | null = null;

  constructor(key: LaneKey, accountId: number, queue: QueueTable) {
    this.key = key;
    this.accountId = accountId;
    this.#queue = queue;
  }

  get nextDueAt(): number | null {
    return this.#nextDueAt;
  }

  /** A message was committed to this lane. A place that finds no room is read from disk later. */
  offer(place: QueuePosition, now: number): void {
    if (place.dueAt > now) {
      this.#nextDueAt = Math.min(this.#nextDueAt ?? place.dueAt, place.dueAt);
      return;
    }
    if (this.#complete && this.#page.length - this.#read < pageSize) {
      this.#page.push(place);
      if (isBefore(this.#cursor, place)) this.#cursor = place;
      return;
    }
    this.#complete = false;
    // A clock that went back gives places before the cursor, and so does a run of messages that is released bit by bit.
    // Reading a place twice is harmless: the claim decides.
    if (isBefore(place, this.#cursor)) this.#cursor = { dueAt: place.dueAt, id: place.id - 1 };
  }

  /** Reads the lane from its beginning again: after a failed claim, and now and then to be sure that nothing is forgotten. */
  rewind(): void {
    this.#page = [];
    this.#read = 0;
    this.#cursor = laneStart;
    this.#complete = false;
  }

  /** The next place that is due, or null. `clockHigh`: the highest wall time ever seen (see QueueTable.page). */
  peek(now: number, clockHigh: number): QueuePosition | null {
    if (this.#nextDueAt !== null && this.#nextDueAt <= now) {
      this.#nextDueAt = null;
      this.#complete = false;
    }
    if (this.#read === this.#page.length && !this.#complete) this.#load(now, clockHigh);
    return this.#page[this.#read] ?? null;
  }

  /** Takes the place that `peek` showed. */
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

function isBefore(place: QueuePosition, other: QueuePosition): boolean {
  return place.dueAt < other.dueAt || (place.dueAt === other.dueAt && place.id < other.id);
}
