/** Environment, files and terminal as the command line uses them; tests replace them. */
import { readFileSync } from "node:fs";
import { errorCode } from "../platform/error-code.ts";
import { errorPriority, isJournal, withPriority } from "../platform/journal.ts";

export interface CliIo {
  env: Readonly<Record<string, string | undefined>>;
  out(text: string): void;
  err(text: string): void;
  /** Null if there is no such file; throws if it cannot be read. */
  readFile(path: string): string | null;
  readStdin(): Promise<string>;
  /** Writes to standard output and resolves when the reader has taken it, so that large output needs little memory. */
  stream(bytes: Uint8Array): Promise<void>;
  /** `err` is a terminal, so progress may be drawn there. */
  errIsTerminal?: boolean;
  /** `out` is a terminal, so colours may be used there. */
  outIsTerminal?: boolean;
}

/** The system user running the command; under sudo, the user who called it. */
export const callingUser = ({ SUDO_USER, USER, LOGNAME }: CliIo["env"]) => SUDO_USER || USER || LOGNAME || "operator";

/**
 * A reader that closes the pipe (`| head`) ends the command quietly. Any other failure, such as a full disk, is
 * printed.
 */
function outputFailed(error: Error): void {
  if (errorCode(error) === "EPIPE") process.exit(0);
  process.stderr.write(`peyk: The output cannot be written: ${error.message}\n`);
  process.exit(1);
}

/** Standard error of a unit: lets `journalctl -p err` find a failed start. */
const isErrJournal = () => isJournal(process.env.JOURNAL_STREAM, 2);

let hasErrorListener = false;

function stdout() {
  if (!hasErrorListener) process.stdout.on("error", outputFailed);
  hasErrorListener = true;
  return process.stdout;
}

export const processIo: CliIo = {
  env: process.env,
  out: (text) => void stdout().write(text),
  err: (text) => void process.stderr.write(isErrJournal() ? withPriority(text, errorPriority) : text),
  readFile: readFileOrNull,
  readStdin: () => Bun.stdin.text(),
  stream: (bytes) => new Promise((resolve) => void stdout().write(bytes, () => resolve())),
  errIsTerminal: process.stderr.isTTY === true,
  outIsTerminal: process.stdout.isTTY === true,
};

export function readFileOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error))) return null;
    throw error;
  }
}
