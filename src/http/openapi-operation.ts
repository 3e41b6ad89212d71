/** One operation as described in the reference, generated from the declaration that is enforced. */
import { KindGuard, type TSchema } from "@sinclair/typebox";
import { headerTextPattern } from "../domain/header-text.ts";
import { idempotencyKeyLengthMax } from "../domain/idempotency.ts";
import { schemaReference } from "./openapi-components.ts";
import { headerReferences } from "./openapi-headers.ts";
import { errorReferences } from "./openapi-responses.ts";
import type { Operation, ParameterDeclaration } from "./operation.ts";
import type { ResponseDeclaration } from "./operation-answer.ts";

/** The schema's own examples are those of a first request. */
function repeatExample(schema: TSchema): unknown {
  if (schema.type === "array") return [repeatExample(schema.items)];
  return Object.assign({}, exampleOf(schema), { duplicate: true });
}

function responseDetail({ description, body, isRepeat = false, headers: own = {} }: ResponseDeclaration) {
  const ownHeaders = Object.entries(own).map(([name, meaning]) => [
    name,
    { description: meaning, schema: { type: "string" } },
  ]);
  return {
    description,
    headers: { ...headerReferences({}), ...Object.fromEntries(ownHeaders) },
    ...(body === null
      ? {}
      : {
          content: {
            "application/json": {
              schema: schemaReference(body),
              ...(isRepeat && { example: repeatExample(body) }),
            },
          },
        }),
  };
}

/** The schema with each field's codes in its description, where every viewer shows them. */
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
      KindGuard.IsOptional(child) ? orNull(documented(child, false)) : documented(child),
    ]);
    return { ...schema, properties: Object.fromEntries(properties) };
  }
  if (KindGuard.IsArray(schema)) return { ...schema, description, items: documented(schema.items, false) };
  return { ...schema, description };
}

/** Optional fields may be null. */
function orNull(schema: { type?: unknown }): object {
  return typeof schema.type === "string" ? { ...schema, type: [schema.type, "null"] } : schema;
}

/** An example body, assembled from its fields' examples. */
export function exampleOf(schema: TSchema): unknown {
  if (KindGuard.IsObject(schema)) {
    return Object.fromEntries(Object.entries(schema.properties).map(([name, child]) => [name, exampleOf(child)]));
  }
  return KindGuard.IsArray(schema) ? [exampleOf(schema.items)] : schema.example;
}

/** Headers of every operation, or of all with an Idempotency-Key. */
export const parameterComponents = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: true,
    description:
      `1 to ${idempotencyKeyLengthMax} printable ASCII characters, without a comma before a space and without a space at the ends. One key for one operation; a retry ` +
      "uses the same. Errors: `idempotency_key_required`, `idempotency_key_invalid`.",
    schema: { type: "string", minLength: 1, maxLength: idempotencyKeyLengthMax, pattern: headerTextPattern },
    example: "order-1042-confirmation",
  },
  CorrelationId: {
    name: "X-Correlation-Id",
    in: "header",
    required: false,
    description:
      "Comes back in the response. Any value is tolerated; one that is not 1 to 64 letters, digits, hyphens, underscores and dots is replaced. " +
      "It does not prevent duplicates.",
    schema: { type: "string" },
    example: "checkout-7731",
  },
};
const parameterReference = (name: keyof typeof parameterComponents) => ({ $ref: `#/components/parameters/${name}` });

function parameterDetail(parameter: ParameterDeclaration) {
  return { ...parameter, required: parameter.in === "path" };
}

/** `SendMessageRequest`: the body of `sendMessage`. */
const requestNameOf = ({ operationId }: Operation) =>
  `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`;

function requestSchemaOf(operation: Operation): object | null {
  return operation.body === null ? null : { ...documented(operation.body), $id: requestNameOf(operation) };
}

/** The bodies of all operations, by name. */
export function requestSchemas(operations: readonly Operation[]): object[] {
  return operations.flatMap((operation) => requestSchemaOf(operation) ?? []);
}

/** The OpenAPI operation object. The status for new requests comes before the one for replays. */
export function detailOf(operation: Operation): object {
  const { handler, body, parameters = [], callbacks } = operation;
  const successes = Object.entries(operation.responses)
    .toSorted(([a], [b]) => Number(b) - Number(a))
    .map(([status, response]) => [`status ${status}`, responseDetail(response)]);
  const refusals = errorReferences(operation).map(([status, reference]) => [`status ${status}`, reference]);
  const schema = requestSchemaOf(operation);
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: `${operation.description}\n\nPermission: \`${operation.permission}\`.`,
    security: [{ ApiKey: [] }],
    parameters: [
      ...(handler.kind === "idempotent" ? [parameterReference("IdempotencyKey")] : []),
      ...parameters.map(parameterDetail),
      parameterReference("CorrelationId"),
    ],
    ...(body === null || schema === null
      ? {}
      : {
          requestBody: {
            required: true,
            content: { "application/json": { schema: schemaReference(schema), example: exampleOf(body) } },
          },
        }),
    responses: Object.fromEntries([...successes, ...refusals]),
    ...(callbacks !== undefined && { callbacks }),
  };
}
