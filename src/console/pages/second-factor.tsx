/** The second factor: asked for at sign-in, set up with an authenticator app, and the recovery codes that are shown once. */
import type { Theme } from "../../domain/console-look.ts";
import { assetUrl } from "../assets/assets.ts";
import { Card, CodeBlock, Notice } from "../components/blocks.tsx";
import { ErrorSummary, type FieldErrors, PasswordField, TextField } from "../components/forms.tsx";
import { Document, PageLayout } from "../components/layout.tsx";
import type { Shell } from "../components/navigation.tsx";
import { PostForm } from "../components/post-form.tsx";
import { QrCode } from "../components/qr-code.tsx";
import { type Locale, useLocale } from "../locale.ts";
import { signInHref } from "./sign-in.tsx";

export interface CodeView {
  owner: string;
  theme: Theme;
  /** Where the reader wanted to go. */
  next: string;
  /** `waitMs`: too many tries. */
  trouble: { kind: "wrong" } | { kind: "slow"; waitMs: number } | null;
}

/** Without a frame: whoever sees it is not in yet. */
export function SignInCodePage({ view: { owner, theme, next, trouble } }: { view: CodeView }) {
  const { words, format } = useLocale();
  const say = words.secondFactor;
  return (
    <Document title={say.title} theme={theme}>
      <main class="sign-in" id="main">
        <div class="sign-in-brand">
          <img src={assetUrl("logo.svg")} width="40" height="40" alt="" />
          <h1>{say.title}</h1>
          <p class="muted">{words.signIn.lead(owner)}</p>
        </div>
        {trouble === null ? null : (
          <Notice tone="bad">
            {trouble.kind === "slow" ? words.signIn.slow(format.duration(trouble.waitMs)) : say.wrong}
          </Notice>
        )}
        <PostForm class="card form" action={signInHref("/sign-in/code", next)}>
          <input type="hidden" name="to" value={next} />
          <TextField
            name="code"
            label={say.code}
            hint={say.codeOrRecovery}
            value=""
            autocomplete="one-time-code"
            script="code"
          />
          <button type="submit" class="button button-primary button-wide">
            {words.signIn.submit}
          </button>
        </PostForm>
        <PostForm class="sign-in-help" action="/sign-out">
          <button type="submit" class="button button-quiet">
            {say.another}
          </button>
        </PostForm>
      </main>
    </Document>
  );
}

export interface EnrolView {
  /** In Base32, for who cannot point a camera at the page. */
  secret: string;
  /** `otpauth://totp/…` */
  url: string;
  /** Nothing else is open to the reader until it is set up. */
  isDemanded: boolean;
  /** `password`, `code`: wrong. `waitMs`: too many tries. */
  trouble: { kind: "password" | "code" } | { kind: "slow"; waitMs: number } | null;
}

function enrolErrors(trouble: EnrolView["trouble"], { words, format }: Locale): FieldErrors {
  if (trouble === null) return {};
  if (trouble.kind === "code") return { code: words.secondFactor.wrong };
  const isSlow = trouble.kind === "slow";
  return { password: isSlow ? words.signIn.slow(format.duration(trouble.waitMs)) : words.settings.wrong };
}

export function EnrolPage({ shell, view: { secret, url, isDemanded, trouble } }: { shell: Shell; view: EnrolView }) {
  const locale = useLocale();
  const { words } = locale;
  const say = words.secondFactor;
  const errors = enrolErrors(trouble, locale);
  return (
    <PageLayout
      shell={shell}
      title={say.enrol}
      lead={say.enrolLead}
      {...(!isDemanded && { above: { title: words.places.settings, href: "/settings" } })}
    >
      <PostForm class="card form narrow" action="/settings/second-factor">
        {isDemanded ? <Notice tone="info">{say.demanded}</Notice> : null}
        <ErrorSummary errors={errors} />
        <QrCode text={url} label={say.scan} />
        <p>{say.scan}</p>
        <CodeBlock code={secret.match(/.{1,4}/g)?.join(" ") ?? secret} label={say.secret} />
        <input type="hidden" name="secret" value={secret} />
        <TextField
          name="code"
          label={say.code}
          hint={say.codeHint}
          error={errors.code}
          value=""
          autocomplete="one-time-code"
          script="code"
          size="medium"
        />
        <PasswordField
          name="password"
          label={words.settings.current}
          error={errors.password}
          autocomplete="current-password"
          size="medium"
        />
        <p>
          <button type="submit" class="button button-primary">
            {say.submit}
          </button>
        </p>
      </PostForm>
    </PageLayout>
  );
}

export function RecoveryCodesPage({ shell, codes }: { shell: Shell; codes: readonly string[] }) {
  const { words } = useLocale();
  const say = words.secondFactor;
  return (
    <PageLayout shell={shell} title={say.recovery} lead={say.recoveryLead}>
      <Card>
        <CodeBlock code={codes.join("\n")} label={say.recovery} />
        <p>
          <a class="button button-primary" href="/settings">
            {words.secrets.stored}
          </a>
        </p>
      </Card>
    </PageLayout>
  );
}
