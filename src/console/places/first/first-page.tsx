/** A step of the path: the others at its side in place of the column, one question, and the way past it. */

import type { ComponentChildren } from "preact";
import { BrandLogo } from "../../components/brand.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { Icon } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useShell } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { languageNames } from "../../language.ts";
import { useLocale } from "../../locale.ts";
import { type FirstStep, firstSteps, type Standing, stepHref } from "./standing.ts";
import { pathWords } from "./words.ts";

interface StepPageProps {
  step: FirstStep;
  standing: Standing;
  lead: string;
  children: ComponentChildren;
}

export function StepPage({ step, standing, lead, children }: StepPageProps) {
  const { format, say } = useLocale(pathWords);
  const title = step === "done" ? say.end.title : say[step].title;
  const number = format.plain(firstSteps.indexOf(step) + 1);
  return (
    <PageLayout
      title={title}
      lead={
        <>
          <span class="path-number">{say.stepOf(number, format.plain(firstSteps.length))}</span> {lead}
        </>
      }
      path={<Path step={step} made={standing.made} />}
    >
      {children}
    </PageLayout>
  );
}

function Path({ step, made }: { step: FirstStep; made: Standing["made"] }) {
  const { words, say } = useLocale(pathWords);
  return (
    <header class="path">
      <div class="path-top">
        <a class="brand" href="/">
          <BrandLogo size={24} />
          <span class="brand-name">{words.brand}</span>
        </a>
        <div class="row-actions">
          <OtherLanguage />
          <LinkButton look="quiet small" href="/" label={say.leave} />
        </div>
      </div>
      <nav aria-label={say.path}>
        <ol class="path-steps">
          {firstSteps.map((one, index) => (
            <PathStep
              key={one}
              step={one}
              number={index + 1}
              isCurrent={one === step}
              made={one === "done" ? null : made[one]}
            />
          ))}
        </ol>
      </nav>
    </header>
  );
}

function OtherLanguage() {
  const { language } = useLocale();
  const other = language === "en" ? "fa" : "en";
  return (
    <PostForm action="/preferences">
      <input type="hidden" name="back" value={useShell().path} />
      <button type="submit" class="preference" name="language" value={other} lang={other}>
        <Icon name="language" />
        {languageNames[other]}
      </button>
    </PostForm>
  );
}

interface PathStepProps {
  step: FirstStep;
  number: number;
  isCurrent: boolean;
  made: string | null;
}

function PathStep({ step, number, isCurrent, made }: PathStepProps) {
  const { format, say } = useLocale(pathWords);
  const { name, what } = say.steps[step];
  const isDone = made !== null && !isCurrent;
  return (
    <li class={isDone ? "path-step path-done" : "path-step"} aria-current={isCurrent ? "step" : undefined}>
      <span class="path-mark">{isDone ? <Icon name="check" /> : format.plain(number)}</span>
      <a href={stepHref(step)}>
        {name}
        {isDone ? <span class="unseen"> ({say.done})</span> : null}
      </a>
      <p>{isDone ? <bdi class="digits">{made}</bdi> : what}</p>
    </li>
  );
}

interface StepFootProps {
  submit: string;
  /** Past this step. */
  skip: { href: string; label: string };
}

/** The button that goes on, and the link past it. */
export function StepFoot({ submit, skip }: StepFootProps) {
  return (
    <p class="form-foot">
      <button type="submit" class="button button-primary" aria-keyshortcuts="Control+Enter" data-primary>
        {submit} <kbd dir="ltr">Ctrl ↵</kbd>
      </button>
      <a class="path-skip" href={skip.href}>
        {skip.label}
      </a>
    </p>
  );
}
