/** Figures over time: totals, a chart, and a table by account, sender, route, network or day. */
import type { FiguresAnswer } from "../../../operator/figures.ts";
import { Card, Empty, type Figure, Figures, SegmentLinks } from "../../components/blocks.tsx";
import { LinkButton, SubmitButton } from "../../components/buttons.tsx";
import { ChartCard } from "../../components/chart.tsx";
import { isDrawn } from "../../components/chart-data.ts";
import { TextField } from "../../components/forms.tsx";
import { Name, Phone } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { AccountField } from "../../components/listed-field.tsx";
import { useShell } from "../../components/navigation.tsx";
import { type Column, figureColumn, Records } from "../../components/records.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { moneyWords } from "../money/words.ts";
import type { Amounts, ReportsView } from "./reports-view.ts";
import { reportsWords } from "./words.ts";

type ReportRow = ReportsView["rows"][number];

/** Of the messages that are final; null where none is. */
export function deliveredRatio({ delivered = 0, failed = 0 }: Partial<FiguresAnswer["statuses"]>): number | null {
  return delivered + failed === 0 ? null : delivered / (delivered + failed);
}

export function ReportsPage(view: ReportsView) {
  const locale = useLocale(reportsWords);
  const { words, format, say } = locale;
  const { place } = useShell();
  return (
    <PageLayout
      title={place === "usage" ? words.places.usage : words.places.reports}
      hasChart={view.rows.length > 0 && isDrawn(view.chart)}
      lead={`${say.note} ${words.months[format.calendar]}`}
      actions={
        <>
          {place === "usage" ? null : <LinkButton href="/reports/codes" label={say.codes.title} />}
          <LinkButton icon="download" href={view.csv} label={words.actions.csv} />
        </>
      }
    >
      <div class="choices">
        <SegmentLinks label={words.terms.time} segments={view.presets} names={say.preset} current={view.preset} />
        <OwnPeriod view={view} action={place === "usage" ? "/usage" : "/reports"} />
        <span class="muted nowrap">{`${format.date(view.from)} – ${format.date(view.to)}`}</span>
      </div>
      {view.rows.length === 0 ? (
        <div class="card">
          <Empty icon="chart" title={say.emptyTitle}>
            {say.emptyWords}
          </Empty>
        </div>
      ) : (
        <div class="stack">
          <Totals view={view} />
          <ChartCard chart={view.chart} />
          <Card
            title={say.rowsTitle[view.by]}
            actions={<SegmentLinks label={say.by} segments={view.dimensions} names={words.terms} current={view.by} />}
            flush
          >
            <Records
              label={words.places.reports}
              columns={columnsOf(view, locale)}
              rows={view.rows}
              keyOf={({ subject }) => subject}
            />
          </Card>
        </div>
      )}
    </PageLayout>
  );
}

function OwnPeriod({ view: { form, by }, action }: { view: ReportsView; action: string }) {
  const { language, words } = useLocale();
  const say = reportsWords[language].own;
  const { since, until, account, accounts, errors } = form;
  return (
    <details class="own-period" open={Object.keys(errors).length > 0}>
      <summary class="button">{accounts === null ? say.period : say.periodAndAccount}</summary>
      <form class="card" method="get" action={action}>
        <input type="hidden" name="by" value={by} />
        <div class="filter-row">
          <TextField name="since" label={words.terms.from} value={since} error={errors.since} script="digits" />
          <TextField name="until" label={say.until} value={until} error={errors.until} script="digits" />
          {accounts === null ? null : (
            <AccountField
              label={words.terms.account}
              value={account}
              error={errors.account}
              accounts={accounts}
              others={[{ value: "", label: say.everyAccount }]}
            />
          )}
          <SubmitButton label={words.lists.apply} />
        </div>
      </form>
    </details>
  );
}

/** What was charged, what it cost, and what is left of it. */
function moneyFigures({ money, currency }: ReportsView, { language, format }: Locale): Figure[] {
  if (currency === null || money === undefined) return [];
  const say = moneyWords[language].column;
  const { price, cost } = money;
  return [
    { label: say.price, ...format.figure(price, currency) },
    { label: say.cost, ...format.figure(cost, currency) },
    { label: say.margin, ...format.figure(price - cost, currency), ...(price < cost && { tone: "bad" as const }) },
  ];
}

function Totals({ view }: { view: ReportsView }) {
  const locale = useLocale();
  const { language, words, format } = locale;
  const say = reportsWords[language].figure;
  const { messages = 0, parts = 0, statuses = {}, deliveryMedianMs = null, deliveryP95Ms = null } = view.total ?? {};
  const ratio = deliveredRatio(statuses);
  return (
    <Figures
      figures={[
        {
          label: words.terms.messages,
          value: format.number(messages),
          ...(messages > 0 && { href: view.list }),
          ...(view.messagesBefore > 0 && {
            note: reportsWords[language].before(format.number(view.messagesBefore)),
          }),
        },
        { label: words.terms.parts, value: format.number(parts) },
        {
          label: words.terms.delivered,
          value: ratio === null ? words.charts.unknown : format.percent(ratio),
          ...(deliveryMedianMs !== null &&
            deliveryP95Ms !== null && {
              note: say.within(format.duration(deliveryMedianMs), format.duration(deliveryP95Ms)),
            }),
        },
        ...moneyFigures(view, locale),
      ]}
    />
  );
}

function columnsOf({ by, currency }: ReportsView, locale: Locale): readonly Column<ReportRow>[] {
  const { language, words, format } = locale;
  const say = reportsWords[language].figure;
  const unknown = words.charts.unknown;
  const duration = (ms: number | null): string => (ms === null ? unknown : format.duration(ms));
  const percent = (ratio: number | null): string => (ratio === null ? unknown : format.percent(ratio));
  return [
    {
      head: words.terms[by],
      phone: "title",
      cell: ({ subject }) => {
        if (subject === "") return <span class="muted">{reportsWords[language].unknown}</span>;
        return by === "sender" ? <Phone number={subject} /> : <Name>{subject}</Name>;
      },
    },
    {
      head: words.terms.messages,
      phone: "aside",
      figure: true,
      cell: ({ messages, list }) => <CountLink count={messages} list={list} />,
    },
    figureColumn(words.terms.parts, ({ parts }) => format.number(parts)),
    figureColumn(words.terms.delivered, ({ statuses }) => percent(deliveredRatio(statuses))),
    figureColumn(words.states.failed, ({ statuses, list }) => (
      <CountLink count={statuses.failed ?? 0} list={list === null ? null : `${list}&status=failed`} />
    )),
    ...(currency === null ? [] : moneyColumns(locale)),
    figureColumn(currency === null ? say.median : say.medianShort, (row) => duration(row.deliveryMedianMs)),
    // Beside amounts there is no room for it; the totals and the CSV have it.
    ...(currency === null ? [figureColumn<ReportRow>(say.p95, (row) => duration(row.deliveryP95Ms))] : []),
  ];
}

/** A figure that leads to what it counts. */
function CountLink({ count, list }: { count: number; list: string | null }) {
  const { format } = useLocale();
  return list === null || count === 0 ? format.number(count) : <a href={list}>{format.number(count)}</a>;
}

const amountOf = {
  price: ({ price }: Amounts) => price,
  cost: ({ cost }: Amounts) => cost,
  margin: ({ price, cost }: Amounts) => price - cost,
};

/** An empty cell, rather than a nought, where nothing was charged. */
function moneyColumns({ language, format }: Locale): readonly Column<ReportRow>[] {
  const say = moneyWords[language];
  return (["price", "cost", "margin"] as const).map((name) =>
    figureColumn(say.column[name], ({ money }) => {
      const amount = money === undefined ? 0 : amountOf[name](money);
      return amount === 0 ? null : <bdi dir="ltr">{format.number(amount)}</bdi>;
    }),
  );
}
