/** Sources of Peyk with one guard removed, for the controls of rigs: they must lose what the complete ones keep. */
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A line of a file, and its replacement in the control. */
export interface Careless {
  file: string;
  line: string;
  instead: string;
}

/** The command that runs sources in which these lines are replaced. */
export function carelessSources(careless: readonly Careless[], folder: string): string[] {
  const root = join(import.meta.dir, "..", "..");
  cpSync(join(root, "src"), join(folder, "src"), { recursive: true });
  const others = readdirSync(root).filter((name) => !["src", ".git", "dist"].includes(name));
  for (const name of others) symlinkSync(join(root, name), join(folder, name));
  for (const { file, line, instead } of careless) {
    const path = join(folder, file);
    const text = readFileSync(path, "utf8");
    if (!text.includes(line)) throw new Error(`${file} has no line: ${line}`);
    writeFileSync(path, text.replaceAll(line, instead));
  }
  return [process.execPath, `--tsconfig-override=${join(folder, "tsconfig.json")}`, join(folder, "src", "main.ts")];
}
