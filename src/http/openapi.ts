/** /v1/openapi.json: the machine-readable reference, generated from the same declarations that are enforced. */

import { errorSchema } from "./error-schema.ts";
import type { Page } from "./keyless-page.ts";
import { batchBytesMax } from "./message-fields.ts";
import { componentSchemas } from "./openapi-components.ts";
import { headerComponents } from "./openapi-headers.ts";
import { introduction, tags } from "./openapi-introduction.ts";
import { detailOf, parameterComponents, requestSchemas } from "./openapi-operation.ts";
import { errorResponseComponents } from "./openapi-responses.ts";
import { eventSchemas, webhookDetails } from "./openapi-webhooks.ts";
import type { Operation } from "./operation.ts";

/** Contract, "Versioning". */
export const contractVersion = "1.0.0-rc.3";

const infoOf = (sandbox: boolean) => ({
  title: "Peyk: Public SMS Messaging Service API",
  version: contractVersion,
  description: introduction({ batchBytesMax, sandbox }),
});

/** `/v1/messages/:trackingCode` as OpenAPI writes it. */
const templateOf = (path: string) => path.replace(/:(\w+)/g, "{$1}");

/** A numeric key would sort before all others in an object; this one keeps its place. */
const placed = /"status (\d{3})":/g;

function writeDocument(operations: readonly Operation[], sandbox: boolean): string {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const path = templateOf(operation.path);
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: detailOf(operation) };
  }
  const answers = operations.flatMap(({ responses }) => Object.values(responses).flatMap(({ body }) => body ?? []));
  const document = {
    openapi: "3.1.0",
    info: infoOf(sandbox),
    servers: [{ url: "/", description: "The service that serves this document." }],
    security: [{ ApiKey: [] }],
    tags,
    paths,
    webhooks: webhookDetails,
    components: {
      schemas: componentSchemas([...requestSchemas(operations), errorSchema, ...answers, ...eventSchemas]),
      responses: errorResponseComponents(operations),
      parameters: parameterComponents,
      headers: headerComponents,
      securitySchemes: {
        ApiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "Never in the query string." },
      },
    },
  };
  return JSON.stringify(document).replace(placed, '"$1":');
}

/** `sandbox`: test keys can be issued. */
export function openApiPage(operations: readonly Operation[], sandbox: boolean): Page {
  let document: string | null = null;
  return {
    path: "/v1/openapi.json",
    respond() {
      document ??= writeDocument(operations, sandbox);
      return new Response(document, { headers: { "Content-Type": "application/json" } });
    },
  };
}
