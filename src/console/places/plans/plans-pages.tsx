/**
 * Routing plans: creating, viewing, trying with numbers, and assigning to senders; adding, changing, moving and
 * removing rules.
 */

import { OperatorError } from "../../../domain/operator-error.ts";
import { planLimits } from "../../../domain/plan-limits.ts";
import { roleMay } from "../../../domain/roles.ts";
import { planRuleFields } from "../../../fields/plan-rule.ts";
import { Notice } from "../../components/blocks.tsx";
import { ConfirmPage } from "../../components/confirm.tsx";
import type { FieldErrors } from "../../components/forms.tsx";
import { cleanInput, typedNumber } from "../../format/input.ts";
import type { FormFields } from "../../forms/form-fields.ts";
import { accountOptions, resolveSender } from "../../page/accounts-and-senders.ts";
import { postedTexts } from "../../page/declared-form.ts";
import { askedPart, listPart } from "../../page/list-part.ts";
import { document, formAgain, type PageAnswer, type PageCall, page, redirect } from "../../page/page.ts";
import { refusedFields, UnknownSender } from "../../page/refusal.ts";
import { routeOptions } from "../accounts/sender-form-view.ts";
import { PlanPage, type PlanTrial, type PlanView, removePlanQuestion, removeRuleQuestion } from "./plan.tsx";
import { fieldOfRoute, PlanRulePage, type PlanRuleTexts, type PlanRuleView } from "./plan-rule.tsx";
import { NewPlanPage, PlansPage, planHref } from "./plans.tsx";
import {
  addRule,
  changeRule,
  numbersOfFile,
  planView,
  refusedRule,
  textsOfRule,
  triedFields,
  tryNumbers,
  typedNumbers,
} from "./plans-view.ts";
import { planRuleWords, plansWords } from "./words.ts";

type PlanCall = PageCall<{ readonly name: string }>;
type RuleCall = PageCall<{ readonly name: string; readonly number: string }>;

const mayChange = ({ viewer }: PageCall): boolean => roleMay(viewer.role, "routes.change");
const done = (text: string) => <Notice tone="ok">{text}</Notice>;

async function list(call: PageCall): Promise<PageAnswer> {
  const plans = listPart(await call.api("GET /plans"), askedPart(call.query), ({ name }) => name);
  return document(<PlansPage shell={call.shell("plans")} plans={plans} mayChange={mayChange(call)} />);
}

function newForm({ shell }: PageCall, name: string, errors: FieldErrors) {
  return <NewPlanPage shell={shell("plans")} view={{ name, errors }} />;
}

async function create(call: PageCall): Promise<PageAnswer> {
  const { api, form, locale } = call;
  const name = form.text("name");
  try {
    await api("POST /plans", { name });
    return redirect(planHref(name), done(plansWords[locale.language].created(name)));
  } catch (reason) {
    const isTaken = reason instanceof OperatorError && reason.code === "plan_exists";
    const errors = isTaken ? { name: plansWords[locale.language].nameTaken } : refusedFields(reason, locale);
    return formAgain(newForm(call, name, errors));
  }
}

const noneGiven: PlanView["given"] = { sender: "", errors: {} };

async function planPage(call: PlanCall, trial: PlanTrial, given = noneGiven) {
  const may = mayChange(call);
  const view = await planView(call.api, call.locale, call.params.name, { mayChange: may, trial, given });
  return <PlanPage shell={call.shell("plans")} view={view} />;
}

async function triedPage(call: PlanCall, trial: PlanTrial): Promise<PageAnswer> {
  const shown = await planPage(call, trial);
  return Object.keys(trial.errors).length > 0 ? formAgain(shown) : document(shown);
}

async function show(call: PlanCall): Promise<PageAnswer> {
  const fields = triedFields((name) => call.query.get(name) ?? "");
  return triedPage(call, await tryNumbers(call.api, call.locale, call.params.name, fields, typedNumbers(fields)));
}

async function tryFile(call: PlanCall): Promise<PageAnswer> {
  const { api, form, params, locale } = call;
  const fields = triedFields((name) => form.raw(name));
  const file = form.file("file");
  const found = file === null ? [] : await numbersOfFile(file, locale);
  if (typeof found === "string") return triedPage(call, { fields, errors: { file: found }, result: null });
  const trial = await tryNumbers(api, locale, params.name, fields, [...typedNumbers(fields), ...found]);
  return triedPage(call, trial);
}

/** How many are shown before more are requested. */
const targetsFirst = 2;

const matchesAll: PlanRuleTexts["match"] = { networks: "", countries: "", ranges: "", accounts: "", classes: "" };

/** Gaps close up, and a route chosen twice counts once. */
function typedRoutes(form: FormFields, target: number): string[] {
  const chosen = Array.from({ length: planLimits.routesOfTarget }, (_, position) =>
    cleanInput(form.text(fieldOfRoute(target, position))),
  );
  return [...new Set(chosen.filter((name) => name !== ""))];
}

function typedRule({ form }: PageCall): PlanRuleTexts {
  const indexes = Array.from({ length: targetsFirst }, (_, index) => index);
  for (let next = targetsFirst; form.has(fieldOfRoute(next, 0)); next += 1) indexes.push(next);
  if (form.has("more")) indexes.push(indexes.length);
  return {
    match: postedTexts(planRuleFields, form, matchesAll),
    targets: indexes.map((index) => ({ routes: typedRoutes(form, index), weight: form.text(`weight-${index}`) })),
    number: form.text("number"),
  };
}

async function rulePage(
  call: PlanCall,
  errors: FieldErrors,
  fields = typedRule(call),
  changed: PlanRuleView["changed"] = null,
) {
  const { api, params, shell } = call;
  const [networks, routes, accounts] = await Promise.all([
    api("GET /networks"),
    api("GET /routes"),
    accountOptions(api),
    api("GET /plans/:name", { name: params.name }),
  ]);
  const view = {
    plan: params.name,
    changed,
    fields,
    errors,
    networks: networks.map(({ name }) => name),
    accounts,
    routes: routeOptions(routes),
  };
  return <PlanRulePage shell={shell("plans")} view={view} />;
}

async function saveRule(call: PlanCall): Promise<PageAnswer> {
  const { api, params, form, locale } = call;
  if (form.has("more")) return document(await rulePage(call, {}));
  try {
    await addRule(api, params.name, typedRule(call), locale);
    return redirect(planHref(params.name), done(planRuleWords[locale.language].added));
  } catch (reason) {
    return formAgain(await rulePage(call, refusedRule(reason, locale)));
  }
}

/** @throws OperatorError */
async function presentRule(call: RuleCall) {
  const number = typedNumber(call.params.number);
  const { rules } = await call.api("GET /plans/:name", { name: call.params.name });
  const rule = rules[number - 1];
  if (rule === undefined) throw new OperatorError("plan_rule_not_found");
  const fields = textsOfRule(rule, call.locale);
  return { number, fields, opened: JSON.stringify(fields) };
}

async function askChange(call: RuleCall): Promise<PageAnswer> {
  const { number, fields, opened } = await presentRule(call);
  const free = Array.from({ length: targetsFirst - fields.targets.length }, () => ({ routes: [], weight: "" }));
  const shown = { ...fields, targets: [...fields.targets, ...free] };
  return document(await rulePage(call, {}, shown, { number, opened }));
}

/**
 * Its number may belong to another rule by now: the rule is only changed if it is still as it was when the form was
 * opened.
 */
async function saveChange(call: RuleCall): Promise<PageAnswer> {
  const { api, params, form, locale } = call;
  const { number, opened } = await presentRule(call);
  const typed = typedRule(call);
  const again = (errors: FieldErrors) => rulePage(call, errors, typed, { number, opened: form.raw("opened") });
  if (form.has("more")) return document(await again({}));
  if (form.raw("opened") !== opened)
    return formAgain(await again({ targets: planRuleWords[locale.language].changedByOther }));
  try {
    await changeRule(api, { name: params.name, number }, typed, locale);
    return redirect(planHref(params.name), done(planRuleWords[locale.language].changed));
  } catch (reason) {
    return formAgain(await again(refusedRule(reason, locale)));
  }
}

const ruleOf = ({ params: { name, number } }: RuleCall) => ({ name, number: typedNumber(number) });

async function move(call: RuleCall): Promise<PageAnswer> {
  const to = typedNumber(call.form.text("to"));
  await call.api("POST /plans/:name/rules/:number/move", { ...ruleOf(call), to });
  return redirect(planHref(call.params.name));
}

async function askRemoveRule(call: RuleCall): Promise<PageAnswer> {
  const { params, locale, shell } = call;
  const { number } = await presentRule(call);
  return document(<ConfirmPage shell={shell("plans")} view={removeRuleQuestion(params.name, number, locale)} />);
}

async function removeRule(call: RuleCall): Promise<PageAnswer> {
  await call.api("DELETE /plans/:name/rules/:number", ruleOf(call));
  return redirect(planHref(call.params.name), done(plansWords[call.locale.language].ruleRemoved));
}

async function askRemove(call: PlanCall): Promise<PageAnswer> {
  const { name } = await call.api("GET /plans/:name", { name: call.params.name });
  return document(<ConfirmPage shell={call.shell("plans")} view={removePlanQuestion(name, call.locale)} />);
}

async function remove(call: PlanCall): Promise<PageAnswer> {
  const { name } = call.params;
  const say = plansWords[call.locale.language];
  try {
    await call.api("DELETE /plans/:name", { name });
    return redirect("/plans", done(say.removed(name)));
  } catch (reason) {
    if (!(reason instanceof OperatorError) || reason.code !== "plan_in_use") throw reason;
    return redirect(planHref(name), <Notice tone="bad">{say.inUse}</Notice>);
  }
}

/** Assigns the plan to a sender, or removes it. */
async function giveSender(call: PlanCall): Promise<PageAnswer> {
  const { api, params, form, locale } = call;
  const typed = form.text("sender");
  const uses = form.text("use") === "yes";
  const say = plansWords[locale.language];
  const back = planHref(params.name, "#senders");
  let named: Awaited<ReturnType<typeof resolveSender>>;
  try {
    named = await resolveSender(api, typed, locale);
  } catch (reason) {
    if (!(reason instanceof UnknownSender)) throw reason;
    const given = { sender: typed, errors: { sender: reason.message } };
    return formAgain(await planPage(call, { fields: triedFields(() => ""), errors: {}, result: null }, given));
  }
  const { account, sender } = named;
  try {
    await api("PATCH /accounts/:id/senders/:sender", { id: account, sender, plan: uses ? params.name : null });
    return redirect(back, done(uses ? say.given(sender) : say.left(sender)));
  } catch (reason) {
    if (!(reason instanceof OperatorError) || reason.code !== "invalid") throw reason;
    return redirect(back, <Notice tone="bad">{say.notGiven(sender)}</Notice>);
  }
}

const change = "routes.change";

export const plansPages = [
  page({ method: "GET", path: "/plans", action: "routes.read", answer: list }),
  page({ method: "GET", path: "/plans/-new", action: change, answer: (call) => document(newForm(call, "", {})) }),
  page({ method: "POST", path: "/plans/-new", action: change, answer: create }),
  page({ method: "GET", path: "/plans/:name", action: "routes.read", answer: show }),
  page({ method: "POST", path: "/plans/:name/test", action: "routes.read", answer: tryFile }),
  page({
    method: "GET",
    path: "/plans/:name/rules/-new",
    action: change,
    answer: async (call) => document(await rulePage(call, {})),
  }),
  page({ method: "POST", path: "/plans/:name/rules/-new", action: change, answer: saveRule }),
  page({ method: "POST", path: "/plans/:name/rules/:number/move", action: change, answer: move }),
  page({ method: "GET", path: "/plans/:name/rules/:number/change", action: change, answer: askChange }),
  page({ method: "POST", path: "/plans/:name/rules/:number/change", action: change, answer: saveChange }),
  page({ method: "GET", path: "/plans/:name/rules/:number/remove", action: change, answer: askRemoveRule }),
  page({ method: "POST", path: "/plans/:name/rules/:number/remove", action: change, answer: removeRule }),
  page({ method: "GET", path: "/plans/:name/remove", action: change, answer: askRemove }),
  page({ method: "POST", path: "/plans/:name/remove", action: change, answer: remove }),
  page({ method: "POST", path: "/plans/:name/senders", action: change, answer: giveSender }),
];
