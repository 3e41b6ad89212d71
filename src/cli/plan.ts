/** `peyk plan …`: routing plans, the senders that use them, and how a plan routes a list of numbers. */

import { Option } from "@commander-js/extra-typings";
import { parse } from "csv-parse/sync";
import { counted } from "../domain/counted.ts";
import { messageClassNames } from "../domain/message.ts";
import { planLimits } from "../domain/plan-limits.ts";
import { ofAccount } from "../fields/account.ts";
import { newPlanRuleFields, planMoveFields, planRuleFields } from "../fields/plan-rule.ts";
import type { SenderAnswer } from "../operator/answers.ts";
import type { PlanAnswer, TriedNumber } from "../operator/plans.ts";
import { calls, must, noun, preset, typed, wordOf } from "./declared.ts";
import { UsageError } from "./errors.ts";
import { saidFields, withFields } from "./field-options.ts";
import type { CliIo } from "./io.ts";
import { formatTable, joinLines, tableOf } from "./text.ts";
import { readTextOrInput } from "./text-file.ts";
import { collectAny, wholeNumber } from "./values.ts";
import { ask, verb } from "./verb.ts";

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

async function numbersOf(io: CliIo, path: string): Promise<string[]> {
  const content = await readTextOrInput(io, path);
  const rows = parse(content, { bom: true, trim: true, relax_column_count: true, delimiter: [",", ";"] });
  // The first line is a header if it contains no digit.
  return rows.flatMap(([first = ""], line) => (first === "" || (line === 0 && !/\p{Nd}/u.test(first)) ? [] : [first]));
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

const planTable = tableOf<PlanAnswer>("There are no plans. Create one: peyk plan create NAME", {
  PLAN: "name",
  RULES: ({ rules }) => rules.length,
  SENDERS: ({ senders }) => senders.length,
  WRONG: ({ problems }) => (problems.length === 0 ? "-" : counted(problems.length, "problem")),
});

const triedTable = tableOf<TriedNumber>("", {
  NUMBER: ({ number, recipient }) => number ?? recipient,
  NETWORK: "network",
  RULE: ({ number, rule }) => (number === null ? null : rule),
  ROUTES: ({ number, rule, targets }) =>
    number === null ? "no mobile number" : rule === null ? "the sender's own" : targetsText(targets),
});

function addRule(io: CliIo) {
  const words = {
    does: "add a rule; it takes what fits all of its options, and one of the values of each",
    examples: [
      "peyk plan rule add iran --network Irancell --target operator-a,operator-b",
      "peyk plan rule add iran --range +98912 --class otp --target operator-a=70 --target operator-b=30 --number 1",
    ],
  };
  const command = verb("add", words).argument("<plan>", ofPlan.plan).addOption(targetOption().makeOptionMandatory());
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
    .argument("<plan>", ofRule.plan)
    .argument("<number>", ofRule.number, ruleNumber)
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
      const input = { name: plan, number, ...change };
      return ask(io, options, (api) => api("PATCH /plans/:name/rules/:number", input), planText);
    });
}

const of = { name: "its name" };
const ofPlan = { plan: "the plan's name" };
const ofRule = { ...ofPlan, number: "the rule's number, from 1" };
const ofSender = { account: ofAccount, sender: must(typed("sender <sender>", "number or name")) };

const ruleCommand = noun("rule", "rules of a plan, in the order in which they are asked", {
  add: addRule,
  update: updateRule,
  remove: calls({
    does: "remove a rule; what waits for its targets is routed anew",
    examples: ["peyk plan rule remove iran 2"],
    of: ofRule,
    call: (api, { plan, number }) =>
      api("DELETE /plans/:name/rules/:number", { name: plan, number: ruleNumber(number) }),
    text: planText,
  }),
  move: calls({
    does: "move a rule to another place",
    examples: ["peyk plan rule move iran 3 --to 1"],
    of: ofRule,
    options: planMoveFields,
    call: (api, { plan, number, to }) =>
      api("POST /plans/:name/rules/:number/move", { name: plan, number: ruleNumber(number), to }),
    text: planText,
  }),
});

export const planCommand = noun(
  "plan",
  "routing plans: which route takes a message, by its number, class and account",
  {
    create: calls({
      does: "create an empty plan",
      examples: ["peyk plan create iran"],
      of: { name: "letters, digits, dots, dashes and underscores" },
      call: (api, given) => api("POST /plans", given),
      text: planText,
    }),
    list: calls({
      does: "list plans",
      examples: ["peyk plan list"],
      call: (api) => api("GET /plans"),
      text: planTable,
    }),
    show: calls({
      does: "show a plan with its rules, and what is wrong with it",
      examples: ["peyk plan show iran"],
      of,
      call: (api, given) => api("GET /plans/:name", given),
      text: planText,
    }),
    remove: calls({
      does: "remove a plan that no sender uses",
      examples: ["peyk plan remove iran"],
      of,
      call: (api, given) => api("DELETE /plans/:name", given),
      text: (_, { name }) => `Plan ${name} removed.\n`,
    }),
    rule: ruleCommand,
    test: calls({
      does: "say which rule takes each number of a file; nothing is sent or counted",
      examples: ["peyk plan test iran --csv numbers.csv --class otp"],
      of: ofPlan,
      options: {
        csv: must(typed("csv <file>", "its first column holds the numbers; - for standard input")),
        class: preset(wordOf("class <class>", messageClassNames), "single"),
        account: typed("account <id>", "as if this account sent them"),
      },
      call: async (api, { plan: name, csv, ...given }, io) => {
        const numbers = await numbersOf(io, csv);
        const tried: TriedNumber[] = [];
        for (let from = 0; from < numbers.length; from += planLimits.triedNumbers) {
          const recipients = numbers.slice(from, from + planLimits.triedNumbers);
          tried.push(...(await api("POST /plans/:name/test", { name, recipients, ...given })));
        }
        return tried;
      },
      text: triedTable,
    }),
    use: calls({
      does: "let a sender's messages go by a plan; what no rule takes goes by the sender's own routes",
      examples: ["peyk plan use iran --account acc_1 --sender 30001234"],
      of: { name: "the plan's name" },
      options: ofSender,
      call: (api, { name: plan, account: id, sender }) =>
        api("PATCH /accounts/:id/senders/:sender", { id, sender, plan }),
      text: usedText,
    }),
    leave: calls({
      does: "let a sender's messages go by its own routes alone again",
      examples: ["peyk plan leave --account acc_1 --sender 30001234"],
      options: ofSender,
      call: (api, { account: id, sender }) => api("PATCH /accounts/:id/senders/:sender", { id, sender, plan: null }),
      text: usedText,
    }),
  },
);
