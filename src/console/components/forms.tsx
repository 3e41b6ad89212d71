/**
 * Form fields: the label above, the error and the hint below, every value kept after an error, and a summary that links
 * to the fields.
 */
import type { ComponentChildren } from "preact";
import { useLocale } from "../locale.ts";
import { Icon } from "./inline.tsx";

/** Error messages by field name. */
export type FieldErrors = Readonly<Record<string, string>>;

/** What the controls of a form hold. */
export type Texts<Fields> = { readonly [Name in keyof Fields]: string };

/** A form with these fields: what they hold, and what is wrong with it. */
export interface FormState<Name extends string> {
  texts: Readonly<Record<Name, string>>;
  errors: FieldErrors;
}

/** A control's name, text and error. */
export const controlsOf =
  <Fields extends Texts<Fields>>(texts: Fields, errors: FieldErrors) =>
  <Name extends keyof Fields & string>(name: Name) => ({ name, value: texts[name], error: errors[name] });

interface FieldProps {
  name: string;
  label: string;
  /** The expected format, shown before anything is typed. */
  hint?: ComponentChildren;
  error?: string | undefined;
  optional?: boolean;
}

interface DescribedIds {
  id: string;
  describedBy: string | undefined;
}

function idsOf({ name, hint, error }: FieldProps): DescribedIds {
  const id = `field-${name}`;
  const described = [hint === undefined ? null : `${id}-hint`, error === undefined ? null : `${id}-error`];
  return { id, describedBy: described.filter((one) => one !== null).join(" ") || undefined };
}

function Field({ children, ...props }: FieldProps & { children: ComponentChildren }) {
  const { words } = useLocale();
  const { id } = idsOf(props);
  return (
    <div class={props.error === undefined ? "field" : "field field-wrong"}>
      <label for={id}>
        {props.label}
        {props.optional === true ? <span class="field-optional"> {words.forms.optional}</span> : null}
      </label>
      {children}
      <FieldError id={id} error={props.error} />
      {props.hint === undefined ? null : (
        <p class="field-hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
    </div>
  );
}

export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (error === undefined) return null;
  return (
    <p class="field-error" id={`${id}-error`}>
      <Icon name="alert" />
      {error}
    </p>
  );
}

interface InputProps extends FieldProps {
  autocomplete?: string;
  placeholder?: string;
  inputMode?: "numeric" | "tel" | "url";
  script?: Script;
}

/**
 * How typed text is displayed: `code` runs left to right, `digits` does too and uses the language's digits, anything
 * else takes its own direction.
 */
type Script = "code" | "digits";

function scriptClass(script: Script | undefined): string {
  return script === undefined ? "" : ` ${script === "code" ? "control-code" : "digits"}`;
}

/** Common to every control. */
function controlAttributes(props: FieldProps & Pick<InputProps, "script">) {
  const { id, describedBy } = idsOf(props);
  return {
    class: `control${scriptClass(props.script)}`,
    id,
    name: props.name,
    "aria-invalid": props.error === undefined ? undefined : "true",
    "aria-describedby": describedBy,
  } as const;
}

const directionOf = (script: Script | undefined): "auto" | "ltr" => (script === undefined ? "auto" : "ltr");

/** Common to every kind of input. */
const inputAttributes = (props: InputProps) => ({
  ...controlAttributes(props),
  dir: directionOf(props.script),
  autoComplete: props.autocomplete ?? "off",
  inputMode: props.inputMode,
  placeholder: props.placeholder,
});

/** What a field is searched among: `/choices/accounts`. */
export type ChoiceKind = "accounts" | "senders" | "senderNames" | "routes" | "lines" | "keys";

/** The browser's own list below the field, which the keyboard and screen readers know, is filled while one types. */
const offering = (kind: ChoiceKind, id: string) => ({
  list: id,
  "hx-get": `/choices/${kind}`,
  "hx-trigger": "focus once, input changed delay:200ms",
  "hx-target": `#${id}`,
  "hx-swap": "innerHTML",
  "hx-sync": "this:replace",
});

interface TextFieldProps extends InputProps {
  value: string;
  /** Where the choices are too many for a list. */
  choices?: ChoiceKind | undefined;
}

export function TextField({ value, choices, ...props }: TextFieldProps) {
  const offeredId = `${idsOf(props).id}-choices`;
  const offered = choices === undefined ? {} : offering(choices, offeredId);
  return (
    <Field {...props}>
      <input {...inputAttributes(props)} type="text" value={value} {...offered} />
      {choices === undefined ? null : <datalist id={offeredId} />}
    </Field>
  );
}

/** Never sent back to the browser. `isAgain`: the form comes back, so what was typed has to be typed again. */
export function PasswordField({ isAgain = false, ...given }: InputProps & { isAgain?: boolean }) {
  const { words } = useLocale();
  const again = (
    <>
      {given.hint} {words.forms.secretAgain}
    </>
  );
  const props = isAgain ? { ...given, hint: again } : given;
  return (
    <Field {...props}>
      <input {...inputAttributes({ ...props, script: "code" })} type="password" />
    </Field>
  );
}

/** In the page's words: the browser's own, which lie unseen on top, are in the browser's language. */
export function FileField({ accept, ...props }: InputProps & { accept: string }) {
  const { words } = useLocale();
  const { dir: _, autoComplete: __, class: look, ...attributes } = inputAttributes(props);
  return (
    <Field {...props}>
      <div class={`${look} file`}>
        <input {...attributes} type="file" accept={accept} />
        <span class="file-button" aria-hidden="true">
          {words.forms.chooseFile}
        </span>
        <bdi class="file-name" data-none={words.forms.noFile} />
      </div>
    </Field>
  );
}

interface TextAreaProps extends FieldProps {
  value: string;
  rows: number;
  script?: Script;
}

export function TextArea({ value, rows, script, ...props }: TextAreaProps) {
  return (
    <Field {...props}>
      <textarea {...controlAttributes({ ...props, ...(script && { script }) })} rows={rows} dir={directionOf(script)}>
        {value}
      </textarea>
    </Field>
  );
}

interface FormFoldProps {
  title: string;
  /** What is so while nobody changes it. */
  note: string;
  isOpen: boolean;
  children: ComponentChildren;
}

/** A group of a form that few need: one line until it is opened. */
export function FormFold({ title, note, isOpen, children }: FormFoldProps) {
  const { words } = useLocale();
  return (
    <details class="form-fold" open={isOpen}>
      <summary>
        <span class="form-fold-title">{title}</span>
        <span class="form-fold-note">{note}</span>
        <span class="form-fold-open">{words.forms.change}</span>
      </summary>
      <div class="form-group form">{children}</div>
    </details>
  );
}

interface LivePieceProps {
  id: string;
  /** The path that accepts the form and answers with the piece. */
  post: string;
  children: ComponentChildren;
}

/** A piece of a form that is redrawn while the user types. Of a file, only its name is sent. */
export function LivePiece({ id, post, children }: LivePieceProps) {
  return (
    <div
      id={id}
      hx-post={post}
      hx-encoding="application/x-www-form-urlencoded"
      hx-trigger='input from:"closest form" delay:200ms'
      hx-sync="this:replace"
    >
      {children}
    </div>
  );
}

export interface Option {
  value: string;
  label: string;
}

interface SelectFieldProps extends FieldProps {
  value: string;
  options: readonly Option[];
  script?: Script;
}

export function SelectField({ value, options, script, ...props }: SelectFieldProps) {
  return (
    <Field {...props}>
      <select {...controlAttributes({ ...props, ...(script && { script }) })}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  );
}

interface ChoiceProps {
  name: string;
  value: string;
  checked: boolean;
  label: ComponentChildren;
  hint?: string;
  type?: "checkbox" | "radio";
}

export function Choice({ name, value, checked, label, hint, type = "checkbox" }: ChoiceProps) {
  // An id has no space, and "Shatel Mobile" is a network.
  const id = `field-${name}-${encodeURIComponent(value)}`;
  return (
    <div class="choice">
      <input
        type={type}
        id={id}
        name={name}
        value={value}
        checked={checked}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      <label for={id}>{label}</label>
      {hint === undefined ? null : (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** Takes the focus when a form comes back with errors: how many fields are wrong, and a link to each. */
export function ErrorSummary({ errors }: { errors: FieldErrors }) {
  const { words, format } = useLocale();
  const wrong = Object.keys(errors).length;
  if (wrong === 0) return null;
  return (
    <div class="summary tint-bad" role="alert" tabIndex={-1} id="summary" data-focus="">
      <p class="summary-title">
        <Icon name="alert" />
        {words.forms.summary(format.count(wrong))}
      </p>
      <WrongFields errors={errors} />
    </div>
  );
}

/** A link to each. */
export function WrongFields({ errors }: { errors: FieldErrors }) {
  return (
    <ul>
      {Object.entries(errors).map(([name, error]) => (
        <li key={name}>
          <a href={`#field-${name}`}>{error}</a>
        </li>
      ))}
    </ul>
  );
}
