/** The pages of the role, as a page of its own: where the column has no room. */
import { PageLayout } from "../components/layout.tsx";
import { Menu, type Shell } from "../components/navigation.tsx";
import { useLocale } from "../locale.ts";

export function MenuPage({ shell }: { shell: Shell }) {
  const { words } = useLocale();
  return (
    <PageLayout shell={shell} title={words.layout.menu}>
      <div class="menu-page">
        <Menu shell={shell} label={words.layout.menu} />
      </div>
    </PageLayout>
  );
}
