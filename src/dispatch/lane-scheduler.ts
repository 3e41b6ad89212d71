/**
 * Decides which lane is next: classes in order of service, and accounts in turn within a class; within an account the
 * highest priority first, and lanes of the same priority in turn.
 */
import { type MessageClass, messageClasses } from "../domain/message.ts";
import type { Clock } from "../platform/clock.ts";
import type { LaneKey, QueuePosition, QueueTable } from "../store/queue.ts";
import { Lane } from "./lane.ts";

/** Round robin: each member comes up once before any comes up again. */
class Ring<T> {
  readonly #members: T[] = [];
  #next = 0;

  add(member: T): void {
    this.#members.push(member);
  }

  /**
   * The first member, starting with the current one, for which `choose` returns something; the one after it becomes
   * current.
   */
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

/** The lanes of an account in one class, by priority. There is almost always just one. */
class AccountLanes {
  readonly #byPriority: { priority: number; lanes: Ring<Lane> }[] = [];

  add(lane: Lane): void {
    const { priority } = lane.key;
    const known = this.#byPriority.find((one) => one.priority === priority);
    if (known !== undefined) {
      known.lanes.add(lane);
      return;
    }
    const lanes = new Ring<Lane>();
    lanes.add(lane);
    this.#byPriority.push({ priority, lanes });
    this.#byPriority.sort((a, b) => b.priority - a.priority);
  }

  /** The next message for which `choose` returns something, from the highest priority that has one. */
  turn<R>(choose: (lane: Lane) => R | null): R | null {
    for (const { lanes } of this.#byPriority) {
      const chosen = lanes.turn(choose);
      if (chosen !== null) return chosen;
    }
    return null;
  }
}

/** The next message, and what `choose` returned for its lane. */
export interface Turn<Choice> {
  lane: Lane;
  position: QueuePosition;
  choice: Choice;
}

export class LaneScheduler {
  readonly #queue: QueueTable;
  readonly #clock: Clock;
  readonly #accountOf: (senderId: number) => number;
  readonly #byKey = new Map<string, Lane>();
  /** The lane of the last message: the next is almost always in the same one, which saves building a key. */
  #last: Lane | null = null;
  readonly #classes = new Map<MessageClass, Ring<AccountLanes>>();
  readonly #accounts = new Map<string, AccountLanes>();
  #clockHigh: number;

  constructor(queue: QueueTable, clock: Clock, accountOf: (senderId: number) => number) {
    this.#queue = queue;
    this.#clock = clock;
    this.#accountOf = accountOf;
    this.#clockHigh = Math.max(clock.now(), queue.highestSubmittedAt());
    for (const messageClass of Object.values(messageClasses)) this.#classes.set(messageClass, new Ring());
    this.rewind();
  }

  /** `acceptedAt`: by the wall clock, which may have gone back since; a message due at once is still due. */
  offer(key: LaneKey, position: QueuePosition, acceptedAt = 0): void {
    if (acceptedAt > this.#clockHigh) this.#clockHigh = acceptedAt;
    this.#lane(key).offer(position, Math.max(this.#now(), position.dueAt <= acceptedAt ? acceptedAt : 0));
  }

  /** Reads every lane from disk again, including those not in memory. */
  rewind(): void {
    for (const key of this.#queue.lanes()) this.#lane(key);
    for (const lane of this.#byKey.values()) lane.rewind();
  }

  all(): Iterable<Lane> {
    return this.#byKey.values();
  }

  /** Takes the next message from the lanes for which `choose` is not null; null if there is none. */
  take<Choice>(choose: (lane: Lane) => Choice | null): Turn<Choice> | null {
    const now = this.#now();
    const tryLane = (lane: Lane): Turn<Choice> | null => {
      const position = lane.peek(now, this.#clockHigh);
      const choice = position === null ? null : choose(lane);
      if (position === null || choice === null) return null;
      lane.shift();
      return { lane, position, choice };
    };
    for (const ring of this.#classes.values()) {
      const turn = ring.turn((account) => account.turn(tryLane));
      if (turn !== null) return turn;
    }
    return null;
  }

  /** The earliest wall time at which a message that is not due now becomes due. */
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
    if (this.#last !== null && isSame(this.#last.key, key)) return this.#last;
    const name = `${key.senderId}/${key.class}/${key.targetId}/${key.priority}`;
    const lane = this.#byKey.get(name) ?? this.#open(name, key);
    this.#last = lane;
    return lane;
  }

  #open(name: string, key: LaneKey): Lane {
    const lane = new Lane(key, this.#accountOf(key.senderId), this.#queue);
    this.#byKey.set(name, lane);
    this.#account(lane).add(lane);
    return lane;
  }

  #account(lane: Lane): AccountLanes {
    const name = `${lane.accountId}/${lane.key.class}`;
    const known = this.#accounts.get(name);
    if (known !== undefined) return known;
    const account = new AccountLanes();
    this.#accounts.set(name, account);
    this.#classes.get(lane.key.class)?.add(account);
    return account;
  }
}

function isSame(a: LaneKey, b: LaneKey): boolean {
  return a.senderId === b.senderId && a.class === b.class && a.targetId === b.targetId && a.priority === b.priority;
}
