/** Form controls and card facts generated from declared fields. */

import type { ComponentChildren } from "preact";
import type { Field, FieldTable } from "../../fields/field.ts";
import { listEntries } from "../format/input.ts";
import { type Locale, useLocale } from "../locale.ts";
import { Choice, FieldError, type FieldErrors, type Option, SelectField, TextArea, TextField } from "./forms.tsx";
import { Code, Phone, Time } from "./inline.tsx";
import { useIsCustomer } from "./navigation.tsx";

interface FieldSaid {
  label: string;
  hint?: string;
  /** In place of the declared ones. */
  examples?: readonly string[];
  /** The names of its words, where `words.choices` has others for them. */
  choices?: Readonly<Record<string, string>>;
  /** Of a list, when all that it can contain is known: one to tick each. Typed entries that are none of them stay. */
  options?: readonly Option[];
}

interface DeclaredFieldsProps {
  table: FieldTable;
  said: Readonly<Record<string, FieldSaid>>;
  /** The value of each control. */
  texts: Readonly<Record<string, string>>;
  errors: FieldErrors;
  /** What an empty control means, by field: the values in the service's settings. */
  inherited?: Inherited;
  /** What an operator set, by field: customers may only narrow it. */
  limits?: Readonly<Record<string, unknown>> | undefined;
}

type Inherited = Readonly<Record<string, unknown>>;

/** In declaration order. */
export function DeclaredFields({ table, said, texts, errors, inherited = {}, limits = {} }: DeclaredFieldsProps) {
  return (
    <>
      {Object.entries(table).map(([name, field]) => {
        const own = said[name] ?? { label: name };
        return (
          <Control
            key={name}
            {...{ field, name, said: own }}
            text={texts[name] ?? ""}
            error={errors[name]}
            inherited={inherited[name]}
            limit={field.may === "narrow" ? (limits[name] ?? null) : null}
          />
        );
      })}
    </>
  );
}

interface ControlProps {
  field: Field;
  name: string;
  said: FieldSaid;
  text: string;
  error: string | undefined;
  inherited: unknown;
  limit: unknown;
}

function Control({ field, name, said, text, error, inherited, limit }: ControlProps) {
  const locale = useLocale();
  const { words } = locale;
  const { label } = said;
  const choices: Readonly<Record<string, string>> = said.choices ?? words.choices;
  const bound = limit === null ? null : <Limit field={field} limit={limit} />;
  const usual = usualHint({ field, said, inherited }, locale);
  const hint =
    bound === null ? (
      usual
    ) : (
      <>
        {usual} {bound}
      </>
    );
  const shared = { name, label, error, ...(hint !== undefined && { hint }) };
  const optional = field.none !== undefined || field.hasDefault === true;
  switch (field.kind) {
    case "line": {
      const script = field.examples === undefined ? {} : { script: "code" as const };
      return <TextField {...shared} {...script} value={text} size="medium" optional={optional} />;
    }
    case "time":
      return <TextField {...shared} value={text} size="medium" script="digits" optional={optional} />;
    case "sender":
      return <TextField {...shared} value={text} size="short" script="digits" optional={optional} />;
    case "number":
      return (
        <TextField {...shared} value={text} size="short" inputMode="numeric" script="digits" optional={optional} />
      );
    case "list":
      if (said.options !== undefined) return <TickedList {...{ name, label, error, text }} options={said.options} />;
      if (field.isShort) {
        const script = field.entry === "name" ? {} : { script: "code" as const };
        return <TextField {...shared} {...script} value={text} optional />;
      }
      return <TextArea {...shared} value={text} rows={3} script="code" />;
    case "choice":
    case "truth": {
      const values = field.kind === "choice" ? field.words : ["yes", "no"];
      const settled = inherited === undefined ? words.noValue.none : choices[inherited === true ? "yes" : "no"];
      const none = field.none !== undefined ? [{ value: "", label: words.noValue.asSettings(settled ?? "") }] : [];
      const options = [...none, ...values.map((value) => ({ value, label: choices[value] ?? value }))];
      return <SelectField {...shared} value={text} options={options} />;
    }
    case "set":
      return (
        <fieldset class="field">
          <legend>{label}</legend>
          {bound === null ? null : <p class="muted">{bound}</p>}
          {field.words.map((word) => (
            <Choice
              key={word}
              name={name}
              value={word}
              checked={text.split(" ").includes(word)}
              {...(said.choices === undefined
                ? { label: <Code>{word}</Code>, hint: choices[word] ?? "" }
                : { label: choices[word] ?? word })}
            />
          ))}
        </fieldset>
      );
  }
}

function usualHint({ field, said, inherited }: Pick<ControlProps, "field" | "said" | "inherited">, locale: Locale) {
  const { examples = field.examples } = said;
  const told = examples === undefined ? said.hint : withExamples(said.hint, examples);
  if (inherited === undefined || field.kind === "truth") return told;
  return (
    <>
      {told} {locale.words.noValue.ifEmpty} {shownValue(field, inherited, locale)}.
    </>
  );
}

/** Who set the limit of a value, and to what. */
export function Limit({ field, limit }: { field: Field; limit: unknown }) {
  const locale = useLocale();
  const setBy = locale.words.limitSetBy[useIsCustomer() ? "provider" : "operator"];
  return (
    <>
      {setBy} {shownValue(field, limit, locale)}.
    </>
  );
}

interface TickedListProps extends Pick<ControlProps, "name" | "text" | "error"> {
  label: string;
  options: readonly Option[];
}

function TickedList({ name, label, text, error, options }: TickedListProps) {
  const { words } = useLocale();
  const ticked = listEntries(text, "name");
  const others = ticked.filter((one) => options.every(({ value }) => value !== one));
  const id = `field-${name}`;
  return (
    <fieldset
      class={error === undefined ? "field" : "field field-wrong"}
      id={id}
      tabIndex={-1}
      aria-describedby={error === undefined ? undefined : `${id}-error`}
    >
      <legend>
        {label} <span class="field-optional">{words.forms.optional}</span>
      </legend>
      <div class="ticks">
        {[...options, ...others.map((value) => ({ value, label: value }))].map((one) => (
          <Choice
            key={one.value}
            name={name}
            value={one.value}
            checked={ticked.includes(one.value)}
            label={<bdi>{one.label}</bdi>}
          />
        ))}
      </div>
      <FieldError id={id} error={error} />
    </fieldset>
  );
}

/** An example of the expected format, the same in every language. */
export function withExamples(hint: string | undefined, examples: readonly string[]) {
  return (
    <>
      {hint}
      {hint === undefined ? null : " "}
      {examples.map((one, index) => (
        <span key={one}>
          {index === 0 ? null : " · "}
          <Code>{one}</Code>
        </span>
      ))}
    </>
  );
}

interface DeclaredFacts {
  said: Readonly<Record<string, FieldSaid>>;
  values: Readonly<Record<string, unknown>>;
  inherited: Inherited;
}

/** Each field's label and value, for a list of facts. */
export function declaredFacts(
  table: FieldTable,
  { said, values, inherited }: DeclaredFacts,
  locale: Locale,
): [label: string, value: ComponentChildren][] {
  return Object.entries(table).map(([name, field]) => [
    said[name]?.label ?? name,
    shownOrInherited(field, values[name], inherited[name], locale),
  ]);
}

function shownOrInherited(field: Field, value: unknown, inherited: unknown, locale: Locale): ComponentChildren {
  if (value !== null || inherited === undefined) return shownValue(field, value, locale);
  return (
    <>
      {shownValue(field, inherited, locale)} <span class="muted">· {locale.words.noValue.bySettings}</span>
    </>
  );
}

function shownValue(field: Field, value: unknown, { words, format }: Locale): ComponentChildren {
  const choices: Readonly<Record<string, string>> = words.choices;
  if (value === null) return field.none === "default" ? words.noValue.withMessages : words.noValue.none;
  if (typeof value === "boolean") return value ? choices.yes : choices.no;
  if (typeof value === "number") return format.number(value);
  if (field.kind === "sender") return <Phone number={String(value)} />;
  if (field.kind === "time") return <Time at={Date.parse(String(value))} as="date" />;
  if (field.kind === "choice") return choices[String(value)] ?? String(value);
  if (field.kind === "list" && Array.isArray(value) && value.length === 0) {
    return field.empty === "all" ? words.noValue.everyCountry : words.noValue.none;
  }
  return <Code>{Array.isArray(value) ? value.join(", ") : String(value)}</Code>;
}
