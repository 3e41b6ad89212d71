/** `peyk queue …`: releases messages held since a copy was restored. */

import { counted } from "../domain/counted.ts";
import { calls, noun } from "./declared.ts";

export const queueCommand = noun("queue", "messages and callbacks that wait to be sent", {
  release: calls({
    does: "send what waits since a copy was restored; it may have been sent before",
    examples: ["peyk queue release"],
    call: (api) => api("POST /queue/release"),
    text: ({ released, messages, callbacks }) =>
      released
        ? `${counted(messages, "message")} and ${counted(callbacks, "callback")} go out now, each as it is due.\n`
        : "Nothing is held: messages and callbacks go out as they are due.\n",
  }),
});
