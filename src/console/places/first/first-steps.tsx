/** What each step asks, and what it shows when it is done. */
import { Card, CodeBlock, Notice, ShowOnce } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { controlsOf, ErrorSummary, type FormState, SelectField, TextArea, TextField } from "../../components/forms.tsx";
import { useMay } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { Story, type StoryStep } from "../../components/story.tsx";
import { useLocale, useWords } from "../../locale.ts";
import type { CarrierView } from "../routes/carrier-data.ts";
import { CarrierCards } from "../routes/carrier-form.tsx";
import { StepFoot, StepPage } from "./first-page.tsx";
import { type Standing, stepHref } from "./standing.ts";
import { pathWords } from "./words.ts";

interface Step {
  standing: Standing;
}

type StepForm<Name extends string> = Step & FormState<Name>;

export function CarrierStep({ standing, view }: Step & { view: CarrierView }) {
  const { carrier, simulate } = useWords(pathWords);
  return (
    <StepPage step="carrier" standing={standing} lead={carrier.lead}>
      <CarrierCards
        view={view}
        foot={<StepFoot submit={carrier.save} skip={{ href: stepHref("account"), label: simulate }} />}
      />
    </StepPage>
  );
}

/** `account`: one that has no sender yet. */
export function AccountStep({ standing, texts, errors }: StepForm<"name" | "sender" | "route" | "account">) {
  const { words } = useLocale();
  const { account: say, goOn, skip } = useWords(pathWords);
  const control = controlsOf(texts, errors);
  const options = standing.routes.map((name) => ({ value: name, label: name }));
  return (
    <StepPage step="account" standing={standing} lead={say.lead}>
      <PostForm class="card card-form-page" action={stepHref("account")}>
        <ErrorSummary errors={errors} />
        <input type="hidden" name="account" value={texts.account} />
        <section class="form-group form">
          <TextField {...control("name")} label={say.name} />
          <TextField {...control("sender")} label={words.terms.sender} hint={say.senderHint} script="code" />
          {standing.made.carrier === null ? (
            <p class="muted">{say.onlySimulator}</p>
          ) : (
            <SelectField {...control("route")} label={say.route} hint={say.routeHint} options={options} script="code" />
          )}
        </section>
        <StepFoot submit={goOn} skip={{ href: stepHref("key"), label: skip }} />
      </PostForm>
    </StepPage>
  );
}

export function KeyStep({ standing, texts, errors }: StepForm<"name">) {
  const { key: say, skip } = useWords(pathWords);
  return (
    <StepPage step="key" standing={standing} lead={say.lead(standing.sending?.accountName ?? "")}>
      <PostForm class="card card-form-page" action={stepHref("key")}>
        <ErrorSummary errors={errors} />
        <section class="form-group form">
          <TextField {...controlsOf(texts, errors)("name")} label={say.name} />
        </section>
        <StepFoot submit={say.make} skip={{ href: stepHref("text"), label: skip }} />
      </PostForm>
    </StepPage>
  );
}

export function MadeKeyStep({ standing, apiKey, example }: Step & { apiKey: string; example: string }) {
  const { secrets } = useLocale().words;
  const { key: say } = useWords(pathWords);
  return (
    <StepPage step="key" standing={standing} lead={say.made}>
      <ShowOnce done={stepHref("text")}>
        <CodeBlock code={apiKey} label={secrets.secret} />
        <CodeBlock code={example} label={secrets.example} />
      </ShowOnce>
    </StepPage>
  );
}

export function TextStep({ standing, texts, errors }: StepForm<"number" | "message" | "key">) {
  const { words } = useLocale();
  const { text: say, skip } = useWords(pathWords);
  const { sender = "", route = "", accountName = "" } = standing.sending ?? {};
  const control = controlsOf(texts, errors);
  return (
    <StepPage step="text" standing={standing} lead={say.lead(sender, route, accountName)}>
      <PostForm class="card card-form-page" action={stepHref("text")}>
        <ErrorSummary errors={errors} />
        <input type="hidden" name="key" value={texts.key} />
        <section class="form-group form">
          <TextField {...control("number")} label={say.number} script="digits" inputMode="tel" />
          <TextArea {...control("message")} label={words.terms.text} rows={3} />
        </section>
        <StepFoot submit={words.places.send} skip={{ href: stepHref("done"), label: skip }} />
      </PostForm>
    </StepPage>
  );
}

interface OnItsWay extends Step {
  code: string;
  steps: readonly StoryStep[];
  status: "delivered" | "failed" | null;
}

export function SentStep({ standing, code, steps, status }: OnItsWay) {
  const { text: say } = useWords(pathWords);
  return (
    <StepPage step="text" standing={standing} lead={say.onItsWay}>
      <section class="card card-form-page">
        <div class="form-group stack">
          <Story steps={steps} />
          {status === null ? null : <Notice tone={status === "delivered" ? "ok" : "bad"}>{say[status]}</Notice>}
        </div>
        <p class="form-foot">
          <LinkButton look="primary" href={stepHref("done")} label={say.arrived} />
          <LinkButton href={`/messages/${code}`} label={say.nothing} />
        </p>
      </section>
    </StepPage>
  );
}

export function DoneStep({ standing }: Step) {
  const { end: say } = useWords(pathWords);
  const next = [
    ["/users", useMay("users.read"), say.customers],
    ["/credentials/new", useMay("keys.change"), say.credentials],
    ["/prices", useMay("prices.read"), say.prices],
    ["/alerts", useMay("system.read"), say.alerts],
  ] as const;
  return (
    <StepPage step="done" standing={standing} lead={say.lead}>
      <Card>
        <ul class="found">
          {next.map(([href, may, label]) =>
            may ? (
              <li key={href}>
                <a href={href}>{label}</a>
              </li>
            ) : null,
          )}
        </ul>
        <p>
          <LinkButton look="primary" href="/" label={say.first} />
        </p>
      </Card>
    </StepPage>
  );
}
