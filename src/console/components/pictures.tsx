/** Pictures that stand in a row or a tile, each beside its number: they are decoration, the words say the same. */
import type { ComponentChildren } from "preact";
import { useLocale } from "../locale.ts";
import { type Outcome, outcomes } from "./chart-data.ts";

export type GaugeTone = "use" | "warn" | "bad" | "ok";

const percent = (share: number): string => `${Math.round(Math.min(1, Math.max(0, share)) * 1e4) / 100}%`;

/** How much of how much; above one is full. */
export function Gauge({ share, tone = "use" }: { share: number; tone?: GaugeTone }) {
  return (
    <svg class="gauge" aria-hidden="true">
      <rect width="100%" height="100%" class="gauge-rest" />
      {share > 0 ? <rect width={percent(share)} height="100%" class={`gauge-${tone}`} /> : null}
    </svg>
  );
}

export interface Gap {
  /** Epoch milliseconds. */
  from: number;
  to: number;
  why?: string;
}

interface TimeStripProps extends Omit<Gap, "why"> {
  /** When it was not so. */
  gaps: readonly Gap[];
  /** Before this nothing is known; drawn as rest. */
  knownFrom?: number;
  /** Named below, oldest first. */
  ends: readonly [ComponentChildren, ComponentChildren];
}

/** In thousandths of the strip: the shortest gap remains visible. */
const gapMin = 8;

/** Whether something held, over time: what a sentence beside it tells in words. */
export function TimeStrip({ from, to, gaps, knownFrom = from, ends }: TimeStripProps) {
  const place = (at: number) => Math.round(Math.min(1, Math.max(0, (at - from) / (to - from))) * 1000);
  const begins = place(knownFrom);
  return (
    <div>
      <svg class="strip" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
        <rect width="1000" height="10" class="gauge-rest" />
        <rect x={begins} width={1000 - begins} height="10" class="gauge-ok" />
        {gaps.map((gap) => {
          const width = Math.max(gapMin, place(gap.to) - place(gap.from));
          const x = Math.min(place(gap.from), 1000 - width);
          return (
            <rect key={gap.from} x={x} width={width} height="10" class="gauge-bad">
              {gap.why === undefined ? null : <title>{gap.why}</title>}
            </rect>
          );
        })}
      </svg>
      <p class="strip-ends">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </p>
    </div>
  );
}

export type MeterCounts = Readonly<Record<Outcome, number>>;

/** The order of the charts, but what waits comes last: the bar fills from its start. */
export const meterOrder: readonly Outcome[] = [...outcomes.filter((outcome) => outcome !== "waiting"), "waiting"];

interface MeterProps {
  counts: MeterCounts;
  /** Read out. */
  label: string;
}

/** Shares of outcomes; a page with one has `Hatches` once. */
export function Meter({ counts, label }: MeterProps) {
  const total = Math.max(
    1,
    meterOrder.reduce((sum, outcome) => sum + counts[outcome], 0),
  );
  let before = 0;
  const parts = meterOrder.flatMap((outcome) => {
    const count = counts[outcome];
    const x = before / total;
    before += count;
    return count > 0 ? [{ outcome, x, width: count / total }] : [];
  });
  return (
    <svg class="meter" role="img" aria-label={label}>
      {parts.map(({ outcome, x, width }) => (
        <rect key={outcome} x={percent(x)} y="-50%" width={percent(width)} height="200%" class={`fill-${outcome}`} />
      ))}
    </svg>
  );
}

/** Up to these shares a delivery rate is bad, or worth a look. */
const badShare = 0.9;
const lowShare = 0.95;

/** The delivered share of messages with a final status. */
export function DeliveredShare({ delivered = 0, failed = 0 }: { delivered?: number; failed?: number }) {
  const { words, format } = useLocale();
  const final = delivered + failed;
  if (final === 0) return <span class="muted">{words.charts.unknown}</span>;
  const share = delivered / final;
  const ink = share <= badShare ? " ink-bad" : share <= lowShare ? " ink-warn" : "";
  return <span class={`rate${ink}`}>{format.percent(share)}</span>;
}

/** How much of a route's window is taken; amber over nine tenths. */
export const windowGauge = (unanswered: number, window: number) => {
  const share = window === 0 ? 0 : unanswered / window;
  return { share, tone: share > 0.9 ? ("warn" as const) : ("use" as const) };
};

/** A number, and its gauge below it. */
export function Gauged({ children, ...gauge }: { children: ComponentChildren; share: number; tone?: GaugeTone }) {
  return (
    <div class="gauged">
      <span>{children}</span>
      <Gauge {...gauge} />
    </div>
  );
}

/** A line, and a quieter one below it. */
export function Two({ children, below }: { children: ComponentChildren; below?: ComponentChildren }) {
  return (
    <div class="two">
      <div>{children}</div>
      {below === undefined || below === null ? null : <div>{below}</div>}
    </div>
  );
}
