/** How much waits in each class, and how late the oldest is: for the status page and for alarms. */
import { messageClasses } from "../domain/message.ts";
import type { QueueTable } from "../store/queue.ts";
import { className } from "./message-desk.ts";

export interface QueueDepth {
  /** `otp`, `single` or `bulk`. */
  class: string;
  /** Waiting messages, scheduled ones included, counted up to `waitingMax` per lane. */
  waiting: number;
  /** The count was cut at least in one lane: there are more. */
  more: boolean;
  /** Epoch milliseconds of the earliest due time, or null where nothing waits. */
  oldestDueAt: number | null;
}

/** A count walks the index: ten thousand entries of a lane take about a millisecond. */
const waitingMax = 10_000;

export function queueOverview(queue: QueueTable): QueueDepth[] {
  const lanes = queue.lanes().map((lane) => ({ class: lane.class, ...queue.depth(lane, waitingMax) }));
  return Object.values(messageClasses).map((value) => {
    const ofClass = lanes.filter((lane) => lane.class === value);
    const dueTimes = ofClass.flatMap(({ oldestDueAt }) => oldestDueAt ?? []);
    return {
      class: className(value),
      waiting: ofClass.reduce((sum, { waiting }) => sum + waiting, 0),
      more: ofClass.some(({ waiting }) => waiting >= waitingMax),
      oldestDueAt: dueTimes.length === 0 ? null : dueTimes.reduce((a, b) => Math.min(a, b)),
    };
  });
}
