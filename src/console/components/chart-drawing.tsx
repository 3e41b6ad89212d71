/**
 * Draws a chart: stacked bars up to sixty steps, stacked areas for more minutes. Widths are percentages, so that it
 * fills its container while the text keeps its size; time runs left to right in both languages.
 */
import { Fragment } from "preact";
import { useLocale } from "../locale.ts";
import {
  beforeName,
  type ChartData,
  fromFirstData,
  gapsOf,
  lastOf,
  momentText,
  type Outcome,
  roomMin,
  runsOf,
  totalsOf,
} from "./chart-data.ts";
import { axisValues, namedMoments } from "./chart-scale.ts";

/** In pixels, from the top of the chart. */
const top = 8;
const plotHeight = 168;
const bottom = top + plotHeight;
const height = bottom + 26;

/** As a fraction of a step's width; a few bars are no wider than forty pixels of a thousand. */
const barShareMax = 0.7;
const barWidthMax = 0.04;
const ghostShare = 0.9;
/** More minutes are areas. */
const barsMax = 60;
/** How many steps of a chart fit on a phone. */
export const narrowMax: Readonly<Record<ChartData["step"], number>> = {
  minute: 24,
  quarter: 24,
  hour: 24,
  day: 7,
  month: 12,
};

interface Frame {
  chart: ChartData;
  /** Per moment; null where nothing is known. */
  totals: readonly (number | null)[];
  axis: readonly number[];
  /** For how many moments there is room: a chart of few begins at its start, and the rest stays empty. */
  room: number;
  /** Pixels from the top. */
  yOf(value: number): number;
  barShare: number;
}

function frameOf(chart: ChartData): Frame {
  const totals = totalsOf(chart.series);
  const axis = axisValues(Math.max(0, ...totals.map((total) => total ?? 0), ...(chart.before?.values ?? [])));
  const most = axis.at(-1) ?? 1;
  const room = Math.max(totals.length, roomMin[chart.step]);
  const barShare = Math.min(barShareMax, barWidthMax * room);
  return { chart, totals, axis, room, barShare, yOf: (value) => bottom - (value / most) * plotHeight };
}

const isBars = ({ step, times }: Pick<ChartData, "step" | "times">): boolean =>
  step !== "minute" || times.length <= barsMax;

/** Narrow pages have a drawing of their own, of the last steps, and the sums of just these. */
export function ChartBody({ title, ...given }: ChartData & { title: string }) {
  const chart = fromFirstData(given);
  const isCut = chart.times.length > narrowMax[chart.step];
  return (
    <>
      <Hatches />
      <div class={isCut ? "chart-wide" : "chart-all"}>
        <Plot title={title} chart={chart} />
        <Legend chart={chart} />
      </div>
      {isCut ? (
        <div class="chart-narrow">
          <Plot title={title} chart={lastOf(chart, narrowMax[chart.step])} isNarrow />
          <Legend chart={lastOf(chart, narrowMax[chart.step])} />
        </div>
      ) : null}
    </>
  );
}

/** Waiting messages are hatched, and so is time of which nothing is known. */
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

interface PlotProps {
  title: string;
  chart: ChartData;
  /** For phones, which have no pointer. */
  isNarrow?: boolean;
}

function Plot({ title, chart, isNarrow = false }: PlotProps) {
  const { format } = useLocale();
  const frame = frameOf(chart);
  return (
    <div class="chart-plot" data-chart={chart.step}>
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
        <Moments frame={frame} isNarrow={isNarrow} />
        {isNarrow ? null : <Pointed frame={frame} />}
      </svg>
    </div>
  );
}

const percent = (share: number): string => `${Math.round(share * 1e4) / 100}%`;

/** One path per outcome: as rectangles, a month of bars made the page 9 KB heavier. */
function Bars({ frame }: { frame: Frame }) {
  const { chart, totals, yOf, barShare, room } = frame;
  const bars = stackedBars(frame);
  const ghosts = (chart.before?.values ?? []).map((value, index) =>
    value === 0 || totals[index] === null ? "" : box(index, ghostShare, yOf(value), bottom),
  );
  return (
    <>
      <svg
        width="100%"
        height={height}
        viewBox={`0 0 ${room * unit} ${height}`}
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
              x={percent((index + (1 - barShare) / 2) / room)}
              width={percent(barShare / room)}
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

/** Minutes in which the service did not run; the longest gap is named. */
function Unknown({ frame: { chart, totals, room } }: { frame: Frame }) {
  const { words } = useLocale();
  const last = totals.length - 1;
  // Areas end at the known moments beside a gap.
  const spans = gapsOf(totals).map((run) =>
    isBars(chart)
      ? { x: run.first / room, end: (run.last + 1) / room }
      : { x: (run.first - 1) / last, end: Math.min(last, run.last + 1) / last },
  );
  const [longest] = spans.toSorted((a, b) => b.end - b.x - (a.end - a.x));
  return (
    <>
      {spans.map(({ x, end }) => (
        <rect key={x} x={percent(x)} y={top} width={percent(end - x)} height={plotHeight} class="fill-unknown" />
      ))}
      {longest === undefined ? null : (
        <text
          x={percent(Math.min(0.88, Math.max(0.12, (longest.x + longest.end) / 2)))}
          y={top + 16}
          class="chart-word chart-middle chart-halo"
        >
          {chart.gapWord ?? words.charts.noData}
        </text>
      )}
    </>
  );
}

/** How close to the end a label would touch the word for now. */
const nowShare = 0.06;

function Moments({ frame: { chart, room }, isNarrow }: { frame: Frame; isNarrow: boolean }) {
  const { format, words } = useLocale();
  const isInMiddle = isBars(chart);
  const place = (index: number) => (isInMiddle ? (index + 0.5) / room : index / Math.max(1, room - 1));
  const now = chart.times.length < room ? place(chart.times.length - 1) : 1;
  const sideOf = (share: number) => (share < 0.03 ? " chart-begin" : share > 0.97 ? " chart-end" : "");
  const named = namedMoments(chart.times, chart.step, format, { isNarrow });
  const meetsNow = (share: number) => chart.endsNow === true && share > now - 4 * nowShare;
  const shown =
    chart.endsNow === true ? named.filter(({ index }) => place(index) < now - (isNarrow ? 3 : 1) * nowShare) : named;
  return (
    <>
      {shown.map(({ index, text, isSpare }) => (
        <text
          key={index}
          x={percent(place(index))}
          y={bottom + 18}
          class={`chart-word chart-middle${sideOf(place(index))}${isSpare || meetsNow(place(index)) ? " chart-spare" : ""}`}
        >
          {text}
        </text>
      ))}
      {chart.endsNow === true ? (
        <text x={percent(now)} y={bottom + 18} class={`chart-word chart-middle${sideOf(now)} chart-now`}>
          {words.charts.now}
        </text>
      ) : null}
    </>
  );
}

/** A column for each moment: its values as a tooltip, or in the script's card. */
function Pointed({ frame: { chart, room } }: { frame: Frame }) {
  const locale = useLocale();
  const isInMiddle = isBars(chart);
  const left = (index: number) => (isInMiddle ? index / room : Math.max(0, (index - 0.5) / Math.max(1, room - 1)));
  return (
    <>
      {chart.times.map((at, index) => (
        <rect key={at} x={percent(left(index))} width={percent(1 / room)} class="chart-moment">
          <title>{momentText(chart, index, locale)}</title>
        </rect>
      ))}
    </>
  );
}

/** Names with the total of what is drawn of each. */
function Legend({ chart: { series, before, names } }: { chart: ChartData }) {
  const locale = useLocale();
  const { words, format } = locale;
  const sums = series.map(({ outcome, values }) => ({
    outcome,
    sum: values.reduce<number>((sum, value) => sum + (value ?? 0), 0),
  }));
  const drawn = sums.filter(({ sum }) => sum > 0);
  return (
    <ul class="chart-legend" aria-label={words.charts.sums}>
      {(drawn.length === 0 ? sums.slice(0, 1) : drawn).map(({ outcome, sum }) => (
        <Key
          key={outcome}
          kind={outcome}
          name={names?.[outcome] ?? words.charts.series[outcome]}
          value={format.number(sum)}
        />
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
