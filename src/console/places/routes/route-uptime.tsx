/** Since when a route is up, and when it was not: a strip of time, told in words. */
import type { RouteAnswer } from "../../../operator/answers.ts";
import { Card } from "../../components/blocks.tsx";
import { TimeStrip } from "../../components/pictures.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { routeWords } from "./words.ts";

type State = NonNullable<RouteAnswer["state"]>;

const shownMs = 7 * 86_400_000;

export function RouteUptime({ state }: { state: State }) {
  const locale = useLocale();
  const { language, words, format } = locale;
  const say = routeWords[language].uptime;
  const { now } = format;
  const startedAt = Date.parse(state.startedAt);
  const from = Math.max(startedAt, now - shownMs);
  const why = from === startedAt ? words.charts.started : "";
  const gaps = state.downs
    .map((down) => ({ from: Math.max(from, Date.parse(down.from)), to: down.to === null ? now : Date.parse(down.to) }))
    .filter((gap) => gap.to > from);
  return (
    <Card title={say.title} note={`${words.charts.since(format.minute(from))}${why}`}>
      <TimeStrip from={from} to={Math.max(now, from + 1)} gaps={gaps} ends={[format.minute(from), words.charts.now]} />
      <p class="muted">{uptimeText(gaps, from, locale)}</p>
    </Card>
  );
}

/** How much of the time, how often it was gone, and the last time. */
export function uptimeText(
  gaps: readonly { from: number; to: number }[],
  from: number,
  { language, format }: Locale,
): string {
  const say = routeWords[language].uptime;
  const last = gaps.at(-1);
  if (last === undefined) return say.always;
  const goneMs = gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0);
  const share = format.percent(Math.max(0, 1 - goneMs / Math.max(1, format.now - from)));
  const span =
    last.to >= format.now
      ? say.still(format.minute(last.from))
      : say.last(format.minute(last.from), format.minute(last.to));
  return `${say.share(share, format.count(gaps.length))} ${span}`;
}
