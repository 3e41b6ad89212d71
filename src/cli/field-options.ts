/** A command's options, made from declared fields, and the values given for them. */
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { type Field, type FieldTable, fieldText, type ValuesOf } from "../fields/field.ts";
import { UsageError } from "./errors.ts";
import { shortTime } from "./text.ts";
import { timeHelp, timeText } from "./time.ts";
import { collect, isOnly, oneWordOf, wholeNumber } from "./values.ts";

const flagOf = ({ option = "" }: Field) => `--${option.replace(/ .*/, "")}`;
/** Those that a command sets by themselves. */
const optionsOf = (table: FieldTable) => Object.entries(table).filter(([, { option }]) => option !== undefined);
const isList = ({ kind }: Field) => kind === "list" || kind === "set";
/** In commander's spelling: `allowFrom`. */
const keyOf = (field: Field) =>
  flagOf(field)
    .slice(2)
    .replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

export function withFields<Command extends CommandUnknownOpts>(command: Command, table: FieldTable): Command {
  for (const [, field] of optionsOf(table)) {
    const { help: words = "" } = field;
    const help = field.kind === "time" ? words.replace(/date$/, timeHelp) : words;
    if (isList(field)) command.option(`--${field.option}`, help, collect);
    else command.option(`--${field.option}`, help);
  }
  return command;
}

/** The options given, without those left out. @throws UsageError */
export function saidFields<Table extends FieldTable>(table: Table, options: object): Partial<ValuesOf<Table>> {
  const said = optionsOf(table).flatMap(([name, field]) => {
    const given: unknown = Reflect.get(options, keyOf(field));
    return given === undefined ? [] : [[name, saidValue(field, given)]];
  });
  return Object.fromEntries(said);
}

/** The same for a change, which needs at least one option. @throws UsageError */
export function saidChange<Table extends FieldTable>(table: Table, options: object): Partial<ValuesOf<Table>> {
  const change = saidFields(table, options);
  if (Object.keys(change).length > 0) return change;
  const flags = optionsOf(table).map(([, field]) => flagOf(field));
  throw new UsageError(`Say at least one of ${flags.slice(0, -1).join(", ")} and ${flags.at(-1)}.`);
}

function saidValue(field: Field, given: unknown): unknown {
  if (Array.isArray(given)) return listOf(field, given.map(String));
  const [flag, text] = [flagOf(field), String(given)];
  if (field.none === text) return null;
  switch (field.kind) {
    case "number":
      return wholeNumber(flag, text, field.min, field.max);
    case "time":
      return timeText(flag, text);
    case "choice":
      return oneWordOf(flag, field.words, text);
    case "truth":
      return oneWordOf(flag, ["yes", "no", ...(field.none === undefined ? [] : [field.none])], text) === "yes";
    default:
      return text;
  }
}

function listOf(field: Field, entries: readonly string[]): unknown {
  if (field.none !== undefined && isOnly(entries, field.none)) return null;
  if (field.kind === "set") {
    if (isOnly(entries, field.all)) return field.mayBeEmpty ? [] : field.words;
    return entries.map((word) => oneWordOf(flagOf(field), field.words, word));
  }
  if (field.kind !== "list") return [];
  const { of } = field;
  if (of?.kind === "choice") return entries.map((word) => oneWordOf(flagOf(field), of.words, word));
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
