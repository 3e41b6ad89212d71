/** `peyk diagnostics`: the information needed when asking for help. */
import { calls, command } from "./declared.ts";

export const diagnosticsCommand = command(
  "diagnostics",
  calls({
    does: "print versions, state, findings and settings for whoever is asked for help: no secret, no text, no number",
    examples: ["peyk diagnostics > peyk-diagnostics.json"],
    call: (api) => api("GET /diagnostics"),
    text: (document) => `${JSON.stringify(document, null, 2)}\n`,
  }),
);
