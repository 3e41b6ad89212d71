/** Choosing a password from a one-time link. Viewing the page does not use the link up. */

import type { Theme } from "../../../domain/console-look.ts";
import type { PasswordProblem } from "../../../users/password.ts";
import { Notice } from "../../components/blocks.tsx";
import { PoweredBy } from "../../components/brand.tsx";
import { SubmitButton } from "../../components/buttons.tsx";
import { PasswordField } from "../../components/forms.tsx";
import { Code, Name } from "../../components/inline.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { SignInFrame } from "./sign-in.tsx";
import { passwordsWords, setupWords } from "./words.ts";

export interface SetupView {
  /** The company's name. */
  owner: string;
  theme: Theme;
  /** Null: the link was used, replaced or has expired. */
  link: {
    token: string;
    user: string;
    /** Minimum length of a password. */
    lengthMin: number;
    problem: PasswordProblem | "different" | null;
  } | null;
}

export function SetupPage({ view: { owner, theme, link } }: { view: SetupView }) {
  const say = useWords(setupWords);
  return (
    <SignInFrame title={say.title} owner={owner} theme={theme}>
      {link === null ? <LinkEnded /> : <SetupForm link={link} />}
      <PoweredBy />
    </SignInFrame>
  );
}

function LinkEnded() {
  const say = useWords(setupWords);
  return (
    <>
      <Notice tone="bad">{say.ended}</Notice>
      <p class="muted sign-in-help">
        {say.another}
        <br />
        <Code>peyk user setup-link</Code>
        <br />
        <Code>peyk user reset</Code>
      </p>
    </>
  );
}

function SetupForm({ link: { token, user, lengthMin, problem } }: { link: NonNullable<SetupView["link"]> }) {
  const { words, language, format, say } = useLocale(setupWords);
  const error = problem === null ? undefined : passwordsWords[language][problem](format.count(lengthMin));
  return (
    <PostForm class="card form" action={`/setup/${encodeURIComponent(token)}`}>
      <p>
        {say.forUser} <Name>{user}</Name>
      </p>
      {/* For password managers. */}
      <input type="text" name="user" value={user} autoComplete="username" readOnly hidden />
      <PasswordField
        name="password"
        label={words.terms.password}
        hint={passwordsWords[language].hint(format.count(lengthMin))}
        error={problem === "different" ? undefined : error}
        autocomplete="new-password"
      />
      <PasswordField
        name="again"
        label={say.again}
        error={problem === "different" ? error : undefined}
        autocomplete="new-password"
      />
      <SubmitButton look="primary wide" label={say.submit} />
    </PostForm>
  );
}
