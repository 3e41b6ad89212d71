/** `peyk route trace`, `peyk credential trace`: prints traffic on connections as it happens. */
import { counted } from "../domain/counted.ts";
import type { TraceLine } from "../operator/route-trace.ts";
import { answerLines } from "./client.ts";
import { CommandFailed } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { jsonText } from "./json-text.ts";
import { printable } from "./text.ts";
import { type CommonOptions, socketOf } from "./verb.ts";

const arrows = { out: "->", in: "<-", state: "--" } as const;

interface TraceInput {
  minutes: number;
  showTexts: boolean;
}

/** @throws CommandFailed */
export function traceRoute(io: CliIo, options: CommonOptions, name: string, input: TraceInput): Promise<void> {
  const lines = answerLines(socketOf(io, options), "POST /routes/:name/trace", { name, ...input });
  return printTrace(io, options, "route", lines);
}

/** @throws CommandFailed */
export function traceCredential(io: CliIo, options: CommonOptions, id: string, input: TraceInput): Promise<void> {
  const lines = answerLines(socketOf(io, options), "POST /credentials/:id/trace", { id, ...input });
  return printTrace(io, options, "credential", lines);
}

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
