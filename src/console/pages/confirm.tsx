/** A page that asks before something that cannot be undone. */
import { Confirm, type ConfirmView } from "../components/confirm.tsx";
import { PageLayout } from "../components/layout.tsx";
import type { Shell } from "../components/navigation.tsx";

export function ConfirmPage({ shell, view }: { shell: Shell; view: ConfirmView }) {
  return (
    <PageLayout shell={shell} title={view.question}>
      <div class="card narrow">
        <Confirm view={view} />
      </div>
    </PageLayout>
  );
}
