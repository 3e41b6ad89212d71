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
  /** The pause before it in milliseconds, if worth mentioning. */
  waitedMs?: number;
  /** The other side's answer, verbatim. */
  raw?: string;
  /** A step still to come, drawn open. */
  ahead?: boolean;
}

export function Story({ steps }: { steps: readonly StoryStep[] }) {
  return (
    <ol class="story">
      {steps.map((step) => (
        <Step key={`${step.at} ${step.what}`} step={step} />
      ))}
    </ol>
  );
}

function Step({ step }: { step: StoryStep }) {
  const { words, format } = useLocale();
  const { at, tone, what, why, waitedMs, raw, ahead = false } = step;
  return (
    <li class={ahead ? "step step-ahead" : "step"}>
      {waitedMs === undefined ? null : <p class="step-gap">{words.story.waited(format.duration(waitedMs))}</p>}
      <div class={`step-body mark-${tone}`}>
        <span class="step-time">
          {ahead ? null : <Time at={at} as={format.isToday(at) ? "clockSeconds" : "dayAndClock"} />}
        </span>
        <div>
          <p class="step-what">{what}</p>
          {why === undefined ? null : <p class="step-why">{why}</p>}
          {raw === undefined ? null : <Raw>{raw}</Raw>}
        </div>
      </div>
    </li>
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
