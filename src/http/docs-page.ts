/**
 * /docs: the reference as a page that works offline. @elysiajs/swagger writes it; Scalar's script and our fonts are
 * embedded in the binary, so the page loads nothing from other servers.
 */
import { swagger } from "@elysiajs/swagger";
import { Elysia } from "elysia";
import verifySignature from "../../docs/verify-signature.md" with { type: "text" };
import scalar from "../../node_modules/@scalar/api-reference/dist/browser/standalone.js" with { type: "file" };
import type { Page } from "./keyless-page.ts";

const scriptPath = "/docs/scalar.js";
const startPath = "/docs/start.js";

/**
 * Requests cannot be tried from the page (contract: not active). Scalar's own colours have too little contrast: these
 * reach at least 4.5:1 on their backgrounds.
 */
const referenceStyles = `
.show-api-client-button, .scalar-api-client__send-request-button, .open-api-client-button { display: none !important }
.light-mode { --scalar-color-2: #4a4d52; --scalar-color-3: #5b5f66; --scalar-color-accent: #0a5f73; --scalar-color-green: #0b6649;
  --scalar-color-blue: #1d5aa0; --scalar-color-orange: #8a4700; --scalar-color-red: #a3260f; --scalar-color-yellow: #7a4a00; --scalar-color-purple: #5a3ea6 }
.dark-mode { --scalar-color-2: #c3c8cd; --scalar-color-3: #a6acb3; --scalar-color-accent: #63c3d9; --scalar-color-green: #6cd3ac;
  --scalar-color-blue: #8dbdf4; --scalar-color-orange: #efc069; --scalar-color-red: #ff9c88; --scalar-color-yellow: #efc069; --scalar-color-purple: #c7b5ff }
.markdown a { text-decoration: underline !important }
`;

/** The page's only script: loads Scalar, and adds the names that screen readers miss in its page. */
const startScript = `document.documentElement.lang = "en";
const script = document.createElement("script");
script.src = "${scriptPath}";
document.body.append(script);
const name = () => {
  for (const button of document.querySelectorAll("button:not([aria-label])")) if (button.innerText.trim() === "") button.ariaLabel = "Copy";
  for (const box of document.querySelectorAll(".custom-scroll:not([tabindex]), code.hljs:not([tabindex])")) box.tabIndex = 0;
  // All of them have the same name.
  for (const card of document.querySelectorAll(".response-card[role=region]")) card.removeAttribute("role");
};
new MutationObserver(name).observe(document.body, { childList: true, subtree: true });
`;

const signaturePage = () => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Peyk: Verify our signature</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<nav><strong>Peyk</strong> <a href="/docs">Reference</a></nav>
<main>
${Bun.markdown.html(verifySignature)}
</main>
</body>
</html>
`;

const pageStyles = `:root { color-scheme: light dark; --text: #222; --back: #fff; --code: #f3f4f6; --line: #d1d5db; --link: #0a5f73 }
@media (prefers-color-scheme: dark) { :root { --text: #e7e9e6; --back: #0f0f0f; --code: #1c2024; --line: #31363c; --link: #63c3d9 } }
body { margin: 0; font-family: system-ui, sans-serif; line-height: 1.5; color: var(--text); background: var(--back) }
a { color: var(--link) }
nav { display: flex; flex-wrap: wrap; gap: 0 1.25rem; padding: .75rem 1.25rem; border-bottom: 1px solid var(--line) }
main { max-width: 52rem; margin: 0 auto; padding: 0 1.25rem 3rem; overflow-wrap: anywhere }
pre { overflow-x: auto; padding: .75rem; background: var(--code); overflow-wrap: normal }
main table { display: block; overflow-x: auto; border-collapse: collapse }
main th, main td { padding: .25rem .5rem; border: 1px solid var(--line); text-align: start }
`;

const scalarConfig = {
  spec: { url: "/v1/openapi.json" },
  customCss: referenceStyles,
  withDefaultFonts: false,
  hideModels: true,
  // Nothing is sent from the page, and nothing leaves it.
  hideTestRequestButton: true,
  hideClientButton: true,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
  favicon: "data:,",
  // As the document lists them.
  orderSchemaPropertiesBy: "preserve",
  orderRequiredPropertiesFirst: false,
};

/** The page that the plugin writes for our document. Built on first request. */
async function referencePage(documentText: string): Promise<string> {
  const document = JSON.parse(documentText);
  // The plugin writes it into an attribute unescaped; the reader gets the full text from the document itself.
  const [description] = String(document.info.description).split("\n", 1);
  const plugin = swagger({
    provider: "scalar",
    path: "/docs",
    specPath: "/v1/openapi.json",
    scalarCDN: startPath,
    documentation: { ...document, info: { ...document.info, description } },
    // The document is complete: none of the plugin's own routes belong in it.
    exclude: [/./],
    scalarConfig,
  });
  return (await new Elysia().use(plugin).handle(new Request("http://localhost/docs"))).text();
}

/** `inline`: the inline scripts of the page, which the browser would run. */
function contentSecurityPolicy(inline: readonly string[]): string {
  const hashes = inline.map((text) => `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`);
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...hashes].join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const inlineScripts = (page: string): string[] =>
  [...page.matchAll(/<script([^<>]*)>([^<]*)<\/script>/g)].flatMap(([, attributes = "", text = ""]) =>
    attributes.includes(" src=") ? [] : text,
  );

function respond(type: string, content: string | Blob): Response {
  const policy = contentSecurityPolicy(typeof content === "string" ? inlineScripts(content) : []);
  return new Response(content, { headers: { "Content-Type": type, "Content-Security-Policy": policy } });
}

/** `reference`: the body of /v1/openapi.json. */
export function docsPages(reference: Page): readonly Page[] {
  let page: Promise<string> | null = null;
  const html = "text/html; charset=utf-8";
  return [
    {
      path: "/docs",
      async respond(correlationId) {
        page ??= Promise.resolve(reference.respond(correlationId)).then(async (said) =>
          referencePage(await said.text()),
        );
        return respond(html, await page);
      },
    },
    { path: startPath, respond: () => respond("text/javascript; charset=utf-8", startScript) },
    { path: scriptPath, respond: () => respond("text/javascript; charset=utf-8", Bun.file(scalar)) },
    { path: "/docs/verify-signature", respond: () => respond(html, signaturePage()) },
    { path: "/docs/page.css", respond: () => respond("text/css; charset=utf-8", pageStyles) },
  ];
}
