/** Colours for people at a terminal: never in a pipe or a file, nor where NO_COLOR (no-color.org) or the terminal says no. */
import { styleText } from "node:util";
import type { CliIo } from "./io.ts";

export type Colour = "good" | "warning" | "bad" | "quiet";

/** Colours a text that is already free of control characters. */
export type Paint = (tone: Colour, text: string) => string;

const colours = { good: "green", warning: "yellow", bad: "red", quiet: "dim" } as const;

export function paintFor({ env, outIsTerminal }: Pick<CliIo, "env" | "outIsTerminal">): Paint {
  const isColoured = outIsTerminal === true && !env.NO_COLOR && env.TERM !== "dumb";
  if (!isColoured) return (_, text) => text;
  // The stream is judged above: tests have another one than the process.
  return (tone, text) => styleText(colours[tone], text, { validateStream: false });
}
