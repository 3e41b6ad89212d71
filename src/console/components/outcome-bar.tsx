/** What became of a number of messages: one bar of shares, and a legend with counts. */
import { useLocale } from "../locale.ts";
import { type Outcome, outcomes } from "./chart-data.ts";
import { Hatches, Key } from "./chart-drawing.tsx";

/** In pixels. */
const height = 14;

export function OutcomeBar({ counts, label }: { counts: Readonly<Record<Outcome, number>>; label: string }) {
  const { words, format } = useLocale();
  const total = outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);
  const shareOf = (outcome: Outcome) => counts[outcome] / Math.max(total, 1);
  const shown = outcomes.filter((outcome) => counts[outcome] > 0);
  const startOf = (outcome: Outcome) =>
    shown.slice(0, shown.indexOf(outcome)).reduce((sum, before) => sum + shareOf(before), 0);
  const percent = (share: number) => `${(share * 100).toFixed(3)}%`;
  return (
    <div class="outcome-bar">
      <Hatches />
      <svg class="outcome-bar-field" width="100%" height={height} role="img" aria-label={label}>
        {shown.map((outcome) => (
          <rect
            key={outcome}
            x={percent(startOf(outcome))}
            width={percent(shareOf(outcome))}
            height={height}
            class={`fill-${outcome}`}
          />
        ))}
      </svg>
      <ul class="chart-legend">
        {outcomes.map((outcome) => (
          <Key
            key={outcome}
            kind={outcome}
            name={words.charts.series[outcome]}
            value={format.number(counts[outcome])}
            {...(counts[outcome] > 0 && { share: format.percent(shareOf(outcome)) })}
          />
        ))}
      </ul>
    </div>
  );
}
