/** `peyk mcp`: MCP on standard input and output, for an agent that runs on this machine. */
import { randomBytes } from "node:crypto";
import { UsageError } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { collect, oneWordOf } from "./values.ts";
import { socketOf, verb } from "./verb.ts";

export function mcpCommand(io: CliIo) {
  const words = {
    does: "serve MCP on standard input and output, for an agent on this machine; it only reads, unless told otherwise",
    examples: [
      "peyk mcp",
      'peyk mcp --allow "POST /messages"    (sends without asking anybody)',
      "claude mcp add peyk -- sudo peyk mcp",
    ],
  };
  return verb("mcp", words)
    .option(
      "--allow <operation>",
      "a change that it may make as well, without a person's confirmation; may be repeated",
      collect,
    )
    .option("--texts <word>", "whether it sees texts and whole numbers: yes, no", "no")
    .action(async ({ allow = [], texts, ...options }) => {
      // Only here: no other command needs the protocol and the declarations.
      const { serveStdio, isOperation } = await import("../agents/mcp-stdio.ts");
      const unknown = allow.find((name) => !isOperation(name));
      if (unknown !== undefined) throw new UsageError(`${unknown} is no operation: see docs/operator-api.md.`);
      const readsTexts = oneWordOf("--texts", ["yes", "no"], texts) === "yes";
      const { namedOperation } = await import("./client.ts");
      const location = socketOf(io, options);
      await serveStdio({
        allowed: new Set(allow),
        readsTexts,
        call: (name, input, signal) => namedOperation(location, name, input, signal),
        mark: () => randomBytes(12).toString("hex"),
      });
    });
}
