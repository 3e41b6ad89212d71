/** Shared by the suites of the installed service: a folder of builds with the installer, and a machine that sees it as /builds. */
import { afterAll, beforeAll, describe } from "bun:test";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyBuild } from "../support/builds.ts";
import { bootMachine, type Machine, whyNoMachine } from "../support/machine.ts";

export const root = join(import.meta.dir, "../..");
/** For a test that boots, installs or waits, in milliseconds: many times what it takes alone. */
export const slow = 600_000;

interface Opening {
  /** Adds to the folder, which holds this build as `peyk`, before the machine boots. */
  prepare?(builds: string): void | Promise<void>;
  begin?(machine: Machine): Promise<void>;
}

export interface OnMachine {
  /** Running while a test runs, and only then. */
  machine: Machine;
  builds(): string;
}

/** A suite on its own machine; skipped, with the reason in its title, if there cannot be one. */
export function onMachine(title: string, { prepare, begin }: Opening, tests: (place: OnMachine) => void): void {
  const missing = whyNoMachine();
  describe.skipIf(missing !== null)(`${title}${missing === null ? "" : ` (skipped: ${missing})`}`, () => {
    let builds = "";
    let booted: Machine | null = null;
    const up = (): Machine => {
      if (booted === null) throw new Error("The machine is not up yet");
      return booted;
    };

    beforeAll(async () => {
      builds = mkdtempSync(join(tmpdir(), "peyk-builds-"));
      cpSync(join(root, "install.sh"), join(builds, "install.sh"));
      copyBuild(builds);
      await prepare?.(builds);
      booted = await bootMachine(builds);
      await begin?.(booted);
    }, slow);
    afterAll(async () => {
      await booted?.stop();
      rmSync(builds, { recursive: true });
    }, slow);

    const machine: Machine = {
      get root() {
        return up().root;
      },
      run: (line) => up().run(line),
      sh: (line) => up().sh(line),
      until: (line, withinMs) => up().until(line, withinMs),
      reboot: () => up().reboot(),
      stop: () => up().stop(),
    };
    tests({ machine, builds: () => builds });
  });
}
