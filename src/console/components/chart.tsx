/** A chart over time that needs no script, with the same figures as a table. */
import { useLocale } from "../locale.ts";
import { type ChartData, isDrawn } from "./chart-data.ts";
import { ChartBody } from "./chart-drawing.tsx";

interface ChartProps extends ChartData {
  /** What is counted, and over what: read out to those who cannot see the chart. */
  title: string;
}

export function Chart(chart: ChartProps) {
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

function ChartTable({ title, times, series, step }: ChartProps) {
  const { words, format } = useLocale();
  const name = (at: number) => (step === "hour" ? format.dayAndClock(at) : format.date(at));
  const shown = (value: number | null) => (value === null ? words.charts.unknown : format.number(value));
  return (
    <table class="plain-table">
      <caption class="unseen">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{words.charts.time}</th>
          {series.map(({ outcome }) => (
            <th key={outcome} scope="col" class="figure-cell">
              {words.charts.series[outcome]}
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
