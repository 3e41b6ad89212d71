/** The blocks that pages are made of: cards, notices, figures, facts, code with its copy button, progress, tabs, empty states. */

import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";
import type { IconName } from "../assets/icons.ts";
import type { Count } from "../format/format.ts";
import { useLocale } from "../locale.ts";
import { LinkButton } from "./buttons.tsx";
import { Icon } from "./inline.tsx";
import { Gauge, type GaugeTone } from "./pictures.tsx";
import { type Tone, toneIcons } from "./pill.tsx";

interface CardProps {
  title?: string;
  /** Quiet, after the title: since when, of what. */
  note?: ComponentChildren;
  /** Links and buttons at the end of the title line. */
  actions?: ComponentChildren;
  /** The content fills the card from edge to edge, like a table. */
  flush?: boolean;
  /** Left out on paper, which may be given away. */
  screenOnly?: boolean;
  id?: string | undefined;
  /** Said in place of its content while there is nothing yet. */
  none?: ComponentChildren;
  children: ComponentChildren;
}

export function Card({ title, note, actions, flush = false, screenOnly = false, id, none, children }: CardProps) {
  if (title !== undefined && none !== undefined && none !== null && none !== false)
    return (
      <LineCard title={title} action={actions} id={id}>
        {none}
      </LineCard>
    );
  return (
    <section class={`card${flush ? " card-flush" : ""}${screenOnly ? " screen-only" : ""}`} id={id}>
      {title === undefined ? null : (
        <div class="card-head">
          {note === undefined || note === null ? (
            <h2>{title}</h2>
          ) : (
            <div class="card-title">
              <h2>{title}</h2>
              <span class="card-note muted">{note}</span>
            </div>
          )}
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}

/** A section that has nothing yet: one line with its name, what is so, and the button that changes it. */
export function LineCard({ title, action, id, children }: Pick<CardProps, "id" | "children"> & LineCardProps) {
  return (
    <section class="card card-line" id={id}>
      <h2>{title}</h2>
      <p class="muted">{children}</p>
      {action}
    </section>
  );
}

interface LineCardProps {
  title: string;
  action?: ComponentChildren;
}

interface NoticeProps {
  tone: Tone;
  /** What happened, in a sentence. */
  children: ComponentChildren;
  /** What can be done about it, or the way back: one button or link. */
  action?: ComponentChildren;
}

export function Notice({ tone, children, action }: NoticeProps) {
  return (
    <div class={`notice tint-${tone}`} role={tone === "bad" ? "alert" : "status"}>
      <Icon name={toneIcons[tone]} />
      <div class="notice-words">{children}</div>
      {action}
    </div>
  );
}

export interface Figure {
  label: string;
  value: string;
  /** Small, after the figure. */
  unit?: string;
  /** How much of how much, above the note. */
  gauge?: { share: number; tone?: GaugeTone };
  /** What it is compared with, below the figure, in one line. */
  note?: ComponentChildren;
  tone?: Tone;
  /** The page that the figure comes from. */
  href?: string;
  /** How it is reckoned with the one before. */
  sign?: "+" | "−" | "=";
}

export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl class="figures">
      {figures.map(({ label, value, unit, gauge, note, tone, href, sign }) => (
        <div class="figure" key={label}>
          <dt>
            {sign === undefined ? null : <span class="figure-sign">{sign}</span>}
            {label}
          </dt>
          <dd class={tone === undefined ? "figure-value" : `figure-value ink-${tone}`}>
            {href === undefined ? value : <a href={href}>{value}</a>}
            {unit === undefined ? null : <span class="figure-unit"> {unit}</span>}
          </dd>
          {gauge === undefined ? null : (
            <dd class="figure-gauge">
              <Gauge {...gauge} />
            </dd>
          )}
          {note === undefined ? null : <dd class="figure-note">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}

export type Fact = readonly [name: string, value: ComponentChildren];

/** Names and values, in a column; what is false is left out. */
export function Facts({ facts }: { facts: readonly (Fact | false)[] }) {
  const shown = facts.filter((fact) => fact !== false);
  return (
    <dl class="facts">
      {shown.map(([name, value]) => (
        <div class="fact" key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Text to run or keep verbatim, with a copy button. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <figure class="code-block">
      <figcaption>
        <span>{label}</span>
        <CopyButton text={code} />
      </figcaption>
      <pre class="code-lines" dir="ltr">
        <code>{code}</code>
      </pre>
    </figure>
  );
}

/** Shown by the script that can copy. `path`: of one of our pages, copied with the origin that the reader uses. */
export function CopyButton({ label, ...copied }: { label?: string } & ({ text: string } | { path: string })) {
  const { words } = useLocale();
  const attributes =
    "text" in copied ? { "data-copy": copied.text } : { "data-copy": "", "data-copy-path": copied.path };
  return (
    <button type="button" class="button button-quiet button-small copy" {...attributes} hidden>
      <Icon name="copy" />
      <span data-copy-label="">{label ?? words.actions.copy}</span>
    </button>
  );
}

/** What is shown only this once, and the way on. */
export function ShowOnce({ title, done, children }: { title?: string; done: string; children: ComponentChildren }) {
  const { words } = useLocale();
  return (
    <section class="card show-once">
      <p class="show-once-title">
        <Icon name="key" />
        {title ?? words.secrets.shownOnce}
      </p>
      {children}
      <p>
        <LinkButton look="primary" href={done} label={words.secrets.stored} />
      </p>
    </section>
  );
}

/** Progress, as text and as a bar. */
export function Progress({ done, total, label }: { done: Count; total: Count; label: string }) {
  return (
    <div class="progress">
      <p class="progress-words">{label}</p>
      <progress value={done.value} max={Math.max(total.value, 1)} aria-label={label} />
    </div>
  );
}

export interface Tab {
  title: string;
  href: string;
}

/** Views of the same thing, each with an address of its own. */
export function Tabs({ tabs, current, label }: { tabs: readonly Tab[]; current: string; label: string }) {
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {tabs.map(({ title, href }) => (
          <li key={href}>
            <a href={href} aria-current={href === current ? "page" : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface SegmentLinksProps<Name extends string> {
  label: string;
  segments: readonly { name: Name; href: string }[];
  names: Readonly<Record<Name, string>>;
  current: Name | null;
}

/** The same figures by something else, or of another time. */
export function SegmentLinks<Name extends string>({ label, segments, names, current }: SegmentLinksProps<Name>) {
  return (
    <nav class="segments" aria-label={label}>
      {segments.map(({ name, href }) => (
        <a key={name} href={href} aria-current={name === current ? "true" : undefined}>
          {names[name]}
        </a>
      ))}
    </nav>
  );
}

/** Whether the reader has access to the service's command line; customers do not. */
export const HasCommandLine = createContext(true);

interface EmptyProps {
  icon: IconName;
  /** Left out below rows. */
  title?: string;
  /** What belongs here. */
  children: ComponentChildren;
  action?: ComponentChildren;
  /** The equivalent command. */
  command?: string;
}

export function Empty({ icon, title, children, action, command }: EmptyProps) {
  const { words } = useLocale();
  const hasCommandLine = useContext(HasCommandLine);
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} />
      </span>
      {title === undefined ? null : <h2>{title}</h2>}
      <div class="empty-words">{children}</div>
      {action}
      {command !== undefined && hasCommandLine ? <CodeBlock code={command} label={words.empty.command} /> : null}
    </div>
  );
}
