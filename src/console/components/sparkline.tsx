/** The messages of the last day in the line of a list, and its failed ones below, oldest at the left. */
import { useLocale } from "../locale.ts";

export interface HoursCounted {
  /** Oldest first; the current hour last. */
  messages: readonly number[];
  failed: readonly number[];
}

/** By the hour, a page of accounts was twice as much heavier. */
const hoursInPoint = 2;
/** In pixels, as in `charts.css`, which also widens the path. */
const height = 15;

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const pointsOf = (hours: readonly number[]) =>
  hours.flatMap((_, hour) => (hour % hoursInPoint === 0 ? [sumOf(hours.slice(hour, hour + hoursInPoint))] : []));

/** Nothing where there were no messages. */
export function Sparkline({ hours }: { hours: HoursCounted | undefined }) {
  const { words, format } = useLocale();
  const [messages, failed] = [sumOf(hours?.messages ?? []), sumOf(hours?.failed ?? [])];
  if (hours === undefined || messages === 0) return null;
  const points = pointsOf(hours.messages);
  const most = Math.max(...points);
  return (
    <svg class="spark" role="img">
      <title>{words.charts.sentAndFailed(format.count(messages), format.count(failed))}</title>
      <path d={area(points, most)} />
      {failed === 0 ? null : <path d={area(pointsOf(hours.failed), most)} />}
    </svg>
  );
}

/** Any that is not zero stays visible. */
const heightOf = (value: number, most: number): number =>
  value === 0 ? 0 : Math.max(1, Math.round((value / most) * height));

function area(points: readonly number[], most: number): string {
  const [first = 0, ...rest] = points.map((value) => heightOf(value, most));
  let before = first;
  const lines = rest.map((now) => {
    const down = before - now;
    before = now;
    return down === 0 ? "h1" : `l1${down < 0 ? down : ` ${down}`}`;
  });
  return `M0 ${height}v-${first}${lines.join("")}V${height}`;
}
