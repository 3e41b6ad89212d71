/**
 * `peyk upgrade FILE`: replaces the service's binary, and restores binary and database if the new one does not become
 * ready.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "@commander-js/extra-typings";
import { CommandFailed } from "./errors.ts";
import { withStartErrors } from "./start-error.ts";
import { installerName, isPackaged, systemFiles } from "./system-files.ts";
import { inTemporaryFolder } from "./temporary-folder.ts";

const shell = "/bin/sh";

export function upgradeCommand() {
  return new Command("upgrade")
    .description("replace the installed service by another build, and go back if that does not become ready")
    .argument("<file>", "the new binary, or its URL")
    .option(
      "--sha256 <sum>",
      "its checksum; required for a URL. After a signed build the signature is verified as well",
    )
    .option("--unverified", "take it without a checksum, or without the signature that the installed build had")
    .option("--wait <seconds>", "how long the new build may take to become ready (300)")
    .option("--dry-run", "check everything, change nothing, and say what would be done")
    .addHelpText("after", "\nExample:\n  peyk upgrade ./peyk-linux-x64\n")
    .action(async (file, { sha256, unverified, wait, dryRun }) => {
      const elsewhere = otherWay();
      if (elsewhere !== null) throw new CommandFailed("upgrade_elsewhere", elsewhere);
      const flags = [
        ...(sha256 === undefined ? [] : ["--sha256", sha256]),
        ...(unverified === true ? ["--unverified"] : []),
        ...(wait === undefined ? [] : ["--wait", wait]),
        ...(dryRun === true ? ["--dry-run"] : []),
      ];
      const code = await runInstaller(["--upgrade-only", ...flags, "--", file]);
      if (code !== 0) throw new CommandFailed("upgrade_failed", "The upgrade was not done; the lines above say why.");
    });
}

/** How to upgrade Peyk where the installer may not; null where it may. */
export function otherWay(program = process.execPath, hasShell = existsSync(shell)): string | null {
  if (isPackaged(program)) return "Peyk was installed as a Debian package. Upgrade it by: apt update && apt upgrade";
  if (!hasShell)
    return "This is a container image, which does not change: pull the new image, and start a container of it.";
  return null;
}

/** A shell script, because it also installs on machines without a binary. */
function runInstaller(argv: readonly string[]): Promise<number> {
  // A signal is the installer's to answer: it puts the old build back.
  return inTemporaryFolder("peyk-upgrade-", [], (folder) =>
    withStartErrors(folder, async () => {
      const script = join(folder, "install.sh");
      writeFileSync(script, systemFiles[installerName] ?? "", { mode: 0o600 });
      const stdio = "inherit";
      return Bun.spawn([shell, script, ...argv], { stdin: stdio, stdout: stdio, stderr: stdio }).exited;
    }),
  );
}
