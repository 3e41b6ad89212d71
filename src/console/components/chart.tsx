/** A chart over time: drawn by the browser from figures in the page, with the same figures as a table. */
import { useLocale } from "../locale.ts";
import { Time } from "./inline.tsx";

export interface Series {
  name: string;
  /** One for each moment; null where nothing is known. */
  values: readonly (number | null)[];
  /** Told apart without colour: solid, dashed or dotted. */
  line: "solid" | "dashed" | "dotted";
  /** Which of the palette's colours. */
  colour: 1 | 2 | 3 | 4;
}

export interface ChartData {
  /** Epoch milliseconds, ascending. */
  times: readonly number[];
  series: readonly Series[];
  /** How finely the moments are named. */
  step: "minute" | "day";
}

interface ChartProps extends ChartData {
  /** What is counted, and over what: read out for who cannot see the lines. */
  title: string;
  /** The name of the server-sent event that brings new points, where the chart is live. */
  live?: string;
}

/** Lines along zero say less than a sentence; a live chart waits for its first figures. */
export function isDrawn({ series }: Pick<ChartData, "series">): boolean {
  return series.some(({ values }) => values.some((value) => value !== null && value !== 0));
}

export function Chart({ title, times, series, step, live }: ChartProps) {
  const { words } = useLocale();
  if (live === undefined && !isDrawn({ series })) return <p class="muted">{words.charts.nothing}</p>;
  return (
    <figure class="chart" data-live={live}>
      <div class="chart-drawing" role="img" aria-label={title} data-chart={JSON.stringify({ times, series, step })} />
      <ChartLegend series={series} />
      <details class="chart-table">
        <summary>{words.charts.asTable}</summary>
        <ChartTable title={title} times={times} series={series} step={step} />
      </details>
    </figure>
  );
}

/** Names, how each is drawn, and its newest value; the script shows the pointed moment's instead. */
function ChartLegend({ series }: { series: readonly Series[] }) {
  const { format, words } = useLocale();
  return (
    <ul class="chart-legend" aria-label={words.charts.newest}>
      {series.map(({ name, values, line, colour }, index) => {
        const newest = values.at(-1) ?? null;
        return (
          <li key={name} class={`key key-${line} ink-series-${colour}`}>
            <span class="key-name">{name}</span>
            <span class="key-value" data-series={index}>
              {newest === null ? words.charts.unknown : format.number(newest)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function ChartTable({ title, times, series, step }: ChartProps) {
  const { words, format } = useLocale();
  const as = step === "day" ? "date" : "dayAndClock";
  return (
    <table class="plain-table">
      <caption class="unseen">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{words.charts.time}</th>
          {series.map(({ name }) => (
            <th key={name} scope="col" class="figure-cell">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {times.map((at, index) => (
          <tr key={at}>
            <th scope="row">
              <Time at={at} as={as} />
            </th>
            {series.map(({ name, values }) => {
              const value = values[index] ?? null;
              return (
                <td key={name} class="figure-cell">
                  {value === null ? words.charts.unknown : format.number(value)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
