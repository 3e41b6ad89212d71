/**
 * The confirmation before something irreversible: what is lost, what stays, and two buttons labelled with their action.
 */

import type { ComponentChildren } from "preact";
import { useLocale } from "../locale.ts";
import { SubmitButton } from "./buttons.tsx";
import { TextField } from "./forms.tsx";
import { Icon } from "./inline.tsx";
import { PageLayout } from "./layout.tsx";
import { PostForm } from "./post-form.tsx";

export interface ConfirmView {
  /** "Revoke the key backend?" */
  question: string;
  goes: readonly string[];
  stays: readonly string[];
  /** Where the confirmation is posted. */
  action: string;
  /** Names the action: "Revoke key backend". */
  doIt: string;
  /** "Keep it", and where that leads. */
  keep: string;
  back: string;
  /** Further choices, if any. */
  choices?: ComponentChildren;
  /** What must be typed to confirm a large change: a name or a count. */
  typed?: { label: string; value: string; error?: string };
}

/** A page of its own, or the content of a dialog where scripts run. */
export function Confirm({ view }: { view: ConfirmView }) {
  const { words } = useLocale();
  const { goes, stays, typed } = view;
  return (
    <PostForm class="confirm" action={view.action} id="confirm">
      <Consequences title={words.confirm.goes} icon="failed" lines={goes} />
      <Consequences title={words.confirm.stays} icon="ok" lines={stays} />
      {view.choices}
      {typed === undefined ? null : (
        <TextField name="typed" label={typed.label} value={typed.value} error={typed.error} />
      )}
      <p class="confirm-buttons">
        <a class="button" href={view.back} data-close="" data-focus="">
          {view.keep}
        </a>
        <SubmitButton look="danger" label={view.doIt} />
      </p>
    </PostForm>
  );
}

function Consequences({ title, icon, lines }: { title: string; icon: "failed" | "ok"; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div class="consequences">
      <h2>{title}</h2>
      <ul>
        {lines.map((line) => (
          <li key={line} class={icon === "ok" ? "ink-ok" : "ink-bad"}>
            <Icon name={icon} />
            <span>{line}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function ConfirmPage({ view }: { view: ConfirmView }) {
  return (
    <PageLayout title={view.question}>
      <div class="card narrow">
        <Confirm view={view} />
      </div>
    </PageLayout>
  );
}
