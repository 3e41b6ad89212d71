/** What happened to something, step by step, oldest first: when, what, why; with the gaps in between. */
import type { ComponentChildren } from "preact";
import { useLocale } from "../locale.ts";
import { Time } from "./inline.tsx";
import type { Tone } from "./pill.tsx";

export interface StoryStep {
  /** Epoch milliseconds. */
  at: number;
  tone: Tone;
  what: string;
  why?: string;
  /** At the end of its line: how long it took. */
  end?: string;
  /** The pause before it, in words, if worth mentioning. */
  gap?: string;
  /** Equal steps folded into this one: their moments, and until when they were waited for. */
  tries?: { times: readonly number[]; until: number };
  /** The other side's answer, verbatim. */
  raw?: string;
  /** A step still to come, drawn open. */
  ahead?: boolean;
  /** Of a step still to come: its time is known. */
  isTimed?: boolean;
  /** It has just happened. */
  isFresh?: boolean;
  /** Told by what follows it, if anything does. */
  isPassing?: boolean;
}

export function Story({ steps }: { steps: readonly StoryStep[] }) {
  const { format } = useLocale();
  return (
    <ol class="story">
      {steps.map((step, index) => {
        const before = steps[index - 1]?.at ?? format.now;
        return (
          <Step key={`${step.at} ${step.what}`} step={step} isOtherDay={format.date(step.at) !== format.date(before)} />
        );
      })}
    </ol>
  );
}

function Step({ step, isOtherDay }: { step: StoryStep; isOtherDay: boolean }) {
  const { format } = useLocale();
  const { at, tone, what, why, end, gap, tries, raw, ahead = false, isTimed = !ahead, isFresh = false } = step;
  return (
    <li class="step">
      {gap === undefined ? null : (
        <p class="step-gap">
          <span class="wait-chip">{gap}</span>
        </p>
      )}
      <div class={`step-body mark-${tone}${ahead ? " step-ahead" : ""}${isFresh ? " fresh" : ""}`}>
        <span class="step-time">
          {isOtherDay && isTimed ? <span class="step-day">{format.day(at)} </span> : null}
          {isTimed ? <Time at={at} as={ahead ? "clockSeconds" : "clockTenths"} /> : null}
        </span>
        <div>
          <p class="step-what">{what}</p>
          {why === undefined ? null : <p class="step-why">{why}</p>}
          {tries === undefined ? null : <Tries {...tries} />}
          {raw === undefined ? null : <Raw>{raw}</Raw>}
        </div>
        {end === undefined ? null : <span class="step-end">{end}</span>}
      </div>
    </li>
  );
}

/** A row of dots in their distances, and each moment behind a fold. */
function Tries({ times, until }: NonNullable<StoryStep["tries"]>) {
  const { words, format, direction } = useLocale();
  const from = times[0] ?? until;
  const place = (at: number) => {
    const share = 1 + (97 * (at - from)) / Math.max(1, until - from);
    return `${Math.round(10 * (direction === "rtl" ? 100 - share : share)) / 10}%`;
  };
  return (
    <>
      <svg class="tries" height="14" aria-hidden="true">
        <path d="M0 7H2000" class="tries-line" />
        {times.map((at) => (
          <circle key={at} cx={place(at)} cy="7" r="4" class="who-carrier" />
        ))}
        <circle cx={place(until)} cy="7" r="4" class="tries-end" />
      </svg>
      <details class="fold">
        <summary>{words.story.showAll(format.number(times.length))}</summary>
        <ol class="bare">
          {times.map((at) => (
            <li key={at}>
              <Time at={at} as="clockTenths" />
            </li>
          ))}
        </ol>
      </details>
    </>
  );
}

export function Raw({ children }: { children: ComponentChildren }) {
  const { words } = useLocale();
  return (
    <details class="raw">
      <summary>{words.story.raw}</summary>
      <pre class="code-lines" dir="ltr">
        {children}
      </pre>
    </details>
  );
}
