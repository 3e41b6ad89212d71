/**
 * A field of an account, a key and so on, declared once: what it accepts, the word for none, and the English of the
 * command and the form. The operation's schema, the command's option, the form's control and its display are derived
 * from this, or the reading of a file's key; the Persian is in the console's words. Anything a form or a command does
 * differently is written by hand beside it.
 */
import type { ShapeCode } from "../domain/json-file.ts";
import type { CodedProblem } from "../domain/operator-problem.ts";

interface FieldWords {
  /** The command's option with its argument: `keep-days <days>`. Absent where no command sets it by itself. */
  option?: string;
  /** The option's help text. */
  help?: string;
  /** The label above the form's control, and before the value in command output. */
  label: string;
  /** The hint beside the form's control: what to enter. */
  hint?: string;
  /** Examples of values, the same in every language. */
  examples?: readonly string[];
  /** The word for null. In a form, null is an empty control. */
  none?: string;
  /** An empty control leaves it to a default when the thing is created, and unchanged later. */
  hasDefault?: true;
  /** Must not be empty. */
  isRequired?: true;
  /** `operator`: no customer sets it. `narrow`: a customer may only narrow what an operator set. */
  may?: "operator" | "narrow";
  /** The part of the form that has it; `beside`: in the same row as the one before. */
  group?: string;
  beside?: true;
}

interface LineField extends FieldWords {
  kind: "line";
  /** It may be empty. */
  min?: 0;
  max: number;
}
/** A number or name that messages are sent under. */
interface SenderField extends FieldWords {
  kind: "sender";
}
/** A name or an address for programs. */
interface TextField extends FieldWords {
  kind: "text";
  min?: number;
  max: number;
  pattern?: RegExp;
  /** What a file's reader reports if the text does not match the pattern; `problem`: what an operation does. */
  shape?: ShapeCode;
  problem?: CodedProblem;
  /** What a file means that leaves it out; absent: null. */
  otherwise?: string;
}
/** Sealed when it is stored, and never shown again. */
interface SecretField extends FieldWords {
  kind: "secret";
  max: number;
}
interface NumberField extends FieldWords {
  kind: "number";
  min: number;
  max: number;
  fractions?: true;
  otherwise?: number;
}
/** Whole numbers, in any order. */
interface NumbersField extends FieldWords {
  kind: "numbers";
  min: number;
  max: number;
  countMax: number;
}
/** What only JSON can write. */
interface JsonField extends FieldWords {
  kind: "json";
}
interface TimeField extends FieldWords {
  kind: "time";
}
interface ChoiceField extends FieldWords {
  kind: "choice";
  /** A file that leaves it out means the first. */
  words: readonly string[];
}
interface TruthField extends FieldWords {
  kind: "truth";
}
interface ListField extends FieldWords {
  kind: "list";
  /** Numbers of entries. */
  min?: number;
  max: number;
  /** What each of them is; absent: any text. */
  of?: TextField | ChoiceField;
  /** The word for an empty list. A form accepts it too if null does not mean none. */
  empty: string;
  /** How a form separates entries: by spaces or commas, or if they may contain spaces by commas, or by lines. */
  entry?: "name" | "line";
  /** A form shows it on one line. */
  isShort?: true;
  isUpperCase?: true;
}
/** One or more of these words. */
interface SetField extends FieldWords {
  kind: "set";
  words: readonly string[];
  /** The word for all of them. */
  all: string;
  /** None of them means all as well. */
  mayBeEmpty?: true;
}

export type Field =
  | LineField
  | SenderField
  | TextField
  | SecretField
  | NumberField
  | NumbersField
  | JsonField
  | TimeField
  | ChoiceField
  | TruthField
  | ListField
  | SetField;
export type FieldTable = Readonly<Record<string, Field>>;

interface Values {
  line: string;
  sender: string;
  text: string;
  secret: string;
  number: number;
  numbers: number[];
  json: unknown;
  /** ISO 8601. */
  time: string;
  truth: boolean;
  list: string[];
}

export type ValueOf<One extends Field> =
  | (One extends { kind: "choice"; words: readonly (infer Word)[] }
      ? Word
      : One extends { words: readonly (infer Word)[] }
        ? Word[]
        : One extends { of: { words: readonly (infer Word)[] } }
          ? Word[]
          : One extends { kind: keyof Values }
            ? Values[One["kind"]]
            : never)
  | (One extends { none: string } ? null : never);

export type ValuesOf<Table extends FieldTable> = { [Name in keyof Table]: ValueOf<Table[Name]> };

/** Some fields of a table, in this order. */
export const pick = <Table extends FieldTable, Name extends keyof Table>(table: Table, ...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<Table, Name>;

/** A whole number between limits, inclusive; `otherwise`: what a file means that leaves it out. */
export function between(
  min: number,
  max: number,
): { readonly kind: "number"; readonly min: number; readonly max: number };
export function between(
  min: number,
  max: number,
  otherwise: number,
): { readonly kind: "number"; readonly min: number; readonly max: number; readonly otherwise: number };
export function between(min: number, max: number, otherwise?: number) {
  return { kind: "number", min, max, ...(otherwise !== undefined && { otherwise }) } as const;
}

/** Fields of one part of a form. */
export const inGroup = <const Table extends FieldTable>(group: string, table: Table) =>
  Object.fromEntries(Object.entries(table).map(([name, field]) => [name, { ...field, group }])) as Table;

/** The fields that only operators set, or that customers may only narrow. */
export const namesThatMay = (table: FieldTable, may: "operator" | "narrow"): string[] =>
  Object.entries(table).flatMap(([name, field]) => (field.may === may ? [name] : []));

type LabelsOf<Table extends FieldTable> = {
  [Name in keyof Table]: Table[Name] extends { hint: string } ? { label: string; hint: string } : { label: string };
};

/** What a form says about each field, in English. */
export const labelsOf = <Table extends FieldTable>(table: Table) =>
  Object.fromEntries(
    Object.entries(table).map(([name, { label, hint }]) => [name, hint === undefined ? { label } : { label, hint }]),
  ) as LabelsOf<Table>;

/** The contents of a form's controls. */
export type FieldTexts<Table extends FieldTable> = { [Name in keyof Table]: string };

/** As a command shows and accepts it. */
export function fieldText(field: Field, value: unknown): string {
  if (value === null) return field.none ?? "-";
  if (!Array.isArray(value)) return typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
  if (field.kind === "set" && value.length === field.words.length) return field.all;
  if (field.kind === "list" && value.length === 0) return field.empty;
  return value.join(", ");
}
