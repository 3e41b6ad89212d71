/** `peyk simulator …`: what the simulator's phones received. */
import type { PhoneTextAnswer } from "../operator/simulator.ts";
import type { CliIo } from "./io.ts";
import { formatTable, shortTime } from "./text.ts";
import { ask, noun, verb } from "./verb.ts";

export function simulatorCommand(io: CliIo) {
  return noun("simulator", "the simulated carrier and its phones").addCommand(inbox(io));
}

function inbox(io: CliIo) {
  const words = {
    does: "show what the simulated phones received, newest first, one-time passwords too; the newest 200 since the start",
    examples: ["peyk simulator inbox", "peyk simulator inbox --recipient 09121234567"],
  };
  return verb("inbox", words)
    .option("--recipient <number>", "only this phone, in any common spelling")
    .action(({ recipient, ...options }) => {
      const query = recipient === undefined ? {} : { recipient };
      return ask(
        io,
        options,
        (api) => api("GET /simulator/inbox", query),
        (texts) => inboxTable(texts, recipient),
      );
    });
}

function inboxTable(texts: readonly PhoneTextAnswer[], recipient: string | undefined): string {
  if (texts.length === 0) {
    const who = recipient === undefined ? "The simulated phones have" : `The simulated phone ${recipient} has`;
    return `${who} received nothing since the start.\n`;
  }
  const rows = texts.map(({ receivedAt, recipient, sender, message }) => [
    shortTime(receivedAt),
    recipient,
    sender,
    message,
  ]);
  return formatTable(["RECEIVED", "PHONE", "SENDER", "TEXT"], rows);
}
