/** Since when a route is up, or a credential bound, and when it was not: a strip of time, told in words. */
import type { Reason } from "../../../domain/reason.ts";
import { Card } from "../../components/blocks.tsx";
import { TimeStrip } from "../../components/pictures.tsx";
import { type Locale, useLocale, useWords } from "../../locale.ts";
import { toldText } from "../../page/message-reason.ts";
import { routeWords } from "./words.ts";

export interface UptimeProps {
  title: string;
  /** Nothing is known from before. */
  since: string;
  /** Why it begins then. */
  why?: string;
  gaps: readonly { from: string; to: string | null; why: Reason | null }[];
  /** Of the past. */
  shownMs: number;
  /** The page says itself why it is gone now. */
  isTold?: boolean;
}

/** The newest, for who has no pointer to ask the strip. */
const gapsTold = 20;

export function Uptime({ title, since, why = "", gaps: known, shownMs, isTold = false }: UptimeProps) {
  const locale = useLocale();
  const { words, format } = locale;
  const { now } = format;
  const { uptime } = useWords(routeWords);
  const startedAt = Date.parse(since);
  const from = Math.max(startedAt, now - shownMs);
  const gaps = known
    .map(({ to, why, ...gap }) => ({
      from: Math.max(from, Date.parse(gap.from)),
      to: to === null ? now : Date.parse(to),
      why: why === null ? uptime.unknown : isTold && to === null ? "" : toldText(why, locale),
    }))
    .filter((gap) => gap.to > from);
  const gapText = ({ from, to, why }: (typeof gaps)[number]) =>
    `${format.minute(from)} – ${to >= now ? words.charts.now : format.minute(to)}: ${why}`;
  const drawn = gaps.map((gap) => ({ ...gap, why: gapText(gap) }));
  return (
    <Card title={title} note={`${words.charts.since(format.minute(from))}${from === startedAt ? why : ""}`}>
      <TimeStrip from={from} to={Math.max(now, from + 1)} gaps={drawn} ends={[format.minute(from), words.charts.now]} />
      {gaps.length < 2 ? (
        <p class="muted">{uptimeText(gaps, from, locale)}</p>
      ) : (
        <details class="muted">
          <summary>{uptimeText(gaps, from, locale)}</summary>
          <ul>
            {drawn.slice(-gapsTold).map((gap) => (
              <li key={gap.from}>{gap.why}</li>
            ))}
          </ul>
        </details>
      )}
    </Card>
  );
}

/** How much of the time, how often it was gone, and when and why the last time. */
export function uptimeText(
  gaps: readonly { from: number; to: number; why: string }[],
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
  return `${say.share(share, format.count(gaps.length))} ${span} ${last.why}`.trimEnd();
}
