/**
 * Routing plans: creating, viewing, trying with numbers, and assigning to senders; adding, changing, moving and
 * removing rules.
 */
import { OperatorError } from "../../../domain/operator-error.ts";
import { typedNumber } from "../../format/input.ts";
import { accountOptions, resolveSender } from "../../page/accounts-and-senders.ts";
import { askedPart, listPart } from "../../page/list-part.ts";
import { document, formAgain, type PageAnswer, type PageCall, redirect } from "../../page/page.ts";
import { UnknownSender } from "../../page/refusal.ts";
import { again, done, isRefused, notDone, usualPages } from "../../page/usual-pages.tsx";
import { routeOptions } from "../accounts/sender-form-view.ts";
import { PlanPage, type PlanTrial } from "./plan.tsx";
import { freeTarget, PlanRulePage } from "./plan-rule.tsx";
import { newRule, refusedRule, ruleIn, textsOfRule, typedRule } from "./plan-rule-input.ts";
import { NewPlanPage, PlansPage, planHref } from "./plans.tsx";
import { numbersOfFile, planOf, triedTexts, tryNumbers, typedNumbers } from "./plans-view.ts";
import { planRuleWords, plansWords } from "./words.ts";

type PlanCall = PageCall<{ readonly name: string }>;
type RuleCall = PageCall<{ readonly name: string; readonly number: string }>;

const wordsOf = ({ locale }: PageCall) => plansWords[locale.language];
const ruleWordsOf = ({ locale }: PageCall) => planRuleWords[locale.language];

const { shown, form, part, question, button } = usualPages("plans", { read: "routes.read", change: "routes.change" });

async function planPage(call: PlanCall, trial: PlanTrial, given = { texts: { sender: "" }, errors: {} }) {
  return <PlanPage {...(await planOf(call))} trial={trial} given={given} />;
}

async function triedPage(call: PlanCall, trial: PlanTrial): Promise<PageAnswer> {
  const page = await planPage(call, trial);
  return Object.keys(trial.errors).length > 0 ? formAgain(page) : document(page);
}

async function show(call: PlanCall): Promise<PageAnswer> {
  const texts = triedTexts((name) => call.query.get(name) ?? "");
  return triedPage(call, await tryNumbers(call, texts, typedNumbers(texts)));
}

async function tryFile(call: PlanCall): Promise<PageAnswer> {
  const texts = triedTexts((name) => call.form.raw(name));
  const file = call.form.file("file");
  const found = file === null ? [] : await numbersOfFile(file, call.locale);
  if (typeof found === "string") return triedPage(call, { texts, errors: { file: found }, result: null });
  return triedPage(call, await tryNumbers(call, texts, [...typedNumbers(texts), ...found]));
}

/** What the form of a rule lets choose from. */
async function choicesOf({ api, params: { name } }: PlanCall) {
  const [networks, routes, accounts] = await Promise.all([
    api("GET /networks"),
    api("GET /routes"),
    accountOptions(api),
    api("GET /plans/:name", { name }),
  ]);
  return { plan: name, networks: networks.map((one) => one.name), accounts, routes: routeOptions(routes) };
}

/** @throws OperatorError */
async function presentRule(call: RuleCall) {
  const number = typedNumber(call.params.number);
  const { rules } = await call.api("GET /plans/:name", { name: call.params.name });
  const rule = rules[number - 1];
  if (rule === undefined) throw new OperatorError("plan_rule_not_found");
  return { number, rule };
}

const ruleOf = ({ params: { name, number } }: RuleCall) => ({ name, number: typedNumber(number) });

const rulePages = [
  ...form("/plans/:name/rules/-new", {
    load: async (call) => ({ ...(await choicesOf(call)), ...newRule, changed: null }),
    typed: typedRule,
    View: PlanRulePage,
    async run(call, { texts, targets }) {
      const { name } = call.params;
      if (call.form.has("more")) return again({ targets: [...targets, freeTarget] });
      await call.api("POST /plans/:name/rules", { name, ...ruleIn({ texts, targets }, call.locale) });
      return done(planHref(name), ruleWordsOf(call).added);
    },
    refused: refusedRule,
  }),
  button("/plans/:name/rules/:number/move", async (call) => {
    await call.api("POST /plans/:name/rules/:number/move", { ...ruleOf(call), to: typedNumber(call.form.text("to")) });
    return redirect(planHref(call.params.name));
  }),
  // Its number may belong to another rule by now: it is only changed if it is as it was when the form was opened.
  ...form("/plans/:name/rules/:number/change", {
    async load(call) {
      const { number, rule } = await presentRule(call);
      const { opened, ...fields } = textsOfRule(rule, call.locale);
      return { ...(await choicesOf(call)), ...fields, changed: { number, opened } };
    },
    typed(call, { changed: { number, opened } }) {
      const posted = call.form.raw("opened");
      const isOld = posted !== opened && !call.form.has("more");
      const errors = isOld ? { targets: ruleWordsOf(call).changedByOther } : {};
      return { ...typedRule(call), changed: { number, opened: posted }, errors };
    },
    View: PlanRulePage,
    async run(call, { texts, targets }) {
      if (call.form.has("more")) return again({ targets: [...targets, freeTarget] });
      const { number: _, ...rule } = ruleIn({ texts, targets }, call.locale);
      await call.api("PATCH /plans/:name/rules/:number", { ...ruleOf(call), ...rule });
      return done(planHref(call.params.name), ruleWordsOf(call).changed);
    },
    refused: refusedRule,
  }),
  ...question("/plans/:name/rules/:number/remove", {
    async ask(call) {
      const { name } = call.params;
      const { number } = await presentRule(call);
      const { removingRule } = wordsOf(call);
      const question = removingRule.question(call.locale.format.number(number), name);
      return { words: { ...removingRule, question }, back: planHref(name) };
    },
    async run(call) {
      await call.api("DELETE /plans/:name/rules/:number", ruleOf(call));
      return done(planHref(call.params.name), wordsOf(call).ruleRemoved);
    },
  }),
];

export const plansPages = [
  shown("/plans", async ({ api, query }) => (
    <PlansPage
      plans={listPart(await api("GET /plans"), askedPart(query), ({ name }) => name)}
      ported={await api("GET /ported-numbers")}
    />
  )),
  ...form("/plans/-new", {
    load: () => ({ texts: { name: "" } }),
    View: NewPlanPage,
    async run(call, { texts: { name } }) {
      await call.api("POST /plans", { name });
      return done(planHref(name), wordsOf(call).created(name));
    },
    refusedAt: { plan_exists: "name" },
  }),
  shown("/plans/:name", show),
  button("/plans/:name/test", tryFile, { action: "routes.read" }),
  ...rulePages,
  ...question("/plans/:name/remove", {
    async ask(call) {
      const { name } = await call.api("GET /plans/:name", { name: call.params.name });
      return { words: wordsOf(call).removing, name, back: planHref(name) };
    },
    async run(call) {
      const { name } = call.params;
      const say = wordsOf(call);
      const isUsed = await isRefused(call.api("DELETE /plans/:name", { name }), "plan_in_use");
      return isUsed ? notDone(planHref(name), say.inUse) : done("/plans", say.removed(name));
    },
  }),
  // Assigns the plan to a sender, or removes it.
  part("/plans/:name/senders", {
    load: () => ({ texts: { sender: "" } }),
    page: (call, given) => planPage(call, { texts: triedTexts(() => ""), errors: {}, result: null }, given),
    async run(call, { texts }) {
      const { api, form, params, locale } = call;
      const { account, sender } = await resolveSender(api, texts.sender, locale);
      const uses = form.text("use") === "yes";
      const input = { id: account, sender, plan: uses ? params.name : null };
      const [say, back] = [wordsOf(call), planHref(params.name, "#senders")];
      if (await isRefused(api("PATCH /accounts/:id/senders/:sender", input), "invalid"))
        return notDone(back, say.notGiven(sender));
      return done(back, uses ? say.given(sender) : say.left(sender));
    },
    refused(reason) {
      if (!(reason instanceof UnknownSender)) throw reason;
      return { sender: reason.message };
    },
  }),
];
