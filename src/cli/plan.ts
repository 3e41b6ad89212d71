/** `peyk plan …`: routing plans, the senders that use them, and how a plan routes a list of numbers. */
import { Option } from "@commander-js/extra-typings";
import { parse } from "csv-parse/sync";
import { counted } from "../domain/counted.ts";
import { messageClassNames } from "../domain/message.ts";
import { planLimits } from "../domain/plan-limits.ts";
import { newPlanRuleFields, planMoveFields, planRuleFields } from "../fields/plan-rule.ts";
import type { SenderAnswer } from "../operator/answers.ts";
import type { PlanAnswer, TriedNumber } from "../operator/plans.ts";
import { UsageError } from "./errors.ts";
import { saidFields, saidNewFields, withFields, withNewFields } from "./field-options.ts";
import type { CliIo } from "./io.ts";
import { formatTable, joinLines, orDash } from "./text.ts";
import { readTextOrInput } from "./text-file.ts";
import { collectAny, oneWordOf, wholeNumber } from "./values.ts";
import { ask, connect, noun, print, type VerbWords, verb } from "./verb.ts";

export function planCommand(io: CliIo) {
  const rules = noun("rule", "rules of a plan, in the order in which they are asked")
    .addCommand(addRule(io))
    .addCommand(updateRule(io))
    .addCommand(removeRule(io))
    .addCommand(moveRule(io));
  return noun("plan", "routing plans: which route takes a message, by its number, class and account")
    .addCommand(create(io))
    .addCommand(list(io))
    .addCommand(show(io))
    .addCommand(remove(io))
    .addCommand(rules)
    .addCommand(planTestCommand(io))
    .addCommand(use(io))
    .addCommand(leave(io));
}

function create(io: CliIo) {
  const words = { does: "create an empty plan", examples: ["peyk plan create iran"] };
  return verb("create", words)
    .argument("<name>", "letters, digits, dots, dashes and underscores")
    .action((name, options) => ask(io, options, (api) => api("POST /plans", { name }), planText));
}

function list(io: CliIo) {
  return verb("list", { does: "list plans", examples: ["peyk plan list"] }).action((options) =>
    ask(io, options, (api) => api("GET /plans"), planTable),
  );
}

function show(io: CliIo) {
  const words = { does: "show a plan with its rules, and what is wrong with it", examples: ["peyk plan show iran"] };
  return verb("show", words)
    .argument("<name>", "its name")
    .action((name, options) => ask(io, options, (api) => api("GET /plans/:name", { name }), planText));
}

function remove(io: CliIo) {
  const words = { does: "remove a plan that no sender uses", examples: ["peyk plan remove iran"] };
  return verb("remove", words)
    .argument("<name>", "its name")
    .action((name, options) =>
      ask(
        io,
        options,
        (api) => api("DELETE /plans/:name", { name }),
        () => `Plan ${name} removed.\n`,
      ),
    );
}

const planArgument = ["<plan>", "the plan's name"] as const;

function addRule(io: CliIo) {
  const words = {
    does: "add a rule; it takes what fits all of its options, and one of the values of each",
    examples: [
      "peyk plan rule add iran --network Irancell --target operator-a,operator-b",
      "peyk plan rule add iran --range +98912 --class otp --target operator-a=70 --target operator-b=30 --number 1",
    ],
  };
  const command = verb("add", words)
    .argument(...planArgument)
    .addOption(targetOption().makeOptionMandatory());
  return withFields(command, newPlanRuleFields).action((plan, { target, ...options }) => {
    const rule = { ...saidFields(newPlanRuleFields, options), targets: target.map(targetOf) };
    return ask(io, options, (api) => api("POST /plans/:name/rules", { name: plan, ...rule }), planText);
  });
}

function updateRule(io: CliIo) {
  const words = {
    does: "change a rule in its place; what is left out stays, and what waits for its targets is routed anew",
    examples: [
      "peyk plan rule update iran 2 --target operator-b,operator-a",
      "peyk plan rule update iran 1 --class otp,single --network all",
    ],
  };
  const command = verb("update", words)
    .argument(...planArgument)
    .argument("<number>", "the rule's number, from 1", ruleNumber)
    .addOption(targetOption());
  return withFields(command, planRuleFields)
    .addHelpText(
      "after",
      "\nIn the place of a list, all: the rule takes every network, country, range, class or account again.",
    )
    .action((plan, number, { target, ...options }) => {
      const change = {
        ...saidFields(planRuleFields, options),
        ...(target !== undefined && { targets: target.map(targetOf) }),
      };
      if (Object.keys(change).length === 0) throw new UsageError("Say what changes: --target, --network, --class …");
      return ask(
        io,
        options,
        (api) => api("PATCH /plans/:name/rules/:number", { name: plan, number, ...change }),
        planText,
      );
    });
}

const targetOption = () =>
  new Option(
    "--target <routes>",
    "routes R,R2 (a later one is used while an earlier one is down), and =WEIGHT for its share; repeat it to share",
  ).argParser((text: string, before: readonly string[] = []) => [...before, text]);
/** `operator-a,operator-b=70`. */
function targetOf(text: string): { routes: string[]; weight?: number } {
  const [, names = "", weight] = /^([^=]*)(?:=([^=]*))?$/.exec(text) ?? [];
  const routes = collectAny(names);
  if (routes.length === 0) {
    throw new UsageError(`--target must be names of routes, with =WEIGHT for their share, not "${text}".`);
  }
  return weight === undefined ? { routes } : { routes, weight: wholeNumber("--target", weight, 1, planLimits.weight) };
}

const ruleNumber = (text: string) => wholeNumber("The rule's number", text, 1, planLimits.rules);

function removeRule(io: CliIo) {
  const words = {
    does: "remove a rule; what waits for its targets is routed anew",
    examples: ["peyk plan rule remove iran 2"],
  };
  return verb("remove", words)
    .argument(...planArgument)
    .argument("<number>", "the rule's number, from 1", ruleNumber)
    .action((plan, number, options) =>
      ask(io, options, (api) => api("DELETE /plans/:name/rules/:number", { name: plan, number }), planText),
    );
}

function moveRule(io: CliIo) {
  const words = { does: "move a rule to another place", examples: ["peyk plan rule move iran 3 --to 1"] };
  const command = verb("move", words)
    .argument(...planArgument)
    .argument("<number>", "the rule's number, from 1", ruleNumber);
  return withNewFields(command, planMoveFields).action((plan, number, options) => {
    const { to } = saidNewFields(planMoveFields, options);
    return ask(io, options, (api) => api("POST /plans/:name/rules/:number/move", { name: plan, number, to }), planText);
  });
}

/** A verb about one of an account's senders. */
function senderOption(usage: string, words: VerbWords) {
  return verb(usage, words)
    .requiredOption("--account <id>", "account id, such as acc_1")
    .requiredOption("--sender <sender>", "number or name");
}

function use(io: CliIo) {
  const words = {
    does: "let a sender's messages go by a plan; what no rule takes goes by the sender's own routes",
    examples: ["peyk plan use iran --account acc_1 --sender 30001234"],
  };
  return senderOption("use", words)
    .argument("<name>", "the plan's name")
    .action((name, { account: id, sender, ...options }) =>
      ask(io, options, (api) => api("PATCH /accounts/:id/senders/:sender", { id, sender, plan: name }), usedText),
    );
}

function leave(io: CliIo) {
  const words = {
    does: "let a sender's messages go by its own routes alone again",
    examples: ["peyk plan leave --account acc_1 --sender 30001234"],
  };
  return senderOption("leave", words).action(({ account: id, sender, ...options }) =>
    ask(io, options, (api) => api("PATCH /accounts/:id/senders/:sender", { id, sender, plan: null }), usedText),
  );
}

export function planTestCommand(io: CliIo) {
  const words = {
    does: "say which rule takes each number of a file; nothing is sent or counted",
    examples: ["peyk plan test iran --csv numbers.csv --class otp"],
  };
  return verb("test", words)
    .argument("<plan>", "the plan's name")
    .requiredOption("--csv <file>", "its first column holds the numbers; - for standard input")
    .option("--class <class>", messageClassNames.join(", "), "single")
    .option("--account <id>", "as if this account sent them")
    .action(async (plan, options) => {
      const recipients = await numbersOf(io, options.csv);
      const asked = {
        class: oneWordOf("--class", messageClassNames, options.class),
        account: options.account,
      };
      const tried: TriedNumber[] = [];
      for (let from = 0; from < recipients.length; from += planLimits.triedNumbers) {
        const some = { recipients: recipients.slice(from, from + planLimits.triedNumbers), ...asked };
        tried.push(...(await connect(io, options)("POST /plans/:name/test", { name: plan, ...some })));
      }
      print(io, options, tried, triedTable);
    });
}

async function numbersOf(io: CliIo, path: string): Promise<string[]> {
  const content = await readTextOrInput(io, path);
  const rows = parse(content, { bom: true, trim: true, relax_column_count: true, delimiter: [",", ";"] });
  // The first line is a header if it contains no digit.
  return rows.flatMap(([first = ""], line) => (first === "" || (line === 0 && !/\p{Nd}/u.test(first)) ? [] : [first]));
}

function triedTable(tried: readonly TriedNumber[]): string {
  const rows = tried.map(({ recipient, number, network, rule, targets }) => [
    number ?? recipient,
    orDash(network),
    number === null ? "-" : orDash(rule),
    number === null ? "no mobile number" : rule === null ? "the sender's own" : targetsText(targets),
  ]);
  return formatTable(["NUMBER", "NETWORK", "RULE", "ROUTES"], rows);
}

interface TargetText {
  weight: number;
  routes: readonly string[];
}

function usedText({ account, sender, plan, routes }: SenderAnswer): string {
  const own =
    routes.length === 0 ? "waits, since it has no routes of its own" : `goes by its own routes ${routes.join(", ")}`;
  const used = plan === null ? "uses no plan; what it sends" : `uses plan ${plan}; what no rule takes`;
  return joinLines([`Sender ${sender} of ${account} ${used} ${own}.`]);
}

function planTable(plans: readonly PlanAnswer[]): string {
  if (plans.length === 0) return "There are no plans. Create one: peyk plan create NAME\n";
  const rows = plans.map(({ name, rules, senders, problems }) => [
    name,
    String(rules.length),
    String(senders.length),
    problems.length === 0 ? "-" : counted(problems.length, "problem"),
  ]);
  return formatTable(["PLAN", "RULES", "SENDERS", "WRONG"], rows);
}

/** Routes in order, and each target's share where there are several. */
function targetsText(targets: readonly TargetText[]): string {
  const sum = targets.reduce((total, { weight }) => total + weight, 0);
  const share = (weight: number) => (targets.length === 1 ? "" : ` (${Math.round((weight / sum) * 1_000) / 10} %)`);
  return targets.map(({ routes, weight }) => `${routes.join(", ")}${share(weight)}`).join("; ");
}

function planText({ name, rules, senders, problems }: PlanAnswer): string {
  const using = senders.map(({ account, sender }) => `${account}/${sender}`).join(", ");
  return [
    joinLines([`Plan ${name}${using === "" ? ", which no sender uses yet (peyk plan use)" : `, used by ${using}`}`]),
    rules.length === 0
      ? joinLines([`It has no rules. Add one: peyk plan rule add ${name} --help`])
      : formatTable(
          ["RULE", "TAKES", "ROUTES"],
          rules.map(({ number, takes, targets }) => [String(number), takes, targetsText(targets)]),
        ),
    ...(problems.length === 0 ? [] : [joinLines(problems.map(problemText))]),
  ].join("\n");
}

const problemText = ({ rule, message }: PlanAnswer["problems"][number]) =>
  rule === null ? message : `Rule ${rule}: ${message}`;
