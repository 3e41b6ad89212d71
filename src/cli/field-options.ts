/** A command's options, made from declared fields, and the values given for them. */
import { type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { type Field, type FieldTable, fieldText, type TagField, type ValueOf, type ValuesOf } from "../fields/field.ts";
import { UsageError } from "./errors.ts";
import { shortTime } from "./text.ts";
import { timeHelp, timeText } from "./time.ts";
import { collect, collectAny, durationSeconds, isOnly, oneWordOf, signedNumber, wholeNumber } from "./values.ts";

const flagOf = ({ option = "" }: Field) => `--${option.replace(/ .*/, "")}`;
/** Those that a command sets by themselves. */
const optionsOf = (table: FieldTable = {}) => Object.entries(table).filter(([, { option }]) => option !== undefined);
const isList = ({ kind }: Field) => kind === "list" || kind === "set";
/** In commander's spelling: `allowFrom`. */
const keyOf = (field: Field) =>
  flagOf(field)
    .slice(2)
    .replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** All of them are optional. */
export const withFields = <Command extends CommandUnknownOpts>(command: Command, table?: FieldTable): Command =>
  withOptions(command, table, () => false);

/** Of something new: those that are declared as required have to be given. */
export const withNewFields = <Command extends CommandUnknownOpts>(command: Command, table?: FieldTable): Command =>
  withOptions(command, table, ({ isRequired, preset }) => isRequired === true && preset === undefined);

function withOptions<Command extends CommandUnknownOpts>(
  command: Command,
  table: FieldTable | undefined,
  isMandatory: (field: Field) => boolean,
): Command {
  for (const [, field] of optionsOf(table)) {
    const { help: words = "", preset } = field;
    const help = field.kind === "time" ? words.replace(/\bdate\b/, timeHelp) : words;
    const option = new Option(`--${field.option}`, help).default(preset).makeOptionMandatory(isMandatory(field));
    if (isList(field)) option.argParser(field.kind === "list" && field.mayBeBlank ? collectAny : collect);
    command.addOption(option);
  }
  return command;
}

/** The options given, without those left out. @throws UsageError */
export const saidFields = <Table extends FieldTable>(table: Table, options: object): Partial<ValuesOf<Table>> =>
  Object.fromEntries(saidEntries(table, options));

/** The same for something new, whose required options were given. @throws UsageError */
export const saidNewFields = <Table extends FieldTable>(table: Table | undefined, options: object): NewValues<Table> =>
  Object.fromEntries(saidEntries(table, options));

const saidEntries = (table: FieldTable | undefined, options: object) =>
  optionsOf(table).flatMap(([name, field]) => {
    const given: unknown = Reflect.get(options, keyOf(field));
    return given === undefined ? [] : [[name, saidValue(field, given)]];
  });

export type NewValues<Table extends FieldTable> = Partial<ValuesOf<Table>> & {
  [Name in keyof Table as Table[Name] extends { isRequired: true } | { preset: string } ? Name : never]: ValueOf<
    Table[Name]
  >;
};

/** For a change, which needs at least one option. @throws UsageError */
export function saidChange<Table extends FieldTable>(table: Table, options: object): Partial<ValuesOf<Table>> {
  const change = saidFields(table, options);
  if (Object.keys(change).length > 0) return change;
  const flags = optionsOf(table).map(([, field]) => flagOf(field));
  throw new UsageError(`Say at least one of ${flags.slice(0, -1).join(", ")} and ${flags.at(-1)}.`);
}

function saidValue(field: Field, given: unknown): unknown {
  if (Array.isArray(given)) return listOf(field, given.map(String));
  if (given === true) return given;
  const [flag, text] = [flagOf(field), String(given)];
  if (field.none === text) return null;
  switch (field.kind) {
    case "number":
      if (field.unit === "seconds") return durationSeconds(flag, text);
      if (field.min < 0) return signedNumber(flag, text, field.max);
      return wholeNumber(flag, text, field.min, field.max);
    case "time":
      return timeText(flag, text);
    case "choice":
      return oneWordOf(flag, field.words, text);
    case "place":
      return placeOf(flag, field.words, text);
    case "tag":
      return tagOf(flag, field, text);
    case "truth":
      return oneWordOf(flag, ["yes", "no", ...(field.none === undefined ? [] : [field.none])], text) === "yes";
    default:
      return text;
  }
}

function placeOf(flag: string, places: readonly string[], text: string) {
  const [place = "", ...name] = text.split(":");
  if (name.length === 0 || name[0] === "")
    throw new UsageError(`${flag} must be such as header:X-Request-Id or json:metadata.uuid, not "${text}".`);
  return { from: oneWordOf(flag, places, place), name: name.join(":") };
}

function tagOf(flag: string, { words, min, max }: TagField, text: string): string | number {
  if (words.includes(text)) return text;
  const tag = /^0x[0-9a-f]{4}$/i.test(text) ? Number(text) : 0;
  if (tag >= min && tag <= max) return tag;
  const range = `a tag from 0x${min.toString(16)} to 0x${max.toString(16)}`;
  throw new UsageError(`${flag} must be ${words.join(", ")}, or ${range}, not "${text}".`);
}

function listOf(field: Field, entries: readonly string[]): unknown {
  if (field.none !== undefined && isOnly(entries, field.none)) return null;
  if (field.kind === "set") {
    if (isOnly(entries, field.all)) return field.mayBeEmpty ? [] : field.words;
    return entries.map((word) => oneWordOf(flagOf(field), field.words, word));
  }
  if (field.kind !== "list") return [];
  const { of } = field;
  if (typeof of === "object" && of.kind === "choice")
    return entries.map((word) => oneWordOf(flagOf(field), of.words, word));
  if (isOnly(entries, field.empty)) return [];
  return field.isUpperCase === true ? entries.map((entry) => entry.toUpperCase()) : entries;
}

/** The rows that a command prints: label and value. */
export const fieldRows = <Table extends FieldTable>(
  table: Table,
  values: { readonly [Name in keyof Table]: unknown },
) => Object.entries(table).map(([name, field]) => [field.label, shownText(field, Reflect.get(values, name))] as const);

const shownText = (field: Field, value: unknown) =>
  field.kind === "time" && typeof value === "string" ? shortTime(value) : fieldText(field, value);
