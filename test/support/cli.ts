/** A terminal for the command line: runs commands in this process and keeps what they print. */
import { readFileOrNull } from "../../src/cli/io.ts";
import { runCommand } from "../../src/cli/program.ts";

export interface CliRun {
  code: number;
  out: string;
  err: string;
}

export async function runCli(
  argv: readonly string[],
  world: { env?: Record<string, string>; stdin?: string; errIsTerminal?: boolean } = {},
): Promise<CliRun> {
  const run: CliRun = { code: -1, out: "", err: "" };
  run.code = await runCommand(argv, {
    env: world.env ?? {},
    out: (text) => {
      run.out += text;
    },
    err: (text) => {
      run.err += text;
    },
    readFile: readFileOrNull,
    readStdin: () => Promise.resolve(world.stdin ?? ""),
    errIsTerminal: world.errIsTerminal ?? false,
  });
  return run;
}
