/** One operation as the reference describes it, made from the declaration that is enforced. */
import { KindGuard, type TSchema } from "@sinclair/typebox";
import { type ApiErrorCode, apiErrors } from "../domain/api-error.ts";
import { errorSchema, exampleCorrelationId } from "./error-schema.ts";
import { schemaReference } from "./openapi-components.ts";
import type { Operation, ParameterDeclaration } from "./operation.ts";
import type { ResponseDeclaration } from "./operation-answer.ts";

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
const withBody: readonly ApiErrorCode[] = ["malformed_json", "validation_failed", "request_timeout"];
const underKey: readonly ApiErrorCode[] = [
  "idempotency_key_required",
  "idempotency_key_invalid",
  "idempotency_key_conflict",
];

/** Every error that an operation can answer. */
export function errorCodesOf({ handler, errors: own }: Operation): ApiErrorCode[] {
  const codes = [...everyOperation, ...own];
  if (handler.kind !== "plain") codes.push(...withBody);
  if (handler.kind === "idempotent") codes.push(...underKey);
  return codes;
}

const headerOf = (description: string, example: string) => ({ description, schema: { type: "string" }, example });

/** Those of every response, under their names in `components`. */
export const headerComponents = {
  "X-Correlation-Id": headerOf("The request's correlation id.", exampleCorrelationId),
  "RateLimit-Policy": headerOf("Requests (q) in a window of seconds (w).", '"default";q=120;w=60'),
  RateLimit: headerOf("Requests left (r), seconds until the window ends (t).", '"default";r=119;t=60'),
  "X-RateLimit-Limit": headerOf("Requests in a window.", "120"),
  "X-RateLimit-Remaining": headerOf("Requests left.", "119"),
  "X-RateLimit-Reset": headerOf("End of the window in epoch seconds.", "1795189020"),
  "Retry-After": headerOf("Whole seconds after which to try again.", "12"),
};
type HeaderName = keyof typeof headerComponents;

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

function responseDetail({ description, body, headers: own = {} }: ResponseDeclaration) {
  const ownHeaders = Object.entries(own).map(([name, meaning]) => [
    name,
    { description: meaning, schema: { type: "string" } },
  ]);
  return {
    description,
    headers: { ...headerReferences(authenticated), ...Object.fromEntries(ownHeaders) },
    ...(body === null ? {} : { content: { "application/json": { schema: schemaReference(body) } } }),
  };
}

function errorExample(code: ApiErrorCode) {
  const { meaning } = apiErrors[code];
  const problem = { field: "recipient", code: "invalid_phone_number", message: "Must be a mobile number." };
  const errors = code === "validation_failed" ? { errors: [problem] } : {};
  return { summary: meaning, value: { code, message: meaning, correlationId: exampleCorrelationId, ...errors } };
}

/** One response for each status, with an example of each code. */
function errorDetails(codes: readonly ApiErrorCode[]) {
  const statuses = [...new Set(codes.map((code) => apiErrors[code].status))].sort((a, b) => a - b);
  const details = statuses.map((status) => {
    const ofStatus = codes.filter((code) => apiErrors[code].status === status);
    const names = status === 401 ? always : authenticated;
    const retry: readonly HeaderName[] = status === 429 || status === 503 ? ["Retry-After"] : [];
    const examples = Object.fromEntries(ofStatus.map((code) => [code, errorExample(code)]));
    const description = ofStatus.map((code) => `\`${code}\`: ${apiErrors[code].meaning}`).join("\n\n");
    const content = { "application/json": { schema: schemaReference(errorSchema), examples } };
    return [status, { description, headers: headerReferences([...names, ...retry]), content }];
  });
  return Object.fromEntries(details);
}

/** The schema with the codes of each field in its description, where every viewer shows them. */
function documented(schema: TSchema, isRequired = true): object {
  const codes: readonly string[] = [...(isRequired ? ["required"] : []), ...(schema["x-errors"] ?? [])];
  const sentences = [
    schema.description,
    codes.length > 0 ? `Errors: ${codes.map((code) => `\`${code}\``).join(", ")}.` : "",
  ];
  const description = sentences.filter(Boolean).join(" ");
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

function parameterDetail(parameter: ParameterDeclaration) {
  return { ...parameter, required: parameter.in === "path" };
}

/** The operation object of OpenAPI. */
export function detailOf(operation: Operation): object {
  const { handler, body, parameters = [] } = operation;
  const responses = Object.entries(operation.responses).map(([status, response]) => [status, responseDetail(response)]);
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
    responses: { ...Object.fromEntries(responses), ...errorDetails(errorCodesOf(operation)) },
  };
}
