/** A preview of a pattern with sample values: the text as it would arrive, its parts and its cost. */

import { valueProblems } from "../../../domain/pattern.ts";
import { parseTemplate, renderTemplate } from "../../../domain/template.ts";
import type { PatternDetailAnswer } from "../../../operator/patterns.ts";
import { Card } from "../../components/blocks.tsx";
import { FormButtons } from "../../components/buttons.tsx";
import { LivePiece, TextField } from "../../components/forms.tsx";
import { ForeignText, TemplateText } from "../../components/inline.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Locale, useLocale, useWords } from "../../locale.ts";
import type { ConsoleApi } from "../../page/console-api.ts";
import type { SendCost } from "../send/send.tsx";
import { type TextCount, TextCounts } from "../send/send.tsx";
import { costOfSend, textCountOf } from "../send/send-view.ts";
import { patternsWords } from "./words.ts";

export interface PatternSample {
  /** Each with the typed value, empty for none. */
  variables: readonly { name: string; maxLength: number; value: string; isTooLong: boolean }[];
  /** The number to calculate the cost for, as typed. */
  to: string;
  /** Variables without a value appear as they do in the pattern. */
  text: string;
  /** Null while a value is missing or wrong. */
  count: TextCount | null;
  /** Null where nothing is charged, or the cost is unknown. */
  cost: SendCost | null;
}

/** Prefix of a variable's field name. */
export const valueField = "value-";

/** `action`: the path that accepts the values. */
export function PatternSampleForm({ sample, action }: { sample: PatternSample; action: string }) {
  const say = useWords(patternsWords).sample;
  const to = { name: "to", label: say.to, hint: say.toHint, value: sample.to, script: "digits" } as const;
  return (
    <Card title={say.title}>
      <PostForm class="form" action={action}>
        {sample.variables.map(({ name, value }) => (
          <TextField key={name} name={valueField + name} label={name} value={value} />
        ))}
        <TextField {...to} inputMode="tel" optional />
        <LivePiece id="sample" post={action}>
          <PatternSampleShown sample={sample} />
        </LivePiece>
        <FormButtons isSecond label={say.show} />
      </PostForm>
    </Card>
  );
}

/** Also submitted on its own while the user types. */
export function PatternSampleShown({ sample: { variables, text, count, cost } }: { sample: PatternSample }) {
  const { format } = useLocale();
  const say = useWords(patternsWords).sample;
  const tooLong = variables.filter(({ isTooLong }) => isTooLong);
  return (
    <div class="stack">
      <div class="bubble">{count === null ? <TemplateText text={text} /> : <ForeignText text={text} />}</div>
      {tooLong.map(({ name, maxLength }) => (
        <p key={name} class="ink-bad">
          {say.tooLong(name, format.number(maxLength))}
        </p>
      ))}
      {count === null ? <p class="muted">{say.missing}</p> : <TextCounts count={count} cost={cost} />}
    </div>
  );
}

/** As typed. */
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
