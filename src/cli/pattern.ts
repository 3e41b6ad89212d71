/** `peyk pattern …`: approved texts with variables, what they weigh, and their approval. */
import { type ApprovalView, approvalAction, approvalVerb, codeVerb, formatApprovals, whose } from "./approval.ts";
import { UsageError } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { formatFields, formatTable, joinLines, orDash, shortTime } from "./text.ts";
import { wholeNumber } from "./values.ts";
import { ask, noun, verb } from "./verb.ts";

interface Measure {
  encoding: string;
  characterCount: number;
  partCount: number;
}

interface PatternView {
  account: string;
  code: string;
  name: string;
  status: string;
  text: string;
  variables: readonly { name: string; maxLength: number }[];
  sender: string | null;
  preview: { latin: Measure; persian: Measure };
  approvedAt: string | null;
  approvedBy: string | null;
}

export function patternCommand(io: CliIo) {
  return noun("pattern", "approved texts whose variables an account fills in")
    .addCommand(add(io))
    .addCommand(approve(io))
    .addCommand(suspend(io))
    .addCommand(list(io))
    .addCommand(show(io));
}

function add(io: CliIo) {
  const words = {
    does: "add a draft and show what it weighs; a draft of the same code gives way to it",
    examples: [
      'peyk pattern add --account acc_1 --code ready --name "Order ready" --text "Dear {{name}}, {{order}} is ready." --max order=8',
      'peyk pattern add --account acc_1 --code login --name Login --text "Your code: {{code}}" --max code=8',
    ],
  };
  return verb("add", words)
    .requiredOption("--account <id>", "the account that may use it")
    .requiredOption("--code <code>", "stands in the account's requests; letters, digits, dots, dashes, underscores")
    .requiredOption("--name <name>", "what people call it")
    .requiredOption("--text <text>", "at most 2000 characters, variables as {{name}}")
    .option("--sender <sender>", "its sender unless a request names one (default: the account's)")
    .option("--max <name=n>", "the most characters of a variable, 30 unless told; may be repeated", collectMax)
    .action(({ account, code, name, text, sender, max, ...options }) => {
      const wish = { account, code, name, text, ...(sender !== undefined && { sender }), maxLengths: max ?? {} };
      const added = (pattern: PatternView) =>
        patternText(pattern) + joinLines(["", `Approve it: peyk pattern approve ${code}`]);
      return ask(io, options, (api) => api.patterns.post(wish), added);
    });
}

function collectMax(text: string, before: Readonly<Record<string, number>> = {}): Record<string, number> {
  const [, name, max] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  if (name === undefined || max === undefined) throw new UsageError(`--max must be NAME=20, not "${text}".`);
  return { ...before, [name]: wholeNumber(`--max ${name}`, max, 1, 500) };
}

function approve(io: CliIo) {
  const words = { does: "let the account use a pattern", examples: ["peyk pattern approve ready"] };
  return approvalVerb("approve", words).action((code, options) =>
    ask(io, options, (api) => api.patterns({ code }).approve.post(approvalAction(io, options)), onePattern),
  );
}

function suspend(io: CliIo) {
  const words = {
    does: "refuse new messages by a pattern; what waits still goes out",
    examples: ["peyk pattern suspend ready"],
  };
  return approvalVerb("suspend", words).action((code, options) =>
    ask(io, options, (api) => api.patterns({ code }).suspend.post(approvalAction(io, options)), onePattern),
  );
}

function list(io: CliIo) {
  return verb("list", { does: "list patterns", examples: ["peyk pattern list --account acc_1"] })
    .option("--account <id>", "only this account's")
    .action((options) => ask(io, options, (api) => api.patterns.get({ query: whose(options.account) }), patternTable));
}

function show(io: CliIo) {
  const words = { does: "show a pattern, and who decided what about it", examples: ["peyk pattern show ready"] };
  return codeVerb("show", words).action((code, options) =>
    ask(
      io,
      options,
      (api) => api.patterns({ code }).get({ query: whose(options.account) }),
      (pattern: PatternView & { decisions: readonly ApprovalView[] }) =>
        `${patternText(pattern)}\n${formatApprovals(pattern.decisions)}`,
    ),
  );
}

const onePattern = (pattern: PatternView) => patternTable([pattern]);
const weight = ({ encoding, characterCount, partCount }: Measure) =>
  `${encoding}, ${characterCount} characters, ${partCount} part${partCount === 1 ? "" : "s"}`;

function patternTable(patterns: readonly PatternView[]): string {
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

function patternText(pattern: PatternView): string {
  const { preview, variables, approvedAt, approvedBy } = pattern;
  return formatFields([
    ["Pattern", pattern.code],
    ["Account", pattern.account],
    ["Name", pattern.name],
    ["Status", pattern.status],
    ["Text", pattern.text],
    ["Variables", variables.map(({ name, maxLength }) => `${name} (at most ${maxLength})`).join(", ") || "-"],
    ["Sender", orDash(pattern.sender)],
    ["At its longest, in Latin letters", weight(preview.latin)],
    ["At its longest, in Persian letters", weight(preview.persian)],
    ["Approved", approvedAt === null ? "-" : `${shortTime(approvedAt)} by ${approvedBy ?? "-"}`],
  ]);
}
