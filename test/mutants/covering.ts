/**
 * What Stryker runs, in a copy of the repository: without a mutant each test file alone, to learn which mutants it reaches; with one
 * only the files that reach it, the quickest first, until a test fails.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reachedHere } from "./reached.ts";

/** By test file. */
type Reached = Readonly<Record<string, { ms: number; mutants: readonly string[] }>>;

const {
  __STRYKER_ACTIVE_MUTANT__: mutant,
  MUTANTS_FILES: sources = "[]",
  MUTANTS_TESTS: tests = "[]",
  MUTANTS_REACHED: path = "",
} = process.env;
const testTimeoutMs = 20_000;
const someMore = 6;
/** A mutant that takes longer than this is one that never ends. */
const allowedMs = (usualMs: number) => Math.ceil(3 * usualMs) + 5_000;

async function runTests(files: readonly string[], flags: readonly string[], env: object, forMs?: number) {
  const command = [
    process.execPath,
    "test",
    `--timeout=${testTimeoutMs}`,
    ...flags,
    ...files.map((file) => `./${file}`),
  ];
  const child = Bun.spawn(command, {
    env: { ...process.env, ...env },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    ...(forMs !== undefined && { timeout: forMs, killSignal: "SIGKILL" as const }),
  });
  const said = await new Response(child.stderr).text();
  const code = await child.exited;
  return { code, said, tookTooLong: child.signalCode !== null || said.includes("timed out after") };
}

/** The mutants that an import of their source reaches. */
async function importedMutants(files: readonly string[]): Promise<Set<string>> {
  for (const file of files) await import(join(process.cwd(), file));
  return new Set(reachedHere());
}

/** As Stryker writes them into a source. */
const mutantsIn = (file: string): ReadonlySet<string> =>
  new Set(
    readFileSync(file, "utf8")
      .matchAll(/stryMutAct_\w+\("(\d+)"\)/g)
      .map(([, id = ""]) => id),
  );

/** A test that reaches nothing of a source but what its import runs has nothing to say about it. */
async function leaveImportersOut(reached: Record<string, { mutants: string[] }>): Promise<void> {
  const files: string[] = JSON.parse(sources);
  const mutated = files.map((file) => ({ file, ids: mutantsIn(file) })).filter(({ ids }) => ids.size > 0);
  const imported = await importedMutants(mutated.map(({ file }) => file));
  for (const { ids: own } of mutated) {
    const importers = Object.values(reached).filter(({ mutants }) =>
      mutants.every((id) => !own.has(id) || imported.has(id)),
    );
    if (importers.length === Object.keys(reached).length) continue;
    for (const test of importers) test.mutants = test.mutants.filter((id) => !own.has(id));
  }
}

async function learn(): Promise<void> {
  const reached: Record<string, { ms: number; mutants: string[] }> = {};
  const files: string[] = JSON.parse(tests);
  for (const file of files) {
    const startedAt = performance.now();
    const record = `${path}.one`;
    const { code, said } = await runTests([file], ["--preload=./test/mutants/record.ts"], { MUTANTS_RECORD: record });
    if (code !== 0) {
      console.log(`${file} fails without a mutant:\n${said.slice(-3_000)}`);
      process.exit(1);
    }
    reached[file] = { ms: performance.now() - startedAt, mutants: JSON.parse(readFileSync(record, "utf8")) };
  }
  await leaveImportersOut(reached);
  writeFileSync(path, JSON.stringify(reached));
  // The control: what kills no mutant passes, run in the same way.
  if ((await failsIn(reached)) !== null) process.exit(1);
}

const withoutMutant = { __STRYKER_ACTIVE_MUTANT__: undefined };
/** A machine that is busy with something else judges nothing. */
const slowPauseMs = 10_000;

/** Time counts against a mutant only if the same tests end in time without it, and it takes too long again. */
async function failureOf(files: readonly string[], usualMs: number): Promise<string | null> {
  const tried = (env: object) => runTests(files, ["--bail=1"], env, allowedMs(usualMs));
  let { code, said, tookTooLong } = await tried({});
  if (tookTooLong && mutant !== undefined) {
    while ((await tried(withoutMutant)).code !== 0) await Bun.sleep(slowPauseMs);
    ({ code, said } = await tried({}));
  }
  return code === 0 ? null : (/^\(fail\).*|^error: .*/m.exec(said)?.[0] ?? `ended with ${code}`);
}

/** The quickest alone, since it kills most; then some, and all the others together. Null if nobody notices. */
async function failsIn(reaching: Reached): Promise<string | null> {
  const files = Object.entries(reaching).sort(([, one], [, other]) => one.ms - other.ms);
  for (const some of [files.slice(0, 1), files.slice(1, someMore), files.slice(someMore)]) {
    if (some.length === 0) continue;
    const usualMs = some.reduce((sum, [, { ms }]) => sum + ms, 0);
    const names = some.map(([file]) => file);
    const failure = await failureOf(names, usualMs);
    if (failure !== null) return failure;
  }
  return null;
}

async function judge(id: string): Promise<void> {
  const reached: Reached = JSON.parse(readFileSync(path, "utf8"));
  const reaching = Object.entries(reached).filter(([, { mutants }]) => mutants.includes(id));
  const why = await failsIn(Object.fromEntries(reaching));
  if (why === null) return;
  console.log(why);
  process.exit(1);
}

await (mutant === undefined ? learn() : judge(mutant));
