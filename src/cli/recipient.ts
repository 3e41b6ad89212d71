/** `peyk recipient …`: shows or erases what is stored about a phone number. */

import { counted } from "../domain/counted.ts";
import { calls, flag, noun } from "./declared.ts";
import { UsageError } from "./errors.ts";
import { joinLines } from "./text.ts";

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

const of = { number: "a mobile number in any spelling" };

export const recipientCommand = noun("recipient", "people behind numbers: what is known of one, and its erasure", {
  export: calls({
    does: "print all that is stored about a number, as JSON",
    examples: ["peyk recipient export 09121234567 > recipient.json"],
    of,
    call: (api, given) => api("POST /recipients/export", given),
    text: (record) => `${JSON.stringify(record, null, 2)}\n`,
  }),
  erase: calls({
    does: "erase what is stored about a number, for good: waiting messages are cancelled, texts and references go",
    examples: ["peyk recipient erase 09121234567 --yes"],
    of,
    options: {
      yes: flag("yes", "do it; nothing brings it back"),
      rewrite: flag(
        "rewrite",
        "write the database's file anew, up to 1 GB: the service stands still, about a second for 100 MB",
      ),
    },
    call: (api, { number, yes, rewrite = false }) => {
      if (yes !== true) throw new UsageError("What is erased cannot be had again. Say --yes.");
      return api("POST /recipients/erase", { number, rewrite });
    },
    text: erasedText,
  }),
});
