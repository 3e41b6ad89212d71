/** The receivers of one channel: the form, and how it relates to the settings file. */

import type { AlertChannelName } from "../../../domain/alert-channel.ts";
import { mailSecurities } from "../../../domain/mail-security.ts";
import type { FieldTable } from "../../../fields/field.ts";
import { mailReceiverFields, smsReceiverFields, webhookReceiverFields } from "../../../fields/receiver.ts";
import type { ReceiverAnswer } from "../../../operator/alerts.ts";
import { CodeBlock, Notice, ShowOnce } from "../../components/blocks.tsx";
import { LinkButton, SubmitButton } from "../../components/buttons.tsx";
import {
  Choice,
  ErrorSummary,
  type FieldErrors,
  PasswordField,
  SelectField,
  TextArea,
  TextField,
} from "../../components/forms.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { alertsWords } from "./words.ts";

const receiverTables = { webhook: webhookReceiverFields, mail: mailReceiverFields, sms: smsReceiverFields };

interface ReceiverForm {
  state: ReceiverAnswer;
  /** Lists have an entry per line. */
  texts: Readonly<Record<string, string>>;
  errors: FieldErrors;
}

export const receiverHref = (channel: AlertChannelName): string => `/alerts/receivers/${channel}`;

/** What is in use; of a webhook with secrets in its path, too. */
export function receiverTexts({ channel, receiver }: ReceiverAnswer): Readonly<Record<string, string>> {
  if (receiver === null) return channel === "mail" ? { security: "starttls" } : {};
  switch (receiver.channel) {
    case "webhook":
      return { url: receiver.values.url };
    case "mail":
      return { ...receiver.values, to: receiver.values.to.join("\n") };
    case "sms": {
      const { to, sender, routes } = receiver.values;
      return { to: to.join("\n"), sender, routes: routes.join("\n") };
    }
  }
}

export function ReceiverPage(form: ReceiverForm) {
  const { words } = useLocale();
  const say = useWords(alertsWords);
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
              <SubmitButton name="do" value="save" label={say.save} />
              <LinkButton look="quiet" href="/alerts" label={say.cancel} />
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
  const table: FieldTable = receiverTables[state.channel];
  const said: Readonly<Record<string, { label: string; hint?: string }>> = say.receivers[state.channel];
  const named = (name: string) => {
    const [placeholder] = table[name]?.examples ?? [];
    const shown = { ...(said[name] ?? { label: name }), ...(placeholder !== undefined && { placeholder }) };
    return { name, ...shown, error: errors[name], value: texts[name] ?? "" };
  };
  const isStored = state.from === "console" && state.hasSecret;
  const renew = { name: "newSecret", checked: texts.newSecret === "on" };
  const securities = mailSecurities.map((value) => ({ value, label: say.security[value]("STARTTLS", "TLS") }));
  switch (state.channel) {
    case "webhook":
      return (
        <>
          <TextField {...named("url")} script="code" inputMode="url" />
          {isStored ? <Choice {...say.receivers.webhook.newSecret} {...renew} value="on" /> : null}
        </>
      );
    case "mail": {
      const { value: _, ...password } = named("password");
      const hint = isStored ? say.storedHint : password.hint;
      return (
        <>
          <div class="form-columns form-columns-2">
            <TextField {...named("server")} script="code" />
            <SelectField {...named("security")} options={securities} />
          </div>
          <div class="form-columns form-columns-2">
            <TextField {...named("user")} script="code" autocomplete="off" optional />
            <PasswordField
              {...password}
              {...(hint !== undefined && { hint })}
              {...(isStored && { placeholder: say.stored })}
              autocomplete="new-password"
            />
          </div>
          <TextField {...named("from")} script="code" />
          <TextArea {...named("to")} script="code" rows={3} />
        </>
      );
    }
    case "sms":
      return (
        <>
          <TextArea {...named("to")} script="digits" rows={3} />
          <TextField {...named("sender")} script="digits" size="medium" />
          <TextArea {...named("routes")} script="code" rows={3} />
        </>
      );
  }
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
  const { words } = useLocale();
  const say = useWords(alertsWords);
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
