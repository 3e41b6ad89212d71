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
import { type Locale, useLocale, useWords } from "../../locale.ts";
import { SignInFrame, signInHref } from "../sign-in/sign-in.tsx";
import { signInWords } from "../sign-in/words.ts";
import { secondFactorWords, settingsWords } from "./words.ts";

export interface CodeView {
  owner: string;
  theme: Theme;
  /** The page that the reader wanted. */
  next: string;
  /** `waitMs`: too many attempts. */
  trouble: { kind: "wrong" } | { kind: "slow"; waitMs: number } | null;
}

export function SignInCodePage({ view: { owner, theme, next, trouble } }: { view: CodeView }) {
  const { words, language, format, say } = useLocale(secondFactorWords);
  return (
    <SignInFrame title={say.title} owner={owner} theme={theme}>
      {trouble === null ? null : (
        <Notice tone="bad">
          {trouble.kind === "slow" ? signInWords[language].slow(format.duration(trouble.waitMs)) : say.wrong}
        </Notice>
      )}
      <PostForm class="card form" action={signInHref("/sign-in/code", next)}>
        <input type="hidden" name="to" value={next} />
        <TextField
          name="code"
          label={words.terms.code}
          hint={say.codeOrRecovery}
          value=""
          autocomplete="one-time-code"
          script="code"
        />
        <SubmitButton look="primary wide" label={signInWords[language].submit} />
      </PostForm>
      <PostForm class="sign-in-help" action="/sign-out">
        <SubmitButton look="quiet" label={say.another} />
      </PostForm>
    </SignInFrame>
  );
}

export interface EnrolView {
  /** In Base32, for readers who cannot scan the page with a camera. */
  secret: string;
  /** `otpauth://totp/…` */
  url: string;
  /** Until it is set up, the reader can open nothing else. */
  isDemanded: boolean;
  /** `password`, `code`: wrong. `waitMs`: too many attempts. */
  trouble: { kind: "password" | "code" } | { kind: "slow"; waitMs: number } | null;
}

function enrolErrors(trouble: EnrolView["trouble"], { language, format }: Locale): FieldErrors {
  if (trouble === null) return {};
  if (trouble.kind === "code") return { code: secondFactorWords[language].wrong };
  const isSlow = trouble.kind === "slow";
  return {
    password: isSlow ? signInWords[language].slow(format.duration(trouble.waitMs)) : settingsWords[language].wrong,
  };
}

export function EnrolPage({ secret, url, isDemanded, trouble }: EnrolView) {
  const locale = useLocale(secondFactorWords);
  const { words, say } = locale;
  const settings = useWords(settingsWords);
  const errors = enrolErrors(trouble, locale);
  return (
    <PageLayout
      title={say.enrol}
      lead={say.enrolLead}
      {...(!isDemanded && { above: { title: words.places.settings, href: "/settings" } })}
    >
      <PostForm class="card form narrow" action="/settings/second-factor">
        {isDemanded ? <Notice tone="info">{say.demanded}</Notice> : null}
        <ErrorSummary errors={errors} />
        <QrCode text={url} label={say.scan} />
        <p>{say.scan}</p>
        <CodeBlock code={secret.match(/.{1,4}/g)?.join(" ") ?? secret} label={words.terms.key} />
        <input type="hidden" name="secret" value={secret} />
        <TextField
          name="code"
          label={words.terms.code}
          hint={say.codeHint}
          error={errors.code}
          value=""
          autocomplete="one-time-code"
          script="code"
          size="medium"
        />
        <PasswordField
          name="password"
          label={settings.current}
          error={errors.password}
          autocomplete="current-password"
          size="medium"
        />
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
