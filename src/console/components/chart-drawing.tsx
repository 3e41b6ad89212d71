/**
 * Draws a chart: stacked bars for hours, days and months, stacked areas for minutes. Widths are percentages, so that it
 * fills its container while the text keeps its size; time runs left to right in both languages.
 */
import { Fragment } from "preact";
import { useLocale } from "../locale.ts";
import { beforeName, type ChartData, momentText, type Outcome, runsOf, totalsOf } from "./chart-data.ts";
import { axisValues, namedMoments } from "./chart-scale.ts";

/** In pixels, from the top of the chart. */
const top = 8;
const plotHeight = 192;
const bottom = top + plotHeight;
const height = bottom + 26;

/** As a fraction of a step's width. */
const barShare = 0.56;
const ghostShare = 0.84;
/** How many bars of a chart fit on a phone. */
const barsOnPhone = 7;

const narrow = "chart-plot chart-narrow";

interface Frame {
  chart: ChartData;
  /** Per moment; null where nothing is known. */
  totals: readonly (number | null)[];
  axis: readonly number[];
  /** Pixels from the top. */
  yOf(value: number): number;
}

function frameOf(chart: ChartData): Frame {
  const totals = totalsOf(chart.series);
  const axis = axisValues(Math.max(0, ...totals.map((total) => total ?? 0), ...(chart.before?.values ?? [])));
  const most = axis.at(-1) ?? 1;
  return { chart, totals, axis, yOf: (value) => bottom - (value / most) * plotHeight };
}

const isBars = ({ step }: Pick<ChartData, "step">): boolean => step !== "minute";

/** The last moments of a chart. */
function lastOf(chart: ChartData, count: number): ChartData {
  const { times, series, before } = chart;
  const cut = <Value,>(values: readonly Value[]) => values.slice(Math.max(0, times.length - count), times.length);
  return {
    ...chart,
    times: cut(times),
    series: series.map((one) => ({ ...one, values: cut(one.values) })),
    ...(before !== undefined && { before: { ...before, values: cut(before.values) } }),
  };
}

export function ChartBody({ title, ...chart }: ChartData & { title: string }) {
  const isCut = isBars(chart) && chart.times.length > barsOnPhone;
  return (
    <>
      <Hatches />
      <Plot title={title} chart={chart} kind={isCut ? "chart-plot chart-wide" : "chart-plot"} />
      {isCut ? <Plot title={title} chart={lastOf(chart, barsOnPhone)} kind={narrow} /> : null}
      <Legend chart={chart} />
    </>
  );
}

/** Waiting messages are hatched, and so is the time before the first figures. */
export function Hatches() {
  return (
    <svg class="chart-hatches" width="0" height="0" aria-hidden="true">
      <defs>
        <pattern id="hatch-waiting" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0V5" class="hatch-line" />
        </pattern>
        <pattern id="hatch-unknown" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0V8" class="hatch-line-quiet" />
        </pattern>
      </defs>
    </svg>
  );
}

function Plot({ title, chart, kind }: { title: string; chart: ChartData; kind: string }) {
  const { format } = useLocale();
  const frame = frameOf(chart);
  return (
    <div class={kind} data-chart={chart.step}>
      <svg class="chart-side" height={height} aria-hidden="true">
        {frame.axis.map((value) => (
          <text key={value} x="100%" y={frame.yOf(value) + 4} class="chart-word">
            {format.short(value)}
          </text>
        ))}
      </svg>
      <svg class="chart-field" width="100%" height={height} role="img" aria-label={title}>
        {frame.axis.map((value, index) => (
          <line
            key={value}
            x1="0"
            x2="100%"
            y1={frame.yOf(value)}
            y2={frame.yOf(value)}
            class={index === 0 ? "chart-base" : "chart-line"}
          />
        ))}
        {isBars(chart) ? <Bars frame={frame} /> : <Areas frame={frame} />}
        <Unknown frame={frame} />
        <Moments frame={frame} />
        {/* Phones have no pointer, and the wide chart contains the same moments. */}
        {kind === narrow ? null : <Pointed frame={frame} />}
      </svg>
    </div>
  );
}

const percent = (share: number): string => `${Math.round(share * 1e4) / 100}%`;

/** One path per outcome: as rectangles, a month of bars made the page 9 KB heavier. */
function Bars({ frame }: { frame: Frame }) {
  const { chart, totals, yOf } = frame;
  const count = chart.times.length;
  const bars = stackedBars(frame);
  const ghosts = (chart.before?.values ?? []).map((value, index) =>
    value === 0 || totals[index] === null ? "" : box(index, ghostShare, yOf(value), bottom),
  );
  return (
    <>
      <svg
        width="100%"
        height={height}
        viewBox={`0 0 ${count * unit} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path d={ghosts.join("")} class="fill-ghost" />
        {bars
          .filter(({ outcome }) => outcome !== "waiting")
          .map(({ outcome, boxes }) => (
            <path
              key={outcome}
              d={boxes.map((one) => box(one.index, barShare, one.y, one.end)).join("")}
              class={`fill-${outcome}`}
            />
          ))}
      </svg>
      {/* The hatching of waiting messages must not be stretched. */}
      {bars
        .filter(({ outcome }) => outcome === "waiting")
        .flatMap(({ outcome, boxes }) =>
          boxes.map(({ index, y, end }) => (
            <rect
              key={index}
              x={percent((index + (1 - barShare) / 2) / count)}
              width={percent(barShare / count)}
              y={y}
              height={end - y}
              class={`fill-${outcome}`}
            />
          )),
        )}
    </>
  );
}

/** The width of a step, in the bar chart's units. */
const unit = 100;
const rounded = (value: number): number => Math.round(value * 10) / 10;

function box(index: number, share: number, y: number, end: number): string {
  const wide = share * unit;
  return `M${rounded(index * unit + (unit - wide) / 2)} ${rounded(y)}h${wide}V${rounded(end)}h-${wide}z`;
}

/** Stacks the outcomes with a hairline between them; any that is not zero stays visible. */
function stackedBars({ chart, totals, yOf }: Frame) {
  const ends = totals.map(() => bottom);
  return chart.series.map(({ outcome, values }) => ({
    outcome,
    boxes: values.flatMap((value, index) => {
      if (value === null || value === 0) return [];
      const end = ends[index] ?? bottom;
      const y = end - Math.max(1, bottom - yOf(value));
      ends[index] = y;
      return [{ index, y: rounded(y), end: rounded(end - y > 3 && end < bottom ? end - 1 : end) }];
    }),
  }));
}

/** Each run of known moments by itself. */
function Areas({ frame: { chart, totals, axis } }: { frame: Frame }) {
  const most = axis.at(-1) ?? 1;
  const last = Math.max(1, totals.length - 1);
  const y = (value: number) => Math.round((1 - value / most) * 1000) / 10;
  const sums = totals.map(() => 0);
  const known = runsOf(totals).filter(({ isKnown }) => isKnown);
  const points = () =>
    known.map((run) => sums.slice(run.first, run.last + 1).map((sum, place) => `${run.first + place} ${y(sum)}`));
  const stacked = chart.series.map(({ outcome, values }) => {
    const lower = points();
    for (const [index, value] of values.entries()) sums[index] = (sums[index] ?? 0) + (value ?? 0);
    return { outcome, isEmpty: values.every((value) => (value ?? 0) === 0), upper: points(), lower };
  });
  return (
    <svg
      y={top}
      width="100%"
      height={plotHeight}
      viewBox={`0 0 ${last} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {stacked.map(({ outcome, isEmpty, upper, lower }) =>
        isEmpty ? null : (
          <g key={outcome}>
            {known.map(({ first }, run) => {
              const edge = upper[run] ?? [];
              return (
                <Fragment key={first}>
                  <polygon
                    points={[...edge, ...(lower[run] ?? []).toReversed()].join(" ")}
                    class={`area area-${outcome}`}
                  />
                  <polyline points={edge.join(" ")} class={`edge edge-${outcome}`} />
                </Fragment>
              );
            })}
          </g>
        ),
      )}
    </svg>
  );
}

/** The time before the first figures, and minutes in which the service did not run. */
function Unknown({ frame: { chart, totals } }: { frame: Frame }) {
  const { words } = useLocale();
  if (!totals.some((total) => total !== null)) return null;
  const last = totals.length - 1;
  // Areas end at the known moments beside a gap.
  const spans = runsOf(totals).map((run) =>
    isBars(chart)
      ? { ...run, x: run.first / totals.length, end: (run.last + 1) / totals.length }
      : { ...run, x: Math.max(0, run.first - 1) / last, end: Math.min(last, run.last + 1) / last },
  );
  return (
    <>
      {spans
        .filter(({ isKnown }) => !isKnown)
        .map(({ first, x, end }) => (
          <Fragment key={first}>
            <rect x={percent(x)} y={top} width={percent(end - x)} height={plotHeight} class="fill-unknown" />
            {end - x < 0.2 ? null : (
              <text x={percent((x + end) / 2)} y={top + plotHeight / 2} class="chart-word chart-middle">
                {words.charts.noData}
              </text>
            )}
          </Fragment>
        ))}
    </>
  );
}

function Moments({ frame: { chart } }: { frame: Frame }) {
  const { format } = useLocale();
  const count = chart.times.length;
  const isInMiddle = isBars(chart);
  const place = (index: number) => (isInMiddle ? (index + 0.5) / count : index / Math.max(1, count - 1));
  const sideOf = (share: number) =>
    isInMiddle ? "" : share < 0.03 ? " chart-begin" : share > 0.97 ? " chart-end" : "";
  return (
    <>
      {namedMoments(chart.times, chart.step, format).map(({ index, text, isSpare }) => (
        <text
          key={index}
          x={percent(place(index))}
          y={bottom + 18}
          class={`chart-word chart-middle${sideOf(place(index))}${isSpare ? " chart-spare" : ""}`}
        >
          {text}
        </text>
      ))}
    </>
  );
}

/** A column for each moment: its values as a tooltip, or in the script's card. */
function Pointed({ frame: { chart } }: { frame: Frame }) {
  const locale = useLocale();
  const count = chart.times.length;
  const isInMiddle = isBars(chart);
  const left = (index: number) => (isInMiddle ? index / count : Math.max(0, (index - 0.5) / Math.max(1, count - 1)));
  return (
    <>
      {chart.times.map((at, index) => (
        <rect key={at} x={percent(left(index))} width={percent(1 / count)} class="chart-moment">
          <title>{momentText(chart, index, locale)}</title>
        </rect>
      ))}
    </>
  );
}

/** Names with the total of each; for minutes, the total of the hour. */
function Legend({ chart: { series, before } }: { chart: ChartData }) {
  const locale = useLocale();
  const { words, format } = locale;
  const sums = series.map(({ outcome, values }) => ({
    outcome,
    sum: values.reduce<number>((sum, value) => sum + (value ?? 0), 0),
  }));
  return (
    <ul class="chart-legend" aria-label={words.charts.sums}>
      {sums.map(({ outcome, sum }) => (
        <Key key={outcome} kind={outcome} name={words.charts.series[outcome]} value={format.number(sum)} />
      ))}
      {before === undefined ? null : <Key kind="ghost" name={beforeName(before, locale)} />}
    </ul>
  );
}

interface KeyProps {
  kind: Outcome | "ghost";
  name: string;
  value?: string;
  /** Of all, after the value. */
  share?: string;
}

export function Key({ kind, name, value, share }: KeyProps) {
  return (
    <li class="key">
      <svg class="swatch" width="10" height="10" aria-hidden="true">
        <rect width="10" height="10" rx="2" class={`fill-${kind}`} />
      </svg>
      <span class="key-name">{name}</span>
      {value === undefined ? null : <span class="key-value">{value}</span>}
      {share === undefined ? null : <span class="key-share">{share}</span>}
    </li>
  );
}
