/** What became of a number of messages: one bar of shares, and a legend with counts. */
import { useLocale } from "../locale.ts";
import { Hatches, Key } from "./chart-drawing.tsx";
import { Meter, type MeterCounts, meterOrder } from "./pictures.tsx";

export function OutcomeBar({ counts, label }: { counts: MeterCounts; label: string }) {
  const { words, format } = useLocale();
  const total = meterOrder.reduce((sum, outcome) => sum + counts[outcome], 0);
  const shown = meterOrder.filter((outcome, index) => counts[outcome] > 0 || (total === 0 && index === 0));
  return (
    <div class="outcome-bar">
      <Hatches />
      <Meter counts={counts} label={label} />
      <ul class="chart-legend">
        {shown.map((outcome) => (
          <Key
            key={outcome}
            kind={outcome}
            name={words.charts.series[outcome]}
            value={format.number(counts[outcome])}
            {...(counts[outcome] > 0 && { share: format.percent(counts[outcome] / total) })}
          />
        ))}
      </ul>
    </div>
  );
}
