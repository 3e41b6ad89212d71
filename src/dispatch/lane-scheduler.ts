/** All lanes and whose turn it is: classes in order of service, accounts in turn within a class, senders in turn within an account. */
import { type MessageClass, messageClasses } from "../domain/message.ts";
import type { Clock } from "../platform/clock.ts";
import type { LaneKey, QueuePosition, QueueTable } from "../store/queue.ts";
import { Lane } from "./lane.ts";

/** Things in a circle, each coming up once before any comes up again. */
class Ring<T> {
  readonly #members: T[] = [];
  #next = 0;

  add(member: T): void {
    this.#members.push(member);
  }

  /** The first member from the turn on for which `choose` gives something; the turn goes to the one after it. */
  turn<R>(choose: (member: T) => R | null): R | null {
    const count = this.#members.length;
    for (let step = 0; step < count; step += 1) {
      const index = (this.#next + step) % count;
      const member = this.#members[index];
      const chosen = member === undefined ? null : choose(member);
      if (chosen !== null) {
        this.#next = (index + 1) % count;
        return chosen;
      }
    }
    return null;
  }
}

interface AccountLanes {
  accountId: number;
  lanes: Ring<Lane>;
}

/** A message whose turn it is, and the way that `admit` found for it. */
export interface Turn<Way> {
  lane: Lane;
  place: QueuePosition;
  way: Way;
}

export class LaneScheduler {
  readonly #queue: QueueTable;
  readonly #clock: Clock;
  readonly #accountOf: (senderId: number) => number;
  readonly #byKey = new Map<string, Lane>();
  readonly #classes = new Map<MessageClass, Ring<AccountLanes>>();
  readonly #accounts = new Map<string, AccountLanes>();
  #clockHigh: number;

  constructor(queue: QueueTable, clock: Clock, accountOf: (senderId: number) => number) {
    this.#queue = queue;
    this.#clock = clock;
    this.#accountOf = accountOf;
    this.#clockHigh = Math.max(clock.now(), queue.newestSubmittedAt());
    for (const messageClass of Object.values(messageClasses)) this.#classes.set(messageClass, new Ring());
    this.rewind();
  }

  offer(key: LaneKey, place: QueuePosition): void {
    this.#lane(key).offer(place, this.#now());
  }

  /** Every lane is read from disk again, also one that memory does not know. */
  rewind(): void {
    for (const key of this.#queue.lanes()) this.#lane(key);
    for (const lane of this.#byKey.values()) lane.rewind();
  }

  all(): Iterable<Lane> {
    return this.#byKey.values();
  }

  /** Takes the message whose turn it is among the lanes for which `admit` finds a way; null when there is none. */
  take<Way>(admit: (lane: Lane) => Way | null): Turn<Way> | null {
    const now = this.#now();
    const tryLane = (lane: Lane): Turn<Way> | null => {
      const place = lane.peek(now, this.#clockHigh);
      const way = place === null ? null : admit(lane);
      if (place === null || way === null) return null;
      lane.shift();
      return { lane, place, way };
    };
    for (const ring of this.#classes.values()) {
      const turn = ring.turn((account) => account.lanes.turn(tryLane));
      if (turn !== null) return turn;
    }
    return null;
  }

  /** The earliest wall time at which something becomes due that is not due now. */
  nextDueAt(): number | null {
    let earliest: number | null = null;
    for (const { nextDueAt } of this.#byKey.values()) {
      if (nextDueAt !== null && (earliest === null || nextDueAt < earliest)) earliest = nextDueAt;
    }
    return earliest;
  }

  #now(): number {
    const now = this.#clock.now();
    this.#clockHigh = Math.max(this.#clockHigh, now);
    return now;
  }

  #lane(key: LaneKey): Lane {
    const name = `${key.senderId}/${key.class}`;
    const known = this.#byKey.get(name);
    if (known !== undefined) return known;
    const lane = new Lane(key, this.#accountOf(key.senderId), this.#queue);
    this.#byKey.set(name, lane);
    this.#account(lane).lanes.add(lane);
    return lane;
  }

  #account(lane: Lane): AccountLanes {
    const name = `${lane.accountId}/${lane.key.class}`;
    const known = this.#accounts.get(name);
    if (known !== undefined) return known;
    const account = { accountId: lane.accountId, lanes: new Ring<Lane>() };
    this.#accounts.set(name, account);
    this.#classes.get(lane.key.class)?.add(account);
    return account;
  }
}
