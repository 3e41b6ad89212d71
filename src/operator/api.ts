/** The operator API over HTTP: a route for each operation, served on the Unix socket, never on the public listener. */

import { KindGuard, type TSchema } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { parseOperatorJson } from "../domain/json-limits.ts";
import { invalidRequest } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { type OperatorCaller, socketCaller } from "./caller.ts";
import type { OperatorDeps } from "./deps.ts";
import { errorAnswer, refusalFor } from "./errors.ts";
import { healthRoutes } from "./health.ts";
import {
  type Fields,
  methodOf,
  type OperationCall,
  type OperatorOperation,
  pathOf,
  StreamedAnswer,
} from "./operation.ts";
import { operations } from "./operations.ts";
import { type DescribedChange, OperationPerformer, type Perform } from "./perform.ts";

/** What the socket serves and the console calls. */
export interface OperatorService {
  perform: Perform;
  /** For programs with a token, which name any operation. */
  performNamed: OperationPerformer["performNamed"];
  described(...asked: Parameters<OperationPerformer["described"]>): Promise<DescribedChange | null>;
  fetch(request: Request): Response | Promise<Response>;
}

export function operatorService(deps: OperatorDeps): OperatorService {
  const performer = new OperationPerformer(deps);
  return {
    perform: performer.perform,
    performNamed: (...asked) => performer.performNamed(...asked),
    described: async (...asked) => performer.described(...asked),
    fetch: operatorApi(deps, performer).fetch,
  };
}

/** No authentication here: the socket's file mode provides it. */
export function operatorApi(
  deps: Pick<OperatorDeps, "readiness" | "log">,
  performer: OperationPerformer,
  callerOf = ({ headers }: Request): OperatorCaller => socketCaller(headers),
) {
  return operationRoutes({
    log: deps.log,
    readBody: (request) => request.bytes(),
    perform: (request, name, given, also) => performer.performNamed(callerOf(request), name, given, also),
  }).use(healthRoutes(deps));
}

export interface OperationRoutesDeps {
  log: OperatorDeps["log"];
  readBody(request: Request): Promise<Uint8Array>;
  /** Answers with a Response where it is no usual answer. */
  perform(
    request: Request,
    name: string,
    given: Fields,
    also: Pick<OperationCall, "signal" | "file">,
  ): Promise<unknown>;
}

/** A route for each operation. */
export function operationRoutes({ log, readBody, perform }: OperationRoutesDeps) {
  const api = new Elysia().onError(({ error, code }) => errorAnswer(refusalFor(log, error, code)));
  for (const [name, operation] of Object.entries<OperatorOperation>(operations)) {
    api.route(
      methodOf(name),
      pathOf(name),
      async ({ request, params, query }) => {
        const given = { ...texts(operation, query), ...texts(operation, params) };
        const hasBody = operation.takesFile !== true && methodOf(name) !== "GET";
        const body = hasBody ? fieldsOf(await readBody(request)) : {};
        const file = { bytes: () => request.bytes(), stream: () => request.body };
        const answer = await perform(request, name, { ...body, ...given }, { signal: request.signal, file });
        if (answer instanceof Response) return answer;
        if (!(answer instanceof StreamedAnswer)) return Response.json(answer);
        return new Response(answer.body, { headers: { "Content-Type": answer.type } });
      },
      { parse: "none" },
    );
  }
  return api;
}

/** An empty body is equivalent to `{}`. */
function fieldsOf(bytes: Uint8Array): Fields {
  if (bytes.length === 0) return {};
  const body = parseOperatorJson(bytes);
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return { ...body };
  throw invalidRequest([problemOf("body", "json_object", {})]);
}

/** Converts text from a path or a query to numbers and booleans where the operation takes them. */
function texts({ input = {} }: OperatorOperation, given: Readonly<Record<string, string>> = {}): Fields {
  return Object.fromEntries(
    Object.entries(given).map(([name, text]) => {
      const schema = input[name];
      return [name, schema === undefined ? text : typedText(text, schema)];
    }),
  );
}

function typedText(text: string, schema: TSchema): unknown {
  if (KindGuard.IsNumber(schema) || KindGuard.IsInteger(schema)) {
    return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
  }
  const isTruth = KindGuard.IsBoolean(schema) || (KindGuard.IsLiteral(schema) && schema.const === true);
  return isTruth && (text === "true" || text === "false") ? text === "true" : text;
}
