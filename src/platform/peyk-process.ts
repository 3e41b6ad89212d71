/** Runs a command of this build in a separate process, for work that would block the event loop. */
import { lowerProcessPriority, lowest } from "./priority.ts";

export interface PeykProcess {
  /** Resolves when it has succeeded; rejects with its stderr. */
  done: Promise<void>;
  end(): void;
}

/** The compiled binary is its own command; when run from source, Bun also needs the file. */
function ownCommand(): string[] {
  return Bun.main.startsWith("/$bunfs/") ? [process.execPath] : [process.execPath, Bun.main];
}

/** By default at the lowest scheduling priority, so that the service is not slowed down. */
export function runPeyk(
  args: readonly string[],
  command: readonly string[] = ownCommand(),
  priority: number = lowest,
): PeykProcess {
  const child = Bun.spawn([...command, ...args], { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const said = new Response(child.stderr).text();
  lowerProcessPriority(child.pid, priority);
  const done = child.exited.then(async (code) => {
    if (code !== 0) throw new Error((await said).trim() || `It ended with ${code}`);
  });
  const end = () => {
    child.kill();
    // One that somebody has stopped ends only once it goes on.
    child.kill("SIGCONT");
  };
  return { done, end };
}
