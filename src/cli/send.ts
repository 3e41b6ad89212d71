/** `peyk message send`: sends one text to one or many numbers on behalf of an account. */

import { counted } from "../domain/counted.ts";
import { messageLimits } from "../domain/message.ts";
import { sendWindowText } from "../domain/send-window.ts";
import { ofAccount } from "../fields/account.ts";
import { fileEntries, typedEntries } from "../messaging/messages/recipient-file.ts";
import type { SendPreviewAnswer, SentAnswer } from "../operator/sending.ts";
import { calls, flag, must, several, time, typed } from "./declared.ts";
import { UsageError } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { amountInCurrency } from "./money-text.ts";
import { formatFields, joinLines, orDash, shortTime } from "./text.ts";
import { readTextOrInput } from "./text-file.ts";

function previewText(preview: SendPreviewAnswer): string {
  const { recipients, repeats, refusedCount, refused, partCount, characterCount, encoding } = preview;
  const fields = formatFields([
    ["Messages", String(recipients.length)],
    ["Written twice", String(repeats)],
    ["Refused", String(refusedCount)],
    ["Parts in all", String(recipients.length * partCount)],
    ["Size of each", `${counted(characterCount, "character")}, ${counted(partCount, "part")}, ${encoding}`],
    ["Sender", preview.sender],
    ["Routes", orDash(preview.routes.join(", "))],
    ["Send at", shortTime(preview.sendAt)],
    ...(preview.price === null ? [] : [["Price", amountInCurrency(preview.price, preview.currency)] as const]),
    ...(preview.available === null
      ? []
      : [["Left to spend", amountInCurrency(preview.available, preview.currency)] as const]),
  ]);
  const lines = refused.map(({ position, value, problem }) => `Entry ${position}, ${value}: ${problemWords[problem]}`);
  return fields + joinLines(lines);
}

const problemWords = {
  not_mobile: "no mobile number",
  country_not_allowed: "of a country that the account may not send to",
} as const satisfies Record<SendPreviewAnswer["refused"][number]["problem"], string>;

function sentText({ messages, firstTrackingCode, duplicate }: SentAnswer): string {
  const code = `${messages === 1 ? "Its code" : "The code of the first"}: ${firstTrackingCode}`;
  const done = duplicate ? "sent before under this key; nothing was sent anew" : "accepted";
  return joinLines([`${counted(messages, "message")} ${done}. ${code}`]);
}

async function recipientsOf(io: CliIo, typedOnes: readonly string[], file: string | undefined): Promise<string[]> {
  const entries = typedOnes.flatMap((text) => typedEntries(text));
  if (file !== undefined) for await (const entry of fileEntries(await readTextOrInput(io, file))) entries.push(entry);
  if (entries.length > 0) return entries;
  throw new UsageError("Say to whom: --recipient NUMBER, or --file PATH with numbers in it.");
}

export const sendVerb = calls({
  does: "send a text to one number or many, in the name of an account",
  examples: [
    'peyk message send --account acc_1 --sender 30001234 --recipient 09121234567 --message "سلام"',
    'peyk message send --account acc_1 --sender 30001234 --file numbers.csv --message "Open on Saturday" --dry-run',
  ],
  options: {
    account: ofAccount,
    message: must(typed("message <text>", `the text, 1 to ${messageLimits.textMax} characters`)),
    sender: typed("sender <sender>", "one of its senders (default: its default one)"),
    recipient: several("recipient <number>", "a number in any common spelling; may be repeated"),
    file: typed("file <path>", "a file with one number a line, or CSV with a column of them; - reads it from stdin"),
    clientReference: typed("reference <text>", "a reference of your own"),
    sendAt: time("send-at <time>", `later, ${sendWindowText} ahead date`),
    key: typed("key <key>", "an idempotency key: a repeat under the same one sends nothing anew"),
    dryRun: flag("dry-run", "say what would be sent, and send nothing"),
  },
  call: async (api, { recipient = [], file, key = crypto.randomUUID(), dryRun, ...given }, io) => {
    const body = { ...given, recipients: await recipientsOf(io, recipient, file) };
    if (dryRun === true) return api("POST /messages/preview", body);
    return api("POST /messages", { ...body, idempotencyKey: key });
  },
  text: (answer) => ("duplicate" in answer ? sentText(answer) : previewText(answer)),
});
