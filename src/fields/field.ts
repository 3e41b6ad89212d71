/**
 * A field of an account, a key and so on, declared once: what it accepts, the word for none, and the English of the
 * command and the form. The operation's schema, the command's option, the form's control and its display are derived
 * from this, or the reading of a file's key; the Persian is in the console's words. Anything a form or a command does
 * differently is written by hand beside it.
 */
import type { ShapeCode } from "../domain/json-file.ts";
import type { CodedProblem } from "../domain/operator-problem.ts";

interface FieldWords {
  /**
   * The command's option with its argument: `keep-days <days>`; without one, it means yes. Absent where no command sets
   * it by itself.
   */
  option?: string;
  /** The option's help text. */
  help?: string;
  /** What the command means that leaves the option out. */
  preset?: string;
  /** The label above the form's control, and before the value in command output. */
  label: string;
  /** The hint beside the form's control: what to enter. */
  hint?: string;
  /** Examples of values, the same in every language. */
  examples?: readonly string[];
  /** An example inside the empty control. */
  placeholder?: string;
  /** How its control shows what is typed, where that is not the usual way of its kind. */
  script?: "code" | "digits" | "words";
  inputMode?: "numeric" | "url";
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
/** The id or the name of something that exists. */
interface IdField extends FieldWords {
  kind: "id";
}
/** Text of several lines, whose length the operation checks. */
interface ProseField extends FieldWords {
  kind: "prose";
}
/** A name or an address for programs. */
interface TextField extends FieldWords {
  kind: "text";
  min?: number;
  /** Absent where the pattern says it. */
  max?: number;
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
  /** Commands take a duration: 15m. */
  unit?: "seconds";
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
/** A JSON file. */
interface FileField extends FieldWords {
  kind: "file";
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
  of?: TextField | ChoiceField | "country";
  /** The word for an empty list. A form accepts it too if null does not mean none. */
  empty: string;
  /** How a form separates entries: by spaces or commas, or if they may contain spaces by commas, or by lines. */
  entry?: "name" | "line";
  /** A form shows it on one line. */
  isShort?: true;
  isUpperCase?: true;
  /** A command takes an empty option for none, and a form says that it is optional. */
  mayBeBlank?: true;
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

/** Where a request has a value: `header:X-Request-Id`. */
interface PlaceField extends FieldWords {
  kind: "place";
  words: readonly string[];
  /** Characters of the name there. */
  max: number;
}
/** One of these words, or a number that is written in hexadecimal. */
export interface TagField extends FieldWords {
  kind: "tag";
  words: readonly string[];
  min: number;
  max: number;
}

export type Field =
  | LineField
  | IdField
  | ProseField
  | PlaceField
  | TagField
  | FileField
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
  id: string;
  prose: string;
  file: Record<string, unknown>;
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
      : One extends { kind: "tag"; words: readonly (infer Word)[] }
        ? Word | number
        : One extends { kind: "place"; words: readonly (infer Word)[] }
          ? { from: Word; name: string }
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

type LabelsOf<Table extends FieldTable> = {
  [Name in keyof Table]: Table[Name] extends { hint: string } ? { label: string; hint: string } : { label: string };
};

/** What a form says about each field, in English. */
export const labelsOf = <Table extends FieldTable>(table: Table) =>
  Object.fromEntries(
    Object.entries(table).map(([name, { label, hint }]) => [name, hint === undefined ? { label } : { label, hint }]),
  ) as LabelsOf<Table>;

/** The contents of a form's controls; of a place also its name, of a tag also the number. */
export type FieldTexts<Table extends FieldTable> = { [Name in keyof Table]: string } & {
  [Name in keyof Table & string as SecondControl<Name, Table[Name]["kind"]>]: string;
};

type SecondControl<Name extends string, Kind> = Kind extends "place"
  ? `${Name}Name`
  : Kind extends "tag"
    ? `${Name}Tag`
    : never;

/** Each control of a field, by name. */
export function controlNames(name: string, { kind }: Field): string[] {
  if (kind === "place") return [name, `${name}Name`];
  return kind === "tag" ? [name, `${name}Tag`] : [name];
}

/** As a command shows and accepts it. */
export function fieldText(field: Field, value: unknown): string {
  if (value === null) return field.none ?? "-";
  if (!Array.isArray(value)) return typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
  if (field.kind === "set" && value.length === field.words.length) return field.all;
  if (field.kind === "list" && value.length === 0) return field.empty;
  return value.join(", ");
}
