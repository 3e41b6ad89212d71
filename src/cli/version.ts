/** `peyk version`: the version of this build. It needs no running service. */
import { version } from "../platform/version.ts";
import type { CliIo } from "./io.ts";
import { print, verb } from "./verb.ts";

export function versionCommand(io: CliIo) {
  return verb("version", { does: "show the version of this build", examples: ["peyk version --json"] }).action(
    (options) => {
      const answer = { version, bun: Bun.version, platform: `${process.platform}-${process.arch}` };
      print(io, options, answer, (build) => `peyk ${build.version} (bun ${build.bun}, ${build.platform})\n`);
    },
  );
}
