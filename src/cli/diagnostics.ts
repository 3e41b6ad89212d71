/** `peyk diagnostics`: the information needed when asking for help. */
import type { CliIo } from "./io.ts";
import { ask, verb } from "./verb.ts";

export function diagnosticsCommand(io: CliIo) {
  const words = {
    does: "print versions, state, findings and settings for whoever is asked for help: no secret, no text, no number",
    examples: ["peyk diagnostics > peyk-diagnostics.json"],
  };
  return verb("diagnostics", words).action((options) =>
    ask(
      io,
      options,
      (api) => api("GET /diagnostics"),
      (document) => `${JSON.stringify(document, null, 2)}\n`,
    ),
  );
}
