/** How many messages wait in each class, and how late the oldest is: for the status page and alerts. */
import { type MessageClassName, messageClasses, messageClassNames, priorityMax } from "../../domain/message.ts";
import type { LaneKey, QueuePosition, QueueTable } from "../../store/queue.ts";

export interface QueueDepth {
  class: MessageClassName;
  /** Waiting messages, scheduled ones included, counted up to `waitingMax` per lane and `countedMax` in all. */
  waiting: number;
  /** The count of at least one lane was cut off: there are more. */
  more: boolean;
  /** Epoch milliseconds of the earliest due time, or null if nothing waits. */
  oldestDueAt: number | null;
}

/** Counting scans the index: ten thousand entries of a lane take about a millisecond. */
const waitingMax = 10_000;
/** Across all lanes: counting 300,000 messages of a thousand senders took 44 ms on the event loop. */
const countedMax = 50_000;

/** The messages waiting in one lane, counted as above; `cut`: there may be more. */
export type LaneDepth = ReturnType<typeof laneDepths>[number];

/** With `counted` 0, only the first due message of each lane is read. */
export function laneDepths(queue: QueueTable, counted = countedMax) {
  let left = counted;
  return queue.lanes().map((lane) => {
    // At least one entry is read, so that every lane has its first due time.
    const limit = Math.max(1, Math.min(waitingMax, left));
    const depth = queue.depth(lane, limit);
    left -= depth.waiting;
    return { ...lane, ...depth, cut: depth.waiting >= limit };
  });
}

/** Messages ahead of another one; `more`: there are more than were counted. */
export interface QueueAhead {
  messages: number;
  more: boolean;
}

/** Those ahead in its own lane, plus due messages of higher priority; other lanes take turns. */
export function aheadOf(queue: QueueTable, lane: LaneKey, position: QueuePosition, now: number): QueueAhead {
  let found = queue.ahead(lane, position, waitingMax + 1);
  for (let priority = lane.priority + 1; priority <= priorityMax; priority += 1) {
    found += queue.ahead({ ...lane, priority }, { dueAt: now + 1, id: 0 }, waitingMax + 1);
  }
  return { messages: Math.min(found, waitingMax), more: found > waitingMax };
}

export function queueDepths(lanes: readonly LaneDepth[]): QueueDepth[] {
  return messageClassNames.map((name) => {
    const ofClass = lanes.filter((lane) => lane.class === messageClasses[name]);
    const dueTimes = ofClass.flatMap(({ oldestDueAt }) => oldestDueAt ?? []);
    return {
      class: name,
      waiting: ofClass.reduce((sum, { waiting }) => sum + waiting, 0),
      more: ofClass.some(({ cut }) => cut),
      oldestDueAt: dueTimes.length === 0 ? null : dueTimes.reduce((a, b) => Math.min(a, b)),
    };
  });
}
