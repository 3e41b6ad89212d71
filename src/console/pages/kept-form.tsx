/** What was typed into a form whose page is there no more, and which was posted after its session had ended. */
import { Card } from "../components/blocks.tsx";
import { ForeignText } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import type { Shell } from "../components/navigation.tsx";
import type { PostedForm } from "../components/post-form.tsx";
import { useLocale } from "../locale.ts";

export function KeptFormPage({ shell, fields }: { shell: Shell } & Pick<PostedForm, "fields">) {
  const { words } = useLocale();
  const say = words.keptForm;
  const typed = fields.filter(([, value]) => value !== "");
  return (
    <PageLayout shell={shell} title={say.title} lead={say.lead}>
      <Card>
        <p class="muted">{say.noPage}</p>
        <ul class="stack">
          {typed.map(([name, value], index) => (
            <li key={`${name} ${index}`}>
              <ForeignText text={value} />
            </li>
          ))}
        </ul>
        <p>
          <a class="button" href="/">
            {say.leave}
          </a>
        </p>
      </Card>
    </PageLayout>
  );
}
