/** Price lists: the price of a part by number prefix, the form for a first price, and a file of prices. */
import type { PriceListAnswer } from "../../../operator/prices.ts";
import { Empty } from "../../components/blocks.tsx";
import { Code } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { type Column, Records, RowLink } from "../../components/records.tsx";
import { SystemTabs } from "../../components/system-tabs.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { ImportForm, type ImportFormView } from "./price-import-form.tsx";
import { PriceForm, type PriceFormView, pricesHref } from "./price-list.tsx";
import { pricesWords } from "./words.ts";

export interface PricesView {
  lists: readonly PriceListAnswer[];
  /** Null for a reader who may not set prices. */
  form: (ImportFormView & { price: PriceFormView }) | null;
}

export function PricesPage({ shell, view: { lists, form } }: { shell: Shell; view: PricesView }) {
  const locale = useLocale();
  const say = pricesWords[locale.language];
  return (
    <PageLayout shell={shell} title={locale.words.places.prices} lead={say.lead}>
      <SystemTabs role={shell.role} current="/prices" />
      <div class="stack">
        <div class="card card-flush">
          {lists.length === 0 ? (
            <Empty icon="money" title={say.emptyTitle} command="peyk price set retail --prefix '*' --price 1200">
              {say.empty}
            </Empty>
          ) : (
            <Records
              label={locale.words.places.prices}
              columns={listColumns(locale)}
              rows={lists}
              keyOf={({ name }) => name}
            />
          )}
        </div>
        {form === null ? null : (
          <>
            <PriceForm view={form.price} action="/prices/-set" hasName />
            <ImportForm form={form} />
          </>
        )}
      </div>
    </PageLayout>
  );
}

function listColumns({ language, format }: Locale): readonly Column<PriceListAnswer>[] {
  const { head } = pricesWords[language];
  return [
    {
      head: head.name,
      phone: "title",
      cell: ({ name }) => (
        <RowLink href={pricesHref(name)}>
          <Code>{name}</Code>
        </RowLink>
      ),
    },
    { head: head.lines, phone: "aside", figure: true, cell: ({ lineCount }) => format.number(lineCount) },
    {
      head: head.accounts,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ accounts }) => format.number(accounts.length),
    },
    { head: head.routes, phone: "word", named: true, cell: ({ routes }) => <Code>{routes.join(", ")}</Code> },
  ];
}
