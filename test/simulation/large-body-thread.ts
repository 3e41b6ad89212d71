/** Replaces the thread for large bodies within the process: the same replies, in turns of the run. */
import { replyTo, type StartLargeBodyThread } from "../../src/http/large-body-task.ts";
import { time } from "./virtual-time.ts";

export const startLargeBodyThread: StartLargeBodyThread = (replied, failed) => {
  let isTerminated = false;
  return {
    postMessage(task) {
      time.immediate(() => {
        if (isTerminated) return;
        try {
          const reply = replyTo(task);
          time.immediate(() => isTerminated || replied(reply));
        } catch (reason) {
          failed(reason);
        }
      });
    },
    terminate() {
      isTerminated = true;
    },
  };
};
