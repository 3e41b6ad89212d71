/** What some tests need from the machine. If it is missing they are skipped, and their titles say why. */
import { describe, type TestOptions, test } from "bun:test";
import { peykCommand } from "./peyk-process.ts";
import { browserAt, type Program, programAt } from "./programs.ts";

export type Want = Program | "chromium" | "root" | "a mount namespace" | "a C compiler" | "the binary";

function isHere(want: Want): boolean {
  switch (want) {
    case "chromium":
      return browserAt() !== null;
    case "root":
      return process.getuid?.() === 0;
    case "a mount namespace":
      return Bun.spawnSync(["unshare", "-m", "true"]).exitCode === 0;
    case "a C compiler":
      return Bun.which("cc") !== null;
    case "the binary":
      return peykCommand.length === 1;
    default:
      return programAt(want) !== null;
  }
}

/** Null if everything is available. */
function missing(wants: readonly Want[]): string | null {
  const names = wants.filter((want) => !isHere(want));
  return names.length === 0 ? null : names.join(", ");
}

const titled = (title: string, why: string | null) => (why === null ? title : `${title} (skipped: wants ${why})`);

/** `testWith("strace")(title, work, timeout)`. */
export function testWith(...wants: readonly Want[]) {
  const why = missing(wants);
  return (title: string, work: () => void | Promise<void>, timeout?: TestOptions | number) =>
    test.skipIf(why !== null)(titled(title, why), work, timeout);
}

/** If something is missing, the whole group is skipped and its body never runs: cleanup hooks after it would fail. */
export function describeWith(...wants: readonly Want[]) {
  const why = missing(wants);
  return (title: string, tests: () => void) => {
    if (why === null) describe(title, tests);
    else test.skipIf(true)(titled(title, why), () => {});
  };
}
