/** The world as the command line sees it, so that a test can be its terminal. */
import { readFileSync } from "node:fs";
import { errorCode } from "../platform/error-code.ts";

export interface CliIo {
  env: Readonly<Record<string, string | undefined>>;
  out(text: string): void;
  err(text: string): void;
  /** Null where there is no such file; throws when it cannot be read. */
  readFile(path: string): string | null;
  readStdin(): Promise<string>;
  /** Somebody watches what goes to `err`, so that progress may be drawn there. */
  errIsTerminal?: boolean;
}

/**
 * Whoever reads the output may go away (`| head`): that ends a command quietly, as it ends any other. Any other failure, such as
 * a full disk behind `>`, is told in a sentence.
 */
function outputFailed(error: Error): void {
  if (errorCode(error) === "EPIPE") process.exit(0);
  process.stderr.write(`peyk: The output cannot be written: ${error.message}\n`);
  process.exit(1);
}

let isWatched = false;

function stdout() {
  if (!isWatched) process.stdout.on("error", outputFailed);
  isWatched = true;
  return process.stdout;
}

export const processIo: CliIo = {
  env: process.env,
  out: (text) => void stdout().write(text),
  err: (text) => void process.stderr.write(text),
  readFile: readFileOrNull,
  readStdin: () => Bun.stdin.text(),
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
