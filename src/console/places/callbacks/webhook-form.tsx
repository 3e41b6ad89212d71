/** Forms of webhooks: a new one, its events, its removal, and the signing secret that is shown only once. */
import type { ComponentChildren } from "preact";
import { eventKinds } from "../../../domain/event.ts";
import { CodeBlock, ShowOnce } from "../../components/blocks.tsx";
import { FormPage } from "../../components/form-page.tsx";
import { Choice, controlsOf, type FormState, type Option, TextField } from "../../components/forms.tsx";
import { Breakable, Code, Icon } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { AccountField } from "../../components/listed-field.tsx";
import { useIsCustomer } from "../../components/navigation.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { callbacksWords } from "./words.ts";

interface NewWebhook extends FormState<"account" | "url"> {
  events: readonly string[];
  /** Accounts to choose from; null for a customer, who has one. */
  accounts: readonly Option[] | null;
}

export function NewWebhookPage({ texts, events, errors, accounts }: NewWebhook) {
  const { words } = useLocale();
  const { form: say } = useWords(callbacksWords);
  const above = { title: words.places.callbacks, href: "/callbacks" };
  return (
    <FormPage title={say.create} {...{ above, errors }} lead={say.lead} submit={say.make}>
      <div class="form-group form">
        {accounts === null ? null : (
          <AccountField label={words.terms.account} value={texts.account} error={errors.account} accounts={accounts} />
        )}
        <TextField
          {...controlsOf(texts, errors)("url")}
          label={words.terms.address}
          hint={say.urlHint}
          inputMode="url"
          script="code"
          placeholder="https://hooks.example.com/sms"
        />
        <EventsField chosen={events} error={errors.events} />
      </div>
    </FormPage>
  );
}

/** None of its fields is text. */
interface WebhookEvents extends FormState<never> {
  id: string;
  host: string;
  events: readonly string[];
}

export function WebhookEventsPage({ id, host, events, errors }: WebhookEvents) {
  const title = useWords(callbacksWords).form.eventsOf(host);
  const above = { title: host, href: `/callbacks/${id}/deliveries` };
  return (
    <FormPage title={title} heading={<Breakable text={title} />} {...{ above, errors }}>
      <div class="form-group form">
        <EventsField chosen={events} error={errors.events} />
      </div>
    </FormPage>
  );
}

function EventsField({ chosen, error }: { chosen: readonly string[]; error: string | undefined }) {
  const say = useWords(callbacksWords).form;
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

interface MadeWebhook {
  id: string;
  url: string;
  signingSecret: string;
}

export function MadeWebhookPage({ id, url, signingSecret }: MadeWebhook) {
  const { words, say } = useLocale(callbacksWords);
  const { host } = new URL(url);
  const line = `printf '%s' "$TIMESTAMP.$BODY" | openssl dgst -sha256 -hmac '${signingSecret}'`;
  return (
    <PageLayout
      title={host}
      heading={<Breakable text={host} />}
      above={{ title: words.places.callbacks, href: "/callbacks" }}
    >
      <SecretShownOnce id={id}>
        <CodeBlock code={signingSecret} label={say.secret.title} />
        <p>
          {say.form.check} <Code>X-Service-Timestamp</Code> <Code>X-Service-Signature</Code>
        </p>
        <CodeBlock code={line} label={say.form.checkLine} />
      </SecretShownOnce>
    </PageLayout>
  );
}

/** `id`: of the webhook whose secret it is. */
export function SecretShownOnce({ id, children }: { id: string; children: ComponentChildren }) {
  const say = useWords(callbacksWords);
  const title = useIsCustomer() ? say.own.secretShownOnce : say.secret.shownOnce;
  return (
    <ShowOnce title={title} done={`/callbacks/${id}/deliveries`}>
      {children}
    </ShowOnce>
  );
}
