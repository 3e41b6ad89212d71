/** The pages for the rules of a line: the list with its trial, and what adds, changes, moves and removes a rule. */
import { OperatorError } from "../../../domain/operator-error.ts";
import { newRuleFields } from "../../../fields/inbound-rule.ts";
import { typedNumber } from "../../format/input.ts";
import { emptyTexts, postedTexts, shownTexts, typedValues } from "../../page/declared-form.ts";
import { type PageCall, redirect } from "../../page/page.ts";
import { again, done, usualPages } from "../../page/usual-pages.tsx";
import { RulePage, RulesPage, type RulesView, rulesHref } from "./rules.tsx";
import { rulesWords } from "./rules-words.ts";

const { form, question, button } = usualPages("inbound", { read: "inbound.read", change: "inbound-rules.change" });

type LineCall = PageCall<{ readonly number: string }>;
type RuleCall = PageCall<{ readonly number: string; readonly rule: string }>;

const wordsOf = ({ locale }: PageCall) => rulesWords[locale.language];
const rulesOf = ({ api, params: { number } }: LineCall) => api("GET /lines/:number/rules", { number });

/** @throws OperatorError */
async function presentRule(call: RuleCall) {
  const { number, rules } = await rulesOf(call);
  const rule = rules.find(({ id }) => id === call.params.rule);
  if (rule === undefined) throw new OperatorError("inbound_rule_not_found");
  return { number, rule };
}

const typed = ({ form: posted }: PageCall) => {
  const texts = postedTexts(newRuleFields, posted, emptyTexts(newRuleFields));
  return { texts: { ...texts, reply: posted.raw("reply"), closedReply: posted.raw("closedReply") } };
};

/** A refusal of a rule as a whole is told at its reply; what names no field of the form, too. */
const refusedAt = { credential_not_found: "credential", group_not_found: "joins" } as const;

export const rulesPages = [
  ...form("/inbound/lines/:number/rules", {
    action: "inbound.read",
    load: async (call): Promise<Omit<RulesView, "errors">> => ({
      line: await rulesOf(call),
      days: await call.api("GET /lines/:number/rules/days", call.params),
      trial: null,
      texts: { from: "", text: "" },
    }),
    View: RulesPage,
    async run({ api, params: { number } }, { texts }) {
      return again({ trial: await api("POST /lines/:number/rules/try", { number, ...texts }) });
    },
  }),
  ...form("/inbound/lines/:number/rules/-new", {
    load: async (call) => ({
      number: (await rulesOf(call)).number,
      rule: null,
      texts: { ...emptyTexts(newRuleFields), match: "keyword" },
    }),
    typed,
    View: RulePage,
    refusedAt,
    async run(call, { number, texts }) {
      await call.api("POST /lines/:number/rules", { number, ...typedValues(newRuleFields, texts, call.locale) });
      return done(rulesHref(number), wordsOf(call).added);
    },
  }),
  ...form("/inbound/lines/:number/rules/:rule", {
    async load(call) {
      const { number, rule } = await presentRule(call);
      return { number, rule: rule.id, texts: shownTexts(newRuleFields, rule, call.locale) };
    },
    typed,
    View: RulePage,
    refusedAt,
    async run(call, { number, rule, texts }) {
      const values = typedValues(newRuleFields, texts, call.locale);
      await call.api("PATCH /lines/:number/rules/:rule", { number, rule, ...values });
      return done(rulesHref(number), wordsOf(call).changed);
    },
  }),
  button("/inbound/lines/:number/rules/:rule/place", async (call) => {
    const { number, rule } = call.params;
    const place = typedNumber(call.form.text("place"));
    await call.api("PATCH /lines/:number/rules/:rule", { number, rule, place });
    return redirect(rulesHref(number));
  }),
  ...question("/inbound/lines/:number/rules/:rule/remove", {
    async ask(call) {
      const { number, rule } = await presentRule(call);
      return { words: wordsOf(call).removing, name: call.locale.format.number(rule.place), back: rulesHref(number) };
    },
    async run(call) {
      const { number, rule } = call.params;
      await call.api("DELETE /lines/:number/rules/:rule", { number, rule });
      return done(rulesHref(number), wordsOf(call).removed);
    },
  }),
];
