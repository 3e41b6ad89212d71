/** A form that opens on its button: on the page that it belongs to, and where scripts run in a dialog above it. */
import type { ComponentChildren } from "preact";
import type { IconName } from "../assets/icons.ts";
import { useLocale } from "../locale.ts";
import { Card } from "./blocks.tsx";
import { FormButtons, LinkButton } from "./buttons.tsx";
import { ErrorSummary, type FieldErrors } from "./forms.tsx";
import { useShell } from "./navigation.tsx";
import { PostForm } from "./post-form.tsx";

interface OpenedFormProps {
  /** Of the form among those of its page: the address that opens it has it as `?open`. */
  name: string;
  title: string;
  action: string;
  encType?: string;
  submit: string;
  errors: FieldErrors;
  /** Below the form; it is open as long as there is something. */
  after?: ComponentChildren;
  children: ComponentChildren;
}

const openField = "open";

/** Opens a form of this page. `among`: what else the address says. */
export const openHref = (path: string, name: string, among: Readonly<Record<string, string>> = {}): string =>
  `${path}?${new URLSearchParams({ ...among, [openField]: name })}#${name}`;

function useAddress(): { path: string; query: URLSearchParams } {
  const [path = "", query = ""] = useShell().path.split("?");
  return { path, query: new URLSearchParams(query) };
}

export function OpenButton({ name, path, ...button }: OpenButtonProps) {
  const { path: ownPath, query } = useAddress();
  query.delete(openField);
  const href = openHref(path ?? ownPath, name, Object.fromEntries(query));
  return <LinkButton {...button} href={href} dialog={`#${name}`} />;
}

interface OpenButtonProps {
  name: string;
  label: string;
  look?: "primary" | "small";
  icon?: IconName;
  /** If this is the answer to a form at another address. */
  path?: string;
}

/** Nothing while it is closed; a form with errors is open. */
export function OpenedForm({ name, title, submit, errors, after = null, children, ...form }: OpenedFormProps) {
  const { words } = useLocale();
  const { path, query } = useAddress();
  const isOpen = query.get(openField) === name || Object.keys(errors).length > 0 || after !== null;
  if (!isOpen) return null;
  return (
    <Card title={title} id={name}>
      <PostForm class="form narrow" {...form}>
        <ErrorSummary errors={errors} />
        {children}
        <FormButtons label={submit}>
          <a class="button button-quiet" href={path} data-close="">
            {words.actions.back}
          </a>
        </FormButtons>
      </PostForm>
      {after}
    </Card>
  );
}
