/** A user's own settings: the console's appearance, the password, the second factor, and where they are signed in. */
import { type Language, languages, type Theme, themes } from "../../../domain/console-look.ts";
import type { TokenAnswer } from "../../../operator/user-tokens.ts";
import type { SessionRow } from "../../../store/sessions.ts";
import { Card } from "../../components/blocks.tsx";
import { FormButtons, LinkButton, PostButton } from "../../components/buttons.tsx";
import { Choice, ErrorSummary, type FieldErrors, PasswordField, SelectField } from "../../components/forms.tsx";
import { Code, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, Records, wordColumn } from "../../components/records.tsx";
import { languageNames } from "../../language.ts";
import { useLocale, useWords } from "../../locale.ts";
import { passwordsWords, setupWords } from "../sign-in/words.ts";
import { PasskeysCard, type PasskeysView } from "./passkeys.tsx";
import { FactorCode } from "./second-factor.tsx";
import { SignOnCard, type SignOnState } from "./sign-on.tsx";
import { TokensCard } from "./tokens.tsx";
import { keyboardWords, secondFactorWords, settingsWords } from "./words.ts";

interface SettingsView {
  language: Language;
  theme: Theme;
  zone: string;
  shortcuts: boolean;
  zones: readonly string[];
  /** Null where there is no single sign-on. */
  signOn: SignOnState | null;
  /** Users whom a provider vouches for may have none. */
  hasPassword: boolean;
  hasSecondFactor: boolean;
  /** False if Peyk's settings require it. */
  mayRemoveFactor: boolean;
  passkeys: PasskeysView | null;
  tokens: readonly TokenAnswer[];
  sessions: readonly SessionRow[];
  /** The reader's own. */
  sessionId: number;
  passwordLengthMin: number;
  /** Of the forms for the password and the second factor, which have no field in common. */
  errors: FieldErrors;
}

export function SettingsPage(view: SettingsView) {
  const { words, say } = useLocale(settingsWords);
  return (
    <PageLayout title={words.places.settings}>
      <div class="stack narrow">
        <LookForm {...view} />
        {view.signOn === null ? null : <SignOnCard {...view.signOn} />}
        {view.hasPassword ? (
          <>
            <PasswordForm {...view} />
            <FactorCard {...view} />
          </>
        ) : null}
        {view.passkeys === null ? null : <PasskeysCard {...view.passkeys} />}
        {view.hasPassword || view.tokens.length > 0 ? <TokensCard tokens={view.tokens} /> : null}
        <Card title={say.sessions} flush>
          <Sessions {...view} />
        </Card>
      </div>
    </PageLayout>
  );
}

function LookForm(view: SettingsView) {
  const { words, say } = useLocale(settingsWords);
  const keyboard = useWords(keyboardWords);
  return (
    <Card title={say.look}>
      <PostForm class="form" action="/settings">
        <div class="form-row">
          <SelectField
            name="language"
            label={say.language}
            value={view.language}
            options={languages.map((value) => ({ value, label: languageNames[value] }))}
          />
          <SelectField
            name="theme"
            label={words.layout.theme}
            value={view.theme}
            options={themes.map((value) => ({ value, label: words.layout.themes[value] }))}
          />
          <SelectField
            name="zone"
            label={say.zone}
            value={view.zone}
            options={view.zones.map((value) => ({ value, label: value }))}
            script="code"
          />
        </div>
        <Choice name="shortcuts" value="on" checked={view.shortcuts} label={say.shortcuts} hint={say.shortcutsHint} />
        <p>
          <a href="/keyboard">{keyboard.title}</a>
        </p>
        <FormButtons label={words.actions.save} />
      </PostForm>
    </Card>
  );
}

function PasswordForm({ errors: { code: _, ...errors }, passwordLengthMin }: SettingsView) {
  const { words, language, format, say } = useLocale(settingsWords);
  return (
    <Card title={words.terms.password} id="password">
      <PostForm class="form" action="/settings/password">
        <ErrorSummary errors={errors} />
        <PasswordField name="current" label={say.current} error={errors.current} autocomplete="current-password" />
        <PasswordField
          name="password"
          label={say.next}
          hint={passwordsWords[language].hint(format.count(passwordLengthMin))}
          error={errors.password}
          autocomplete="new-password"
        />
        <PasswordField
          name="again"
          label={setupWords[language].again}
          error={errors.again}
          autocomplete="new-password"
        />
        <FormButtons isSecond label={say.change} />
      </PostForm>
    </Card>
  );
}

function FactorCard({ hasSecondFactor, mayRemoveFactor, errors }: SettingsView) {
  const { say } = useLocale(secondFactorWords);
  return (
    <Card title={say.title} id="second-factor">
      <p>{hasSecondFactor ? say.on : say.off}</p>
      {hasSecondFactor ? null : (
        <p>
          <LinkButton href="/settings/second-factor" label={say.enrol} />
        </p>
      )}
      {!hasSecondFactor || !mayRemoveFactor ? null : (
        <PostForm class="form" action="/settings/second-factor/remove">
          <FactorCode error={errors.code} />
          <FormButtons look="danger" label={say.remove} />
        </PostForm>
      )}
    </Card>
  );
}

function Sessions({ sessions, sessionId }: SettingsView) {
  const { words, say } = useLocale(settingsWords);
  const columns: readonly Column<SessionRow>[] = [
    { head: words.terms.address, phone: "title", cell: ({ address }) => <Code>{address}</Code> },
    wordColumn(words.terms.since, ({ createdAt }) => <Time at={createdAt} as="dayAndClock" />),
    wordColumn(say.seen, ({ seenAt }) => <Time at={seenAt} as="dayAndClock" />),
    {
      head: words.layout.signOut,
      phone: "aside",
      buttons: true,
      cell: ({ id }) =>
        id === sessionId ? (
          <span class="muted">{say.thisOne}</span>
        ) : (
          <PostButton look="quiet small" action={`/settings/sessions/${id}/end`} label={words.layout.signOut} />
        ),
    },
  ];
  return <Records label={say.sessions} columns={columns} rows={sessions} keyOf={({ id }) => String(id)} />;
}
