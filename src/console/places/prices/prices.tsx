/** Price lists: the price of a part by number prefix, the form for a first price, and a file of prices. */
import type { PriceListAnswer } from "../../../operator/prices.ts";
import { Empty } from "../../components/blocks.tsx";
import { ListEnd, RecordsCard } from "../../components/collection.tsx";
import { Slug } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useMay } from "../../components/navigation.tsx";
import { OpenButton } from "../../components/opened-form.tsx";
import { type Column, figureColumn, RowLink, wordColumn } from "../../components/records.tsx";
import { SystemTabs } from "../../components/system-tabs.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { type ImportForm, ImportPrices } from "./price-import-form.tsx";
import { type PriceForm, pricesHref, SetPrice } from "./price-list.tsx";
import { pricesWords } from "./words.ts";

interface PriceLists {
  lists: readonly PriceListAnswer[];
  price: PriceForm;
  file: ImportForm;
}

export function PricesPage({ lists, price, file }: PriceLists) {
  const { words, say } = useLocale(pricesWords);
  const title = words.places.prices;
  const columns = useColumns();
  return (
    <PageLayout title={title} lead={say.lead} actions={useMay("prices.change") ? <Openers /> : null}>
      <SystemTabs current="/prices" />
      <div class="stack">
        {useMay("prices.change") ? (
          <>
            <SetPrice {...price} currency={lists[0]?.currency ?? null} action="/prices/-set" hasName />
            <ImportPrices {...file} />
          </>
        ) : null}
        <RecordsCard title={title} hasHead={false} columns={columns} rows={lists} keyOf={({ name }) => name}>
          <Empty icon="money" title={say.emptyTitle} command="peyk price set retail --prefix '*' --price 1200">
            {say.empty}
          </Empty>
        </RecordsCard>
        <ListEnd count={lists.length} icon="money">
          {say.empty}
        </ListEnd>
      </div>
    </PageLayout>
  );
}

function Openers() {
  const say = useWords(pricesWords);
  return (
    <>
      <OpenButton name="import" label={say.importTitle} path="/prices" />
      <OpenButton name="set" look="primary" icon="plus" label={say.set} path="/prices" />
    </>
  );
}

function useColumns(): readonly Column<PriceListAnswer>[] {
  const { words, format } = useLocale();
  const { head } = useWords(pricesWords);
  const nameOf = ({ name }: PriceListAnswer) => (
    <RowLink href={pricesHref(name)}>
      <Slug>{name}</Slug>
    </RowLink>
  );
  return [
    { head: words.terms.list, phone: "title", cell: nameOf },
    { head: words.places.prices, phone: "aside", figure: true, cell: ({ lineCount }) => format.number(lineCount) },
    figureColumn(head.accounts, ({ accounts }) => format.number(accounts.length)),
    wordColumn(head.routes, ({ routes }) => <Slug>{routes.join(", ")}</Slug>),
  ];
}
