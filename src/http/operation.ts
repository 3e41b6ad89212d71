/** One operation of the public API: a declaration from which both its enforcement and its reference are made. */
import type { Static, TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { type ApiErrorCode, invalid } from "../domain/api-error.ts";
import type { Permission } from "../domain/permissions.ts";
import type { Caller, IdempotentRequest } from "../messaging/messages/accept.ts";
import { problemsOf } from "./body-problems.ts";
import type { FieldRules } from "./fields.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** The values of a path's `:name` segments. */
export type PathParams = Readonly<Record<string, string>>;

/** A request that has passed the door: who asks, and for what. */
export interface Call {
  caller: Caller;
  correlationId: string;
  params: PathParams;
  request: Request;
  rules: FieldRules;
}

export interface IdempotentCall extends Call {
  idempotency: IdempotentRequest;
}

/** What an operation answers; the pipeline writes it as a Response with the headers that every response has. */
export interface OperationAnswer {
  status: number;
  /** Written as JSON; undefined for none (204). */
  body?: unknown;
  /** JSON in pieces, in the place of `body`, for an answer that memory should not hold whole. */
  pieces?: AsyncIterable<string>;
  location?: string;
  payloadMismatch?: boolean;
  /** For the log. */
  trackingCode?: string;
}

/** What the reference says of one successful answer. `schema` is a JSON schema, often a reference to a component. */
export interface AnswerNotes {
  description: string;
  schema?: object;
  headers?: Readonly<Record<string, string>>;
}

export interface ParameterNotes {
  name: string;
  in: "path" | "query";
  description: string;
  required?: boolean;
  schema: object;
  example?: unknown;
}

interface OperationNotes {
  method: Method;
  /** `/v1/messages/:trackingCode`. */
  path: string;
  tag: string;
  summary: string;
  description: string;
  permission: Permission;
  parameters?: readonly ParameterNotes[];
  answers: Readonly<Record<number, AnswerNotes>>;
  /** Those that this operation adds to what every operation may answer. */
  refusals: readonly ApiErrorCode[];
}

interface BodyNotes<Body extends TSchema> {
  body: Body;
  /** Of the body as it is sent. Default 1 MiB. */
  bodyBytesMax?: number;
}

type Performed = OperationAnswer | Promise<OperationAnswer>;

/** An operation without a body. */
export interface PlainDeclaration extends OperationNotes {
  perform(call: Call): Performed;
}

/** An operation with a body. */
export interface BodyDeclaration<Body extends TSchema> extends OperationNotes, BodyNotes<Body> {
  perform(call: Call, body: Static<Body>): Performed;
}

/** An operation under an Idempotency-Key. */
export interface IdempotentDeclaration<Body extends TSchema> extends OperationNotes, BodyNotes<Body> {
  /** The answer under the key if there is one, whatever the body says by now. Throws `idempotency_key_conflict`. */
  replay(call: IdempotentCall): OperationAnswer | null;
  perform(call: IdempotentCall, body: Static<Body>): Performed;
}

/** What the pipeline runs. `json` is the parsed body as it came. */
export type OperationHandler =
  | { kind: "plain"; perform(call: Call): Performed }
  | { kind: "body"; perform(call: Call, json: unknown): Performed }
  | IdempotentHandler;

export interface IdempotentHandler {
  kind: "idempotent";
  replay(call: IdempotentCall): OperationAnswer | null;
  perform(call: IdempotentCall, json: unknown): Performed;
}

export interface Operation extends OperationNotes {
  /** `POST /v1/messages`, or null where the path has named segments. */
  fixedName: string | null;
  body: TSchema | null;
  bodyBytesMax: number;
  handler: OperationHandler;
}

const bodyBytesMaxDefault = 1024 * 1024;

function fixedNameOf({ method, path }: OperationNotes): string | null {
  return path.includes(":") ? null : `${method} ${path}`;
}

/** GET, DELETE and whatever else takes no body. */
export function operation(declaration: PlainDeclaration): Operation {
  const { perform, ...notes } = declaration;
  return {
    ...notes,
    fixedName: fixedNameOf(notes),
    body: null,
    bodyBytesMax: bodyBytesMaxDefault,
    handler: { kind: "plain", perform },
  };
}

/** Checks the body by a compiled schema, and explains a bad one by walking the schema again. */
function validated<Body extends TSchema, C extends Call>(
  schema: Body,
  perform: (call: C, body: Static<Body>) => Performed,
) {
  const compiled = TypeCompiler.Compile(schema);
  return (call: C, json: unknown): Performed => {
    if (compiled.Check(json)) return perform(call, json);
    throw invalid(problemsOf(schema, json, call.rules));
  };
}

export function bodyOperation<Body extends TSchema>(declaration: BodyDeclaration<Body>): Operation {
  const { perform, bodyBytesMax = bodyBytesMaxDefault, ...notes } = declaration;
  return {
    ...notes,
    fixedName: fixedNameOf(notes),
    bodyBytesMax,
    handler: { kind: "body", perform: validated(notes.body, perform) },
  };
}

export function idempotentOperation<Body extends TSchema>(declaration: IdempotentDeclaration<Body>): Operation {
  const { perform, replay, bodyBytesMax = bodyBytesMaxDefault, ...notes } = declaration;
  return {
    ...notes,
    fixedName: fixedNameOf(notes),
    bodyBytesMax,
    handler: { kind: "idempotent", replay, perform: validated(notes.body, perform) },
  };
}
