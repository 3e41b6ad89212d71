/** The frame of every page: the head, the column with what the role may open, the heading with its one primary action. */
import type { ComponentChildren, VNode } from "preact";
import { assetUrl } from "../assets/assets.ts";
import { useLocale } from "../locale.ts";
import { Icon } from "./inline.tsx";
import { Navigation, type Shell } from "./navigation.tsx";

const scripts = ["htmx.js", "sse.js", "uplot.js", "chart.js", "peyk.js"] as const;

/**
 * htmx: no style of its own, the browser's own history, failures that are shown by `peyk` and not swapped in, and no
 * extension but these two.
 */
const htmxConfig = JSON.stringify({
  includeIndicatorCSS: false,
  history: "reload",
  extensions: "peyk,sse",
  noSwap: [204, 304, "5xx"],
});

interface DocumentProps {
  title: string;
  theme: Shell["theme"];
  /** Single-key shortcuts, unless the user turned them off. */
  shortcuts?: boolean;
  children: ComponentChildren;
}

export function Document({ title, theme, shortcuts = true, children }: DocumentProps) {
  const { language, direction, words, format } = useLocale();
  return (
    <html lang={language} dir={direction} data-theme={theme} data-zone={format.zone}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme === "system" ? "light dark" : theme} />
        <meta name="htmx-config" content={htmxConfig} />
        <title>{`${title} · ${words.brand}`}</title>
        <link rel="icon" type="image/svg+xml" href={assetUrl("logo.svg")} />
        <link rel="preload" as="font" type="font/woff2" href={assetUrl("vazirmatn.woff2")} crossOrigin="anonymous" />
        <link rel="stylesheet" href={assetUrl("console.css")} />
        {scripts.map((name) => (
          <script key={name} src={assetUrl(name)} defer />
        ))}
      </head>
      <body data-shortcuts={shortcuts ? "on" : "off"} data-copied={words.actions.copied}>
        {children}
        <div id="said" class="unseen" role="status" aria-live="polite" />
        <div id="alarm" class="unseen" role="alert" aria-live="assertive" />
        <dialog id="dialog" class="dialog" />
      </body>
    </html>
  );
}

export interface Crumb {
  title: string;
  href: string;
}

export interface PageProps {
  shell: Shell;
  /** What the browser's tab says, and the heading unless one is given. */
  title: string;
  heading?: VNode;
  /** Beside the heading: a pill, say. */
  beside?: ComponentChildren;
  /** The page's one primary action, and quieter ones before it. */
  actions?: ComponentChildren;
  /** The page above this one. */
  above?: Crumb;
  /** One sentence under the heading. */
  lead?: ComponentChildren;
  children: ComponentChildren;
}

export function Page({ shell, title, heading, beside, actions, above, lead, children }: PageProps) {
  const { words } = useLocale();
  return (
    <Document title={title} theme={shell.theme} shortcuts={shell.shortcuts}>
      <a class="skip" href="#main">
        {words.layout.skip}
      </a>
      <div class="frame">
        <Navigation shell={shell} />
        <main id="main" class="main" tabIndex={-1}>
          {above === undefined ? null : (
            <a class="above" href={above.href}>
              <Icon name="left" mirror />
              {above.title}
            </a>
          )}
          <header class="heading">
            <div class="heading-words">
              <div class="heading-title">
                <h1>{heading ?? title}</h1>
                {beside}
              </div>
              {lead === undefined ? null : <p class="lead">{lead}</p>}
            </div>
            {actions === undefined ? null : <div class="heading-actions">{actions}</div>}
          </header>
          <div id="notices" class="stack">
            {shell.notices}
          </div>
          {children}
        </main>
      </div>
    </Document>
  );
}
