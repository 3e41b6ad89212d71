/** A form that changes something: every drawing of it carries a number of its own, by which a repeat of it is known. */
import { createContext, type JSX } from "preact";
import { useContext } from "preact/hooks";

/** Gives every form of a page another number. */
export type NextFormNumber = () => string;

const FormNumbersContext = createContext<NextFormNumber | null>(null);

export const FormNumbersProvider = FormNumbersContext.Provider;

/** The name of the field. */
export const formNumberField = "form-number";

type PostFormProps = Omit<JSX.IntrinsicElements["form"], "method">;

export function PostForm({ children, ...form }: PostFormProps) {
  const nextNumber = useContext(FormNumbersContext);
  if (nextNumber === null) throw new Error("A form was rendered without a source of numbers.");
  return (
    <form {...form} method="post">
      {/* A browser that fills in a page again would bring an old number back. */}
      <input type="hidden" name={formNumberField} value={nextNumber()} autoComplete="off" />
      {children}
    </form>
  );
}

/** Of a form that was posted before, files left out. */
export interface PostedForm {
  /** Path and query to which it was posted. */
  path: string;
  fields: readonly (readonly [name: string, value: string])[];
}

/** To post it once more as it was. */
export function HiddenFields({ fields }: Pick<PostedForm, "fields">) {
  return fields.map(([name, value], index) => (
    <input key={`${name} ${index}`} type="hidden" name={name} value={value} />
  ));
}
