/** `peyk version`: which build this is. It needs no appliance. */
import { version } from "../platform/version.ts";
import type { CliIo } from "./io.ts";
import { print, verb } from "./verb.ts";

export function versionCommand(io: CliIo) {
  return verb("version", { does: "which build this is", examples: ["peyk version --json"] }).action((options) => {
    const answer = { version, bun: Bun.version, platform: `${process.platform}-${process.arch}` };
    print(io, options, answer, (build) => `peyk ${build.version} (bun ${build.bun}, ${build.platform})\n`);
  });
}
