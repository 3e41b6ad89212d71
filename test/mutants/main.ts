/**
 * `bun run mutants NAME`: Stryker changes each place of the sources that NAME stands for (see folders.ts), one at a time, and the tests
 * must notice. Tells the share that they did, and each that they did not. What was killed before is not tried again while its code stays
 * the same; `--force` tries all. `--seed N` draws other windows where only some are tried, and `--only WORD` takes only files with the
 * word in their path; given again, also those with the other word.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import { Glob } from "bun";
import { Chance } from "../simulation/chance.ts";
import { equivalent } from "./equivalent.ts";
import { folders, type MutatedFolder, windowLines } from "./folders.ts";

type MutantResult = Awaited<ReturnType<Stryker["runMutationTest"]>>[number];

const root = join(import.meta.dir, "..", "..");
const kept = join(root, "dist", "mutants");

/** How long a turn takes depends on what else the machine does, and judges no mutant. */
const isJudge = (file: string) => file.endsWith(".test.ts") && !file.endsWith(".hold.test.ts");

const filesOf = ({ mutate }: MutatedFolder, only: readonly string[]) =>
  mutate
    .flatMap((path) => (path.endsWith(".ts") ? [path] : [...new Glob(`${path}/**/*.ts`).scanSync(root)].sort()))
    .filter((path) => only.length === 0 || only.some((word) => path.includes(word)));

/** As they were when they were copied: a run takes long, and work goes on. */
const lines = new Map<string, string[]>();

function linesOf(file: string): string[] {
  const known = lines.get(file) ?? readFileSync(join(root, file), "utf8").split("\n");
  lines.set(file, known);
  return known;
}

/** Every line of the files is in one window; each has the same chance. */
function drawn(files: readonly string[], count: number, seed: number): string[] {
  const windows = files.flatMap((file) =>
    Array.from({ length: Math.ceil(linesOf(file).length / windowLines) }, (_, index) => {
      return `${file}:${index * windowLines + 1}-${(index + 1) * windowLines}`;
    }),
  );
  const chance = new Chance(seed, "mutants");
  return Array.from({ length: count }, () => windows.splice(chance.between(0, windows.length - 1), 1)[0] ?? "");
}

/** A test may have been added for what survived: it is tried again. */
function forgetSurvivors(path: string): void {
  if (!existsSync(path)) return;
  const before: { files: Record<string, { mutants: { status: string }[] }> } = JSON.parse(readFileSync(path, "utf8"));
  for (const file of Object.values(before.files))
    file.mutants = file.mutants.filter(({ status }) => status === "Killed" || status === "Timeout");
  writeFileSync(path, JSON.stringify(before));
}

const wasNoticed = ({ status }: MutantResult) => status === "Killed" || status === "Timeout";

function originalOf({ fileName, location: { start, end } }: MutantResult): string {
  const own = linesOf(fileName).slice(start.line - 1, end.line);
  const last = own.length - 1;
  return own
    .map((line, index) => line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined))
    .join("\n");
}

function isEquivalent(mutant: MutantResult): boolean {
  const { fileName, location, replacement = "" } = mutant;
  const own = linesOf(fileName);
  const text = own.join("\n");
  const offsetOf = ({ line, column }: MutantResult["location"]["start"]) =>
    own.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, column - 1);
  const [start, end] = [offsetOf(location.start), offsetOf(location.end)];
  return equivalent.some(({ file, original, isWhole, ...one }) => {
    if (file !== fileName || (one.replacement ?? replacement) !== replacement) return false;
    if (isWhole !== true) return text.startsWith(original, start);
    const from = text.lastIndexOf(original, start);
    return from !== -1 && end <= from + original.length;
  });
}

interface Choice {
  seed: number;
  force: boolean;
  only: readonly string[];
}

async function run(name: string, folder: MutatedFolder, { seed, force, only }: Choice): Promise<boolean> {
  mkdirSync(kept, { recursive: true });
  const files = filesOf(folder, only);
  for (const file of files) linesOf(file);
  const tests = folder.tests.flatMap((pattern) => [...new Glob(`test/${pattern}`).scanSync(root)]);
  process.env.MUTANTS_TESTS = JSON.stringify([...new Set(tests)].filter(isJudge).sort());
  process.env.MUTANTS_FILES = JSON.stringify(files);
  process.env.MUTANTS_REACHED = join(kept, `${name}-reached.json`);
  const incrementalFile = join(kept, `${name}.json`);
  forgetSurvivors(incrementalFile);
  const startedAt = performance.now();
  const results = await new Stryker({
    mutate: folder.windows === undefined ? files : drawn(files, folder.windows, seed),
    testRunner: "command",
    commandRunner: { command: `${process.execPath} test/mutants/covering.ts` },
    coverageAnalysis: "off",
    concurrency: 1,
    incremental: true,
    incrementalFile,
    force,
    reporters: ["progress-append-only"],
    tempDirName: join("dist", "mutants", "copies"),
    ignorePatterns: ["/dist", "/.git", "/.bench", "/data"],
    allowEmpty: false,
    // TypeScript 7 has no interface that could rewrite one.
    tsconfigFile: "none.json",
    packageManager: "npm",
    dryRunTimeoutMinutes: 60,
    // Time is judged by covering.ts.
    timeoutMS: 3_600_000,
  }).runMutationTest();
  const judged = results
    .map((one) => ({ ...one, fileName: relative(root, one.fileName) }))
    // Of files that take no part the report knows only what was killed before.
    .filter(({ fileName, status }) => files.includes(fileName) && status !== "Ignored");
  const known = judged.filter((mutant) => !wasNoticed(mutant) && isEquivalent(mutant));
  const missed = judged.filter((mutant) => !wasNoticed(mutant) && !isEquivalent(mutant));
  for (const mutant of missed)
    console.log(
      `${mutant.fileName}:${mutant.location.start.line}: ${mutant.mutatorName}: ${JSON.stringify(originalOf(mutant).slice(0, 160))} → ${JSON.stringify((mutant.replacement ?? "").slice(0, 160))}`,
    );
  const [killed, all] = [judged.length - known.length - missed.length, judged.length - known.length];
  const score = (100 * killed) / Math.max(1, all);
  const minutes = (performance.now() - startedAt) / 60_000;
  console.log(
    `${name}: ${killed} of ${all} killed (${score.toFixed(1)} %), ${known.length} more are equivalent; ${minutes.toFixed(1)} min`,
  );
  return folder.bar === null || score >= folder.bar;
}

const { values, positionals } = parseArgs({
  options: {
    force: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    only: { type: "string", multiple: true, default: [] },
  },
  allowPositionals: true,
});
const asked = positionals.map((name) => [name, folders[name]] as const);
if (asked.length === 0) throw new Error(`Name one or more of ${Object.keys(folders).join(", ")}`);
let isGood = true;
for (const [name, folder] of asked) {
  if (folder === undefined) throw new Error(`There is no ${name}: ${Object.keys(folders).join(", ")}`);
  isGood = (await run(name, folder, { ...values, seed: Number(values.seed) })) && isGood;
}
process.exit(isGood ? 0 : 1);
