/** The receivers of one channel: the form, and how it relates to the settings file. */

import type { AlertChannelName } from "../../../domain/alert-channel.ts";
import { mailSecurities } from "../../../domain/mail-security.ts";
import type { FieldTable } from "../../../fields/field.ts";
import { mailReceiverFields, smsReceiverFields, webhookReceiverFields } from "../../../fields/receiver.ts";
import type { ReceiverAnswer } from "../../../operator/alerts.ts";
import { CodeBlock, Notice, ShowOnce } from "../../components/blocks.tsx";
import { LinkButton, SubmitButton } from "../../components/buttons.tsx";
import { DeclaredFields } from "../../components/declared-fields.tsx";
import { ErrorSummary, type FieldErrors } from "../../components/forms.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Locale, useLocale, useWords } from "../../locale.ts";
import { shownTexts } from "../../page/declared-form.ts";
import { alertsWords } from "./words.ts";

export const receiverTables = { webhook: webhookReceiverFields, mail: mailReceiverFields, sms: smsReceiverFields };

interface ReceiverForm {
  state: ReceiverAnswer;
  /** Lists have an entry per line. */
  texts: Readonly<Record<string, string>>;
  errors: FieldErrors;
}

export const receiverHref = (channel: AlertChannelName): string => `/alerts/receivers/${channel}`;

/** What is in use; of a webhook with secrets in its path, too. */
export function receiverTexts({ channel, receiver }: ReceiverAnswer, locale: Locale): ReceiverForm["texts"] {
  const table: FieldTable = receiverTables[channel];
  const values = { ...(channel === "mail" && { security: mailSecurities[0] }), ...receiver?.values };
  return shownTexts(table, values, locale);
}

export function ReceiverPage(form: ReceiverForm) {
  const { words, say } = useLocale(alertsWords);
  const { channel, from, isInFile } = form.state;
  const fileSays = from === "file" ? say.fileDecides : say.fileIsBeaten;
  const above = { title: words.places.alerts, href: "/alerts" };
  return (
    <PageLayout title={say.receiverTitle[channel]} above={above} lead={say.receiverLead[channel]}>
      <div class="stack form-page">
        {isInFile || from === "console" ? <Notice tone="info">{isInFile ? fileSays : say.fileIsEmpty}</Notice> : null}
        <div class="card card-form-page">
          <PostForm action={receiverHref(channel)}>
            <ErrorSummary errors={form.errors} />
            <section class="form-group form">
              <ReceiverControls {...form} />
            </section>
            <p class="form-foot">
              <SubmitButton look="primary" name="do" value="test" label={say.saveAndTest} />
              <SubmitButton name="do" value="save" label={words.actions.save} />
              <LinkButton look="quiet" href="/alerts" label={words.actions.cancel} />
            </p>
          </PostForm>
        </div>
        <Ends {...form.state} />
      </div>
    </PageLayout>
  );
}

function ReceiverControls({ state, texts, errors }: ReceiverForm) {
  const say = useWords(alertsWords);
  const { webhook, mail } = say.receivers;
  const isStored = state.from === "console" && state.hasSecret;
  const { newSecret, ...unsigned } = webhookReceiverFields;
  const securities = mailSecurities.map((value) => [value, say.security[value]("STARTTLS", "TLS")]);
  const said = {
    webhook,
    mail: {
      ...mail,
      security: { ...mail.security, choices: Object.fromEntries(securities) },
      ...(isStored && { password: { ...mail.password, hint: say.storedHint, placeholder: say.stored } }),
    },
    sms: say.receivers.sms,
  }[state.channel];
  const table = { ...receiverTables, webhook: isStored ? { ...unsigned, newSecret } : unsigned }[state.channel];
  return <DeclaredFields {...{ table, said, texts, errors }} />;
}

/** Switching it off, and going back to the settings file. */
function Ends({ channel, from, isInFile }: ReceiverAnswer) {
  const say = useWords(alertsWords);
  if (from === null) return null;
  const off = isInFile ? "off" : "remove";
  return (
    <PostForm class="list-tools" action={`${receiverHref(channel)}/end`}>
      {from === "off" ? null : <SubmitButton name="do" value={off} label={say.switchOff} />}
      {isInFile && from !== "file" ? <SubmitButton name="do" value="remove" label={say.backToFile} /> : null}
    </PostForm>
  );
}

/** `secret`: of a webhook, shown only here. */
export function ReceiverSecretPage({ secret }: { secret: string }) {
  const { words, say } = useLocale(alertsWords);
  const above = { title: words.places.alerts, href: "/alerts" };
  return (
    <PageLayout title={say.receiverTitle.webhook} above={above} lead={say.secretLead}>
      <div class="stack form-page">
        <ShowOnce done="/alerts">
          <CodeBlock code={secret} label={words.secrets.secret} />
          <CodeBlock code="peyk alert test webhook" label={words.secrets.example} />
        </ShowOnce>
      </div>
    </PageLayout>
  );
}
