/** Environment, files and terminal as the command line uses them; tests replace them. */
import { readFileSync } from "node:fs";
import { errorCode } from "../platform/error-code.ts";

export interface CliIo {
  env: Readonly<Record<string, string | undefined>>;
  out(text: string): void;
  err(text: string): void;
  /** Null where there is no such file; throws where it cannot be read. */
  readFile(path: string): string | null;
  readStdin(): Promise<string>;
  /** Writes to standard output; resolves when its reader has taken it, so that much output needs little memory. */
  stream(bytes: Uint8Array): Promise<void>;
  /** `err` is a terminal, so that progress may be drawn there. */
  errIsTerminal?: boolean;
}

/** The system user of the command; behind sudo the one who called it. */
export const callingUser = ({ SUDO_USER, USER, LOGNAME }: CliIo["env"]) => SUDO_USER || USER || LOGNAME || "operator";

/** A reader that closes the pipe (`| head`) ends the command quietly. Any other failure, such as a full disk, is printed. */
function outputFailed(error: Error): void {
  if (errorCode(error) === "EPIPE") process.exit(0);
  process.stderr.write(`peyk: The output cannot be written: ${error.message}\n`);
  process.exit(1);
}

let hasErrorListener = false;

function stdout() {
  if (!hasErrorListener) process.stdout.on("error", outputFailed);
  hasErrorListener = true;
  return process.stdout;
}

export const processIo: CliIo = {
  env: process.env,
  out: (text) => void stdout().write(text),
  err: (text) => void process.stderr.write(text),
  readFile: readFileOrNull,
  readStdin: () => Bun.stdin.text(),
  stream: (bytes) => new Promise((resolve) => void stdout().write(bytes, () => resolve())),
  errIsTerminal: process.stderr.isTTY === true,
};

export function readFileOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error))) return null;
    throw error;
  }
}
