/** Links that look like buttons, and buttons that send a form. */
import type { ComponentChildren } from "preact";
import type { IconName } from "../assets/icons.ts";
import { Icon } from "./inline.tsx";
import { PostForm } from "./post-form.tsx";

interface ButtonProps {
  label: ComponentChildren;
  look?: "primary" | "quiet" | "small" | "quiet small" | "danger" | "ends" | "primary wide";
  icon?: IconName;
  /** What it does to what, where the label alone does not say so. */
  described?: string;
}

const classOf = ({ look }: ButtonProps): string =>
  ["button", ...(look?.split(" ") ?? []).map((one) => `button-${one}`)].join(" ");

function Label({ label, icon }: ButtonProps) {
  return (
    <>
      {icon === undefined ? null : <Icon name={icon} />}
      {label}
    </>
  );
}

/** `dialog`: where scripts run, the page opens in a dialog: a question's, or what this selects of it. */
export function LinkButton({
  href,
  dialog = false,
  ...button
}: ButtonProps & { href: string; dialog?: boolean | string }) {
  const opens = dialog === false ? {} : { "data-dialog": dialog === true ? "" : dialog };
  return (
    <a class={classOf(button)} href={href} {...opens} aria-label={button.described}>
      <Label {...button} />
    </a>
  );
}

type SubmitProps = ButtonProps & { name?: string; value?: string };

export function SubmitButton({ name, value, ...button }: SubmitProps) {
  return (
    <button type="submit" class={classOf(button)} name={name} value={value} aria-label={button.described}>
      <Label {...button} />
    </button>
  );
}

type FormButtonsProps = SubmitProps & { isSecond?: boolean; children?: ComponentChildren };

/** The buttons of a form, below its fields. `isSecond`: the form is not what its page is for. */
export function FormButtons({ isSecond = false, children, ...button }: FormButtonsProps) {
  return (
    <p class="form-buttons">
      <SubmitButton {...(!isSecond && { look: "primary" })} {...button} />
      {children}
    </p>
  );
}

/** A form that is one button; its fields are hidden. */
export function PostButton({ action, children, ...button }: SubmitProps & PostedTo) {
  return (
    <PostForm action={action}>
      {children}
      <SubmitButton {...button} />
    </PostForm>
  );
}

interface PostedTo {
  action: string;
  children?: ComponentChildren;
}
