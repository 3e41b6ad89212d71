/**
 * /docs: the reference as a page that works offline. Its files are part of the binary. The plugin @elysiajs/swagger does not serve it: its
 * page of Swagger UI always loads a script from unpkg.com, and each of its pages comes with a second document that it writes itself.
 */
import styles from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import script from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import verifySignature from "../../docs/verify-signature.md" with { type: "text" };
import type { Page } from "./page.ts";

/** Loaded by the page. Nothing is loaded from elsewhere, and no request can be tried (contract: not active). */
const startScript = `window.addEventListener("load", () => {
  SwaggerUIBundle({
    url: "/v1/openapi.json",
    dom_id: "#reference",
    supportedSubmitMethods: [],
    validatorUrl: null,
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    docExpansion: "list",
  });
});
`;

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Peyk: Public SMS Messaging Service API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<nav><strong>Peyk</strong> <a href="/docs/verify-signature">Verify our signature</a> <a href="/v1/openapi.json">openapi.json</a></nav>
<div id="reference"></div>
<noscript>This page needs JavaScript; the same reference for machines is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
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

/** Wide things scroll by themselves, so that the page fits a telephone. A viewer sorts statuses by number: 202 is put before 200 here. */
const pageStyles = `body { margin: 0; font-family: sans-serif; line-height: 1.5; color: #222; background: #fff }
nav { display: flex; flex-wrap: wrap; gap: 0 1.25rem; padding: .75rem 1.25rem; background: #1f2937; color: #fff }
nav a { color: #bfdbfe }
main { max-width: 52rem; margin: 0 auto; padding: 0 1.25rem 3rem; overflow-wrap: anywhere }
pre { overflow-x: auto; padding: .75rem; background: #f3f4f6; overflow-wrap: normal }
main table { display: block; overflow-x: auto; border-collapse: collapse }
main th, main td { padding: .25rem .5rem; border: 1px solid #d1d5db; text-align: start }
.swagger-ui .scheme-container, .swagger-ui .authorization__btn { display: none }
.swagger-ui .wrapper { box-sizing: border-box }
.swagger-ui .responses-table thead, .swagger-ui .response-col_links { display: none }
.swagger-ui .responses-table, .swagger-ui .responses-table > tbody { display: flex; flex-direction: column }
.swagger-ui tr.response { display: flex }
.swagger-ui tr.response[data-code="202"] { order: -1 }
.swagger-ui .response-col_status { flex: 0 0 3rem }
.swagger-ui .response-col_description { flex: 1; min-width: 0 }
.swagger-ui .markdown pre, .swagger-ui .highlight-code { overflow-x: auto }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 .75rem }
  .swagger-ui .info { margin: 1rem 0; overflow-wrap: anywhere }
  .swagger-ui .info .title { font-size: 1.5rem }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap }
  .swagger-ui .opblock .opblock-summary-path { max-width: 100% }
  .swagger-ui table.parameters { display: block; overflow-x: auto }
}
`;

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

function document(path: string, type: string, content: () => string | Blob): Page {
  const headers = { "Content-Type": type, "Content-Security-Policy": contentSecurityPolicy };
  return { path, respond: () => new Response(content(), { headers }) };
}

export const docsPages: readonly Page[] = [
  document("/docs", "text/html; charset=utf-8", () => page),
  document("/docs/verify-signature", "text/html; charset=utf-8", signaturePage),
  document("/docs/page.css", "text/css; charset=utf-8", () => pageStyles),
  document("/docs/start.js", "text/javascript; charset=utf-8", () => startScript),
  document("/docs/swagger-ui.css", "text/css; charset=utf-8", () => Bun.file(styles)),
  document("/docs/swagger-ui-bundle.js", "text/javascript; charset=utf-8", () => Bun.file(script)),
];
