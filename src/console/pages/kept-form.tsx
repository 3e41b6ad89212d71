/** A form that was posted after its session had ended: what was typed, and a button that sends it. */
import { Card, Facts } from "../components/blocks.tsx";
import { Code, ForeignText } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import type { Shell } from "../components/navigation.tsx";
import { HiddenFields, type PostedForm, PostForm } from "../components/post-form.tsx";
import { useLocale } from "../locale.ts";

export function KeptFormPage({ shell, view: { path, fields } }: { shell: Shell; view: PostedForm }) {
  const { words } = useLocale();
  const say = words.keptForm;
  const typed = fields.filter(([, value]) => value !== "");
  return (
    <PageLayout shell={shell} title={say.title} lead={say.lead}>
      <Card>
        <PostForm class="form" action={path}>
          <HiddenFields fields={fields} />
          <p class="muted">
            {say.sentTo} <Code>{path}</Code>
          </p>
          <Facts facts={typed.map(([name, value]) => [name, <ForeignText key={name} text={value} />] as const)} />
          <p class="form-buttons">
            <button type="submit" class="button button-primary">
              {say.send}
            </button>
            <a class="button" href="/">
              {say.leave}
            </a>
          </p>
        </PostForm>
      </Card>
    </PageLayout>
  );
}
