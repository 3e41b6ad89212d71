/** The messages of the last day in the line of a list, the failed ones on top, oldest at the left. */
import { useLocale } from "../locale.ts";

export interface HoursCounted {
  /** Oldest first; the current hour last. */
  messages: readonly number[];
  failed: readonly number[];
}

/** By the hour, a page of accounts was twice as much heavier. */
const hoursInPoint = 2;
/** In pixels, as in `charts.css`, which also widens the path. */
const height = 21;

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const pointsOf = (hours: readonly number[]) =>
  hours.flatMap((_, hour) => (hour % hoursInPoint === 0 ? [sumOf(hours.slice(hour, hour + hoursInPoint))] : []));

/** Nothing where there were no messages. */
export function Sparkline({ hours }: { hours: HoursCounted | undefined }) {
  const { words, format } = useLocale();
  const [messages, failed] = [sumOf(hours?.messages ?? []), sumOf(hours?.failed ?? [])];
  if (hours === undefined || messages === 0) return null;
  const all = pointsOf(hours.messages);
  const most = Math.max(...all);
  const tops = all.map((value) => heightOf(value, most));
  // A retried hour may have failed more often than it had messages.
  const bad = pointsOf(hours.failed).map((value, point) => Math.min(heightOf(value, most), tops[point] ?? 0));
  return (
    <svg class="spark" role="img">
      <title>{words.charts.sentAndFailed(format.count(messages), format.count(failed))}</title>
      <path d={bars(tops, tops)} />
      {failed === 0 ? null : <path d={bars(tops, bad)} />}
    </svg>
  );
}

/** Any that is not zero stays visible. */
const heightOf = (value: number, most: number): number =>
  value === 0 ? 0 : Math.max(1, Math.round((value / most) * height));

/** From the top of each bar down. */
const bars = (tops: readonly number[], heights: readonly number[]): string =>
  heights.map((high, point) => (high === 0 ? "" : `M${point} ${height - (tops[point] ?? 0)}h.7v${high}h-.7z`)).join("");
