/** One operation of the public API: its enforcement, route and reference all derive from this declaration. */
import { KindGuard, type Static, type TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { type ApiErrorCode, invalid } from "../domain/api-error.ts";
import type { Permission } from "../domain/permissions.ts";
import type { Caller, IdempotentRequest } from "../messaging/messages/accept.ts";
import { problemsOf } from "./body-problems.ts";
import type { FieldRules } from "./fields.ts";
import type { Answer, OperationAnswer, ResponseDeclarations } from "./operation-answer.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** The values of a path's `:name` segments. */
export type PathParams = Readonly<Record<string, string>>;

/** A request whose key is known and may use the operation. */
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

export interface ParameterDeclaration {
  name: string;
  in: "path" | "query" | "header";
  description: string;
  schema: object;
  example: unknown;
}

/** The chapters of the reference, in order. */
export type ApiTag =
  | "Messages"
  | "Senders"
  | "Approved groups"
  | "Patterns"
  | "One-time passwords"
  | "Inbound messages"
  | "Webhooks";

type AnyBody = TSchema | null;

interface OperationDeclaration<Status extends number, Returned extends AnyBody> {
  method: Method;
  /** `/v1/messages/:trackingCode`. */
  path: string;
  tag: ApiTag;
  /** Its name in generated clients: a verb and its object. */
  operationId: string;
  summary: string;
  description: string;
  permission: Permission;
  parameters?: readonly ParameterDeclaration[];
  /** The successful responses, by status. */
  responses: ResponseDeclarations<Status, Returned>;
  /** Errors besides those that every operation may answer. */
  errors: readonly ApiErrorCode[];
  /** The requests that follow from it, as OpenAPI writes them. */
  callbacks?: Readonly<Record<string, object>>;
}

interface BodyOptions<Body extends TSchema> {
  body: Body;
  /** Size of the body as sent. Default 1 MiB. */
  bodyBytesMax?: number;
}

type Eventually<T> = T | Promise<T>;

/** An operation without a body. */
export interface PlainDeclaration<Status extends number, Returned extends AnyBody>
  extends OperationDeclaration<Status, Returned> {
  handle(call: Call): Eventually<Answer<Status, Returned>>;
}

/** An operation with a body. */
export interface BodyDeclaration<Status extends number, Returned extends AnyBody, Body extends TSchema>
  extends OperationDeclaration<Status, Returned>,
    BodyOptions<Body> {
  handle(call: Call, body: Static<Body>): Eventually<Answer<Status, Returned>>;
}

/** An operation that takes an Idempotency-Key. */
export interface IdempotentDeclaration<Status extends number, Returned extends AnyBody, Body extends TSchema>
  extends OperationDeclaration<Status, Returned>,
    BodyOptions<Body> {
  /** The stored answer for the key, if any, whatever the body says now. Throws `idempotency_key_conflict`. */
  replay(call: IdempotentCall): Answer<Status, Returned> | null;
  handle(call: IdempotentCall, body: Static<Body>): Eventually<Answer<Status, Returned>>;
}

/** What the pipeline runs. */
export type OperationHandler =
  | { kind: "plain"; run(call: Call): Eventually<OperationAnswer> }
  | ({ kind: "body" } & BodyChecks<Call>)
  | IdempotentHandler;

interface BodyChecks<C extends Call> {
  schema: TSchema;
  /** Checks a parsed body, and returns the work to do for it. Throws `validation_failed`. */
  check(json: unknown, rules: FieldRules): (call: C) => Eventually<OperationAnswer>;
}

export interface IdempotentHandler extends BodyChecks<IdempotentCall> {
  kind: "idempotent";
  replay(call: IdempotentCall): OperationAnswer | null;
}

export interface Operation extends OperationDeclaration<number, AnyBody> {
  /** `POST /v1/messages`, or null if the path has named segments. */
  fixedName: string | null;
  body: TSchema | null;
  bodyBytesMax: number;
  handler: OperationHandler;
}

const bodyBytesMaxDefault = 1024 * 1024;

function fixedNameOf({ method, path }: Pick<Operation, "method" | "path">): string | null {
  return path.includes(":") ? null : `${method} ${path}`;
}

/** For GET, DELETE and others without a body. */
export function operation<Status extends number, Returned extends AnyBody>(
  declaration: PlainDeclaration<Status, Returned>,
): Operation {
  const { handle, ...rest } = declaration;
  return {
    ...rest,
    fixedName: fixedNameOf(rest),
    body: null,
    bodyBytesMax: bodyBytesMaxDefault,
    handler: { kind: "plain", run: handle },
  };
}

/** Checks the body with a compiled schema, and explains a failure by walking the schema again. */
function validated<Body extends TSchema, C extends Call>(
  schema: Body,
  handle: (call: C, body: Static<Body>) => Eventually<OperationAnswer>,
) {
  /** Compiled for the first body: compiling all at start-up took 5 ms. */
  let compiled: TypeCheck<Body> | null = null;
  const optional = KindGuard.IsObject(schema)
    ? Object.keys(schema.properties).filter((name) => !schema.required?.includes(name))
    : [];
  return (json: unknown, rules: FieldRules) => {
    const body = withoutNulls(json, optional);
    compiled ??= TypeCompiler.Compile(schema);
    if (compiled.Check(body)) return (call: C) => handle(call, body);
    throw invalid(problemsOf(schema, body, rules));
  };
}

/** For optional fields, null is the same as absent. */
function withoutNulls(json: unknown, optional: readonly string[]): unknown {
  if (typeof json !== "object" || json === null || !optional.some((name) => Reflect.get(json, name) === null))
    return json;
  return Object.fromEntries(Object.entries(json).filter(([name, value]) => value !== null || !optional.includes(name)));
}

export function bodyOperation<Status extends number, Returned extends AnyBody, Body extends TSchema>(
  declaration: BodyDeclaration<Status, Returned, Body>,
): Operation {
  const { handle, bodyBytesMax = bodyBytesMaxDefault, ...rest } = declaration;
  return {
    ...rest,
    fixedName: fixedNameOf(rest),
    bodyBytesMax,
    handler: { kind: "body", schema: rest.body, check: validated(rest.body, handle) },
  };
}

export function idempotentOperation<Status extends number, Returned extends AnyBody, Body extends TSchema>(
  declaration: IdempotentDeclaration<Status, Returned, Body>,
): Operation {
  const { handle, replay, bodyBytesMax = bodyBytesMaxDefault, ...rest } = declaration;
  return {
    ...rest,
    fixedName: fixedNameOf(rest),
    bodyBytesMax,
    handler: { kind: "idempotent", replay, schema: rest.body, check: validated(rest.body, handle) },
  };
}
