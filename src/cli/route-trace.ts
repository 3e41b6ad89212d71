/** `peyk route trace`: prints what goes over a route's connections while it goes. */
import { counted } from "../domain/counted.ts";
import type { TraceLine } from "../operator/route-trace.ts";
import { answerLines } from "./client.ts";
import { CommandFailed } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { jsonText } from "./json-text.ts";
import { printable } from "./text.ts";
import { type CommonOptions, socketOf } from "./verb.ts";

const arrows = { out: "->", in: "<-", state: "--" } as const;

/** @throws CommandFailed */
export async function traceRoute(
  io: CliIo,
  options: CommonOptions,
  name: string,
  input: { minutes: number; showTexts: boolean },
): Promise<void> {
  for await (const line of answerLines(socketOf(io, options), "POST /routes/:name/trace", { name, ...input })) {
    if (options.json === true) io.out(`${jsonText(line)}\n`);
    else if (line.kind === "event") io.out(eventText(line));
    else io.err(`peyk: ${line.kind === "start" ? startText(line) : endText(line)}\n`);
    if (line.kind === "end") return;
  }
  throw new CommandFailed("no_answer", "The service closed the connection before the trace ended.");
}

function eventText({ at, link, direction, words }: Extract<TraceLine, { kind: "event" }>): string {
  return `${at.slice(11, 23)}  ${link}  ${arrows[direction]}  ${printable(words)}\n`;
}

const startText = ({ route, until }: Extract<TraceLine, { kind: "start" }>) =>
  `what goes over route ${route} until ${until.slice(0, 19)}Z; Ctrl-C ends it`;

const reasons = { time: "The time is up", size: "It has grown to its limit", stopped: "The service stops" } as const;

function endText({ why, events, leftOut }: Extract<TraceLine, { kind: "end" }>): string {
  const missing = leftOut === 0 ? "" : `; ${leftOut} came faster than they were read and are left out`;
  return `${reasons[why]}: ${counted(events, "event")}${missing}.`;
}
