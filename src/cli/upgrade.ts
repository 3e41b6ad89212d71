/** `peyk upgrade FILE`: replaces the binary of the service, and restores binary and database if the new one does not become ready. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "@commander-js/extra-typings";
import { CommandFailed } from "./errors.ts";
import { systemFiles } from "./system-files.ts";

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

/** A shell script, because it also installs where there is no binary yet. */
async function runInstaller(argv: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "peyk-upgrade-"));
  try {
    const script = join(folder, "install.sh");
    writeFileSync(script, systemFiles["install.sh"] ?? "", { mode: 0o600 });
    const stdio = "inherit";
    return await Bun.spawn(["/bin/sh", script, ...argv], { stdin: stdio, stdout: stdio, stderr: stdio }).exited;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
