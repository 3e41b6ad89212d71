/** `peyk pattern …`: texts with variables, their size, and their approval. */

import { counted } from "../domain/counted.ts";
import { patternChangeFields, patternFields } from "../fields/pattern.ts";
import type { PatternAnswer } from "../operator/patterns.ts";
import { decided, formatApprovals, ofDecision, ofOneCode } from "./approval.ts";
import { calls, lists, noun, ofOneAccount, withoutAccountName } from "./declared.ts";
import { UsageError } from "./errors.ts";
import { saidNewFields, withNewFields } from "./field-options.ts";
import type { CliIo } from "./io.ts";
import { formatFields, joinLines, orDash, shortTime, tableOf } from "./text.ts";
import { wholeNumber } from "./values.ts";
import { ask, verb } from "./verb.ts";

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

const sizeText = ({ encoding, characterCount, partCount }: PatternAnswer["preview"]["latin"]) =>
  `${encoding}, ${counted(characterCount, "character")}, ${counted(partCount, "part")}`;

/** Whatever its own status is, a pattern cannot be sent without its sender. */
const statusText = ({ status, senderPermitted, sender }: PatternAnswer) =>
  senderPermitted ? status : `${status}, but ${sender} is inactive or removed`;

function patternText(pattern: PatternAnswer): string {
  const { preview, variables, approvedAt, approvedBy } = pattern;
  return formatFields([
    ["Pattern", pattern.code],
    ["Account", pattern.account],
    ["Name", pattern.name],
    ["Status", statusText(pattern)],
    ["Text", pattern.text],
    ["Variables", variables.map(({ name, maxLength }) => `${name} (at most ${maxLength})`).join(", ") || "-"],
    ["Sender", orDash(pattern.sender)],
    ["Template id", orDash(pattern.templateId)],
    ["At its longest, in Latin letters", sizeText(preview.latin)],
    ["At its longest, in Persian letters", sizeText(preview.persian)],
    ["Approved", approvedAt === null ? "-" : `${shortTime(approvedAt)} by ${approvedBy ?? "-"}`],
  ]);
}

const patternTable = tableOf<PatternAnswer>("There are no patterns. Add one: peyk pattern add --help", {
  ACCOUNT: "account",
  PATTERN: "code",
  NAME: "name",
  STATUS: statusText,
  APPROVED: ({ approvedAt }) => shortTime(approvedAt),
  VARIABLES: ({ variables }) => variables.map((variable) => variable.name).join(", "),
  "PARTS AT MOST": ({ preview }) => Math.max(preview.latin.partCount, preview.persian.partCount),
});

const onePattern = (pattern: PatternAnswer) => patternTable([pattern]);

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

export const patternCommand = noun("pattern", "approved texts whose variables an account fills in", {
  add,
  update: calls({
    does: "set or remove a pattern's template id; its text stays as it was approved",
    examples: [
      "peyk pattern update ready --template-id 1107161234567890123",
      "peyk pattern update ready --template-id none",
    ],
    of: ofOneCode.of,
    options: { ...ofOneCode.options, ...patternChangeFields },
    call: (api, given) => api("PATCH /patterns/:code", given),
    text: patternText,
  }),
  approve: calls({
    does: "let the account use a pattern",
    examples: ["peyk pattern approve ready"],
    ...ofDecision,
    call: (api, given, io) => api("POST /patterns/:code/approve", decided(given, io)),
    text: onePattern,
  }),
  suspend: calls({
    does: "refuse new messages by a pattern; messages that wait are still sent",
    examples: ["peyk pattern suspend ready"],
    ...ofDecision,
    call: (api, given, io) => api("POST /patterns/:code/suspend", decided(given, io)),
    text: onePattern,
  }),
  list: lists({
    does: "list patterns",
    examples: ["peyk pattern list --account acc_1"],
    options: ofOneAccount,
    part: (api, query) => api("GET /patterns", query),
    whole: withoutAccountName,
    table: patternTable,
  }),
  show: calls({
    does: "show a pattern and its approvals",
    examples: ["peyk pattern show ready"],
    ...ofOneCode,
    call: (api, given) => api("GET /patterns/:code", given),
    text: (pattern) => `${patternText(pattern)}\n${formatApprovals(pattern.decisions)}`,
  }),
});
