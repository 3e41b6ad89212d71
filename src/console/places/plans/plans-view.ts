/** Data for the routing plan pages, and numbers that a plan is tried with. */
import { CsvError } from "csv-parse";
import { messageClassNames } from "../../../domain/message.ts";
import { planLimits } from "../../../domain/plan-limits.ts";
import { roleMay } from "../../../domain/roles.ts";
import { fileEntries, typedEntries } from "../../../messaging/messages/recipient-file.ts";
import type { TriedNumber } from "../../../operator/plans.ts";
import { Slices } from "../../../platform/next-turn.ts";
import { isListed } from "../../components/listed-field.tsx";
import type { Locale } from "../../locale.ts";
import { accountOptions, resolveAccount, senderOptions } from "../../page/accounts-and-senders.ts";
import type { PageCall } from "../../page/page.ts";
import { refusedFields } from "../../page/refusal.ts";
import type { PlanTrial } from "./plan.tsx";
import { plansWords } from "./words.ts";

type PlanCall = PageCall<{ readonly name: string }>;

/** Numbers in a file; the command line can try more. */
const fileNumbersMax = 20_000;
const fileBytesMax = 1_000_000;
const triedShown = 50;
/** In the answer each number may have 256 routes, and the answer is read as a whole. */
const triedAtOnce = 100;

export const triedTexts = (of: (name: string) => string): PlanTrial["texts"] => ({
  numbers: of("numbers"),
  class: messageClassNames.find((one) => one === of("class")) ?? "single",
  account: of("account"),
});

/** `senders`: those that it can be assigned to. */
export async function planOf({ api, viewer, locale, params: { name } }: PlanCall) {
  const [plan, accounts, senders] = await Promise.all([
    api("GET /plans/:name", { name }),
    accountOptions(api),
    roleMay(viewer.role, "routes.change") ? senderOptions(api, locale) : [],
  ]);
  // Beyond the listed ones, any name may be typed.
  const others = isListed(senders) ? senders.filter((one) => one.plan !== name) : senders;
  return { plan, accounts, senders: others };
}

/** How the plan routes typed numbers, or those in a file. */
export async function tryNumbers(
  { api, locale, params: { name } }: PlanCall,
  texts: PlanTrial["texts"],
  recipients: readonly string[],
): Promise<PlanTrial> {
  let account = "";
  try {
    if (texts.account !== "") account = await resolveAccount(api, texts.account, locale);
  } catch (reason) {
    return { texts, errors: refusedFields(reason, locale), result: null };
  }
  const tried: TriedNumber[] = [];
  const all = [...new Set(recipients)];
  const slices = new Slices();
  for (let from = 0; from < all.length; from += triedAtOnce) {
    const piece = all.slice(from, from + triedAtOnce);
    const body = { recipients: piece, class: texts.class, ...(account !== "" && { account }) };
    tried.push(...(await api("POST /plans/:name/test", { name, ...body })));
    await slices.pause();
  }
  return { texts, errors: {}, result: all.length === 0 ? null : resultOf(tried) };
}

export const typedNumbers = ({ numbers }: PlanTrial["texts"]): string[] => typedEntries(numbers, triedShown);

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
