/** Form controls and card facts generated from declared fields. */

import type { ComponentChildren, VNode } from "preact";
import { controlNames, type Field, type FieldTable } from "../../fields/field.ts";
import { listEntries, otherTag } from "../format/input.ts";
import { type Locale, useLocale } from "../locale.ts";
import { type Fact, Facts } from "./blocks.tsx";
import {
  Choice,
  FieldError,
  type FieldErrors,
  type Option,
  PasswordField,
  SelectField,
  TextArea,
  TextField,
} from "./forms.tsx";
import { Code, Phone, Time } from "./inline.tsx";
import { useIsCustomer } from "./navigation.tsx";

interface FieldSaid {
  label: string;
  hint?: string;
  /** In place of the declared ones. */
  examples?: readonly string[];
  /** The names of its words, where `words.choices` has others for them. */
  choices?: Readonly<Record<string, string>>;
  /** What it means to choose nothing. */
  none?: string;
  /** Of the second control. */
  second?: { label: string; hint?: string };
  placeholder?: string;
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
  /** The look of a row of fields that stand beside each other. */
  row?: "form-columns form-columns-2" | "form-row";
}

type Inherited = Readonly<Record<string, unknown>>;

/** In declaration order. */
export function DeclaredFields({ table, row = "form-columns form-columns-2", ...props }: DeclaredFieldsProps) {
  const rows: VNode[][] = [];
  for (const [name, field] of Object.entries(table)) {
    const [first = <></>, ...second] = controlsOfField(name, field, props);
    const last = rows.at(-1);
    if (field.beside && last !== undefined) last.push(first);
    else rows.push([first]);
    rows.push(...second.map((one) => [one]));
  }
  return (
    <>
      {rows.map((controls) =>
        controls.length === 1 ? (
          controls
        ) : (
          <div key={controls[0]?.key} class={row}>
            {controls}
          </div>
        ),
      )}
    </>
  );
}

function controlsOfField(
  name: string,
  field: Field,
  { said, texts, errors, inherited = {}, limits = {} }: Omit<DeclaredFieldsProps, "table" | "row">,
): VNode[] {
  return controlNames(name, field).map((control, part) => (
    <Control
      key={control}
      name={control}
      {...{ field, part, said: said[name] ?? { label: name } }}
      text={texts[control] ?? ""}
      error={errors[control] ?? (part > 0 ? errors[name] : undefined)}
      isAgain={Object.keys(errors).length > 0}
      inherited={inherited[name]}
      limit={field.may === "narrow" ? (limits[name] ?? null) : null}
    />
  ));
}

interface ControlProps {
  field: Field;
  name: string;
  /** Which of the field's controls it is. */
  part: number;
  said: FieldSaid;
  text: string;
  error: string | undefined;
  /** The form was refused. */
  isAgain: boolean;
  inherited: unknown;
  limit: unknown;
}

function Control(props: ControlProps) {
  const { field, name, part, said, text, error, limit } = props;
  const locale = useLocale();
  const { label } = said;
  const bound = limit === null ? null : <Limit field={field} limit={limit} />;
  const usual = usualHint(props, locale);
  const hint =
    bound === null ? (
      usual
    ) : (
      <>
        {usual} {bound}
      </>
    );
  const shared = { name, label, error, ...(hint !== undefined && { hint }) };
  const { placeholder = field.placeholder } = said;
  const typed = { ...shared, ...lookOf(field), ...(placeholder !== undefined && { placeholder }) };
  switch (field.kind) {
    case "secret":
      return <PasswordField {...typed} isAgain={props.isAgain} autocomplete="new-password" />;
    case "list":
      if (said.options !== undefined) return <TickedList {...{ name, label, error, text }} options={said.options} />;
      if (field.isShort) return <TextField {...typed} value={text} optional />;
      return <TextArea {...shared} {...typed} value={text} rows={3} optional={field.mayBeBlank === true} />;
    case "place":
    case "tag":
      if (part > 0)
        return <TextField {...typed} hint={undefined} label={label} {...said.second} value={text} optional />;
      return <SelectField {...shared} value={text} options={optionsOf(props, locale)} />;
    case "truth":
    case "choice":
      if (field.kind === "choice" || field.none !== undefined)
        return <SelectField {...shared} value={text} options={optionsOf(props, locale)} />;
      return <Choice {...said} name={name} value="yes" checked={text === "yes"} />;
    case "set":
      return <TickedSet {...props} bound={bound} />;
    default:
      return <TextField {...typed} value={text} optional={isOptional(field)} />;
  }
}

const isOptional = (field: Field) =>
  field.none !== undefined || field.hasDefault === true || (field.kind === "line" && field.min === 0);

interface TextLook {
  script?: "code" | "digits";
  inputMode?: "numeric" | "url";
}

const usualLooks = {
  time: { script: "digits" },
  sender: { script: "digits" },
  number: { script: "digits", inputMode: "numeric" },
  tag: { script: "code" },
} as const;

/** How what is typed is shown: by the field's kind, unless the field says otherwise. */
function lookOf(field: Field): TextLook {
  const usual: Partial<Record<Field["kind"], TextLook>> = usualLooks;
  const { kind, script, inputMode } = field;
  const isOfNames = field.kind === "list" && field.isShort && field.entry === "name";
  const isWords = isOfNames || (kind === "line" && field.examples === undefined);
  const { script: own, ...look } = {
    script: isWords ? ("words" as const) : ("code" as const),
    ...usual[kind],
    ...(inputMode !== undefined && { inputMode }),
    ...(script !== undefined && { script }),
  };
  return own === "words" ? look : { ...look, script: own };
}

/** The words of a choice, and what it means to choose none of them. */
function optionsOf({ field, said, inherited }: ControlProps, { words }: Locale): Option[] {
  const choices: Readonly<Record<string, string>> = said.choices ?? words.choices;
  const settled = inherited === undefined ? words.noValue.none : choices[inherited === true ? "yes" : "no"];
  const none = said.none ?? words.noValue.asSettings(settled ?? "");
  const all = "words" in field ? field.words : ["yes", "no"];
  const values = field.kind === "tag" ? [...all, otherTag] : all;
  return [
    ...(field.none === undefined ? [] : [{ value: "", label: none }]),
    ...values.map((value) => ({ value, label: choices[value] ?? value })),
  ];
}

function TickedSet({ field, name, said, text, bound }: ControlProps & { bound: ComponentChildren }) {
  const { words } = useLocale();
  const choices: Readonly<Record<string, string>> = said.choices ?? words.choices;
  return (
    <fieldset class="field">
      <legend>{said.label}</legend>
      {bound === null ? null : <p class="muted">{bound}</p>}
      {("words" in field ? field.words : []).map((word) => (
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

/** Who set the limit of a value, and to what where that is not the value beside it. */
export function Limit({ field, limit, beside }: { field: Field; limit: unknown; beside?: string }) {
  const locale = useLocale();
  const setBy = locale.words.limitSetBy[useIsCustomer() ? "provider" : "operator"];
  const shown = shownValue(field, limit, locale);
  return shown === beside ? (
    setBy
  ) : (
    <>
      {setBy}: {shown}.
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
export function declaredFacts(table: FieldTable, { said, values, inherited }: DeclaredFacts, locale: Locale): Fact[] {
  return Object.entries(table).map(([name, field]) => [
    said[name]?.label ?? name,
    shownOrInherited(field, values[name], inherited[name], locale),
  ]);
}

/** It differs from what an account has that nobody has changed. */
const isSet = (field: Field, value: unknown): boolean =>
  value !== null && !(field.kind === "choice" && value === field.words[0]);

/** The settings that differ from the default, and the others. */
export function settingFacts(table: FieldTable, facts: DeclaredFacts, locale: Locale) {
  const factsOf = (isOwn: boolean) => {
    const those = Object.entries(table).filter(([name, field]) => isSet(field, facts.values[name]) === isOwn);
    return declaredFacts(Object.fromEntries(those), facts, locale);
  };
  return { own: factsOf(true), usual: factsOf(false) };
}

/** What differs from the default stands open; the rest is one line. */
export function SettingFacts({ own, usual }: { own: readonly Fact[]; usual: readonly Fact[] }) {
  const { format, words } = useLocale();
  return (
    <>
      {own.length === 0 ? null : <Facts facts={own} />}
      {usual.length === 0 ? null : (
        <details class="by-default">
          <summary>
            <span class="strong">{words.noValue.others(format.count(usual.length))}</span>{" "}
            <span class="muted">{words.noValue.bySettings}</span>
          </summary>
          <Facts facts={usual} />
        </details>
      )}
    </>
  );
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
