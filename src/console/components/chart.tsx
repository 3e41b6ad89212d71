/** A chart over time that needs no script, with the same figures as a table. */
import type { ComponentChildren } from "preact";
import { type Locale, useLocale } from "../locale.ts";
import { Card } from "./blocks.tsx";
import { type ChartData, fromFirstData, isDrawn, spanTold } from "./chart-data.ts";
import { ChartBody, narrowMax } from "./chart-drawing.tsx";

interface ChartProps extends ChartData {
  /** What is counted, and over what: read out to those who cannot see the chart. */
  title: string;
}

interface ChartCardProps {
  chart: ChartData;
  /** Left out: messages by the chart's step. */
  title?: string;
  actions?: ComponentChildren;
  /** It begins when it does. */
  why?: string;
}

/** A chart with its title, and since when it is drawn. */
export function ChartCard({ chart, title, actions, why }: ChartCardProps) {
  const { words } = useLocale();
  const named = title ?? words.charts.messages[chart.step];
  const note = <ChartSpan {...chart} {...(why !== undefined && { why })} />;
  return (
    <Card title={named} {...{ note, actions }} none={!isDrawn(chart) && words.charts.nothing}>
      <Chart title={named} {...chart} />
    </Card>
  );
}

/** Since when it is drawn, where it begins late; on a phone, how much of it is drawn. `why`: it begins then. */
export function ChartSpan({ why, ...given }: ChartData & { why?: string }) {
  const locale = useLocale();
  const chart = fromFirstData(given);
  const isCut = chart.times.length > narrowMax[chart.step];
  const since = chart === given ? null : spanTold(given, locale);
  return (
    <>
      {since === null ? null : (
        <span class={isCut ? "chart-wide-words" : ""}>{why === undefined ? since : `${since}${why}`}</span>
      )}
      {isCut ? <span class="chart-narrow-words">{locale.words.charts.last(lastTold(chart.step, locale))}</span> : null}
    </>
  );
}

const stepMs = { minute: 60_000, quarter: 900_000, hour: 3_600_000, day: 86_400_000, month: 30 * 86_400_000 };

const lastTold = (step: ChartData["step"], { format }: Locale) => format.duration(narrowMax[step] * stepMs[step]);

export function Chart(given: ChartProps) {
  const chart = fromFirstData(given);
  const { words } = useLocale();
  if (!isDrawn(chart)) return <p class="muted">{words.charts.nothing}</p>;
  return (
    <figure class="chart">
      <ChartBody {...chart} />
      <details class="chart-table">
        <summary>{words.charts.asTable}</summary>
        <ChartTable {...chart} />
      </details>
    </figure>
  );
}

/** Redrawn while its page is open: it always has something to show. */
export function LiveChart(chart: ChartProps) {
  return (
    <figure class="chart">
      <ChartBody {...chart} />
    </figure>
  );
}

function ChartTable({ title, times, series, step, names }: ChartProps) {
  const { words, format } = useLocale();
  const name = (at: number) =>
    step === "day" ? format.date(at) : step === "month" ? format.month(at) : format.dayAndClock(at);
  const shown = (value: number | null) => (value === null ? words.charts.unknown : format.number(value));
  return (
    <table class="plain-table">
      <caption class="unseen">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{words.charts.time}</th>
          {series.map(({ outcome }) => (
            <th key={outcome} scope="col" class="figure-cell">
              {names?.[outcome] ?? words.charts.series[outcome]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {times.map((at, index) => (
          <tr key={at}>
            <th scope="row">{name(at)}</th>
            {series.map(({ outcome, values }) => (
              <td key={outcome} class="figure-cell">
                {shown(values[index] ?? null)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
