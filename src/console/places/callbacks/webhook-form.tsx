/** Forms of webhooks: a new one, its events, its removal, and the signing secret that is shown only once. */
import { eventKinds } from "../../../domain/event.ts";
import { CodeBlock } from "../../components/blocks.tsx";
import type { ConfirmView } from "../../components/confirm.tsx";
import { Choice, ErrorSummary, type FieldErrors, type Option, TextField } from "../../components/forms.tsx";
import { Breakable, Code, Icon } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { AccountField } from "../../components/listed-field.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { callbacksWords } from "./words.ts";

export interface WebhookFields {
  account: string;
  url: string;
  events: readonly string[];
}

export interface NewWebhookView {
  fields: WebhookFields;
  errors: FieldErrors;
  /** Accounts to choose from; null for a customer, who has one. */
  accounts: readonly Option[] | null;
}

const above = (locale: Locale) => ({ title: callbacksWords[locale.language].title, href: "/callbacks" });

export function NewWebhookPage({ shell, view }: { shell: Shell; view: NewWebhookView }) {
  const locale = useLocale();
  const say = callbacksWords[locale.language].form;
  const { fields, errors, accounts } = view;
  return (
    <PageLayout shell={shell} title={say.create} above={above(locale)} lead={say.lead}>
      <PostForm class="card card-form-page" action="/callbacks/new">
        <ErrorSummary errors={errors} />
        <div class="form-group form">
          {accounts === null ? null : (
            <AccountField label={say.account} value={fields.account} error={errors.account} accounts={accounts} />
          )}
          <TextField
            name="url"
            label={say.url}
            hint={say.urlHint}
            value={fields.url}
            error={errors.url}
            inputMode="url"
            script="code"
            placeholder="https://hooks.example.com/sms"
          />
          <EventsField chosen={fields.events} error={errors.events} />
        </div>
        <Foot submit={say.make} back="/callbacks" />
      </PostForm>
    </PageLayout>
  );
}

export interface WebhookEventsView {
  id: string;
  host: string;
  events: readonly string[];
  errors: FieldErrors;
}

export function WebhookEventsPage({ shell, view }: { shell: Shell; view: WebhookEventsView }) {
  const { language } = useLocale();
  const say = callbacksWords[language].form;
  const back = `/callbacks/${view.id}/deliveries`;
  return (
    <PageLayout
      shell={shell}
      title={say.eventsOf(view.host)}
      heading={<Breakable text={say.eventsOf(view.host)} />}
      above={{ title: view.host, href: back }}
    >
      <PostForm class="card card-form-page" action={`/callbacks/${view.id}/change`}>
        <ErrorSummary errors={view.errors} />
        <div class="form-group form">
          <EventsField chosen={view.events} error={view.errors.events} />
        </div>
        <Foot submit={say.save} back={back} />
      </PostForm>
    </PageLayout>
  );
}

function EventsField({ chosen, error }: { chosen: readonly string[]; error: string | undefined }) {
  const { language } = useLocale();
  const say = callbacksWords[language].form;
  return (
    <fieldset
      class={error === undefined ? "field" : "field field-wrong"}
      id="field-events"
      aria-describedby={error === undefined ? undefined : "field-events-error"}
    >
      <legend>{say.events}</legend>
      {eventKinds.map((kind) => (
        <Choice
          key={kind}
          name="events"
          value={kind}
          checked={chosen.includes(kind)}
          label={
            <>
              {say.kinds[kind]} <Code>{kind}</Code>
            </>
          }
        />
      ))}
      {error === undefined ? null : (
        <p class="field-error" id="field-events-error">
          <Icon name="alert" />
          {error}
        </p>
      )}
    </fieldset>
  );
}

function Foot({ submit, back }: { submit: string; back: string }) {
  const { words } = useLocale();
  return (
    <p class="form-foot">
      <button type="submit" class="button button-primary">
        {submit}
      </button>
      <a class="button button-quiet" href={back}>
        {words.actions.back}
      </a>
    </p>
  );
}

export interface MadeWebhook {
  id: string;
  url: string;
  signingSecret: string;
}

export function MadeWebhookPage({ shell, view }: { shell: Shell; view: MadeWebhook }) {
  const locale = useLocale();
  const { words } = locale;
  const say = callbacksWords[locale.language];
  const { host } = new URL(view.url);
  return (
    <PageLayout shell={shell} title={host} heading={<Breakable text={host} />} above={above(locale)}>
      <section class="card show-once">
        <p class="show-once-title">
          <Icon name="key" />
          {shell.role === "customer" ? say.own.secretShownOnce : say.secret.shownOnce}
        </p>
        <CodeBlock code={view.signingSecret} label={say.secret.title} />
        <p>
          {say.form.check} <Code>X-Service-Timestamp</Code> <Code>X-Service-Signature</Code>
        </p>
        <CodeBlock
          code={`printf '%s' "$TIMESTAMP.$BODY" | openssl dgst -sha256 -hmac '${view.signingSecret}'`}
          label={say.form.checkLine}
        />
        <p>
          <a class="button button-primary" href={`/callbacks/${view.id}/deliveries`}>
            {words.secrets.stored}
          </a>
        </p>
      </section>
    </PageLayout>
  );
}

export function removeWebhookQuestion(id: string, host: string, { language, words }: Locale): ConfirmView {
  const say = callbacksWords[language].remove;
  return {
    question: say.ask(host),
    goes: [say.goes],
    stays: [say.stays],
    action: `/callbacks/${id}/remove`,
    doIt: say.doIt(host),
    keep: words.confirm.keep,
    back: `/callbacks/${id}/deliveries`,
  };
}
