/** `peyk pattern …`: texts with variables, their size, and their approval. */
import { counted } from "../domain/counted.ts";
import { patternChangeFields, patternFields } from "../fields/pattern.ts";
import type { PatternAnswer, PatternDetailAnswer } from "../operator/patterns.ts";
import { approvalAction, approvalVerb, codeVerb, formatApprovals } from "./approval.ts";
import { UsageError } from "./errors.ts";
import { saidNewFields, withNewFields } from "./field-options.ts";
import type { CliIo } from "./io.ts";
import { ownedListVerb } from "./list.ts";
import { formatFields, formatTable, joinLines, orDash, shortTime } from "./text.ts";
import { wholeNumber } from "./values.ts";
import { ask, noun, verb } from "./verb.ts";

export function patternCommand(io: CliIo) {
  return noun("pattern", "approved texts whose variables an account fills in")
    .addCommand(add(io))
    .addCommand(update(io))
    .addCommand(approve(io))
    .addCommand(suspend(io))
    .addCommand(list(io))
    .addCommand(show(io));
}

function add(io: CliIo) {
  const words = {
    does: "add a draft and show its size; it replaces a draft of the same code",
    examples: [
      'peyk pattern add --account acc_1 --code ready --name "Order ready" --text "Dear {{name}}, {{order}} is ready." --max order=8',
      'peyk pattern add --account acc_1 --code login --name Login --text "Your code: {{code}}" --max code=8',
    ],
  };
  return withNewFields(verb("add", words), patternFields)
    .option("--max <name=n>", "the most characters of a variable (default: 30); may be repeated", collectMax)
    .action(({ max: maxLengths = {}, ...options }) => {
      const pattern = saidNewFields(patternFields, options);
      const added = (answer: PatternAnswer) =>
        patternText(answer) + joinLines(["", `Approve it: peyk pattern approve ${pattern.code}`]);
      warnOfSingleBraces(io, pattern.text);
      return ask(io, options, (api) => api("POST /patterns", { ...pattern, maxLengths }), added);
    });
}

/** `{name}` and `{{name}` are legal text, but nearly always meant as a variable. */
function warnOfSingleBraces(io: CliIo, text: string): void {
  const found = text.matchAll(/(\{{1,2}) ?(\w+) ?(\}{1,2})/g);
  const single = [...found].filter(([, open, , close]) => open?.length === 1 || close?.length === 1);
  const written = new Map(single.map(([whole, , name]) => [name, whole]));
  for (const [name, whole] of written)
    io.err(`peyk: ${whole} is sent as it is. A variable has two braces: {{${name}}}\n`);
}

function collectMax(text: string, before: Readonly<Record<string, number>> = {}): Record<string, number> {
  const [, name, max] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  if (name === undefined || max === undefined) throw new UsageError(`--max must be NAME=20, not "${text}".`);
  return { ...before, [name]: wholeNumber(`--max ${name}`, max, 1, 500) };
}

function update(io: CliIo) {
  const words = {
    does: "set or remove a pattern's template id; its text stays as it was approved",
    examples: [
      "peyk pattern update ready --template-id 1107161234567890123",
      "peyk pattern update ready --template-id none",
    ],
  };
  return withNewFields(codeVerb("update", words), patternChangeFields).action((code, { account, ...options }) => {
    const change = { account, ...saidNewFields(patternChangeFields, options) };
    return ask(io, options, (api) => api("PATCH /patterns/:code", { code, ...change }), patternText);
  });
}

function approve(io: CliIo) {
  const words = { does: "let the account use a pattern", examples: ["peyk pattern approve ready"] };
  return approvalVerb("approve", words).action((code, options) =>
    ask(
      io,
      options,
      (api) => api("POST /patterns/:code/approve", { code, ...approvalAction(io, options) }),
      onePattern,
    ),
  );
}

function suspend(io: CliIo) {
  const words = {
    does: "refuse new messages by a pattern; messages that wait are still sent",
    examples: ["peyk pattern suspend ready"],
  };
  return approvalVerb("suspend", words).action((code, options) =>
    ask(
      io,
      options,
      (api) => api("POST /patterns/:code/suspend", { code, ...approvalAction(io, options) }),
      onePattern,
    ),
  );
}

function list(io: CliIo) {
  return ownedListVerb(
    io,
    { does: "list patterns", examples: ["peyk pattern list --account acc_1"] },
    {
      part: (api, query) => api("GET /patterns", query),
      whole: ({ accountName: _, ...row }) => row,
      table: patternTable,
    },
  );
}

function show(io: CliIo) {
  const words = { does: "show a pattern and its approvals", examples: ["peyk pattern show ready"] };
  return codeVerb("show", words).action((code, options) =>
    ask(
      io,
      options,
      (api) => api("GET /patterns/:code", { code, account: options.account }),
      (pattern: PatternDetailAnswer) => `${patternText(pattern)}\n${formatApprovals(pattern.decisions)}`,
    ),
  );
}

const onePattern = (pattern: PatternAnswer) => patternTable([pattern]);
const sizeText = ({ encoding, characterCount, partCount }: PatternAnswer["preview"]["latin"]) =>
  `${encoding}, ${counted(characterCount, "character")}, ${counted(partCount, "part")}`;

function patternTable(patterns: readonly PatternAnswer[]): string {
  if (patterns.length === 0) return "There are no patterns. Add one: peyk pattern add --help\n";
  const rows = patterns.map(({ account, code, name, status, approvedAt, variables, preview }) => [
    account,
    code,
    name,
    status,
    shortTime(approvedAt),
    variables.map((variable) => variable.name).join(", "),
    String(Math.max(preview.latin.partCount, preview.persian.partCount)),
  ]);
  return formatTable(["ACCOUNT", "PATTERN", "NAME", "STATUS", "APPROVED", "VARIABLES", "PARTS AT MOST"], rows);
}

function patternText(pattern: PatternAnswer): string {
  const { preview, variables, approvedAt, approvedBy } = pattern;
  return formatFields([
    ["Pattern", pattern.code],
    ["Account", pattern.account],
    ["Name", pattern.name],
    ["Status", pattern.status],
    ["Text", pattern.text],
    ["Variables", variables.map(({ name, maxLength }) => `${name} (at most ${maxLength})`).join(", ") || "-"],
    ["Sender", orDash(pattern.sender)],
    ["Template id", orDash(pattern.templateId)],
    ["At its longest, in Latin letters", sizeText(preview.latin)],
    ["At its longest, in Persian letters", sizeText(preview.persian)],
    ["Approved", approvedAt === null ? "-" : `${shortTime(approvedAt)} by ${approvedBy ?? "-"}`],
  ]);
}
