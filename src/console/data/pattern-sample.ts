/** A pattern's text with sample values: what would arrive, in how many parts, and what one message of it costs. */
import { valueProblems } from "../../domain/pattern.ts";
import { parseTemplate, renderTemplate } from "../../domain/template.ts";
import type { PatternDetailAnswer } from "../../operator/patterns.ts";
import type { Locale } from "../locale.ts";
import type { PatternSample } from "../pages/pattern-sample.tsx";
import type { SendCost } from "../pages/send.tsx";
import type { ConsoleApi } from "./console-api.ts";
import { costOfSend } from "./send.ts";
import { textCountOf } from "./text-count.ts";

/** As they were typed. */
export interface SampleFields {
  /** By variable; an absent one is empty. */
  values: ReadonlyMap<string, string>;
  to: string;
}

export const noSample: SampleFields = { values: new Map(), to: "" };

export async function patternSampleOf(
  api: ConsoleApi,
  locale: Locale,
  pattern: PatternDetailAnswer,
  { values, to }: SampleFields,
): Promise<PatternSample> {
  const template = parseTemplate(pattern.text);
  const typed = pattern.variables.map(({ name, maxLength }) => ({ name, maxLength, value: values.get(name) ?? "" }));
  const filled = Object.fromEntries(typed.map(({ name, value }) => [name, value === "" ? `{{${name}}}` : value]));
  const text = renderTemplate(template, filled);
  const problems = new Map(valueProblems(pattern.variables, filledIn(typed)).map(({ field, code }) => [field, code]));
  const isTooLong = (name: string) => problems.get(`variables.${name}`) === "too_long";
  const isWhole = problems.size === 0;
  return {
    to,
    variables: typed.map((one) => ({ ...one, isTooLong: isTooLong(one.name) })),
    text,
    count: isWhole ? textCountOf(text) : null,
    cost: isWhole && to !== "" ? await costOf(api, locale, pattern, { text, to }) : null,
  };
}

const filledIn = (typed: readonly { name: string; value: string }[]) =>
  Object.fromEntries(typed.flatMap(({ name, value }) => (value === "" ? [] : [[name, value]])));

function costOf(
  api: ConsoleApi,
  locale: Locale,
  { account, sender }: PatternDetailAnswer,
  { text, to }: { text: string; to: string },
): Promise<SendCost | null> {
  return costOfSend(api, locale, { account, ...(sender !== null && { sender }), recipients: [to], message: text });
}
