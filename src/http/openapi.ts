/** /v1/openapi.json: the reference for machines, made from the same declarations that are enforced. */
import { Elysia } from "elysia";
import { errorSchema } from "./error-schema.ts";
import { componentSchemas } from "./openapi-components.ts";
import { detailOf, headerComponents } from "./openapi-operation.ts";
import type { Operation } from "./operation.ts";
import type { Page } from "./page.ts";

/** Contract, "Versioning". */
export const contractVersion = "1.0.0-rc.3";

const introduction = `Send text messages and learn what became of them.

**Order of checks.** Path and method (404, 405), key (401), rate (429), account and permission (403), content type and size (415, 413),
Idempotency-Key (400), JSON (400), replay of a known key (200), fields (400), then what the request names (403, 404, 409).

**Headers.** Every response carries \`X-Correlation-Id\`: your own when you sent a good one (1 to 64 letters, digits, hyphens, underscores,
dots), else a new one. Every response to a valid key carries \`RateLimit-Policy\`, \`RateLimit\` and \`X-RateLimit-Limit\`, \`-Remaining\`,
\`-Reset\`. The window of 60 seconds begins with its first request.

**Idempotency-Key.** 1 to 100 printable ASCII characters, remembered for 30 days within the API key. The same key with the same operation gives the
first result again; with another operation it is refused. A request that was refused registers nothing.

**Fields.** Unknown fields are ignored. One character is one Unicode code point. Times are ISO 8601 with an offset or Z. A trailing slash changes nothing.

A path that does not exist is answered with 404 \`not_found\`, a known path with a wrong method with 405 \`method_not_allowed\` and \`Allow\`. There is no CORS:
the API is for back ends only. A facility for test requests is not active.`;

const openapi = "3.1.0";
const info = { title: "Public SMS Messaging Service API", version: contractVersion, description: introduction };

/**
 * The document as JSON, written by the plugin from an application that holds the operations' descriptions and serves nothing:
 * the plugin's own page would load scripts from elsewhere. It is made when first asked for: descriptions on the served routes cost
 * each start 14 ms of processor time.
 */
async function writeDocument(operations: readonly Operation[]): Promise<string> {
  const { swagger } = await import("@elysiajs/swagger");
  const described = new Elysia();
  for (const operation of operations) {
    described.route(operation.method, operation.path, () => "", { detail: detailOf(operation) });
  }
  described.use(swagger({ documentation: { openapi, info }, specPath: "/openapi.json" }));
  const response = await described.handle(new Request("http://localhost/openapi.json"));
  if (!response.ok) throw new Error(`The reference could not be written: ${response.status} ${await response.text()}`);
  const generated: unknown = await response.json();
  if (typeof generated !== "object" || generated === null) throw new Error("The reference is no object");
  const answers = operations.flatMap(({ responses }) => Object.values(responses).flatMap(({ body }) => body ?? []));
  const components = {
    schemas: componentSchemas([errorSchema, ...answers]),
    headers: headerComponents,
    securitySchemes: {
      ApiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "Never in the query string." },
    },
  };
  return JSON.stringify({ ...generated, components });
}

export function openApiPage(operations: readonly Operation[]): Page {
  let document: Promise<string> | null = null;
  return {
    path: "/v1/openapi.json",
    async respond() {
      document ??= writeDocument(operations);
      return new Response(await document, { headers: { "Content-Type": "application/json" } });
    },
  };
}
