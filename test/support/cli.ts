/** Runs CLI commands in this process and captures their output. */
import { readFileOrNull } from "../../src/cli/io.ts";
import { runCommand } from "../../src/cli/run-command.ts";

export interface CliRun {
  code: number;
  out: string;
  err: string;
}

export async function runCli(
  argv: readonly string[],
  context: { env?: Record<string, string>; stdin?: string; errIsTerminal?: boolean; outIsTerminal?: boolean } = {},
): Promise<CliRun> {
  const run: CliRun = { code: -1, out: "", err: "" };
  const decoder = new TextDecoder();
  run.code = await runCommand(argv, {
    env: context.env ?? {},
    out: (text) => {
      run.out += text;
    },
    err: (text) => {
      run.err += text;
    },
    readFile: readFileOrNull,
    stream: async (bytes) => {
      run.out += decoder.decode(bytes, { stream: true });
    },
    readStdin: () => Promise.resolve(context.stdin ?? ""),
    errIsTerminal: context.errIsTerminal ?? false,
    outIsTerminal: context.outIsTerminal ?? false,
  });
  return run;
}
