/** Patterns: approved texts with variables, the rules for their values, and their maximum part counts. */

import type { FieldProblem } from "./api-error.ts";
import { messageLimits } from "./message.ts";
import { type OperatorProblem, problemOf } from "./operator-problem.ts";
import { parseTemplate, renderTemplate, type Template } from "./template.ts";
import { codePointLength, isCleanText, measureText, type TextMeasure, withoutTabs } from "./text.ts";

export interface PatternVariable {
  name: string;
  /** In code points. */
  maxLength: number;
}

/** The default length (docs/api-rules.md, "Groups, patterns and one-time passwords"). */
export const variableLengthDefault = 30;
export const variableLengthMax = 500;

const variableName = /^[\p{L}_][\p{L}\p{M}\p{Nd}_]{0,39}$/u;

/** The variables of a new pattern's text with their lengths, or their problems; `key` is `text` or `maxLengths`. */
export function patternVariables(
  text: string,
  maxLengths: Readonly<Record<string, number>>,
): { variables: PatternVariable[]; problems: OperatorProblem[] } {
  const { variables: names } = parseTemplate(text);
  const problems: OperatorProblem[] = [];
  const length = codePointLength(text);
  if (length < 1 || length > messageLimits.textMax) {
    problems.push(problemOf("text", "text_length", { min: 1, max: messageLimits.textMax, length }));
  }
  if (!isCleanText(text)) problems.push(problemOf("text", "text_unclean", {}));
  for (const name of names.filter((one) => !variableName.test(one))) {
    problems.push(problemOf("text", "variable_name", { name }));
  }
  for (const [name, max] of Object.entries(maxLengths)) {
    if (!names.includes(name)) problems.push(problemOf("maxLengths", "variable_unknown", { name }));
    if (!Number.isInteger(max) || max < 1 || max > variableLengthMax) {
      problems.push(problemOf("maxLengths", "variable_length", { name, max: variableLengthMax }));
    }
  }
  const maxLengthOf = (name: string) => (Object.hasOwn(maxLengths, name) ? maxLengths[name] : undefined);
  const variables = names.map((name) => ({ name, maxLength: maxLengthOf(name) ?? variableLengthDefault }));
  return { variables, problems };
}

/** The problems of the values in a send request, under `variables.<name>`. */
export function valueProblems(
  variables: readonly PatternVariable[],
  values: Readonly<Record<string, unknown>>,
): FieldProblem[] {
  const known = new Set(variables.map(({ name }) => name));
  const extra = Object.keys(values).filter((name) => !known.has(name));
  return [
    ...variables.flatMap((variable) => valueProblem(variable, values) ?? []),
    ...extra.map(
      (name): FieldProblem => ({
        field: `variables.${name.slice(0, 60)}`,
        code: "unknown",
        message: "The pattern has no such variable.",
      }),
    ),
  ];
}

function valueProblem(
  { name, maxLength }: PatternVariable,
  values: Readonly<Record<string, unknown>>,
): FieldProblem | null {
  const field = `variables.${name}`;
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined || value === null) return { field, code: "required", message: "Is required." };
  if (typeof value !== "string") return { field, code: "invalid_type", message: "Must be a string." };
  if (value === "") return { field, code: "too_short", message: "Must have at least 1 character." };
  if (codePointLength(value) > maxLength) {
    return { field, code: "too_long", message: `Must have at most ${maxLength} characters.` };
  }
  if (isCleanText(withoutTabs(value))) return null;
  const message = "Must not hold control characters other than line breaks and tabs, nor lone surrogates.";
  return { field, code: "invalid_format", message };
}

/**
 * A pattern's encoding and part count when every value has its maximum length: in Latin letters and in Persian ones.
 */
export interface PatternPreview {
  text: string;
  latin: TextMeasure;
  persian: TextMeasure;
}

export function previewPattern(text: string, variables: readonly PatternVariable[]): PatternPreview {
  const template = parseTemplate(text);
  return { text, latin: atLongest(template, variables, "x"), persian: atLongest(template, variables, "م") };
}

function atLongest(template: Template, variables: readonly PatternVariable[], letter: string): TextMeasure {
  const values = Object.fromEntries(variables.map(({ name, maxLength }) => [name, letter.repeat(maxLength)]));
  return measureText(renderTemplate(template, values));
}
