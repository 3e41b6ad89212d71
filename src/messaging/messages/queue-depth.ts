/** How much waits in each class, and how late the oldest is: for the status page and for alarms. */
import { type MessageClassName, messageClasses, messageClassNames } from "../../domain/message.ts";
import type { LaneKey, QueuePosition, QueueTable } from "../../store/queue.ts";

export interface QueueDepth {
  class: MessageClassName;
  /** Waiting messages, scheduled ones included, counted up to `waitingMax` per lane and `countedMax` in all. */
  waiting: number;
  /** The count was cut at least in one lane: there are more. */
  more: boolean;
  /** Epoch milliseconds of the earliest due time, or null where nothing waits. */
  oldestDueAt: number | null;
}

/** A count walks the index: ten thousand entries of a lane take about a millisecond. */
const waitingMax = 10_000;
/** Of all lanes together: 300,000 messages of a thousand senders took 44 ms to count, and the event loop waits for it. */
const countedMax = 50_000;

/** What waits in one lane, counted as above; `cut`: there may be more. */
export type LaneDepth = ReturnType<typeof laneDepths>[number];

/** With `counted` 0 only the message of each lane that is due first is looked at. */
export function laneDepths(queue: QueueTable, counted = countedMax) {
  let left = counted;
  return queue.lanes().map((lane) => {
    // One entry is always looked at: when it is due is known of every lane.
    const limit = Math.max(1, Math.min(waitingMax, left));
    const depth = queue.depth(lane, limit);
    left -= depth.waiting;
    return { ...lane, ...depth, cut: depth.waiting >= limit };
  });
}

/** Messages that go before another one; `more`: there are more than were counted. */
export interface QueueAhead {
  messages: number;
  more: boolean;
}

/** Those of its own lane; lanes take turns. */
export function aheadOf(queue: QueueTable, lane: LaneKey, position: QueuePosition): QueueAhead {
  const found = queue.ahead(lane, position, waitingMax + 1);
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
