/**
 * Turns views into HTML. Every text and every attribute is escaped on the way; nothing in the console writes markup by
 * hand. Synchronous: a view is given all that it shows.
 */
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { FormNumbersProvider, type NextFormNumber } from "./components/post-form.tsx";
import { type Locale, LocaleProvider } from "./locale.ts";

/** A whole page. */
export function renderDocument(locale: Locale, page: VNode, nextFormNumber: NextFormNumber): string {
  return `<!doctype html>${renderPartial(locale, page, nextFormNumber)}`;
}

/** A piece that takes the place of another on a page that is already shown. One without `nextFormNumber` holds no form. */
export function renderPartial(locale: Locale, piece: VNode, nextFormNumber: NextFormNumber | null = null): string {
  return renderToString(
    <LocaleProvider value={locale}>
      <FormNumbersProvider value={nextFormNumber}>{piece}</FormNumbersProvider>
    </LocaleProvider>,
  );
}
