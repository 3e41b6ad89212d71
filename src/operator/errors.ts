/** Maps every error of the operator API to one shape: `{code, message, problems?}`. */
import { ElysiaCustomStatusResponse, type TSchema, ValidationError } from "elysia";
import { invalidRequest, OperatorError, type OperatorProblem, operatorErrors } from "../domain/operator-error.ts";
import type { Logger } from "../platform/log.ts";
import { StoreUnavailable } from "../store/group-commit.ts";

export interface OperatorErrorBody {
  code: string;
  message: string;
  problems?: readonly OperatorProblem[];
}

/** Unexpected errors are logged and become `internal_error`. */
export function refusalFor(log: Pick<Logger, "error">, code: string | number, error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  if (error instanceof ValidationError) return refusalOf(error);
  if (error instanceof StoreUnavailable) {
    log.error({ err: error }, "an operator's change could not be stored");
    return new OperatorError("store_unavailable");
  }
  if (code === "NOT_FOUND") return new OperatorError("not_found");
  if (code === "PARSE") return new OperatorError("invalid", "The body is not valid JSON.");
  if (error instanceof ElysiaCustomStatusResponse) return new OperatorError("invalid", String(error.response));
  // Whoever asked is gone: nobody reads this answer.
  const isAborted = error instanceof DOMException && error.name === "AbortError";
  if (!isAborted) log.error({ err: error }, "operator API");
  return new OperatorError("internal_error");
}

export function errorAnswer(log: Logger, code: string | number, error: unknown): Response {
  const { code: refused, message, problems } = refusalFor(log, code, error);
  const body: OperatorErrorBody =
    problems.length > 0 ? { code: refused, message, problems } : { code: refused, message };
  return Response.json(body, { status: operatorErrors[refused].status });
}

/** The first problem of each field: TypeBox reports one cause several times. */
function refusalOf(error: ValidationError): OperatorError {
  const byKey = new Map<string, OperatorProblem>();
  for (const found of error.all) {
    if (!("path" in found)) continue;
    const key = found.path.split("/").filter(Boolean).join(".") || "body";
    const message = expectation(found.schema) ?? "is not allowed";
    if (!byKey.has(key)) byKey.set(key, { key, message });
  }
  return byKey.size === 0 ? new OperatorError("invalid") : invalidRequest([...byKey.values()]);
}

const expectationByType: Readonly<Record<string, string>> = {
  string: "must be a text",
  number: "must be a number",
  integer: "must be a whole number",
  boolean: "must be true or false",
  array: "must be a list",
  object: "must be a JSON object",
};

/** The schema's own sentence, or one for its type; TypeBox's ("Expected union value") are not for people. */
function expectation(schema: TSchema): string | null {
  if (typeof schema.error === "string") return schema.error;
  const options: readonly TSchema[] = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  const [first] = options.flatMap((option) => expectation(option) ?? []);
  return first ?? expectationByType[String(schema.type)] ?? null;
}
