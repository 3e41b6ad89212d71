/** What a change replaced, in one line. */
import type { AuditAnswer } from "../../../operator/audit.ts";
import type { Format } from "../../format/format.ts";
import type { Locale } from "../../locale.ts";

type Values = Readonly<Record<string, unknown>>;

/** `status: active → suspended`; of a creation or a removal, what there is or was. */
export function changeText({ before, after }: Pick<AuditAnswer, "before" | "after">, format: Format): string {
  const [was, is] = [flat(before ?? {}), flat(after ?? {})];
  const names = [...new Set([...was.keys(), ...is.keys()])].filter((name) => was.get(name) !== is.get(name));
  const shown = names.flatMap((name) => {
    const texts = [was.get(name) ?? "", is.get(name) ?? ""].filter((text) => text !== "");
    return texts.length === 0 ? [] : [`${name}: ${texts.map((text) => readable(text, format)).join(" → ")}`];
  });
  return shown.join(", ");
}

export interface ChangedValue {
  name: string;
  was: string;
  is: string;
}

/** Of an account, a key or a quota, each value that a change replaced, named and written as its form does. */
export function changedValues(
  { before, after }: Pick<AuditAnswer, "before" | "after">,
  locale: Locale,
): ChangedValue[] {
  const { words, format } = locale;
  const [was, is] = [flat(before ?? {}), flat(after ?? {})];
  const labels: Readonly<Record<string, { label: string }>> = { ...words.fields.account, ...words.fields.key };
  const choices: Readonly<Record<string, string>> = words.choices;
  const shown = (text = "") => (text === "" ? words.noValue.none : (choices[text] ?? readable(text, format)));
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((path) => {
    const label = labels[path]?.label;
    if (label === undefined || was.get(path) === is.get(path)) return [];
    return [{ name: label, was: shown(was.get(path)), is: shown(is.get(path)) }];
  });
}

/** Each value by its path, such as `draft.recipientCount`. */
function flat(values: Values, above = ""): Map<string, string> {
  return new Map(
    Object.entries(values).flatMap(([name, value]): [string, string][] => {
      if (isValues(value)) return [...flat(value, `${above}${name}.`)];
      return [[above + name, value === null || value === undefined ? "" : textOf(value)]];
    }),
  );
}

const isValues = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;
const readable = (text: string, format: Format): string => (moment.test(text) ? format.moment(text) : text);
