/** `peyk clock …`: says that the time is right after the clock jumped ahead. */
import type { CliIo } from "./io.ts";
import { ask, noun, verb } from "./verb.ts";

export function clockCommand(io: CliIo) {
  return noun("clock", "the wall clock, after it jumped ahead").addCommand(confirm(io));
}

function confirm(io: CliIo) {
  const words = {
    does: "say that the time is right, so that expiry and retention go on",
    examples: ["peyk clock confirm"],
  };
  return verb("confirm", words).action((options) =>
    ask(
      io,
      options,
      (api) => api("POST /clock/confirm"),
      ({ now, wasInDoubt }) =>
        wasInDoubt
          ? `${now} is taken as right. Expiry and retention go on.\n`
          : `${now} was not in doubt. Nothing has changed.\n`,
    ),
  );
}
