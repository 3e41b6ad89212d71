/**
 * What every command has in common: help with examples, `--json`, the service's socket, one request and its printed
 * answer.
 */
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { Command } from "@commander-js/extra-typings";
import { loadSettings } from "../config/settings.ts";
import type { OperatorClient } from "../operator/client.ts";
import { errorCode } from "../platform/error-code.ts";
import { operatorClient, type SocketLocation } from "./client.ts";
import { CommandFailed } from "./errors.ts";
import { type CliIo, callingUser } from "./io.ts";
import { jsonText } from "./json-text.ts";
import { serviceOr } from "./owner.ts";

export interface CommonOptions {
  json?: true | undefined;
  dataDir?: string | undefined;
  socket?: string | undefined;
}

export interface VerbWords {
  /** One line for the list of commands. */
  does: string;
  /** Lines that can be typed as shown. */
  examples: readonly string[];
}

/** A command for the running service. `usage`: name and arguments in commander's syntax, `show <id>`. */
export function verb<Usage extends string>(usage: Usage, { does, examples }: VerbWords) {
  return new Command(usage)
    .description(does)
    .option("--json", "print one JSON object or array")
    .option("--data-dir <dir>", "data folder of the service (PEYK_DATA_DIR, ./data)")
    .option("--socket <path>", "socket of the service (PEYK_SOCKET, <data-dir>/peyk.sock)")
    .addHelpText(
      "after",
      `\nExample${examples.length > 1 ? "s" : ""}:\n${examples.map((line) => `  ${line}\n`).join("")}`,
    );
}

/** Sends a request and prints the answer, as JSON or formatted by `format`. */
export async function ask<Answer>(
  io: CliIo,
  options: CommonOptions,
  request: (api: OperatorClient) => Promise<Answer>,
  format: (answer: Answer) => string,
): Promise<void> {
  const answer = await request(connect(io, options));
  print(io, options, answer, format);
}

export function print<Answer>(
  io: CliIo,
  options: CommonOptions,
  answer: Answer,
  format: (answer: Answer) => string,
): void {
  io.out(options.json === true ? `${jsonText(answer)}\n` : format(answer));
}

/** The client of the service named by the options, the environment or the settings file. */
export function connect(io: CliIo, options: CommonOptions): OperatorClient {
  return operatorClient(socketOf(io, options));
}

export function socketOf(io: CliIo, options: CommonOptions): SocketLocation {
  const named = options.socket ?? (io.env.PEYK_SOCKET || undefined);
  const dataDir = named !== undefined && options.dataDir === undefined ? "DIR" : dataDirOf(io, options);
  return { path: named ?? join(dataDir, "peyk.sock"), dataDir, user: callingUser(io.env) };
}

/** The data folder named by the options, the environment or the settings file; it may not exist yet. */
export function dataDirOf(io: CliIo, options: CommonOptions): string {
  // Absolute, because root works in it as its owner, who may not be able to enter the parent folder.
  const dataDir = resolve(namedDataDir(io, options));
  if (!isSomethingElse(dataDir)) return dataDir;
  throw new CommandFailed("data_folder_unusable", `${dataDir} is not a folder. Choose another --data-dir.`);
}

function isSomethingElse(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
  } catch (reason) {
    return ["ENOTDIR", "ENAMETOOLONG", "ELOOP"].includes(errorCode(reason));
  }
}

/** A folder that is named is taken without the settings file: a mistake in it keeps nobody from the running service. */
function namedDataDir(io: CliIo, options: CommonOptions): string {
  const named = options.dataDir ?? (io.env.PEYK_DATA_DIR || undefined);
  if (named !== undefined) return named;
  const loaded = loadSettings({ flags: {}, env: io.env, readFile: io.readFile });
  if (loaded.ok) return serviceOr(loaded.settings.dataDir);
  const messages = loaded.problems.map((problem) => problem.message);
  const stillReached = "With --data-dir DIR or --socket PATH, a running service is reached all the same.";
  throw new CommandFailed("settings_invalid", ["The settings are wrong:", ...messages, stillReached].join("\n"));
}
