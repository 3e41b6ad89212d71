/** The receivers of one channel: the form, and how it relates to the settings file. */
import type { AlertChannelName } from "../../../domain/alert-channel.ts";
import { mailSecurities } from "../../../domain/mail-security.ts";
import type { ReceiverAnswer } from "../../../operator/alerts.ts";
import { CodeBlock, Notice, ShowOnce } from "../../components/blocks.tsx";
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
import type { Shell } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { useLocale } from "../../locale.ts";
import { alertsWords } from "./words.ts";

/** As typed, by the name of the field; lists have an entry per line. */
export type ReceiverFields = Readonly<Record<string, string>>;

export interface ReceiverView {
  state: ReceiverAnswer;
  fields: ReceiverFields;
  errors: FieldErrors;
}

export const receiverHref = (channel: AlertChannelName): string => `/alerts/receivers/${channel}`;

/** What is in use; of a webhook with secrets in its path, too. */
export function fieldsOf({ channel, receiver }: ReceiverAnswer): ReceiverFields {
  if (receiver === null) return channel === "mail" ? { security: "starttls" } : {};
  switch (receiver.channel) {
    case "webhook":
      return { url: receiver.values.url };
    case "mail": {
      const { to, ...values } = receiver.values;
      return { ...values, to: to.join("\n") };
    }
    case "sms": {
      const { to, sender, routes } = receiver.values;
      return { to: to.join("\n"), sender, routes: routes.join("\n") };
    }
  }
}

export function ReceiverPage({ shell, view }: { shell: Shell; view: ReceiverView }) {
  const { language, words } = useLocale();
  const say = alertsWords[language];
  const { channel, from, isInFile } = view.state;
  return (
    <PageLayout
      shell={shell}
      title={say.receiverTitle[channel]}
      above={{ title: words.places.alerts, href: "/alerts" }}
      lead={say.receiverLead[channel]}
    >
      <div class="stack form-page">
        {isInFile || from === "console" ? (
          <Notice tone="info">
            {isInFile ? (from === "file" ? say.fileDecides : say.fileIsBeaten) : say.fileIsEmpty}
          </Notice>
        ) : null}
        <div class="card card-form-page">
          <PostForm action={receiverHref(channel)}>
            <ErrorSummary errors={view.errors} />
            <section class="form-group form">
              <ReceiverControls view={view} />
            </section>
            <p class="form-foot">
              <button type="submit" class="button button-primary" name="do" value="test">
                {say.saveAndTest}
              </button>
              <button type="submit" class="button" name="do" value="save">
                {say.save}
              </button>
              <a class="button button-quiet" href="/alerts">
                {say.cancel}
              </a>
            </p>
          </PostForm>
        </div>
        <Ends state={view.state} />
      </div>
    </PageLayout>
  );
}

function ReceiverControls({ view: { state, fields, errors } }: { view: ReceiverView }) {
  const say = alertsWords[useLocale().language];
  const named = (name: keyof typeof say.field) => {
    const hints: Readonly<Partial<Record<string, string>>> = say.hint;
    const hint = hints[name];
    const error = errors[name];
    return { name, label: say.field[name], error, ...(hint !== undefined && { hint }), value: fields[name] ?? "" };
  };
  const isStored = state.from === "console" && state.hasSecret;
  switch (state.channel) {
    case "webhook":
      return (
        <>
          <TextField {...named("url")} script="code" inputMode="url" placeholder="https://hooks.example.com/peyk" />
          {isStored ? (
            <Choice
              name="newSecret"
              value="on"
              checked={fields.newSecret === "on"}
              label={say.newSecret}
              hint={say.newSecretHint}
            />
          ) : null}
        </>
      );
    case "mail": {
      const { value: _, ...password } = named("password");
      const hint = isStored ? say.storedHint : password.hint;
      return (
        <>
          <div class="form-columns form-columns-2">
            <TextField {...named("server")} script="code" placeholder="mail.example.com:587" />
            <SelectField
              {...named("security")}
              options={mailSecurities.map((value) => ({ value, label: say.security[value]("STARTTLS", "TLS") }))}
            />
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
          <TextField {...named("from")} script="code" placeholder="peyk@example.com" />
          <TextArea {...named("to")} hint={say.toMailHint} script="code" rows={3} />
        </>
      );
    }
    case "sms":
      return (
        <>
          <TextArea {...named("to")} hint={say.toSmsHint} script="digits" rows={3} />
          <TextField {...named("sender")} script="digits" size="medium" />
          <TextArea {...named("routes")} script="code" rows={3} />
        </>
      );
  }
}

/** Switching it off, and going back to the settings file. */
function Ends({ state: { channel, from, isInFile } }: { state: ReceiverAnswer }) {
  const say = alertsWords[useLocale().language];
  if (from === null) return null;
  return (
    <PostForm class="list-tools" action={`${receiverHref(channel)}/end`}>
      {from === "off" ? null : (
        <button type="submit" class="button" name="do" value={isInFile ? "off" : "remove"}>
          {say.switchOff}
        </button>
      )}
      {isInFile && from !== "file" ? (
        <button type="submit" class="button" name="do" value="remove">
          {say.backToFile}
        </button>
      ) : null}
    </PostForm>
  );
}

/** `secret`: of a webhook, shown only here. */
export function ReceiverSecretPage({ shell, secret }: { shell: Shell; secret: string }) {
  const { language, words } = useLocale();
  const say = alertsWords[language];
  return (
    <PageLayout
      shell={shell}
      title={say.receiverTitle.webhook}
      above={{ title: words.places.alerts, href: "/alerts" }}
      lead={say.secretLead}
    >
      <div class="stack form-page">
        <ShowOnce done="/alerts">
          <CodeBlock code={secret} label={words.secrets.secret} />
          <CodeBlock code="peyk alert test webhook" label={words.secrets.example} />
        </ShowOnce>
      </div>
    </PageLayout>
  );
}
