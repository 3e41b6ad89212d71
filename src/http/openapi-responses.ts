/** Refusals in the reference: each set of error codes appears once in `components`, and operations refer to it. */
import { type ApiErrorCode, apiErrors } from "../domain/api-error.ts";
import { errorSchema, exampleCorrelationId } from "./error-schema.ts";
import { schemaReference } from "./openapi-components.ts";
import { headerReferences } from "./openapi-headers.ts";
import type { Operation } from "./operation.ts";

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
/** Operations that take an Idempotency-Key accept messages. */
const accepting: readonly ApiErrorCode[] = ["quota_exceeded", "balance_exhausted"];

/** Every error that an operation can answer. */
export function errorCodesOf({ handler, errors: own }: Operation): ApiErrorCode[] {
  const codes = [...everyOperation, ...own];
  if (handler.kind !== "plain") codes.push(...withBody);
  if (handler.kind === "idempotent") codes.push(...underKey, ...accepting);
  return codes;
}

const shared = new Set<ApiErrorCode>([...everyOperation, ...withBody, ...underKey, ...accepting]);

const statusNames: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  408: "RequestTimeout",
  409: "Conflict",
  413: "PayloadTooLarge",
  415: "UnsupportedMediaType",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
};

const pascal = (code: string) => code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * `BadRequest`, `KeyedBadRequest` with an Idempotency-Key, `ForbiddenSenderNotPermitted` for a code that few operations
 * have.
 */
function nameOf(status: number, codes: readonly ApiErrorCode[]): string {
  const own = codes.filter((code) => !shared.has(code)).map(pascal);
  const keyed = codes.some((code) => underKey.includes(code) || accepting.includes(code)) ? "Keyed" : "";
  return [keyed, statusNames[status] ?? `Status${status}`, own.join("Or")].join("");
}

interface ErrorResponse {
  name: string;
  status: number;
  codes: readonly ApiErrorCode[];
}

function errorResponsesOf(operation: Operation): ErrorResponse[] {
  const byStatus = Map.groupBy(new Set(errorCodesOf(operation)), (code) => apiErrors[code].status);
  return [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => ({ status, codes, name: nameOf(status, codes) }));
}

/** By status, in order. */
export function errorReferences(operation: Operation): [status: number, reference: object][] {
  return errorResponsesOf(operation).map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]);
}

export function errorResponseComponents(operations: readonly Operation[]): Record<string, object> {
  return Object.fromEntries(
    operations.flatMap(errorResponsesOf).map((response) => [response.name, detailOf(response)]),
  );
}

function errorExample(code: ApiErrorCode) {
  const { meaning } = apiErrors[code];
  const problem = { field: "recipient", code: "invalid_phone_number", message: "Must be a mobile number." };
  const errors = code === "validation_failed" ? { errors: [problem] } : {};
  return { summary: meaning, value: { code, message: meaning, correlationId: exampleCorrelationId, ...errors } };
}

function detailOf({ status, codes }: ErrorResponse) {
  return {
    description: codes.map((code) => `\`${code}\`: ${apiErrors[code].meaning}`).join("\n\n"),
    headers: headerReferences({
      isAuthenticated: status !== 401,
      hasRetryAfter: status === 429 || status === 503 || codes.includes("quota_exceeded"),
    }),
    content: {
      "application/json": {
        schema: schemaReference(errorSchema),
        examples: Object.fromEntries(codes.map((code) => [code, errorExample(code)])),
      },
    },
  };
}
