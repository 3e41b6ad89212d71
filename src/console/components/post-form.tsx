/**
 * A form that changes something: each rendering carries a number of its own, by which a repeated submission is
 * recognised.
 */
import { createContext, type JSX } from "preact";
import { useContext } from "preact/hooks";

/** Gives each form on a page a different number. */
export type NextFormNumber = () => string;

const FormNumbersContext = createContext<NextFormNumber | null>(null);

export const FormNumbersProvider = FormNumbersContext.Provider;

/** The field's name. */
export const formNumberField = "form-number";

type PostFormProps = Omit<JSX.IntrinsicElements["form"], "method">;

export function PostForm({ children, ...form }: PostFormProps) {
  const nextNumber = useContext(FormNumbersContext);
  if (nextNumber === null) throw new Error("A form was rendered without a source of numbers.");
  return (
    // A browser that restores a page's fields would bring back an old number. A hidden field must not say so itself;
    // visible ones say what they are for.
    <form {...form} method="post" autoComplete="off">
      <input type="hidden" name={formNumberField} value={nextNumber()} />
      {children}
    </form>
  );
}

/** The fields of a form posted before, without files. */
export interface PostedForm {
  /** Path and query that it was posted to. */
  path: string;
  fields: readonly (readonly [name: string, value: string])[];
}

/** For submitting it again, unchanged. */
export function HiddenFields({ fields }: Pick<PostedForm, "fields">) {
  return fields.map(([name, value], index) => (
    <input key={`${name} ${index}`} type="hidden" name={name} value={value} />
  ));
}
