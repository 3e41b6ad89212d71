/** `peyk recipient …`: shows or erases what is stored about a phone number. */

import { counted } from "../domain/counted.ts";
import { UsageError } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { jsonText } from "./json-text.ts";
import { joinLines } from "./text.ts";
import { ask, connect, noun, verb } from "./verb.ts";

export function recipientCommand(io: CliIo) {
  return noun("recipient", "people behind numbers: what is known of one, and its erasure")
    .addCommand(exportRecord(io))
    .addCommand(erase(io));
}

function exportRecord(io: CliIo) {
  const words = {
    does: "print all that is stored about a number, as JSON",
    examples: ["peyk recipient export 09121234567 > recipient.json"],
  };
  return verb("export", words)
    .argument("<number>", "a mobile number in any spelling")
    .action(async (number, options) => {
      const record = await connect(io, options)("POST /recipients/export", { number });
      io.out(options.json === true ? `${jsonText(record)}\n` : `${JSON.stringify(record, null, 2)}\n`);
    });
}

function erase(io: CliIo) {
  const words = {
    does: "erase what is stored about a number, for good: waiting messages are cancelled, texts and references go",
    examples: ["peyk recipient erase 09121234567 --yes"],
  };
  return verb("erase", words)
    .argument("<number>", "a mobile number in any spelling")
    .option("--yes", "do it; nothing brings it back")
    .option(
      "--rewrite",
      "write the database's file anew, up to 1 GB: the service stands still, about a second for 100 MB",
    )
    .action((number, { yes, rewrite = false, ...options }) => {
      if (yes !== true) throw new UsageError("What is erased cannot be had again. Say --yes.");
      return ask(io, options, (api) => api("POST /recipients/erase", { number, rewrite }), erasedText);
    });
}

interface ErasedAnswer {
  recipient: string;
  messages: number;
  inbound: number;
  members: number;
  oneTimePasswords: number;
  suppressions: number;
  busy: number;
  isRewritten: boolean;
  logEmptied: boolean;
}

function erasedText({ recipient, busy, isRewritten, logEmptied, ...counts }: ErasedAnswer): string {
  const lines = [
    `Erased: ${counted(counts.messages, "message")}, ${counts.inbound} received, ${counts.members} in groups, ${counts.oneTimePasswords} one-time passwords.`,
    `The audit calls this recipient ${recipient}.`,
  ];
  if (counts.suppressions > 0) lines.push("It stays on its suppression lists, as a hash.");
  if (busy > 0) lines.push(`${busy} are being sent or read just now and were left. Run it again in a minute.`);
  if (!isRewritten)
    lines.push(
      "Free space in the database's file may hold copies, as somebody reads its log just now. Run it again in a minute.",
    );
  if (!logEmptied) lines.push("The log could not be emptied just now: somebody reads it. Run it again in a minute.");
  return joinLines(lines);
}
