/** `peyk route trace`, `peyk credential trace`: prints traffic on connections as it happens. */
import { counted } from "../domain/counted.ts";
import type { TraceLine } from "../operator/route-trace.ts";
import type { SocketLocation } from "./client.ts";
import type { Verb } from "./declared.ts";
import { CommandFailed } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { jsonText } from "./json-text.ts";
import { printable } from "./text.ts";
import { wholeNumber } from "./values.ts";
import { type CommonOptions, socketOf, type VerbWords, verb } from "./verb.ts";

const arrows = { out: "->", in: "<-", state: "--" } as const;

interface TraceInput {
  minutes: number;
  showTexts: boolean;
}

interface Traced extends VerbWords {
  of: "route" | "credential";
  /** The argument, and what it is. */
  argument: readonly [string, string];
  textsHelp: string;
  lines(socket: SocketLocation, id: string, input: TraceInput): AsyncIterable<TraceLine>;
}

/** A command that prints what goes over something, for some minutes. */
export const traceVerb =
  ({ of, argument, textsHelp, lines, ...words }: Traced): Verb =>
  (io, name) =>
    verb(name, words)
      .argument(...argument)
      .option("--minutes <n>", "how long, up to 60 (default: 10)")
      .option("--show-texts", textsHelp)
      .action(async (id, { minutes: text = "10", showTexts = false, ...options }) => {
        const minutes = wholeNumber("--minutes", text, 1, 60);
        await printTrace(io, options, of, lines(socketOf(io, options), String(id), { minutes, showTexts }));
      });

/** @throws CommandFailed */
async function printTrace(io: CliIo, options: CommonOptions, of: string, lines: AsyncIterable<TraceLine>) {
  for await (const line of lines) {
    if (options.json === true) io.out(`${jsonText(line)}\n`);
    else if (line.kind === "event") io.out(eventText(line));
    else io.err(`peyk: ${line.kind === "start" ? startText(line, of) : endText(line)}\n`);
    if (line.kind === "end") return;
  }
  throw new CommandFailed("no_answer", "The service closed the connection before the trace ended.");
}

function eventText({ at, link, direction, words }: Extract<TraceLine, { kind: "event" }>): string {
  return `${at.slice(11, 23)}  ${link}  ${arrows[direction]}  ${printable(words)}\n`;
}

const startText = ({ route, until }: Extract<TraceLine, { kind: "start" }>, of: string) =>
  `what goes over ${of} ${route} until ${until.slice(0, 19)}Z; Ctrl-C ends it`;

const reasons = { time: "The time is up", size: "It has grown to its limit", stopped: "The service stops" } as const;

function endText({ why, events, leftOut }: Extract<TraceLine, { kind: "end" }>): string {
  const missing = leftOut === 0 ? "" : `; ${leftOut} came faster than they were read and are left out`;
  return `${reasons[why]}: ${counted(events, "event")}${missing}.`;
}
