/**
 * The second factor: entering a code at sign-in, setting up an authenticator app, and the recovery codes that are shown
 * once.
 */

import { encode } from "uqr";
import type { Theme } from "../../../domain/console-look.ts";
import { Card, CodeBlock, Notice } from "../../components/blocks.tsx";
import { FormButtons, LinkButton, SubmitButton } from "../../components/buttons.tsx";
import { ErrorSummary, type FieldErrors, PasswordField, TextField } from "../../components/forms.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { askPathAfterPassword, PasskeySignIn } from "../sign-in/passkey-button.tsx";
import { passkeyWords } from "../sign-in/passkey-words.ts";
import { SignInFrame } from "../sign-in/sign-in.tsx";
import { signInHref } from "../sign-in/sign-in-href.ts";
import { signInWords } from "../sign-in/words.ts";
import { passkeysPath } from "./passkeys.tsx";
import { secondFactorWords, settingsWords } from "./words.ts";

export interface CodeView {
  owner: string;
  theme: Theme;
  /** The page that the reader wanted. */
  next: string;
  trouble: string | null;
  hasCodes: boolean;
  /** One that works at this address. */
  hasPasskey: boolean;
  /** Where the reader's passkeys work. */
  passkeyHosts: readonly string[];
}

export function SignInCodePage({ view }: { view: CodeView }) {
  const { owner, theme, next, trouble, hasCodes, hasPasskey, passkeyHosts } = view;
  const { say, language } = useLocale(secondFactorWords);
  const passkey = passkeyWords[language];
  return (
    <SignInFrame title={say.title} owner={owner} theme={theme}>
      {trouble === null ? null : <Notice tone="bad">{trouble}</Notice>}
      {hasCodes || hasPasskey ? null : (
        <Notice tone="info">{passkey.elsewhere([...new Set(passkeyHosts)].join(", "))}</Notice>
      )}
      {hasCodes ? <CodeForm next={next} /> : null}
      {hasPasskey ? (
        <PasskeySignIn action="/sign-in/code" next={next} label={passkey.confirm} ask={askPathAfterPassword} />
      ) : null}
      <PostForm class="sign-in-help" action="/sign-out">
        <SubmitButton look="quiet" label={say.another} />
      </PostForm>
    </SignInFrame>
  );
}

function CodeForm({ next }: Pick<CodeView, "next">) {
  const { language } = useLocale();
  return (
    <PostForm class="card form" action={signInHref("/sign-in/code", next)}>
      <input type="hidden" name="to" value={next} />
      <FactorCode />
      <SubmitButton look="primary wide" label={signInWords[language].submit} />
    </PostForm>
  );
}

interface ProofProps {
  label: string;
  hint?: string;
  error: string | undefined;
}

/** The reader's own, again: whoever found the session open does not know it. */
export function CurrentPassword(props: ProofProps) {
  return <PasswordField {...props} name="password" autocomplete="current-password" />;
}

export function FactorCode({ hint, error }: { hint?: string; error?: string | undefined }) {
  const { words, say } = useLocale(secondFactorWords);
  const props = { label: words.terms.code, hint: hint ?? say.codeOrRecovery, error };
  return <TextField {...props} name="code" value="" autocomplete="one-time-code" script="code" />;
}

export interface EnrolView {
  /** In Base32, for readers who cannot scan the page with a camera. */
  secret: string;
  /** `otpauth://totp/…` */
  url: string;
  /** Until it is set up, the reader can open nothing else. */
  isDemanded: boolean;
  errors: FieldErrors;
}

export function EnrolPage({ secret, url, isDemanded, errors }: EnrolView) {
  const { words, say } = useLocale(secondFactorWords);
  const settings = useWords(settingsWords);
  const passkey = useWords(passkeyWords);
  return (
    <PageLayout
      title={say.enrol}
      lead={say.enrolLead}
      {...(!isDemanded && { above: { title: words.places.settings, href: "/settings" } })}
    >
      <PostForm class="card form narrow" action="/settings/second-factor">
        {isDemanded ? (
          <Notice tone="info" action={<LinkButton href={`${passkeysPath}/new`} label={passkey.add} />}>
            {say.demanded} {passkey.instead}
          </Notice>
        ) : null}
        <ErrorSummary errors={errors} />
        <QrCode text={url} label={say.scan} />
        <p>{say.scan}</p>
        <CodeBlock code={secret.match(/.{1,4}/g)?.join(" ") ?? secret} label={words.terms.key} />
        <input type="hidden" name="secret" value={secret} />
        <FactorCode hint={say.codeHint} error={errors.code} />
        <CurrentPassword label={settings.current} error={errors.password} />
        <FormButtons label={say.submit} />
      </PostForm>
    </PageLayout>
  );
}

export function RecoveryCodesPage({ codes }: { codes: readonly string[] }) {
  const { words, say } = useLocale(secondFactorWords);
  return (
    <PageLayout title={say.recovery} lead={say.recoveryLead}>
      <Card>
        <CodeBlock code={codes.join("\n")} label={say.recovery} />
        <p>
          <LinkButton look="primary" href="/settings" label={words.secrets.stored} />
        </p>
      </Card>
    </PageLayout>
  );
}

export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { border: 2 });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={squares.join("")} />
    </svg>
  );
}
