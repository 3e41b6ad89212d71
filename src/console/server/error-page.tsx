/**
 * Shown instead of a page that cannot be displayed: what happened, what was kept, what to do, and an id for support.
 */

import { BrandLogo } from "../components/brand.tsx";
import { LinkButton, SubmitButton } from "../components/buttons.tsx";
import { Code } from "../components/inline.tsx";
import { Document } from "../components/layout.tsx";
import type { Theme } from "../components/navigation.tsx";
import { HiddenFields, type PostedForm, PostForm } from "../components/post-form.tsx";
import { useLocale } from "../locale.ts";
import { helpPath } from "../places/help/help-document.tsx";
import { helpWords } from "../places/help/words.ts";

export interface ErrorView {
  kind: "notFound" | "signedOut" | "upgraded" | "failed" | "notStored" | "refused" | "wrongAddress";
  theme: Theme;
  /** The request id from the log; null where the log has no entry. */
  id: string | null;
  href: string;
  /** What was refused; replaces the general text of this kind of error. */
  sentence?: string;
  /** Whether the reader may open the documentation. */
  hasHelp: boolean;
  /** The posted form, to be sent again; without it the button leads to `href`. */
  form?: PostedForm | null;
}

export function ErrorPage({ view }: { view: ErrorView }) {
  const { words, language } = useLocale();
  const { title, what, todo } = words.errors[view.kind];
  return (
    <Document title={title} theme={view.theme}>
      <main class="sign-in" id="main">
        <div class="sign-in-brand">
          <BrandLogo size={40} />
          <h1>{title}</h1>
          <p>{view.sentence ?? what}</p>
        </div>
        {view.form ? (
          <PostForm action={view.form.path}>
            <HiddenFields fields={view.form.fields} />
            <SubmitButton look="primary wide" label={todo} />
          </PostForm>
        ) : (
          <p>
            <LinkButton look="primary wide" href={view.href} label={todo} />
          </p>
        )}
        {view.hasHelp ? (
          <p class="sign-in-help">
            <a href={helpPath(language, "troubleshooting")}>{helpWords[language].troubles}</a>
          </p>
        ) : null}
        {view.id === null ? null : (
          <p class="muted sign-in-help">
            {words.errors.id} <Code>{view.id}</Code>
          </p>
        )}
      </main>
    </Document>
  );
}
