/** Figures over time: totals, a chart, and a table by account, sender, route, network or day. */
import { Card, Empty, Figures } from "../../components/blocks.tsx";
import { Chart } from "../../components/chart.tsx";
import { type ChartData, isDrawn } from "../../components/chart-data.ts";
import { Icon, Name } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { type Column, Records } from "../../components/records.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { reportsWords } from "./words.ts";

export const reportPresets = ["today", "yesterday", "week", "month", "lastMonth"] as const;
export type Preset = (typeof reportPresets)[number];
export type Dimension = keyof (typeof reportsWords)["en"]["dimension"];

export interface ReportRow {
  /** The row's subject; empty if unknown. */
  name: string;
  messages: number;
  parts: number;
  deliveredRatio: number | null;
  failed: number;
  medianMs: number | null;
  p95Ms: number | null;
}

export interface ReportsView {
  preset: Preset | null;
  presets: readonly { preset: Preset; href: string }[];
  by: Dimension;
  dimensions: readonly { dimension: Dimension; href: string }[];
  from: number;
  to: number;
  total: ReportRow;
  messagesBefore: number;
  chart: ChartData;
  rows: readonly ReportRow[];
  csv: string;
}

export function ReportsPage({ shell, view }: { shell: Shell; view: ReportsView }) {
  const locale = useLocale();
  const { language, words } = locale;
  const say = reportsWords[language];
  return (
    <PageLayout
      shell={shell}
      title={shell.place === "usage" ? words.places.usage : say.title}
      hasChart={view.rows.length > 0 && isDrawn(view.chart)}
      lead={say.note}
      actions={
        <a class="button" href={view.csv}>
          <Icon name="download" />
          {words.actions.csv}
        </a>
      }
    >
      <Choices view={view} />
      {view.rows.length === 0 ? (
        <div class="card">
          <Empty icon="chart" title={say.emptyTitle}>
            {say.emptyWords}
          </Empty>
        </div>
      ) : (
        <div class="stack">
          <Totals view={view} />
          <Card title={say.chartTitle}>
            <Chart title={say.chartTitle} {...view.chart} />
          </Card>
          <Card flush>
            <Records
              label={say.title}
              columns={columnsOf(view.by, locale)}
              rows={view.rows}
              keyOf={({ name }) => name}
            />
          </Card>
        </div>
      )}
    </PageLayout>
  );
}

function Choices({ view }: { view: ReportsView }) {
  const { language, format } = useLocale();
  const say = reportsWords[language];
  return (
    <div class="choices">
      <nav class="segments" aria-label={say.presets}>
        {view.presets.map(({ preset, href }) => (
          <a key={preset} href={href} aria-current={preset === view.preset ? "true" : undefined}>
            {say.preset[preset]}
          </a>
        ))}
      </nav>
      <span class="muted nowrap">{`${format.date(view.from)} – ${format.date(view.to)}`}</span>
      <nav class="segments" aria-label={say.by}>
        {view.dimensions.map(({ dimension, href }) => (
          <a key={dimension} href={href} aria-current={dimension === view.by ? "true" : undefined}>
            {say.dimension[dimension]}
          </a>
        ))}
      </nav>
    </div>
  );
}

function Totals({ view }: { view: ReportsView }) {
  const { language, words, format } = useLocale();
  const say = reportsWords[language].figure;
  const { total } = view;
  return (
    <Figures
      figures={[
        {
          label: say.messages,
          value: format.number(total.messages),
          note: reportsWords[language].before(format.number(view.messagesBefore)),
        },
        { label: say.parts, value: format.number(total.parts) },
        {
          label: say.delivered,
          value: total.deliveredRatio === null ? words.charts.unknown : format.percent(total.deliveredRatio),
        },
        { label: say.median, value: total.medianMs === null ? words.charts.unknown : format.duration(total.medianMs) },
        { label: say.p95, value: total.p95Ms === null ? words.charts.unknown : format.duration(total.p95Ms) },
      ]}
    />
  );
}

function columnsOf(by: Dimension, { language, words, format }: Locale): readonly Column<ReportRow>[] {
  const say = reportsWords[language].figure;
  const unknown = words.charts.unknown;
  const duration = (ms: number | null): string => (ms === null ? unknown : format.duration(ms));
  return [
    {
      head: reportsWords[language].dimension[by],
      phone: "title",
      cell: ({ name }) =>
        name === "" ? <span class="muted">{reportsWords[language].unknown}</span> : <Name>{name}</Name>,
    },
    { head: say.messages, phone: "aside", figure: true, cell: ({ messages }) => format.number(messages) },
    { head: say.parts, phone: "word", named: true, figure: true, cell: ({ parts }) => format.number(parts) },
    {
      head: say.delivered,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ deliveredRatio }) => (deliveredRatio === null ? unknown : format.percent(deliveredRatio)),
    },
    { head: say.failed, phone: "word", named: true, figure: true, cell: ({ failed }) => format.number(failed) },
    { head: say.median, phone: "word", named: true, figure: true, cell: ({ medianMs }) => duration(medianMs) },
    { head: say.p95, phone: "word", named: true, figure: true, cell: ({ p95Ms }) => duration(p95Ms) },
  ];
}
