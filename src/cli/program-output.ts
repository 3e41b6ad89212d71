/** Runs system programs for the doctor, and reads their output. */

/** A program's output; null if the program is missing or fails, because not every machine has systemd. */
export async function outputOf(command: readonly string[]): Promise<string | null> {
  const [program = ""] = command;
  if (Bun.which(program) === null) return null;
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "ignore" });
  const output = await new Response(child.stdout).text();
  return (await child.exited) === 0 ? output : null;
}

/** `KEY=value` lines. */
export function properties(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split("\n").flatMap((line): [string, string][] => {
      const at = line.indexOf("=");
      return at < 1 ? [] : [[line.slice(0, at), line.slice(at + 1)]];
    }),
  );
}
