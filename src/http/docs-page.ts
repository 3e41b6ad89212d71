/** /docs: the reference as a page that works offline. Its files are part of the binary. */
import styles from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import script from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
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
<title>Public SMS Messaging Service API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<style>.swagger-ui .scheme-container, .swagger-ui .authorization__btn { display: none }</style>
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript; the same reference for machines is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
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
  document("/docs/start.js", "text/javascript; charset=utf-8", () => startScript),
  document("/docs/swagger-ui.css", "text/css; charset=utf-8", () => Bun.file(styles)),
  document("/docs/swagger-ui-bundle.js", "text/javascript; charset=utf-8", () => Bun.file(script)),
];
