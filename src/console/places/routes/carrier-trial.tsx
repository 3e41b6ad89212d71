/** The carrier's response to the form's values: tested step by step, before anything is saved. */
import type { Reason } from "../../../domain/reason.ts";
import { WrongFields } from "../../components/forms.tsx";
import { Code, Icon } from "../../components/inline.tsx";
import { useLocale } from "../../locale.ts";
import { routeTrouble, toldText } from "../../page/message-reason.ts";
import { actionOf, type CarrierView, carrierFormId, type Trial, type TriedStep } from "./carrier-data.ts";
import { carrierWords } from "./carrier-words.ts";
import { routesWords } from "./words.ts";

/** Beside the form; while the user types, a script refreshes it and leaves the form untouched. */
export function CarrierTrial({ view }: { view: CarrierView }) {
  const say = carrierWords[useLocale().language];
  const { trial } = view;
  return (
    <section class="card" id="trial" aria-labelledby="trial-title">
      <div class="card-head">
        <h2 id="trial-title">{say.test}</h2>
        <button
          type="submit"
          class="button button-small"
          form={carrierFormId}
          name="do"
          value="test"
          hx-post={actionOf(view)}
          hx-include={`#${carrierFormId}`}
          hx-target="#trial"
          hx-swap="outerHTML"
        >
          <Icon name={trial === null ? "play" : "again"} />
          {say.doTest}
        </button>
      </div>
      {trial === null ? <p class="muted">{say.testNote}</p> : <Verdict view={view} trial={trial} />}
    </section>
  );
}

function Verdict({ view, trial }: { view: CarrierView; trial: NonNullable<Trial> }) {
  const locale = useLocale();
  const say = carrierWords[locale.language];
  if (Object.keys(trial.errors).length > 0) {
    return (
      <div class="verdict tint-bad" role="alert">
        <Icon name="failed" />
        <div>
          <p class="verdict-title">{say.wrongFields}</p>
          <WrongFields errors={trial.errors} />
        </div>
      </div>
    );
  }
  return (
    <>
      <VerdictLine trial={trial} />
      <ol class="probe-steps">
        {trial.steps.map((step, index) => (
          <Step key={`${step.step} ${index}`} step={step} />
        ))}
        {stepsLeft(view, trial).map((step) => (
          <li key={step} class="probe-step probe-later">
            <span class="ring" />
            <span>{say.ahead[step] ?? step}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

/** Steps skipped after a failure. */
function stepsLeft({ carrier, form }: CarrierView, { steps }: NonNullable<Trial>): string[] {
  if (carrier === "simulator" || steps.every(({ ok }) => ok !== false)) return [];
  const isSecure = form.texts.tls === "yes" || carrier !== "smpp";
  const all = carrier === "smpp" ? ["connect", ...(isSecure ? ["tls"] : []), "bind", "unbind"] : ["connect", "login"];
  return all.slice(Math.max(0, all.indexOf(steps.at(-1)?.step ?? "")) + 1);
}

/** A plain sentence, followed by the carrier's code in small type. */
function VerdictLine({ trial: { ok, steps } }: { trial: NonNullable<Trial> }) {
  const locale = useLocale();
  const say = carrierWords[locale.language];
  if (ok) {
    return (
      <p class="verdict tint-ok" role="status">
        <Icon name="ok" />
        <span class="verdict-title">{say.ready}</span>
      </p>
    );
  }
  const failed = steps.find((step) => step.ok === false);
  const refused = failed?.reason === undefined ? null : refusedBind(failed.reason);
  return (
    <div class="verdict tint-bad" role="alert">
      <Icon name="failed" />
      <div>
        <p class="verdict-title">
          {refused === null ? (say.failed[failed?.step ?? ""] ?? say.notReady) : say[refused.says]}
        </p>
        <p>
          {refused === null ? stepDetail(failed) : refused.says === "refusedPassword" ? `${say.asksPassword} ` : ""}
          {refused === null ? null : <Code>{refused.code}</Code>}
        </p>
      </div>
    </div>
  );

  function stepDetail(step: TriedStep | undefined): string {
    if (step === undefined) return "";
    return step.reason === undefined ? step.detail : routeTrouble(step.reason, locale);
  }
}

/** SMPP 3.4 §5.1.3: ESME_RINVPASWD, ESME_RINVSYSID. */
const passwordStatus = 0x0e;
const userStatus = 0x0f;

function refusedBind(reason: Reason) {
  if (reason.code !== "bind_refused") return null;
  const { status, statusName } = reason;
  const says =
    status === passwordStatus
      ? ("refusedPassword" as const)
      : status === userStatus
        ? ("refusedUser" as const)
        : ("refusedBind" as const);
  return { says, code: statusName ?? String(status) };
}

function Step({ step: { step, ok, detail, reason, ms } }: { step: TriedStep }) {
  const locale = useLocale();
  const say = carrierWords[locale.language];
  return (
    <li class="probe-step">
      <span class={ok === false ? "ink-bad" : ok === null ? "ink-wait" : "ink-ok"}>
        <Icon name={ok === false ? "failed" : ok === null ? "minus" : "ok"} />
      </span>
      <span>
        {(ok === true ? say.steps : say.ahead)[step] ?? routesWords[locale.language].steps[step] ?? step}
        <span class="unseen"> ({ok === false ? say.notReady : routesWords[locale.language].stepGood})</span>
      </span>
      {ms === undefined ? null : <span class="probe-took">{locale.format.duration(ms)}</span>}
      {ok === false ? null : <p>{reason === undefined ? <Code>{detail}</Code> : toldText(reason, locale)}</p>}
    </li>
  );
}
