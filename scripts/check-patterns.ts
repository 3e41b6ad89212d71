/**
 * Checks every regular expression in src/ for super-linear backtracking, so that hostile input cannot block other
 * requests. With `--write` it judges all of them anew, and records those that are linear.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Program, parseSync, Visitor } from "oxc-parser";
import { check, type Diagnostics } from "recheck";
import { version } from "recheck/package.json";
import { readSourceTree, type SourceFile } from "../test/support/source-tree.ts";

interface Pattern {
  /** `src/http/request-body.ts:50`. */
  place: string;
  /** Null where the expression is built at run time. */
  literal: { pattern: string; flags: string } | null;
}

/** Expressions built at run time, and why each is safe. */
const madeAtRunTime: Readonly<Record<string, string>> = {
  "src/domain/mobile-plan.ts": "libphonenumber's own plan, matched against at most 21 characters",
  "src/providers/http/rule-files.ts": "the operator's own, in a route file",
};

/** A fixed seed makes the result repeatable; a busy machine needs the longer timeout. */
const checking = { randomSeed: 0, timeout: 120_000 };

type Literal = NonNullable<Pattern["literal"]>;

const sourceOf = ({ pattern, flags }: Literal) => `/${pattern}/${flags}`;

const recordPath = join(import.meta.dir, "../test/fixtures/linear-patterns.json");

/** Found linear by this version of the checker, which takes a second for many an expression and always says the same. */
function recorded(): ReadonlySet<string> {
  const record: { checker: string; linear: string[] } = JSON.parse(readFileSync(recordPath, "utf8"));
  return new Set(record.checker === version ? record.linear : []);
}

/** Several files contain the same expression: each is checked once. */
const judged = new Map<string, Promise<Diagnostics>>();

function judge(literal: Literal): Promise<Diagnostics> {
  const source = sourceOf(literal);
  const known = judged.get(source) ?? check(literal.pattern, literal.flags, checking);
  judged.set(source, known);
  return known;
}

function patternsOf({ path, text }: SourceFile): Pattern[] {
  const { program }: { program: Program } = parseSync(path, text);
  const patterns: Pattern[] = [];
  const add = (start: number, literal: Pattern["literal"]) =>
    patterns.push({ place: `${path}:${text.slice(0, start).split("\n").length}`, literal });
  const addMade = ({ callee, start }: { callee: { type: string }; start: number }) => {
    if ("name" in callee && callee.name === "RegExp" && !(path in madeAtRunTime)) add(start, null);
  };
  new Visitor({
    Literal(node) {
      if ("regex" in node) add(node.start, node.regex);
    },
    NewExpression: addMade,
    CallExpression: addMade,
  }).visit(program);
  return patterns;
}

function problemOf({ pattern, flags }: Literal, found: Diagnostics): string {
  if (found.status === "vulnerable") return `/${pattern}/${flags} is ${found.complexity.summary}`;
  return `/${pattern}/${flags} cannot be judged${found.status === "unknown" ? `: ${found.error.kind}` : ""}`;
}

/**
 * One line per unsafe expression; empty when all are linear. Run one at a time: in parallel the checker makes mistakes.
 * `passed`: what is not judged again.
 */
export async function patternProblems(files: readonly SourceFile[], passed = recorded()): Promise<string[]> {
  const problems: string[] = [];
  for (const { place, literal } of files.flatMap(patternsOf)) {
    if (literal === null) problems.push(`${place} makes a regular expression at run time`);
    else if (!passed.has(sourceOf(literal))) {
      const found = await judge(literal);
      if (found.status !== "safe") problems.push(`${place} ${problemOf(literal, found)}`);
    }
  }
  return problems;
}

if (import.meta.main) {
  const files = readSourceTree();
  const writes = process.argv.includes("--write");
  const problems = await patternProblems(files, writes ? new Set() : recorded());
  for (const problem of problems) console.error(problem);
  if (writes && problems.length === 0) {
    const linear = files.flatMap(patternsOf).flatMap(({ literal }) => (literal === null ? [] : sourceOf(literal)));
    const record = { checker: version, linear: [...new Set(linear)].sort() };
    writeFileSync(recordPath, `${JSON.stringify(record, null, 2)}\n`);
  }
  process.exit(problems.length === 0 ? 0 : 1);
}
