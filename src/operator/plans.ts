/** Routing plans: create, list, show, change their rules, try them with numbers; and the networks that they name. */

import { type Static, type TObject, Type as t } from "@sinclair/typebox";
import { sentenceOf } from "../domain/coded.ts";
import { counted } from "../domain/counted.ts";
import { iranNetworksSource } from "../domain/iran-networks.ts";
import { className, messageClasses } from "../domain/message.ts";
import { rangeText } from "../domain/number-range.ts";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { parseMobileNumber } from "../domain/phone-number.ts";
import { planLimits } from "../domain/plan-limits.ts";
import { englishPlanProblems, type PlanProblem } from "../domain/plan-problem.ts";
import { pick } from "../fields/field.ts";
import { newPlanRuleFields, planMoveFields, planRuleFields } from "../fields/plan-rule.ts";
import type { Network } from "../messaging/routing/networks.ts";
import type { RuleInput } from "../messaging/routing/plan-service.ts";
import type { Plan } from "../messaging/routing/plans.ts";
import { isoTime } from "../platform/clock.ts";
import { mapInSlices } from "../platform/next-turn.ts";
import type { PlanRuleRow, PlanTargetRow } from "../store/plans.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountField, fieldSchemas, newSchemas, shortNameSchema } from "./field-schema.ts";
import { accountIdOf, accountIdText } from "./ids.ts";
import { changes, type Fields, reads, textIn } from "./operation.ts";
import { classSchema, told } from "./schemas.ts";
import { firstWarnings } from "./warnings.ts";

type PlanDeps = Pick<OperatorDeps, "directory" | "routingPlans">;

export type PlanProblemAnswer = PlanProblem & { message: string };

export type PlanAnswer = ReturnType<typeof planAnswer>;

export function planAnswer(plan: Plan, { directory, routingPlans }: PlanDeps) {
  const senders = directory
    .activeSenders()
    .filter(({ planId }) => planId === plan.id)
    .map(({ accountId, sender }) => ({ account: accountIdText(accountId), sender }));
  return {
    name: plan.name,
    /** The first rule that matches decides. */
    rules: plan.rules.map((rule, index) => ruleAnswer(rule, index + 1, { directory, routingPlans })),
    /** Active senders that use it. */
    senders,
    /** Its current problems; `rule` is null for the plan as a whole. */
    problems: routingPlans
      .problemsOf(plan)
      .map((problem): PlanProblemAnswer => ({ ...problem, message: sentenceOf(problem, englishPlanProblems) })),
    createdAt: isoTime(plan.createdAt),
  };
}

export type PlanRuleAnswer = PlanAnswer["rules"][number];

function ruleAnswer({ match, targets }: PlanRuleRow, number: number, { directory, routingPlans }: PlanDeps) {
  return {
    number,
    /** What it matches, as text; the lists below say the same. An empty list matches everything. */
    takes: routingPlans.words.matchText(match),
    countries: match.countries,
    ranges: match.ranges.map(rangeText),
    networks: match.networks.map((id) => routingPlans.networks.nameOf(id)),
    classes: match.classes.map(className),
    accounts: match.accounts.map(accountIdText),
    /** They share its messages by weight, counted in parts. */
    targets: targets.map((target) => targetAnswer(target, directory)),
  };
}

/** `routes`: a later one is used while an earlier one is down. */
const targetAnswer = ({ weight, routeIds }: PlanTargetRow, directory: PlanDeps["directory"]) => ({
  weight,
  routes: routeIds.flatMap((id) => directory.routeById(id)?.name ?? []),
});

const { weight: weightMax, targetsOfRule, routesOfTarget } = planLimits;
const targetsSchema = t.Array(
  t.Object({
    routes: t.Array(shortNameSchema, {
      minItems: 1,
      maxItems: routesOfTarget,
    }),
    weight: t.Optional(t.Integer({ minimum: 1, maximum: weightMax })),
  }),
  { minItems: 1, maxItems: targetsOfRule },
);

const ruleFields = {
  ...fieldSchemas(planRuleFields),
  targets: targetsSchema,
  ...newSchemas(pick(newPlanRuleFields, "number")),
};
/** Omitted fields stay unchanged. */
const ruleChangeFields = { ...fieldSchemas(planRuleFields), targets: t.Optional(targetsSchema) };

const tryFields = {
  name: t.String(),
  recipients: t.Array(t.String(), {
    minItems: 1,
    maxItems: planLimits.triedNumbers,
  }),
  class: t.Optional(classSchema),
  account: accountField,
};

const planNameOf = (input: Fields) => textIn(input, "name") ?? "";

const planAudit = {
  target: planNameOf,
  state: (deps: OperatorDeps, input: Fields) => {
    const found = deps.routingPlans.plans.byName(planNameOf(input));
    if (found === null) return null;
    const { name, rules } = planAnswer(found, deps);
    return { name, rules };
  },
};

const planReads = {
  "GET /plans": reads({
    may: "routes.read",
    run: (deps) => deps.routingPlans.plans.all().map((plan) => planAnswer(plan, deps)),
  }),
  "GET /plans/:name": reads({
    may: "routes.read",
    input: { name: t.String() },
    run: (deps, { name }) => planAnswer(presentPlan(deps, name), deps),
  }),
  "POST /plans/:name/test": reads({ may: "routes.read", input: tryFields, run: tried }),
};

const ruleField = { name: t.String(), number: t.Integer({ minimum: 1 }) };

const ruleChanges = {
  "POST /plans/:name/rules": changes({
    may: "routes.change",
    input: { name: t.String(), ...ruleFields },
    run: async (deps, { name, number, ...rule }) =>
      planAnswer(await deps.routingPlans.service.addRule(name, ruleInputOf(rule), number), deps),
    audit: { action: "plan.rule.add", ...planAudit },
  }),
  "PATCH /plans/:name/rules/:number": changes({
    may: "routes.change",
    input: { ...ruleField, ...ruleChangeFields },
    run: async (deps, { name, number, ...change }) =>
      planAnswer(await deps.routingPlans.service.updateRule(name, number, ruleChangeOf(change)), deps),
    audit: { action: "plan.rule.update", ...planAudit },
  }),
  "DELETE /plans/:name/rules/:number": changes({
    may: "routes.change",
    input: ruleField,
    run: async (deps, { name, number }) => planAnswer(await deps.routingPlans.service.removeRule(name, number), deps),
    audit: { action: "plan.rule.remove", ...planAudit },
  }),
  "POST /plans/:name/rules/:number/move": changes({
    may: "routes.change",
    input: { ...ruleField, ...newSchemas(planMoveFields) },
    run: async (deps, { name, number, to }) =>
      planAnswer(await deps.routingPlans.service.moveRule(name, number, to), deps),
    audit: { action: "plan.rule.move", ...planAudit },
  }),
};

export const planAdmin = {
  ...planReads,
  ...ruleChanges,
  "POST /plans": changes({
    may: "routes.change",
    input: { name: shortNameSchema },
    run: async (deps, { name }) => planAnswer(await deps.routingPlans.service.create(name), deps),
    audit: { action: "plan.create", ...planAudit },
  }),
  "DELETE /plans/:name": changes({
    may: "routes.change",
    input: { name: t.String() },
    run: async (deps, { name }) => ({
      ...planAnswer(await deps.routingPlans.service.remove(name), deps),
      removed: true,
    }),
    audit: { action: "plan.remove", ...planAudit },
  }),
};

function presentPlan({ routingPlans }: PlanDeps, name: string): Plan {
  const plan = routingPlans.plans.byName(name);
  if (plan === null) throw new OperatorError("plan_not_found", { code: "no_name", values: { subject: "plan", name } });
  return plan;
}

const targetsIn = (targets: typeof targetsSchema.static) =>
  targets.map(({ routes, weight = 1 }) => ({ routes, weight }));

function ruleChangeOf({ accounts, targets, ...given }: Static<TObject<typeof ruleChangeFields>>): Partial<RuleInput> {
  const change = {
    ...given,
    ...(accounts !== undefined && { accounts: accounts.map(accountIdOf) }),
    ...(targets !== undefined && { targets: targetsIn(targets) }),
  };
  if (Object.keys(change).length === 0) throw invalidRequest([problemOf("body", "nothing_to_change", {})]);
  return change;
}

function ruleInputOf({ targets, accounts = [], ...given }: Static<TObject<typeof ruleFields>>) {
  const { countries = [], ranges = [], networks = [], classes = [] } = given;
  return {
    countries,
    ranges,
    networks,
    classes,
    accounts: accounts.map(accountIdOf),
    targets: targetsIn(targets),
  };
}

/** What a plan does with a number. */
export interface TriedNumber {
  /** As given. */
  recipient: string;
  /** E.164; null for text that is not a mobile number. */
  number: string | null;
  network: string | null;
  /** Null if no rule matches: the sender's own routes apply. */
  rule: number | null;
  targets: readonly { weight: number; routes: readonly string[] }[];
}

/**
 * Nothing is counted: the shares of real messages do not change. A thousand numbers of many countries take a quarter of
 * a second.
 */
function tried(
  deps: OperatorDeps,
  { name: planName, recipients, class: name = "single", account }: Static<TObject<typeof tryFields>>,
): Promise<TriedNumber[]> {
  const { directory, routingPlans, facts } = deps;
  const { plans, networks } = routingPlans;
  const plan = presentPlan(deps, planName);
  const accountId = account === undefined ? 0 : accountIdOf(account);
  const tryOne = (recipient: string): TriedNumber => {
    const number = parseMobileNumber(recipient, facts.defaultRegion);
    if (number === null) return { recipient, number, network: null, rule: null, targets: [] };
    const { network } = networks.find(number);
    const taking = plans.ruleFor(plan, { accountId, class: messageClasses[name], recipient: number, network });
    return {
      recipient,
      number,
      network: network === 0 ? null : networks.nameOf(network),
      rule: taking?.number ?? null,
      targets: (taking?.rule.targets ?? []).map((target) => targetAnswer(target, directory)),
    };
  };
  return mapInSlices(recipients, tryOne);
}

/** Warnings about plans that senders use. */
export function planWarnings(deps: PlanDeps): string[] {
  const used = new Set(deps.directory.activeSenders().map(({ planId }) => planId));
  const plans = deps.routingPlans.plans.all().filter(({ id }) => used.has(id));
  const problems = plans.flatMap((plan) =>
    deps.routingPlans.problemsOf(plan).map((problem) => ({ name: plan.name, problem })),
  );
  const others = (count: number) => `Plans have ${counted(count, "more problem")}. See: peyk plan list`;
  return firstWarnings({ rows: problems, others }, ({ name, problem }) => {
    const { rule } = problem;
    return `Plan ${name}${rule === null ? "" : `, rule ${rule}`}: ${sentenceOf(problem, englishPlanProblems)}`;
  });
}

type NetworkDeps = Pick<OperatorDeps, "routingPlans">;

export type NetworkAnswer = ReturnType<typeof networkAnswer>;

export function networkAnswer({ id, name, isOwn }: Network, { routingPlans }: NetworkDeps) {
  const ranges = routingPlans.networks.rangesOf(id).map(rangeText);
  /** `source`: of the built-in ranges; null for a network that was added. `ranges`: those currently in effect. */
  return { name, source: isOwn ? null : iranNetworksSource, ranges };
}

const csvBytesMax = 1_000_000;

export const networkAdmin = {
  "GET /networks": reads({
    may: "routes.read",
    run: (deps) => {
      const { networks, plans } = deps.routingPlans;
      return networks.ofPlans(plans.all()).map((network) => networkAnswer(network, deps));
    },
  }),
  "POST /networks/import": changes({
    may: "routes.change",
    input: { csv: t.String({ maxLength: csvBytesMax, ...told("csv_too_large", { megabytes: 1 }) }) },
    run: ({ routingPlans }, { csv }) => routingPlans.networkService.import(csv),
    audit: { action: "network.import", target: () => "networks", told: (_, answer) => ({ ...answer }) },
  }),
  "DELETE /networks/:name": changes({
    may: "routes.change",
    input: { name: t.String() },
    run: async ({ routingPlans: { networks, networkService } }, { name }) => {
      const network = networks.byName(name);
      if (network === null) throw new OperatorError("network_not_found");
      /** `removed`: the number of added ranges that were removed. */
      return { name: network.name, removed: await networkService.remove(network.name) };
    },
    audit: { action: "network.remove", target: ({ name }) => name, told: (_, answer) => answer },
  }),
};
