/** Maps every error of the operator API to one shape: `{code, message, problems?}`. */
import type { TSchema } from "@sinclair/typebox";
import type { ValueError } from "@sinclair/typebox/errors";
import {
  invalidRequest,
  OperatorError,
  type OperatorProblem,
  operatorErrors,
  refusalText,
} from "../domain/operator-error.ts";
import { type CodedProblem, problemOf, type ToldProblem, toldProblem } from "../domain/operator-problem.ts";
import { regions } from "../domain/phone-number.ts";
import type { Logger } from "../platform/log.ts";
import { StoreUnavailable } from "../store/group-commit.ts";

export interface OperatorErrorBody {
  code: string;
  message: string;
  problems?: readonly ToldProblem[];
}

/** Unexpected errors are logged and become `internal_error`. `code`: Elysia's name for what its routing refuses. */
export function refusalFor(log: Pick<Logger, "error">, error: unknown, code: string | number = ""): OperatorError {
  if (error instanceof OperatorError) return error;
  if (error instanceof StoreUnavailable) {
    log.error({ err: error }, "an operator's change could not be stored");
    return new OperatorError("store_unavailable");
  }
  if (code === "NOT_FOUND") return new OperatorError("not_found");
  // The client has disconnected: nobody reads this answer.
  const isAborted = error instanceof DOMException && error.name === "AbortError";
  if (!isAborted) log.error({ err: error }, "operator API");
  return new OperatorError("internal_error");
}

export function errorAnswer(refusal: OperatorError): Response {
  const { code, problems } = refusal;
  const told = { code, message: refusalText(refusal) };
  const body: OperatorErrorBody = problems.length > 0 ? { ...told, problems: problems.map(toldProblem) } : told;
  return Response.json(body, { status: operatorErrors[code].status });
}

/** Nobody reads more of them; 125,000 in a list took 300 ms. */
const problemsMax = 100;

/** The first problem per field: TypeBox reports one cause several times. */
export function inputRefusal(errors: Iterable<ValueError>): OperatorError {
  const byKey = new Map<string, OperatorProblem>();
  for (const { path, schema, value } of errors) {
    const key = path.split("/").filter(Boolean).join(".") || "body";
    if (!byKey.has(key)) byKey.set(key, problemAt(key, schema, value));
    if (byKey.size === problemsMax) break;
  }
  return byKey.size === 0 ? new OperatorError("invalid") : invalidRequest([...byKey.values()]);
}

/** TypeBox's own sentences ("Expected union value") are not written for users. */
function problemAt(key: string, schema: TSchema, value: unknown): OperatorProblem {
  const [coded = { code: "not_allowed", values: {} } as const] = branchesOf(schema).flatMap(
    (one) => codedProblem(one) ?? [],
  );
  const known: readonly unknown[] = regions;
  const unknown = coded.code === "countries" && Array.isArray(value) ? value.find((one) => !known.includes(one)) : null;
  return typeof unknown === "string" ? problemOf(key, "unknown_country", { value: unknown }) : { key, ...coded };
}

/** The schema itself, and the alternatives of a union. */
function branchesOf(schema: TSchema): TSchema[] {
  const options: readonly TSchema[] = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  return [schema, ...options.flatMap(branchesOf)];
}

/** The schema's own constraint; a schema with a pattern describes it in `problem`. */
function codedProblem({ problem, type, ...schema }: TSchema): CodedProblem | null {
  const named: CodedProblem | undefined = problem;
  if (named !== undefined) return named;
  const between = (from: string, to: string) => ({ min: schema[from] ?? null, max: schema[to] ?? null });
  switch (type) {
    case "string":
      if (schema.pattern !== undefined || schema.format !== undefined) return null;
      return { code: "text", values: between("minLength", "maxLength") };
    case "integer":
      return { code: "whole_number", values: between("minimum", "maximum") };
    case "number":
      return { code: "number", values: between("minimum", "maximum") };
    case "array":
      return { code: "list", values: between("minItems", "maxItems") };
    case "boolean":
      return { code: "yes_or_no", values: {} };
    case "object":
      return { code: "json_object", values: {} };
    default:
      return null;
  }
}

/** Null if it does not exist, or the id is malformed. */
export function foundOrNull<T>(find: () => T | null | undefined): T | null {
  try {
    return find() ?? null;
  } catch (reason) {
    if (reason instanceof OperatorError) return null;
    throw reason;
  }
}
