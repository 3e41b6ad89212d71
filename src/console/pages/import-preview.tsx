/** A file before it is imported. */
import { ImportPreview, type ImportPreviewView } from "../components/import.tsx";
import { type Crumb, PageLayout } from "../components/layout.tsx";
import type { Place, Shell } from "../components/navigation.tsx";
import { useLocale } from "../locale.ts";

export interface ImportPreviewPageView {
  place: Place;
  above: Crumb;
  preview: ImportPreviewView;
}

export function ImportPreviewPage({ shell, view }: { shell: Shell; view: ImportPreviewPageView }) {
  const { words } = useLocale();
  return (
    <PageLayout shell={shell} title={words.imports.title} above={view.above}>
      <ImportPreview view={view.preview} />
    </PageLayout>
  );
}
