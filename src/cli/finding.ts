/** The doctor's findings: each a line, with advice where something should be done. */

export type Grade = "ok" | "note" | "warn" | "bad";

export interface Finding {
  /** The thing that was checked: `disk`, `route smsc-1`. */
  check: string;
  grade: Grade;
  says: string;
  /** Null where nothing needs to be done. */
  do: string | null;
}

export const ok = (check: string, says: string): Finding => ({ check, grade: "ok", says, do: null });
export const note = (check: string, says: string, todo: string | null = null): Finding => ({
  check,
  grade: "note",
  says,
  do: todo,
});
export const warn = (check: string, says: string, todo: string): Finding => ({ check, grade: "warn", says, do: todo });
export const bad = (check: string, says: string, todo: string): Finding => ({ check, grade: "bad", says, do: todo });

/** A program's output; null where the program is missing or fails, as not every machine has systemd. */
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
