/** A page that is one form: what is wrong with it, its fields, the button that sends it and the way back. */
import type { ComponentChildren } from "preact";
import { useLocale } from "../locale.ts";
import { FormButtons, LinkButton, SubmitButton } from "./buttons.tsx";
import { ErrorSummary, type FieldErrors } from "./forms.tsx";
import { type Crumb, PageLayout, type PageProps } from "./layout.tsx";
import { useShell } from "./navigation.tsx";
import { PostForm } from "./post-form.tsx";

interface FormFootProps {
  /** "Save", unless something is made. */
  submit?: string | undefined;
  /** Where the way back leads. */
  back: string;
  /** "Back", unless it is called otherwise. */
  cancel?: string | undefined;
  /** Further buttons. */
  children?: ComponentChildren;
  /** What comes next. */
  note?: string | null;
}

interface FormPageProps extends Pick<PageProps, "title" | "heading" | "lead">, Omit<FormFootProps, "back" | "note"> {
  /** Where the way back leads. */
  above: Crumb;
  errors: FieldErrors;
  /** Where it is posted to, if not to the page's own address. */
  action?: string;
}

export function FormPage({ above, errors, action, submit, cancel, children, ...page }: FormPageProps) {
  const [ownPath = ""] = useShell().path.split("?");
  return (
    <PageLayout {...page} above={above}>
      <PostForm class="card card-form-page" action={action ?? ownPath}>
        <ErrorSummary errors={errors} />
        {children}
        <FormFoot submit={submit} back={above.href} cancel={cancel} />
      </PostForm>
    </PageLayout>
  );
}

/** A form of a few fields, at its own address. */
export function ShortFormPage({ title, above, errors, submit, children }: ShortFormPageProps) {
  const [ownPath = ""] = useShell().path.split("?");
  return (
    <PageLayout title={title} above={above}>
      <PostForm class="card form" action={ownPath}>
        <ErrorSummary errors={errors} />
        {children}
        <FormButtons label={submit} />
      </PostForm>
    </PageLayout>
  );
}

type ShortFormPageProps = Pick<FormPageProps, "title" | "above" | "errors" | "children"> & { submit: string };

export function FormFoot({ submit, back, cancel, children, note = null }: FormFootProps) {
  const { words } = useLocale();
  return (
    <p class="form-foot">
      <SubmitButton look="primary" label={submit ?? words.actions.save} />
      {children}
      <LinkButton look="quiet" href={back} label={cancel ?? words.actions.back} />
      {note === null ? null : <span class="form-foot-note">{note}</span>}
    </p>
  );
}
