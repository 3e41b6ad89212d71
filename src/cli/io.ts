/** The world as the command line sees it, so that a test can be its terminal. */
import { readFileSync } from "node:fs";

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

export const processIo: CliIo = {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  readFile: readFileOrNull,
  readStdin: () => Bun.stdin.text(),
  errIsTerminal: process.stderr.isTTY === true,
};

export function readFileOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
