/**
 * A field of an account, a key …, declared once: what it takes, the words for none, and the English of the command and the form.
 * The operation's schema, the command's option, the form's control and what is shown of it are made from this; the Persian stands
 * in the console's words. What a form or a command wants to have better is written beside, by hand.
 */

interface FieldWords {
  /** The command's option and what stands behind it: `keep-days <days>`. */
  option: string;
  /** Behind the option in the command's help. */
  help: string;
  /** Above the form's control, and before the value where a command shows it. */
  label: string;
  /** Beside the form's control: what is expected there. */
  hint: string;
  /** How it may be written, the same in every language. */
  examples?: readonly string[];
  /** The word for null. A form says it by an empty control. */
  none?: string;
}

interface LineField extends FieldWords {
  kind: "line";
  max: number;
}
/** A number or name under which messages are sent. */
interface SenderField extends FieldWords {
  kind: "sender";
}
interface NumberField extends FieldWords {
  kind: "number";
  min: number;
  max: number;
}
interface TimeField extends FieldWords {
  kind: "time";
}
interface ChoiceField extends FieldWords {
  kind: "choice";
  words: readonly string[];
}
interface TruthField extends FieldWords {
  kind: "truth";
}
interface ListField extends FieldWords {
  kind: "list";
  /** Of entries. */
  max: number;
  /** The word for no entry. A form takes it, too, where null has another meaning than none. */
  empty: string;
  /** In a form each stands on a line of its own: an entry may hold spaces. */
  isLines?: true;
  isUpperCase?: true;
}
/** Some of these words, at least one. */
interface SetField extends FieldWords {
  kind: "set";
  words: readonly string[];
  /** The word for all of them. */
  all: string;
}

export type Field = LineField | SenderField | NumberField | TimeField | ChoiceField | TruthField | ListField | SetField;
export type FieldTable = Readonly<Record<string, Field>>;

interface Values {
  line: string;
  sender: string;
  number: number;
  /** ISO 8601. */
  time: string;
  truth: boolean;
  list: string[];
}

export type ValueOf<One extends Field> =
  | (One extends { kind: "choice"; words: readonly (infer Word)[] }
      ? Word
      : One extends { kind: "set"; words: readonly (infer Word)[] }
        ? Word[]
        : One extends { kind: keyof Values }
          ? Values[One["kind"]]
          : never)
  | (One extends { none: string } ? null : never);

export type ValuesOf<Table extends FieldTable> = { [Name in keyof Table]: ValueOf<Table[Name]> };

/** What stands in the controls of a form. */
export type FieldTexts<Table extends FieldTable> = { [Name in keyof Table]: string };

/** As a command shows and takes it. */
export function fieldText(field: Field, value: unknown): string {
  if (value === null) return field.none ?? "-";
  if (!Array.isArray(value)) return typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
  if (field.kind === "set" && value.length === field.words.length) return field.all;
  if (field.kind === "list" && value.length === 0) return field.empty;
  return value.join(", ");
}
