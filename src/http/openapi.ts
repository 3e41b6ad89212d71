/** /v1/openapi.json: the reference for machines, made from the same declarations that are enforced. */
import { KindGuard, type TSchema } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { type ApiErrorCode, apiErrors } from "../domain/api-error.ts";
import type { AnswerNotes, Operation, ParameterNotes } from "./operation.ts";
import type { Page } from "./page.ts";
import { named, schemas } from "./response-schemas.ts";

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

const everyOperation: readonly ApiErrorCode[] = [
  "api_key_required",
  "api_key_invalid",
  "rate_limit_exceeded",
  "account_suspended",
  "permission_denied",
  "unsupported_media_type",
  "payload_too_large",
  "internal_error",
  "service_unavailable",
];
const withBody: readonly ApiErrorCode[] = ["malformed_json", "validation_failed"];
const underKey: readonly ApiErrorCode[] = [
  "idempotency_key_required",
  "idempotency_key_invalid",
  "idempotency_key_conflict",
];

/** Everything that an operation can refuse. */
export function refusalsOf({ handler, refusals: own }: Operation): ApiErrorCode[] {
  const codes = [...everyOperation, ...own];
  if (handler.kind !== "plain") codes.push(...withBody);
  if (handler.kind === "idempotent") codes.push(...underKey);
  return codes;
}

const exampleCorrelationId = "7f0d2f52-1b0c-4f0e-9f2e-0d8b4a0f3c11";
const headerOf = (description: string, example: string) => ({ description, schema: { type: "string" }, example });

const headers = {
  "X-Correlation-Id": headerOf("The request's correlation id.", exampleCorrelationId),
  "RateLimit-Policy": headerOf("Requests (q) in a window of seconds (w).", '"default";q=120;w=60'),
  RateLimit: headerOf("Requests left (r), seconds until the window ends (t).", '"default";r=119;t=60'),
  "X-RateLimit-Limit": headerOf("Requests in a window.", "120"),
  "X-RateLimit-Remaining": headerOf("Requests left.", "119"),
  "X-RateLimit-Reset": headerOf("End of the window in epoch seconds.", "1795189020"),
  "Retry-After": headerOf("Whole seconds after which to try again.", "12"),
};
type HeaderName = keyof typeof headers;

const always: readonly HeaderName[] = ["X-Correlation-Id"];
const authenticated: readonly HeaderName[] = [
  ...always,
  "RateLimit-Policy",
  "RateLimit",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
];

const headerReferences = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

function answerDetail({ description, schema, headers: own = {} }: AnswerNotes) {
  const ownHeaders = Object.entries(own).map(([name, words]) => [
    name,
    { description: words, schema: { type: "string" } },
  ]);
  return {
    description,
    headers: { ...headerReferences(authenticated), ...Object.fromEntries(ownHeaders) },
    ...(schema === undefined ? {} : { content: { "application/json": { schema } } }),
  };
}

function refusalExample(code: ApiErrorCode) {
  const { meaning } = apiErrors[code];
  const problem = { field: "recipient", code: "invalid_phone_number", message: "Must be a mobile number." };
  const errors = code === "validation_failed" ? { errors: [problem] } : {};
  return { summary: meaning, value: { code, message: meaning, correlationId: exampleCorrelationId, ...errors } };
}

/** One response for each status, with an example for each code. */
function refusalDetails(codes: readonly ApiErrorCode[]) {
  const statuses = [...new Set(codes.map((code) => apiErrors[code].status))].sort((a, b) => a - b);
  const details = statuses.map((status) => {
    const ofStatus = codes.filter((code) => apiErrors[code].status === status);
    const names = status === 401 ? always : authenticated;
    const waits: readonly HeaderName[] = status === 429 || status === 503 ? ["Retry-After"] : [];
    const examples = Object.fromEntries(ofStatus.map((code) => [code, refusalExample(code)]));
    const description = ofStatus.map((code) => `\`${code}\`: ${apiErrors[code].meaning}`).join("\n\n");
    const content = { "application/json": { schema: named("Error"), examples } };
    return [status, { description, headers: headerReferences([...names, ...waits]), content }];
  });
  return Object.fromEntries(details);
}

/** The schema with the codes of each field in its description, where every viewer shows them. */
function documented(schema: TSchema, isRequired = true): object {
  const codes: readonly string[] = [...(isRequired ? ["required"] : []), ...(schema["x-errors"] ?? [])];
  const words = [
    schema.description,
    codes.length > 0 ? `Errors: ${codes.map((code) => `\`${code}\``).join(", ")}.` : "",
  ];
  const description = words.filter(Boolean).join(" ");
  if (KindGuard.IsObject(schema)) {
    const properties = Object.entries(schema.properties).map(([name, child]) => [
      name,
      documented(child, !KindGuard.IsOptional(child)),
    ]);
    return { ...schema, properties: Object.fromEntries(properties) };
  }
  if (KindGuard.IsArray(schema)) return { ...schema, description, items: documented(schema.items, false) };
  return { ...schema, description };
}

/** An example of a body, put together from those of its fields. */
export function exampleOf(schema: TSchema): unknown {
  if (KindGuard.IsObject(schema)) {
    return Object.fromEntries(Object.entries(schema.properties).map(([name, child]) => [name, exampleOf(child)]));
  }
  return KindGuard.IsArray(schema) ? [exampleOf(schema.items)] : schema.example;
}

const idempotencyKeyParameter = {
  name: "Idempotency-Key",
  in: "header",
  required: true,
  description:
    "One key for one operation; a retry uses the same. Errors: `idempotency_key_required`, `idempotency_key_invalid`.",
  schema: { type: "string", minLength: 1, maxLength: 100, pattern: "^[\\x20-\\x7e]+$" },
  example: "order-1042-confirmation",
};
const correlationIdParameter = {
  name: "X-Correlation-Id",
  in: "header",
  required: false,
  description: "Comes back in the response; a missing or invalid one is replaced. Does not prevent duplicates.",
  schema: { type: "string", maxLength: 64, pattern: "^[A-Za-z0-9_.-]{1,64}$" },
  example: "checkout-7731",
};

function parameterDetail({ required, ...notes }: ParameterNotes) {
  return { ...notes, required: required ?? notes.in === "path" };
}

/** The operation as OpenAPI has it. */
export function detailOf(operation: Operation): object {
  const { handler, body, parameters = [], answers } = operation;
  const answerDetails = Object.entries(answers).map(([status, notes]) => [status, answerDetail(notes)]);
  const content = (schema: TSchema) => ({
    "application/json": { schema: documented(schema), example: exampleOf(schema) },
  });
  return {
    tags: [operation.tag],
    summary: operation.summary,
    description: `${operation.description}\n\nPermission: \`${operation.permission}\`.`,
    security: [{ ApiKey: [] }],
    parameters: [
      ...(handler.kind === "idempotent" ? [idempotencyKeyParameter] : []),
      ...parameters.map(parameterDetail),
      correlationIdParameter,
    ],
    ...(body === null ? {} : { requestBody: { required: true, content: content(body) } }),
    responses: { ...Object.fromEntries(answerDetails), ...refusalDetails(refusalsOf(operation)) },
  };
}

const info = { title: "Public SMS Messaging Service API", version: contractVersion, description: introduction };

const components = {
  schemas,
  headers,
  securitySchemes: {
    ApiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "Never in the query string." },
  },
};

/**
 * The document as JSON. The plugin brings a page of its own that loads scripts from elsewhere, so it lives in an application
 * that only this function ever asks; and it is loaded at the first question, since a start need not wait for it.
 */
async function writeDocument(operations: readonly Operation[]): Promise<string> {
  const { swagger } = await import("@elysiajs/swagger");
  const app = new Elysia();
  for (const operation of operations) {
    app.route(operation.method, operation.path, () => "", { detail: detailOf(operation) });
  }
  app.use(swagger({ documentation: { info }, specPath: "/openapi.json" }));
  const response = await app.handle(new Request("http://localhost/openapi.json"));
  if (!response.ok) throw new Error(`The reference could not be written: ${response.status} ${await response.text()}`);
  const generated: unknown = await response.json();
  if (typeof generated !== "object" || generated === null) throw new Error("The reference is no object");
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
