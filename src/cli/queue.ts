/** `peyk queue …`: releases messages held since a copy was restored. */
import { counted } from "../domain/counted.ts";
import type { CliIo } from "./io.ts";
import { ask, noun, verb } from "./verb.ts";

export function queueCommand(io: CliIo) {
  return noun("queue", "messages and callbacks that wait to be sent").addCommand(release(io));
}

function release(io: CliIo) {
  const words = {
    does: "send what waits since a copy was restored; it may have been sent before",
    examples: ["peyk queue release"],
  };
  return verb("release", words).action((options) =>
    ask(
      io,
      options,
      (api) => api("POST /queue/release"),
      ({ released, messages, callbacks }) =>
        released
          ? `${counted(messages, "message")} and ${counted(callbacks, "callback")} go out now, each as it is due.\n`
          : "Nothing is held: messages and callbacks go out as they are due.\n",
    ),
  );
}
