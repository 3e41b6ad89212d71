/** Data for the routing plan pages, and the input of their forms. */

import { CsvError } from "csv-parse";
import { type MessageClassName, messageClassNames } from "../../../domain/message.ts";
import { OperatorError } from "../../../domain/operator-error.ts";
import { planLimits } from "../../../domain/plan-limits.ts";
import { planRuleFields } from "../../../fields/plan-rule.ts";
import { fileEntries, typedEntries } from "../../../messaging/messages/recipient-file.ts";
import type { PlanRuleAnswer, TriedNumber } from "../../../operator/plans.ts";
import { Slices } from "../../../platform/next-turn.ts";
import type { FieldErrors } from "../../components/forms.tsx";
import { isListed } from "../../components/listed-field.tsx";
import { typedNumber, typedNumberOr } from "../../format/input.ts";
import type { Locale } from "../../locale.ts";
import { accountOptions, resolveAccount, senderOptions } from "../../page/accounts-and-senders.ts";
import type { ConsoleApi } from "../../page/console-api.ts";
import { shownTexts, typedValues } from "../../page/declared-form.ts";
import { refusedFields } from "../../page/refusal.ts";
import type { PlanTrial, PlanView, TriedFields } from "./plan.tsx";
import type { PlanRuleTexts } from "./plan-rule.tsx";
import { plansWords } from "./words.ts";

/** Numbers in a file; the command line can try more. */
const fileNumbersMax = 20_000;
const fileBytesMax = 1_000_000;
const triedShown = 50;
/** In the answer each number may have 256 routes, and the answer is read as a whole. */
const triedAtOnce = 100;

const classOf = (text: string): MessageClassName | undefined => messageClassNames.find((one) => one === text);

export const triedFields = (of: (name: string) => string): TriedFields => ({
  numbers: of("numbers"),
  class: classOf(of("class")) ?? "single",
  account: of("account"),
});

export async function planView(
  api: ConsoleApi,
  locale: Locale,
  name: string,
  { mayChange, trial, given }: Pick<PlanView, "mayChange" | "trial" | "given">,
): Promise<PlanView> {
  const [plan, accounts, senders] = await Promise.all([
    api("GET /plans/:name", { name }),
    accountOptions(api),
    mayChange ? senderOptions(api, locale) : [],
  ]);
  // Beyond the listed ones, any name may be typed.
  const others = isListed(senders) ? senders.filter((one) => one.plan !== name) : senders;
  return { plan, accounts, senders: others, mayChange, trial, given };
}

/** How the plan routes typed numbers, or those in a file. */
export async function tryNumbers(
  api: ConsoleApi,
  locale: Locale,
  name: string,
  fields: TriedFields,
  recipients: readonly string[],
): Promise<PlanTrial> {
  const { class: className } = fields;
  let account = "";
  try {
    if (fields.account !== "") account = await resolveAccount(api, fields.account, locale);
  } catch (reason) {
    return { fields, errors: refusedFields(reason, locale), result: null };
  }
  const tried: TriedNumber[] = [];
  const all = [...new Set(recipients)];
  const slices = new Slices();
  for (let from = 0; from < all.length; from += triedAtOnce) {
    const piece = all.slice(from, from + triedAtOnce);
    const body = { recipients: piece, class: className, ...(account !== "" && { account }) };
    tried.push(...(await api("POST /plans/:name/test", { name, ...body })));
    await slices.pause();
  }
  return { fields, errors: {}, result: all.length === 0 ? null : resultOf(tried) };
}

export const typedNumbers = ({ numbers }: TriedFields): string[] => typedEntries(numbers, triedShown);

/** A file's numbers, or a sentence that says why there are none. */
export async function numbersOfFile(file: File, { language, format }: Locale): Promise<string[] | string> {
  const say = plansWords[language];
  if (file.size > fileBytesMax) return say.fileTooLarge;
  try {
    const numbers = await Array.fromAsync(fileEntries(await file.text()));
    if (numbers.length === 0) return say.fileWithoutNumbers;
    return numbers.length > fileNumbersMax ? say.tooManyNumbers(format.count(fileNumbersMax)) : numbers;
  } catch (reason) {
    if (!(reason instanceof CsvError)) throw reason;
    return say.fileWithoutNumbers;
  }
}

function resultOf(tried: readonly TriedNumber[]): NonNullable<PlanTrial["result"]> {
  const mobile = tried.filter(({ number }) => number !== null);
  const byRule = [...Map.groupBy(mobile, ({ rule }) => rule)].map(([rule, taken]) => ({ rule, count: taken.length }));
  return {
    shown: tried.slice(0, triedShown),
    total: tried.length,
    /** Numbers that match no rule come last. */
    byRule: byRule.toSorted((a, b) => (a.rule ?? planLimits.rules + 1) - (b.rule ?? planLimits.rules + 1)),
    noMobile: tried.length - mobile.length,
  };
}

/** As the form of a rule shows it. */
export const textsOfRule = (rule: PlanRuleAnswer, locale: Locale): PlanRuleTexts => ({
  match: shownTexts(planRuleFields, rule, locale),
  targets: rule.targets.map(({ routes, weight }) => ({ routes, weight: String(weight) })),
  number: "",
});

export async function addRule(api: ConsoleApi, name: string, texts: PlanRuleTexts, locale: Locale): Promise<void> {
  const number = typedNumberOr(undefined, texts.number);
  await api("POST /plans/:name/rules", { name, ...ruleIn(texts, locale), number });
}

export async function changeRule(
  api: ConsoleApi,
  rule: { name: string; number: number },
  texts: PlanRuleTexts,
  locale: Locale,
): Promise<void> {
  await api("PATCH /plans/:name/rules/:number", { ...rule, ...ruleIn(texts, locale) });
}

const ruleIn = ({ match, targets }: PlanRuleTexts, locale: Locale) => ({
  ...typedValues(planRuleFields, match, locale),
  targets: targets
    .filter(({ routes }) => routes.length > 0)
    .map(({ routes, weight }) => ({ routes: [...routes], ...(weight !== "" && { weight: typedNumber(weight) }) })),
});

/** Errors for the form's fields. @throws anything that is not a refusal of the form */
export function refusedRule(reason: unknown, locale: Locale): FieldErrors {
  const { language } = locale;
  const say = plansWords[language];
  if (!(reason instanceof OperatorError)) throw reason;
  if (reason.code === "route_not_found") return { targets: say.noRoute };
  if (reason.code === "plan_rule_not_found") return { number: say.noSuchPlace };
  const { routes, sender, "": whole, body, ...errors } = refusedFields(reason, locale);
  const targets = errors.targets ?? routes ?? sender ?? whole ?? body;
  return targets === undefined ? errors : { ...errors, targets };
}
