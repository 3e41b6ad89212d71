/**
 * Renders views to HTML. All text and attributes are escaped on the way; nothing in the console writes markup by hand.
 * Synchronous: a view receives everything it shows.
 */
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { FormNumbersProvider, type NextFormNumber } from "./components/post-form.tsx";
import { type Locale, LocaleProvider } from "./locale.ts";

/** A whole page. */
export function renderDocument(locale: Locale, page: VNode, nextFormNumber: NextFormNumber): string {
  return `<!doctype html>${renderPartial(locale, page, nextFormNumber)}`;
}

/** A piece that replaces another on a page already shown. Without `nextFormNumber` it contains no form. */
export function renderPartial(locale: Locale, piece: VNode, nextFormNumber: NextFormNumber | null = null): string {
  return renderToString(
    <LocaleProvider value={locale}>
      <FormNumbersProvider value={nextFormNumber}>{piece}</FormNumbersProvider>
    </LocaleProvider>,
  );
}
