/** What one price of a list was and is, from when, and who changed it. */

import { Type as t } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { dayNamed } from "../../../domain/local-calendar.ts";
import { OperatorError } from "../../../domain/operator-error.ts";
import { latinDigits } from "../../../domain/phone-number.ts";
import { prefixOf } from "../../../messaging/billing/price-lines.ts";
import type { AuditAnswer } from "../../../operator/audit.ts";
import type { PriceListAnswer } from "../../../operator/prices.ts";
import { LinkButton } from "../../components/buttons.tsx";
import { RecordsCard } from "../../components/collection.tsx";
import { Code, Name, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { type Column, figureColumn, wordColumn } from "../../components/records.tsx";
import { useLocale } from "../../locale.ts";
import type { ConsoleApi } from "../../page/console-api.ts";
import { pricesHref, useLineColumns } from "./price-list.tsx";
import { pricesWords } from "./words.ts";

interface PriceChange {
  at: string;
  actor: string;
  /** Null: its numbers had the price of a shorter prefix, or none. */
  was: number | null;
  is: number | null;
  /** A day as it was written, or a time; null for at once. */
  from: string | null;
}

/** Lines of one prefix, and changes of the list among which those of the prefix are looked for. */
const linesRead = 500;
const changesRead = 500;
const rowsShown = 100;

/**
 * The last lines of exactly this prefix, earliest first, and the newest changes, newest first. @throws OperatorError
 * `price_list_not_found`, `price_not_found`
 */
export async function priceHistory(api: ConsoleApi, name: string, prefix: string) {
  if (prefixOf(prefix) === null) throw new OperatorError("price_not_found");
  const { list, rows } = await api("GET /prices/:list/lines", { list: name, query: prefix, limit: linesRead });
  const asked = { target: name, action: "price", outcome: "done", limit: changesRead } as const;
  const { entries } = await api("GET /audit", asked);
  const isIts = (one: string) => prefixOf(one) === prefixOf(prefix);
  const changes = entries.flatMap((entry) => changesIn(entry, isIts));
  const lines = rows.filter((line) => isIts(line.prefix));
  return { list, prefix, lines: lines.slice(-rowsShown), changes: changes.slice(0, rowsShown) };
}

const importedChange = t.Object({ prefix: t.String(), validFrom: t.String(), before: t.Number(), after: t.Number() });

/** An entry of the audit tells the change of one price, or of those that an import changed. */
function changesIn({ at, actor, before, after }: AuditAnswer, isIts: (prefix: string) => boolean): PriceChange[] {
  const written = { ...after };
  if (Array.isArray(written.changes)) {
    return written.changes.flatMap((one: unknown) =>
      Value.Check(importedChange, one) && isIts(one.prefix)
        ? [{ at, actor, was: one.before, is: one.after, from: one.validFrom }]
        : [],
    );
  }
  const [was, is] = [amountOf(before?.price), amountOf(written.price)];
  if (was === is || typeof written.prefix !== "string" || !isIts(written.prefix)) return [];
  return [{ at, actor, was, is, from: typeof written.from === "string" ? written.from : null }];
}

const amountOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

export function PriceHistoryPage({ list, prefix, lines, changes }: Awaited<ReturnType<typeof priceHistory>>) {
  const { words, say } = useLocale(pricesWords);
  const [lineColumns, changeColumns] = [useLineColumns(list), useChangeColumns(list)];
  const above = { title: list.name, href: pricesHref(list.name) };
  const audit = `/audit?${new URLSearchParams({ action: "price", target: list.name })}`;
  return (
    <PageLayout title={say.historyOf(prefix === "*" ? say.everyNumber : prefix)} above={above} lead={say.historyLead}>
      <div class="stack">
        <RecordsCard
          title={words.places.prices}
          columns={lineColumns}
          rows={lines}
          keyOf={({ validFrom }) => validFrom}
        >
          {say.noPrice}
        </RecordsCard>
        <RecordsCard
          title={say.changes}
          actions={<LinkButton look="small" href={audit} label={say.allChanges} />}
          columns={changeColumns}
          rows={changes}
          keyOf={({ at, from }) => `${at} ${from}`}
        >
          {say.noChanges}
        </RecordsCard>
      </div>
    </PageLayout>
  );
}

function useChangeColumns({ currency }: PriceListAnswer): readonly Column<PriceChange>[] {
  const { words, format, say } = useLocale(pricesWords);
  const amount = (price: number | null) => (price === null ? words.terms.none : format.amount(price, currency));
  return [
    { head: words.terms.when, phone: "title", cell: ({ at }) => <Time at={Date.parse(at)} /> },
    { head: words.terms.who, phone: "aside", cell: ({ actor }) => <Name>{actor}</Name> },
    figureColumn(words.terms.before, ({ was }) => amount(was)),
    figureColumn(words.terms.after, ({ is }) => amount(is)),
    wordColumn(say.fields.from.label, ({ at, from }) => <From at={at} from={from} />),
  ];
}

function From({ at, from }: Pick<PriceChange, "at" | "from">) {
  const { format } = useLocale();
  const day = from === null ? Date.parse(at) : (dayNamed(latinDigits(from), format.zone)?.startsAt ?? Date.parse(from));
  return Number.isNaN(day) ? <Code>{from}</Code> : <Time at={day} as="date" />;
}
