/** The operator API over HTTP: a route for each operation, served on the Unix socket, never on the public listener. */
import { KindGuard, type TSchema } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { type OperatorCaller, socketCaller } from "./caller.ts";
import type { OperatorDeps } from "./deps.ts";
import { errorAnswer, refusalFor } from "./errors.ts";
import { healthRoutes } from "./health.ts";
import { type Fields, methodOf, type OperatorOperation, pathOf, StreamedAnswer } from "./operation.ts";
import { operations } from "./operations.ts";
import { OperationPerformer, type Perform } from "./perform.ts";

/** What the socket serves and the console calls. */
export interface OperatorService {
  perform: Perform;
  fetch(request: Request): Response | Promise<Response>;
}

export function operatorService(deps: OperatorDeps): OperatorService {
  const performer = new OperationPerformer(deps);
  return { perform: performer.perform, fetch: operatorApi(deps, performer).fetch };
}

/** No authentication here: the socket's file mode provides it. */
export function operatorApi(
  deps: Pick<OperatorDeps, "readiness" | "log">,
  performer: OperationPerformer,
  callerOf = ({ headers }: Request): OperatorCaller => socketCaller(headers),
) {
  const api = new Elysia().onError(({ error, code }) => errorAnswer(refusalFor(deps.log, error, code)));
  for (const [name, operation] of Object.entries<OperatorOperation>(operations)) {
    api.route(
      methodOf(name),
      pathOf(name),
      async ({ request, params, query }) => {
        const given = { ...texts(operation, query), ...texts(operation, params) };
        const body = operation.takesFile === true || methodOf(name) === "GET" ? {} : await bodyOf(request);
        const file = { bytes: () => request.bytes(), stream: () => request.body };
        const answer = await performer.performNamed(
          callerOf(request),
          name,
          { ...body, ...given },
          { signal: request.signal, file },
        );
        if (!(answer instanceof StreamedAnswer)) return Response.json(answer);
        return new Response(answer.body, { headers: { "Content-Type": answer.type } });
      },
      { parse: "none" },
    );
  }
  return api.use(healthRoutes(deps));
}

/** An empty body is equivalent to `{}`. */
async function bodyOf(request: Request): Promise<Fields> {
  const text = await request.text();
  if (text === "") return {};
  const body = parsed(text);
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return { ...body };
  throw invalidRequest([problemOf("body", "json_object", {})]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OperatorError("invalid", { code: "body_not_json", values: {} });
  }
}

/** Converts text from a path or a query to numbers and booleans where the operation takes them. */
function texts({ input }: OperatorOperation, given: Readonly<Record<string, string>> = {}): Fields {
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
