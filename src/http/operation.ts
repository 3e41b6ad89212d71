/** One operation of the public API: a declaration from which its enforcement, its route and its reference are made. */
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

/** A request of a known key that may use the operation. */
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
  in: "path" | "query";
  description: string;
  schema: object;
  example: unknown;
}

/** The chapters of the reference, in its order. */
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
  /** What generated clients call it: a verb and its object. */
  operationId: string;
  summary: string;
  description: string;
  permission: Permission;
  parameters?: readonly ParameterDeclaration[];
  /** The successful ones, by status. */
  responses: ResponseDeclarations<Status, Returned>;
  /** Those that this operation adds to what every operation may answer. */
  errors: readonly ApiErrorCode[];
}

interface BodyOptions<Body extends TSchema> {
  body: Body;
  /** Of the body as it is sent. Default 1 MiB. */
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

/** An operation under an Idempotency-Key. */
export interface IdempotentDeclaration<Status extends number, Returned extends AnyBody, Body extends TSchema>
  extends OperationDeclaration<Status, Returned>,
    BodyOptions<Body> {
  /** The answer under the key if there is one, whatever the body says by now. Throws `idempotency_key_conflict`. */
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
  /** What is to be done for a parsed body, once its shape is good. Throws `validation_failed`. */
  check(json: unknown, rules: FieldRules): (call: C) => Eventually<OperationAnswer>;
}

export interface IdempotentHandler extends BodyChecks<IdempotentCall> {
  kind: "idempotent";
  replay(call: IdempotentCall): OperationAnswer | null;
}

export interface Operation extends OperationDeclaration<number, AnyBody> {
  /** `POST /v1/messages`, or null where the path has named segments. */
  fixedName: string | null;
  body: TSchema | null;
  bodyBytesMax: number;
  handler: OperationHandler;
}

const bodyBytesMaxDefault = 1024 * 1024;

function fixedNameOf({ method, path }: Pick<Operation, "method" | "path">): string | null {
  return path.includes(":") ? null : `${method} ${path}`;
}

/** GET, DELETE and whatever else takes no body. */
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

/** Checks the body by a compiled schema, and explains a bad one by walking the schema again. */
function validated<Body extends TSchema, C extends Call>(
  schema: Body,
  handle: (call: C, body: Static<Body>) => Eventually<OperationAnswer>,
) {
  /** Made with the first body: all of them together were 5 ms of a start. */
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

/** Null is the same as left out for every optional field. */
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
