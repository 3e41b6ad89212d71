/** The public API as the client libraries see it: read from openapi.json, the same for every language. */

export type FieldType =
  | { kind: "string"; values: readonly string[]; isTime: boolean }
  | { kind: "integer" | "boolean" }
  | { kind: "list" | "map"; of: FieldType }
  | { kind: "named"; name: string };

export interface Field {
  name: string;
  type: FieldType;
  isRequired: boolean;
  isNullable: boolean;
  /** A single line. */
  description: string;
}

export interface Schema {
  name: string;
  description: string;
  fields: readonly Field[];
  /** Sent by the client, not returned to it. */
  isInput: boolean;
}

export interface ApiOperation {
  id: string;
  method: string;
  path: string;
  summary: string;
  /** Takes an Idempotency-Key. */
  isKeyed: boolean;
  /** Idempotent: the client may retry after a lost answer. */
  isRepeatable: boolean;
  pathParameters: readonly Field[];
  query: readonly Field[];
  body: Schema | null;
  answer: FieldType | null;
}

export interface ApiModel {
  schemas: readonly Schema[];
  operations: readonly ApiOperation[];
}

/** The subset of JSON Schema that the document uses. */
interface JsonSchema {
  $ref?: string;
  type?: string | readonly string[];
  enum?: readonly string[];
  format?: string;
  description?: string;
  items?: JsonSchema;
  additionalProperties?: JsonSchema;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
}

interface Content {
  content?: { "application/json": { schema: JsonSchema } };
}

interface Parameter {
  $ref?: string;
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description: string;
  schema: JsonSchema;
}

export interface OpenApiDocument {
  paths: Readonly<
    Record<
      string,
      Record<
        string,
        {
          operationId: string;
          summary: string;
          parameters: readonly Parameter[];
          requestBody?: Content;
          responses: Readonly<Record<string, Content>>;
        }
      >
    >
  >;
  components: { schemas: Readonly<Record<string, JsonSchema>> };
}

/** Harmless to repeat even without a key. Any other POST without a key is retried only after a refusal. */
const repeatablePosts = new Set(["getMessageStatuses", "cancelMessage"]);

const nameOf = (reference: string) => reference.slice(reference.lastIndexOf("/") + 1);

function typesOf({ type }: JsonSchema): readonly string[] {
  return typeof type === "string" ? [type] : (type ?? []);
}

function fieldType(schema: JsonSchema): FieldType {
  if (schema.$ref !== undefined) return { kind: "named", name: nameOf(schema.$ref) };
  const [type] = typesOf(schema).filter((one) => one !== "null");
  switch (type) {
    case "string":
      return { kind: "string", values: schema.enum ?? [], isTime: schema.format === "date-time" };
    case "integer":
    case "boolean":
      return { kind: type };
    case "array":
      if (schema.items !== undefined) return { kind: "list", of: fieldType(schema.items) };
      break;
    case "object":
      if (schema.additionalProperties !== undefined) return { kind: "map", of: fieldType(schema.additionalProperties) };
  }
  throw new Error(`No client library knows this type: ${JSON.stringify(schema)}`);
}

/** Without the list of error codes, which the reference contains. */
function lineOf(description = ""): string {
  return description.replace(/ ?Errors: [^.]*\.$/, "").replaceAll(/\s+/g, " ");
}

export function apiModelOf({ paths, components }: OpenApiDocument): ApiModel {
  const isNullable = (schema: JsonSchema): boolean =>
    typesOf(schema).includes("null") ||
    (schema.$ref !== undefined && isNullable(components.schemas[nameOf(schema.$ref)] ?? {}));
  const field = (name: string, schema: JsonSchema, isRequired: boolean): Field => ({
    name,
    type: fieldType(schema),
    isRequired,
    isNullable: isNullable(schema),
    description: lineOf(schema.description),
  });
  const inputs = new Set<string>();
  const schemas = Object.entries(components.schemas).map(([name, { description, properties = {}, required = [] }]) => {
    const fields = Object.entries(properties).map(([key, schema]) => field(key, schema, required.includes(key)));
    if (name.endsWith("Request")) inputs.add(name);
    for (const { type } of inputs.has(name) ? fields : []) {
      if (type.kind === "list" && type.of.kind === "named") inputs.add(type.of.name);
    }
    return { name, description: lineOf(description), fields, isInput: inputs.has(name) };
  });
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([lower, { operationId, summary, parameters, requestBody, responses }]) => {
      const isKeyed = parameters.some(({ $ref = "" }) => nameOf($ref) === "IdempotencyKey");
      const parametersIn = (place: Parameter["in"]) =>
        parameters
          .filter((one) => one.in === place)
          .map((one) => field(one.name, { description: one.description, ...one.schema }, one.required));
      const [, success] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
      const answer = success?.content?.["application/json"].schema;
      const bodyName = nameOf(requestBody?.content?.["application/json"].schema.$ref ?? "");
      return {
        id: operationId,
        method: lower.toUpperCase(),
        path,
        summary,
        isKeyed,
        isRepeatable: lower !== "post" || isKeyed || repeatablePosts.has(operationId),
        pathParameters: parametersIn("path"),
        query: parametersIn("query"),
        body: schemas.find(({ name }) => name === bodyName) ?? null,
        answer: answer === undefined ? null : fieldType(answer),
      };
    }),
  );
  return { schemas, operations };
}

/** `{trackingCode}` in a path, in the target language's syntax. */
export const pathWith = (path: string, write: (name: string) => string) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => write(name));

export const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const made = "Made by `bun run clients` from openapi.json. Do not edit.";
