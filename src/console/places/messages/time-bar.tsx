/** A message's time from acceptance to its last status, cut by who was waited for; and the same in cells with seconds. */
import type { MessageAnswer } from "../../../operator/messages.ts";
import { Hatches } from "../../components/chart-drawing.tsx";
import type { Format } from "../../format/format.ts";
import { type Locale, useLocale, useWords } from "../../locale.ts";
import { epochOf } from "./message-state.ts";
import type { MessageWaits, Wait } from "./message-waits.ts";
import { messageTimeWords } from "./time-words.ts";

/** In percent of the bar: what is shorter remains visible. */
const shareMin = 1;
const gap = 0.15;
const barTop = 14;
const barHeight = 26;
const height = barTop + barHeight + 26;
/** A moment between the ends is written if there is room for it. */
const middle = { from: 18, to: 80 };

interface Placed extends Wait {
  /** In percent. */
  x: number;
  width: number;
}

function placed(waits: readonly Wait[]): Placed[] {
  const total = waits.reduce((sum, { from, to }) => sum + to - from, 0);
  const shares = waits.map(({ from, to }) => Math.max(shareMin, (100 * (to - from)) / total));
  const sum = shares.reduce((all, share) => all + share, 0);
  let x = 0;
  return waits.map((wait, index) => {
    const width = (100 * (shares[index] ?? 0)) / sum;
    x += width;
    return { ...wait, x: x - width, width };
  });
}

const shown = (percent: number): string => `${Math.round(100 * percent) / 100}%`;

interface TimeBarProps extends MessageWaits {
  message: MessageAnswer;
  /** What its messages usually take in all; null if unknown. */
  usualMs: number | null;
}

export function TimeBar({ message, waits, attempts, usualMs }: TimeBarProps) {
  const locale = useLocale(messageTimeWords);
  const { format, direction, say } = locale;
  const parts = placed(waits);
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined) return null;
  const isMirrored = direction === "rtl";
  const xOf = (at: number): number => {
    const part = parts.find(({ to }) => at <= to) ?? last;
    const x = part.x + (part.width * Math.max(0, at - part.from)) / Math.max(1, part.to - part.from);
    return isMirrored ? 100 - x : x;
  };
  const total = format.span(last.to - first.from);
  const names = parts.map(({ label, from, to }) => say.part(label, format.span(to - from)));
  const usualAt = usualMs === null ? null : (parts.find(({ who }) => who !== "account") ?? first).from + usualMs;
  return (
    <div class="time-bar">
      <Hatches />
      <svg height={height} role="img" aria-label={say.bar(total, format.list(names))}>
        {parts.map(({ who, from, x, width }) => (
          <rect
            key={from}
            x={shown(isMirrored ? 100 - x - width : x)}
            y={barTop}
            width={shown(Math.max(0.3, width - gap))}
            height={barHeight}
            rx="3"
            class={`who-${who}`}
          />
        ))}
        {attempts.map((at) => (
          <line key={at} x1={shown(xOf(at))} x2={shown(xOf(at))} y1={barTop + 5} y2={barTop + 21} class="time-tick" />
        ))}
        {usualAt === null || usualAt > last.to ? null : (
          <Usual x={xOf(usualAt)} text={say.usual(format.span(usualMs ?? 0))} />
        )}
        <Moments parts={parts} xOf={xOf} />
      </svg>
      <Cells message={message} waits={waits} />
    </div>
  );
}

function Usual({ x, text }: { x: number; text: string }) {
  const { direction } = useLocale();
  const isAtEnd = x > 75;
  return (
    <>
      <line x1={shown(x)} x2={shown(x)} y1={barTop - 6} y2={barTop + barHeight + 6} class="time-usual" />
      <text
        x={shown(x)}
        dx={isAtEnd ? -6 : 6}
        y="7"
        direction={direction}
        text-anchor={isAtEnd === (direction === "rtl") ? "start" : "end"}
      >
        {text}
      </text>
    </>
  );
}

/** When it begins and ends, and when the last wait began. */
function Moments({ parts, xOf }: { parts: readonly Placed[]; xOf: (at: number) => number }) {
  const { words, format, direction } = useLocale();
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined) return null;
  const y = barTop + barHeight + 20;
  const [start, end] = direction === "rtl" ? ["100%", "0%"] : ["0%", "100%"];
  const between = last.x > middle.from && last.x < middle.to ? last.from : null;
  return (
    <>
      <text x={start} y={y} direction={direction}>
        {momentOf(first.from, format)}
      </text>
      {between === null ? null : (
        <text x={shown(xOf(between))} y={y} direction={direction} text-anchor="middle" class="time-between">
          {momentOf(between, format)}
        </text>
      )}
      <text x={end} y={y} direction={direction} text-anchor="end" class="time-end">
        {last.isOpen === true ? words.charts.now : momentOf(last.to, format)}
      </text>
    </>
  );
}

const momentOf = (at: number, format: Format): string =>
  format.isToday(at) ? format.clockSeconds(at) : `${format.day(at)} ${format.clockSeconds(at)}`;

interface Cell {
  who: Wait["who"] | "server";
  label: string;
  value: string;
  note: string | undefined;
}

function Cells({ message, waits }: { message: MessageAnswer; waits: readonly Wait[] }) {
  const locale = useLocale();
  const say = useWords(messageTimeWords);
  const server = serverCell(message, locale);
  const cells: Cell[] = waits.map(({ who, label, from, to, note, isOpen }) => {
    const span = locale.format.span(to - from);
    return { who, label, value: isOpen === true ? say.soFar(span) : span, note };
  });
  return (
    <dl class="whos">
      {[...cells, ...(server === null ? [] : [server])].map(({ who, label, value, note }, index) => (
        <div class="who" key={`${index} ${label}`}>
          <dt>
            <span class={`who-dot who-of-${who}`} aria-hidden="true" />
            {label}
          </dt>
          <dd class="who-value">{value}</dd>
          {note === undefined ? null : <dd class="who-note">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** Whether its webhook knows; null if there is none to tell. */
function serverCell({ callbacks, nextCallback }: MessageAnswer, { language, format }: Locale): Cell | null {
  const say = messageTimeWords[language].who;
  const cell = { who: "server", label: say.server } as const;
  if (nextCallback !== null) {
    const at = momentOf(Math.max(format.now, epochOf(nextCallback.dueAt)), format);
    return { ...cell, value: say.notTold, note: say.callbackAt(at) };
  }
  const last = callbacks.at(-1);
  if (last === undefined) return null;
  const isTold = last.outcome === "delivered";
  return {
    ...cell,
    value: isTold ? say.told : say.failed,
    note: isTold ? say.toldAfter(format.span(last.durationMs)) : undefined,
  };
}
