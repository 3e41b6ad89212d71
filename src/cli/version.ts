/** `peyk version`: the version of this build and its commit. It needs no running service. */
import { builtFrom, version } from "../platform/version.ts";
import type { CliIo } from "./io.ts";
import { print, verb } from "./verb.ts";

export function versionCommand(io: CliIo) {
  return verb("version", { does: "show the version of this build", examples: ["peyk version --json"] }).action(
    (options) => {
      const answer = {
        version,
        commit: builtFrom?.hash ?? null,
        commitDate: builtFrom?.date ?? null,
        bun: Bun.version,
        platform: `${process.platform}-${process.arch}`,
      };
      print(io, options, answer, (build) => {
        const commit = build.commit === null ? "" : `commit ${build.commit.slice(0, 12)}, `;
        return `peyk ${build.version} (${commit}bun ${build.bun}, ${build.platform})\n`;
      });
    },
  );
}
