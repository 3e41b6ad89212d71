/** `peyk message send`: sends one text to one or many numbers on behalf of an account. */

import { counted } from "../domain/counted.ts";
import { messageLimits } from "../domain/message.ts";
import { sendWindowText } from "../domain/send-window.ts";
import { fileEntries, typedEntries } from "../messaging/messages/recipient-file.ts";
import type { SendPreviewAnswer, SentAnswer } from "../operator/sending.ts";
import { UsageError } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { amountInCurrency } from "./money-text.ts";
import { formatFields, joinLines, orDash, shortTime } from "./text.ts";
import { readTextOrInput } from "./text-file.ts";
import { timeHelp, timeText } from "./time.ts";
import { collect } from "./values.ts";
import { type CommonOptions, connect, print, verb } from "./verb.ts";

interface SendOptions extends CommonOptions {
  account: string;
  sender?: string;
  recipient?: string[];
  file?: string;
  message: string;
  reference?: string;
  sendAt?: string;
  key?: string;
  dryRun?: true;
}

export function sendCommand(io: CliIo) {
  const words = {
    does: "send a text to one number or many, in the name of an account",
    examples: [
      'peyk message send --account acc_1 --sender 30001234 --recipient 09121234567 --message "سلام"',
      'peyk message send --account acc_1 --sender 30001234 --file numbers.csv --message "Open on Saturday" --dry-run',
    ],
  };
  return verb("send", words)
    .requiredOption("--account <id>", "account id, such as acc_1")
    .requiredOption("--message <text>", `the text, 1 to ${messageLimits.textMax} characters`)
    .option("--sender <sender>", "one of its senders (default: its default one)")
    .option("--recipient <number>", "a number in any common spelling; may be repeated", collect)
    .option("--file <path>", "a file with one number a line, or CSV with a column of them; - reads it from stdin")
    .option("--reference <text>", "a reference of your own")
    .option("--send-at <time>", `later, ${sendWindowText} ahead ${timeHelp}`)
    .option("--key <key>", "an idempotency key: a repeat under the same one sends nothing anew")
    .option("--dry-run", "say what would be sent, and send nothing")
    .action(async (options) => send(io, options));
}

async function send(io: CliIo, options: SendOptions): Promise<void> {
  const { account, sender, message, reference, sendAt, key = crypto.randomUUID() } = options;
  const body = {
    account,
    message,
    recipients: await recipientsOf(io, options),
    sender,
    clientReference: reference,
    ...(sendAt !== undefined && { sendAt: timeText("--send-at", sendAt) }),
  };
  const api = connect(io, options);
  if (options.dryRun === true) print(io, options, await api("POST /messages/preview", body), previewText);
  else print(io, options, await api("POST /messages", { ...body, idempotencyKey: key }), sentText);
}

async function recipientsOf(io: CliIo, { recipient = [], file }: SendOptions): Promise<string[]> {
  const entries = recipient.flatMap((text) => typedEntries(text));
  if (file !== undefined) for await (const entry of fileEntries(await readTextOrInput(io, file))) entries.push(entry);
  if (entries.length > 0) return entries;
  throw new UsageError("Say to whom: --recipient NUMBER, or --file PATH with numbers in it.");
}

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
