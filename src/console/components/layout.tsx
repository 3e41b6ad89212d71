/**
 * The frame of every page: the header, the column with what the role may open, and the heading with its one primary
 * action.
 */

import type { ComponentChildren, VNode } from "preact";
import { isCustomerRole } from "../../domain/roles.ts";
import { assetUrl, pageVersion } from "../assets/assets.ts";
import { useLocale } from "../locale.ts";
import { HasCommandLine } from "./blocks.tsx";
import { LinkButton } from "./buttons.tsx";
import { Icon, Name } from "./inline.tsx";
import { LiveMark, Replaced, useLive } from "./live.tsx";
import { Navigation, type Shell, useShell } from "./navigation.tsx";
import { Palette } from "./palette.tsx";
import { Same } from "./same.tsx";

/** A page left open shows current data again soon after a restart. */
const streamRetryMsMax = 5_000;

/**
 * htmx: none of its own styles, the browser's own history, errors shown by `peyk` instead of being swapped in, and no
 * extensions but these two.
 */
const htmxConfig = JSON.stringify({
  includeIndicatorCSS: false,
  history: "reload",
  extensions: "peyk,sse",
  noSwap: [204, 304, "5xx"],
  sse: { reconnectMaxDelay: streamRetryMsMax },
});

interface DocumentProps {
  title: string;
  theme: Shell["theme"];
  /** Single-key shortcuts, unless the user turned them off. */
  shortcuts?: boolean;
  /** The page's charts describe their moments in a card. */
  hasChart?: boolean;
  children: ComponentChildren;
}

export function Document({ title, theme, shortcuts = true, hasChart = false, children }: DocumentProps) {
  const { language, direction, words, format, brand } = useLocale();
  return (
    <html lang={language} dir={direction} data-theme={theme} data-zone={format.zone} data-version={pageVersion()}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme === "system" ? "light dark" : theme} />
        <meta name="htmx-config" content={htmxConfig} />
        <title>{`${title} · ${brand?.name ?? words.brand}`}</title>
        <link rel="icon" type={brand?.logoType ?? "image/svg+xml"} href={brand?.logoUrl ?? assetUrl("logo.svg")} />
        {(language === "fa" ? (["vazirmatn.woff2", "inter.woff2"] as const) : (["inter.woff2"] as const)).map(
          (name) => (
            <link key={name} rel="preload" as="font" type="font/woff2" href={assetUrl(name)} crossOrigin="anonymous" />
          ),
        )}
        <link rel="stylesheet" href={assetUrl("console.css")} />
        {brand === null || brand.styleUrl === null ? null : <link rel="stylesheet" href={brand.styleUrl} />}
        {hasChart ? <script src={assetUrl("chart.js")} defer /> : null}
        <script src={assetUrl("peyk.js")} defer />
      </head>
      <body data-shortcuts={shortcuts ? "on" : "off"} data-copied={words.actions.copied}>
        {children}
        <Troubles />
        <div id="said" class="unseen" role="status" aria-live="polite" />
        <dialog id="dialog" class="dialog" />
      </body>
    </html>
  );
}

const troubles = ["signedOut", "upgraded", "lost", "failed", "notStored"] as const;

/** Hidden until the script needs one of them: the script has no words in the reader's language of its own. */
function Troubles() {
  const { words } = useLocale();
  return (
    <div id="troubles" class="troubles" role="alert">
      {troubles.map((kind) => (
        <p key={kind} class="trouble tint-warn" data-trouble={kind} hidden>
          <Icon name="warning" />
          <span>
            <strong>{words.errors[kind].title}.</strong> {words.errors[kind].what}
            {kind === "lost" ? (
              <>
                {" "}
                {words.errors.asOf} <span data-as-of="" />.
              </>
            ) : null}
          </span>
          {kind === "signedOut" || kind === "upgraded" ? (
            <LinkButton href={kind === "signedOut" ? "/sign-in" : ""} label={words.errors[kind].todo} />
          ) : null}
        </p>
      ))}
    </div>
  );
}

export interface Crumb {
  title: string;
  href: string;
}

export interface PageProps {
  /** The title in the browser's tab, and the heading unless one is given. */
  title: string;
  heading?: VNode;
  /** Beside the heading, such as a status pill. */
  beside?: ComponentChildren;
  /** The page's one primary action, preceded by less prominent ones. */
  actions?: ComponentChildren;
  /** The page above this one. */
  above?: Crumb;
  /** The stream of server-sent events that keeps the page current. */
  live?: string;
  /** Nothing more is expected of what a live page shows. */
  hasEnded?: boolean;
  /** The page contains a chart. */
  hasChart?: boolean;
  /** In place of the column: the steps of a path. */
  path?: VNode;
  /** One sentence under the heading. */
  lead?: ComponentChildren;
  children: ComponentChildren;
}

export function PageLayout({ above, ...page }: PageProps) {
  const { words } = useLocale();
  const shell = useShell();
  const live = useLive();
  const body = <HasCommandLine.Provider value={!isCustomerRole(shell.role)}>{page.children}</HasCommandLine.Provider>;
  if (live === "again") {
    return (
      <>
        <Replaced id="page-head">{<Heading {...page} />}</Replaced>
        <Replaced id="page-body">{body}</Replaced>
      </>
    );
  }
  const stream = page.live ?? live;
  return (
    <Document title={page.title} theme={shell.theme} shortcuts={shell.shortcuts} hasChart={page.hasChart === true}>
      <a class="skip" href="#main">
        {words.layout.skip}
      </a>
      <div class={page.path === undefined ? "frame" : "frame frame-path"}>
        {page.path ?? <Navigation shell={shell} />}
        <main id="main" class="main" tabIndex={-1}>
          {above === undefined ? null : (
            <a class="above" href={above.href}>
              <Icon name="left" />
              <Name>{above.title}</Name>
            </a>
          )}
          <header class="heading" id="page-head">
            <Heading {...page} />
          </header>
          <div id="notices" class="stack">
            {shell.takeNotices()}
          </div>
          {live === null ? body : <div id="page-body">{body}</div>}
          {stream === null ? null : <div hx-sse:connect={stream} hx-swap="none" />}
        </main>
      </div>
      <Palette scope={page.title} />
    </Document>
  );
}

function Heading({ title, heading, beside, actions, live, hasEnded, lead }: Omit<PageProps, "above" | "path">) {
  const kept = useLive();
  return (
    <>
      <div class="heading-words">
        <div class="heading-title">
          <h1>{heading ?? title}</h1>
          {beside}
          {(live ?? kept) === null ? null : <LiveMark hasEnded={hasEnded === true} />}
        </div>
        {lead === undefined ? null : <p class="lead">{lead}</p>}
      </div>
      <div class="heading-actions">
        <Same />
        {actions}
      </div>
    </>
  );
}
