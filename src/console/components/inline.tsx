/** The small parts of a line: icons, moments, phone numbers, codes, counts, and text written by others. */
import type { ComponentChildren } from "preact";
import { assetUrl } from "../assets/assets.ts";
import { type IconName, isDirected } from "../assets/icons.ts";
import type { GivenTime } from "../format/format.ts";
import { useLocale } from "../locale.ts";

/** Decorates words, so it is hidden from screen readers. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={isDirected(name) ? "icon icon-mirror" : "icon"} aria-hidden="true">
      <use href={`${assetUrl("icons.svg")}#${name}`} />
    </svg>
  );
}

export type MomentStyle =
  | "moment"
  | "clock"
  | "minute"
  | "clockSeconds"
  | "clockTenths"
  | "day"
  | "date"
  | "dayAndClock";

/** A moment in the user's zone and calendar; the tooltip has it in UTC. */
export function Time({ at, as = "moment" }: { at: GivenTime; as?: MomentStyle }) {
  const { format } = useLocale();
  return (
    <time dateTime={new Date(at).toISOString()} title={format.utc(at)}>
      {format[as](at)}
    </time>
  );
}

/** ASCII digits, left to right, displayed as Persian ones in Persian: read as ۰۹۱۲, copied as 0912. */
export function Phone({ number }: { number: string }) {
  return (
    <bdi dir="ltr" class="digits">
      {number}
    </bdi>
  );
}

/** A name of Latin letters that the operator gave: of a route, a plan, a user. */
export function Slug({ children }: { children: ComponentChildren }) {
  return (
    <bdi dir="ltr" class="slug">
      {children}
    </bdi>
  );
}

/** An id or an address: in Latin letters, the same in every language. */
export function Code({ children }: { children: ComponentChildren }) {
  return (
    <bdi dir="ltr" class="code">
      {children}
    </bdi>
  );
}

export function Address({ url }: { url: string }) {
  return (
    <Code>
      <Breakable text={url} />
    </Code>
  );
}

/** An address, or words that contain one: it may wrap after dots and slashes rather than within a name. */
export function Breakable({ text }: { text: string }) {
  const pieces = text.split(/(?<=[./])(?=[^./])/);
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [<wbr key={`${index}`} />, piece]));
}

/** A name that may be in either script. */
export function Name({ children }: { children: string }) {
  return <bdi>{children}</bdi>;
}

/** To an account, by its name. */
export function AccountLink({ id, name }: { id: string; name: string }) {
  return (
    <a href={`/accounts/${id}`}>
      <Name>{name}</Name>
    </a>
  );
}

/** More than two lines hold. Fifty texts of two thousand characters made a list of 130 KB. */
const clampedMax = 300;

function clamped(text: string): string {
  return text.length <= clampedMax ? text : `${[...text.slice(0, clampedMax)].slice(0, -1).join("")}…`;
}

const variable = /(\{\{[^{}]*\}\})/;

/** A text with variables in double braces, which do not affect its direction. */
export function TemplateText({ text, clamp = false }: { text: string; clamp?: boolean }) {
  return (
    <div class="foreign" dir="auto" hx-ignore="">
      <div class={clamp ? "foreign-lines foreign-clamp" : "foreign-lines"}>
        {(clamp ? clamped(text) : text)
          .split(variable)
          .map((piece, index) => (index % 2 === 1 ? <bdi key={`${index}`}>{piece}</bdi> : piece))}
      </div>
    </div>
  );
}

/** Text written by others: with its own direction, its own line breaks, and nothing that our scripts would act on. */
export function ForeignText({ text, clamp = false }: { text: string; clamp?: boolean }) {
  return (
    <div class="foreign" dir="auto" hx-ignore="">
      <div class={clamp ? "foreign-lines foreign-clamp" : "foreign-lines"}>{clamp ? clamped(text) : text}</div>
    </div>
  );
}
