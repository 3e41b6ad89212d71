/** A copy of the sources with a defect in it: nothing that is shipped has a switch for one. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyOfSources } from "./copy-of-sources.ts";
import type { PlantedDefect } from "./planted-defects.ts";

export function plant({ title, edits }: PlantedDefect): { root: string; remove(): void } {
  const { root, remove } = copyOfSources();
  for (const { file, find, replace } of edits) {
    const path = join(root, file);
    const text = readFileSync(path, "utf8");
    if (text.split(find).length !== 2) throw new Error(`“${title}” no longer fits ${file}: mend the plant`);
    writeFileSync(
      path,
      text.replace(find, () => replace),
    );
  }
  return { root, remove };
}
