/** The control values of declared fields, and what was entered in them. */
import { controlNames, type Field, type FieldTable, type FieldTexts, type ValuesOf } from "../../fields/field.ts";
import { isoTime } from "../../platform/clock.ts";
import type { Format } from "../format/format.ts";
import {
  cleanInput,
  listEntries,
  momentForField,
  otherTag,
  parseMoment,
  parseWholeNumber,
  typedTag,
} from "../format/input.ts";
import type { Locale } from "../locale.ts";
import { mergedEdit } from "./merged-edit.ts";

/** What a form posted. */
interface PostedControls {
  has(name: string): boolean;
  text(name: string): string;
  all(name: string): string[];
  raw(name: string): string;
}

/** Of a form in which nothing was typed. */
export const emptyTexts = <Table extends FieldTable>(table: Table) => textsOf(table, () => "");

/** `values`: as in an operation's answer. */
export const shownTexts = <Table extends FieldTable>(
  table: Table,
  values: { readonly [Name in keyof Table]: unknown },
  locale: Locale,
) =>
  textsOf(table, ({ name, field, part }) => shownText(field, partOf(field, Reflect.get(values, name), part), locale));

/** What one of the controls of a place or a tag shows. */
function partOf(field: Field, value: unknown, part: number): unknown {
  if (field.kind === "place" && typeof value === "object" && value !== null)
    return Reflect.get(value, part === 0 ? "from" : "name");
  if (field.kind !== "tag") return value;
  if (typeof value !== "number") return part === 0 ? value : "";
  return part === 0 ? otherTag : `0x${value.toString(16)}`;
}

/** The values of a posted form; a control that it lacks, as in a form of an earlier version, keeps its `now` value. */
export const postedTexts = <Table extends FieldTable>(table: Table, form: PostedControls, now: FieldTexts<Table>) =>
  textsOf(table, ({ control: name, field: { kind, none } }) => {
    if (kind === "secret") return form.raw(name);
    // A box that is not ticked is not posted.
    if (kind === "truth" && none === undefined) return form.text(name);
    if (kind === "set") return form.all(name).join(" ");
    // One for each ticked box, where boxes replace the text.
    if (kind === "list" && form.has(name)) return form.all(name).join(", ").trim();
    return form.has(name) ? form.text(name) : String(Reflect.get(now, name));
  });

/** The input for the operation. A value that cannot be parsed is passed on as typed, for the operation to refuse. */
export function typedValues<Table extends FieldTable>(table: Table, texts: FieldTexts<Table>, { format }: Locale) {
  const values = Object.entries(table).map(([name, field]) => {
    const [text = "", second = ""] = controlNames(name, field).map((one) => String(Reflect.get(texts, one)));
    return [name, typedValue(field, text, { second, format })];
  });
  return Object.fromEntries(values) as ValuesOf<Table>;
}

/** What was posted, with what others have changed meanwhile; the errors are of fields that both changed. */
export function mergedTexts<Table extends FieldTable>(
  table: Table,
  { form, locale }: { form: PostedControls; locale: Locale },
  now: FieldTexts<Table>,
) {
  const edit = { opened: form.raw("opened"), typed: postedTexts(table, form, now), now };
  const { fields: texts, errors } = mergedEdit(edit, locale.words);
  return { texts, errors };
}

/** The values of the fields whose texts differ from these. */
export function changedTexts<Table extends FieldTable>(
  table: Table,
  texts: FieldTexts<Table>,
  now: FieldTexts<Table>,
  locale: Locale,
) {
  const isTouched = (name: string) => Reflect.get(texts, name) !== Reflect.get(now, name);
  const touched = Object.entries(typedValues(table, texts, locale)).filter(([name]) => isTouched(name));
  return Object.fromEntries(touched) as Partial<ValuesOf<Table>>;
}

interface ControlOf {
  /** The field's. */
  name: string;
  field: Field;
  control: string;
  /** Which of the field's controls it is. */
  part: number;
}

function textsOf<Table extends FieldTable>(table: Table, textOf: (control: ControlOf) => string) {
  const texts = Object.entries(table).flatMap(([name, field]) =>
    controlNames(name, field).map((control, part) => [control, textOf({ name, field, control, part })]),
  );
  return Object.fromEntries(texts) as FieldTexts<Table>;
}

function shownText(field: Field, value: unknown, { language, format }: Locale): string {
  if (value === null || value === undefined) return "";
  if (field.kind === "time") return momentForField(Date.parse(String(value)), language, format.zone);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (!Array.isArray(value)) return String(value);
  // An empty control means null where null is allowed.
  if (field.kind === "list" && value.length === 0) return field.none === undefined ? "" : field.empty;
  if (field.kind !== "list") return value.join(" ");
  return value.join(field.isShort ? ", " : field.entry === undefined ? " " : "\n");
}

function typedValue(field: Field, text: string, { second, format }: { second: string; format: Format }): unknown {
  if (text === "" && field.none !== undefined) return null;
  if (text === "" && field.hasDefault) return undefined;
  switch (field.kind) {
    case "number":
      return parseWholeNumber(text) ?? text;
    case "time": {
      const at = parseMoment(text, format);
      return at === null ? text : isoTime(at);
    }
    case "place":
      return { from: text, name: second };
    case "tag":
      return text === otherTag ? typedTag(second) : text;
    case "secret":
      return text === "" ? undefined : text;
    case "sender":
      return cleanInput(text);
    case "text":
      return field.script === "words" ? text : cleanInput(text);
    case "truth":
      if (field.none === undefined) return text === "yes";
      return text === "yes" || text === "no" ? text === "yes" : text;
    case "set":
      return text.split(" ").filter((word) => word !== "");
    case "list": {
      if (text === field.empty) return [];
      const entries = listEntries(text, field.entry);
      if (typeof field.of === "object") return entries.map(cleanInput);
      return field.isUpperCase ? entries.map((one) => one.toUpperCase()) : entries;
    }
    default:
      return text;
  }
}
