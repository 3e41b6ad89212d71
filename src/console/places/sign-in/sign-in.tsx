/** Signing in: one form, and a sentence when it failed. */

import type { ComponentChildren } from "preact";
import { claimValuesMax } from "../../../domain/oidc-claims.ts";
import type { SignOnTrouble } from "../../../users/single-sign-on.ts";
import { Notice } from "../../components/blocks.tsx";
import { BrandLogo, PoweredBy } from "../../components/brand.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { PasswordField, TextField } from "../../components/forms.tsx";
import { Code } from "../../components/inline.tsx";
import { Document } from "../../components/layout.tsx";
import { Preferences, type Theme } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Locale, useLocale, useWords } from "../../locale.ts";
import { askPath, PasskeySignIn } from "./passkey-button.tsx";
import { passkeyWords } from "./passkey-words.ts";
import { signInHref } from "./sign-in-href.ts";
import { providerWords, signInWords } from "./words.ts";

export interface SignInView {
  /** The installation's or the company's name. */
  owner: string;
  /** Whether customers sign in here, who have no command line. */
  isPortal: boolean;
  theme: Theme;
  user: string;
  /** The page that the reader wanted. */
  next: string;
  /**
   * `new`: nobody has chosen a password yet. `kept`: the session has ended, and the form was saved. `slow`: too many
   * attempts; `busy`: too many people.
   */
  trouble:
    | { kind: "wrong" | "ended" | "kept" | "again" | "new" }
    | { kind: "passkey"; proof: "late" | "wrong" | "counted_back" }
    | { kind: "slow" | "busy"; waitMs: number }
    | { kind: "provider"; trouble: SignOnTrouble }
    | null;
  /** What the provider of single sign-on is called; null without one. */
  provider: string | null;
  /** Who signs in with a password here. */
  passwords: "allowed" | "owner" | "off";
  /** Whether somebody signs in by a passkey under this address. */
  hasPasskeys: boolean;
}

/** Without the usual frame: the reader is not signed in yet. */
export function SignInFrame({
  title,
  owner,
  theme,
  isSignIn = false,
  children,
}: Pick<SignInView, "owner" | "theme"> & { title: string; isSignIn?: boolean; children: ComponentChildren }) {
  const say = useWords(signInWords);
  return (
    <Document title={title} theme={theme}>
      <main class="sign-in" id="main">
        <div class="sign-in-brand">
          <BrandLogo size={40} />
          <h1>{title}</h1>
          <p class="muted">{isSignIn ? say.lead(owner) : say.leadBefore(owner)}</p>
        </div>
        {children}
      </main>
    </Document>
  );
}

function troubleText({ trouble, provider }: SignInView, { language, format }: Locale): string | null {
  if (trouble === null) return null;
  if (trouble.kind === "passkey") return passkeyWords[language].proofs[trouble.proof];
  if (trouble.kind !== "provider") {
    const say = signInWords[language];
    return "waitMs" in trouble ? say[trouble.kind](format.duration(trouble.waitMs)) : say[trouble.kind];
  }
  const { kind } = trouble.trouble;
  const claim = "claim" in trouble.trouble ? trouble.trouble.claim : "";
  return providerWords[language].troubles[kind](provider ?? "", claim, format.number(claimValuesMax));
}

export function SignInPage({ view }: { view: SignInView }) {
  const { say, ...locale } = useLocale(signInWords);
  const { signIn } = useWords(passkeyWords);
  const { trouble } = view;
  return (
    <SignInFrame title={say.title} owner={view.owner} theme={view.theme} isSignIn>
      {trouble === null ? null : (
        <Notice tone={["ended", "kept", "new"].includes(trouble.kind) ? "info" : "bad"}>
          {troubleText(view, locale)}
          {trouble.kind === "new" ? <Code>peyk user setup-link</Code> : null}
        </Notice>
      )}
      {view.provider === null ? null : <ProviderButton provider={view.provider} next={view.next} />}
      {trouble?.kind === "new" || view.passwords === "off" ? null : <SignInForm view={view} />}
      {view.hasPasskeys ? (
        <PasskeySignIn action="/sign-in" next={view.next} label={signIn} ask={askPath} inField />
      ) : null}
      <Preferences theme={view.theme} path={view.next} />
      <PoweredBy />
    </SignInFrame>
  );
}

function ProviderButton({ provider, next }: { provider: string; next: string }) {
  const say = useWords(providerWords);
  return <LinkButton look="primary wide" href={signInHref("/sign-in/oidc", next)} label={say.button(provider)} />;
}

function SignInForm({ view }: { view: SignInView }) {
  const { words, say } = useLocale(signInWords);
  const byProvider = useWords(providerWords);
  return (
    <>
      {view.provider === null ? null : (
        <p class="muted sign-in-help">{view.passwords === "owner" ? byProvider.orOwner : byProvider.or}</p>
      )}
      <PostForm class="card form" action={signInHref("/sign-in", view.next)}>
        <input type="hidden" name="to" value={view.next} />
        <TextField
          name="user"
          label={say.user}
          value={view.user}
          autocomplete={view.hasPasskeys ? "username webauthn" : "username"}
          script="code"
        />
        <PasswordField name="password" label={words.terms.password} autocomplete="current-password" />
        <button type="submit" class={`button${view.provider === null ? " button-primary" : ""} button-wide`}>
          {say.submit}
        </button>
      </PostForm>
      <p class="muted sign-in-help">
        {view.isPortal ? (
          say.forgottenOwn
        ) : (
          <>
            {say.forgotten}
            <Code>peyk user reset</Code>
          </>
        )}
      </p>
    </>
  );
}
