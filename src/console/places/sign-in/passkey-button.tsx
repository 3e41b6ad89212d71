/** Asking the browser for a passkey: a button that only the script shows, and the hidden field that takes the answer. */
import { assetUrl } from "../../assets/assets.ts";
import { Icon } from "../../components/inline.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { useWords } from "../../locale.ts";
import { passkeyWords } from "./passkey-words.ts";
import { signInHref } from "./sign-in-href.ts";

/** What the browser is asked at sign-in; after the password, of the user who gave it. */
export const askPath = "/sign-in/passkey";
export const askPathAfterPassword = `${askPath}?step=code`;

interface PasskeyButtonProps {
  label: string;
  /** The path of what the browser is asked, or that itself as JSON. */
  ask: string;
  look?: "button-primary" | "button-wide";
  /** Also offered in the field for the user's name. */
  inField?: boolean;
}

/** In a form. */
export function PasskeyButton({ label, ask, look, inField = false }: PasskeyButtonProps) {
  const { problems } = useWords(passkeyWords);
  return (
    <>
      <input type="hidden" name="passkey" value="" />
      <button
        type="button"
        id="field-passkey"
        class={look === undefined ? "button" : `button ${look}`}
        data-passkey={ask}
        {...(inField && { "data-in-field": "" })}
        hidden
      >
        <Icon name="key" />
        {label}
      </button>
      {(["none", "there"] as const).map((problem) => (
        <p key={problem} class="passkey-problem" role="alert" data-passkey-problem={problem} hidden>
          {problems[problem]}
        </p>
      ))}
      <script src={assetUrl("passkey.js")} defer />
    </>
  );
}

interface PasskeySignInProps extends Pick<PasskeyButtonProps, "label" | "ask" | "inField"> {
  action: "/sign-in" | "/sign-in/code";
  /** The page that the reader wanted. */
  next: string;
}

/** A form of its own below the one for passwords or codes. */
export function PasskeySignIn({ action, next, ...button }: PasskeySignInProps) {
  return (
    <PostForm class="sign-in-passkey" action={signInHref(action, next)}>
      <input type="hidden" name="to" value={next} />
      <PasskeyButton {...button} look="button-wide" />
    </PostForm>
  );
}
