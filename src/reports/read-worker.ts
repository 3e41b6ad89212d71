/** The reader thread: answers the server's questions, at a lower priority than sending. */
import { systemClock } from "../platform/clock.ts";
import { belowNormal, lowerThreadPriority } from "../platform/priority.ts";
import { answering } from "./answering.ts";
import type { ToReader } from "./protocol.ts";

declare const self: Worker;

// With an idle processor it is as fast as ever; otherwise sending goes first.
lowerThreadPriority(belowNormal);

const take = answering(systemClock, (message) => self.postMessage(message));
self.onmessage = ({ data }: MessageEvent<ToReader>) => take(data);
