/** The operator API as pages call it: in this process, with the types of the command line's client, in the name of the signed-in user. */
import { treaty } from "@elysiajs/eden";
import { OperatorError, type OperatorErrorCode, operatorErrors } from "../../domain/operator-error.ts";
import type { OperatorApi } from "../../operator/api.ts";
import { callAs, type OperatorCaller } from "../../operator/caller.ts";

/** Every call of a customer's is bound to the customer's account by the operator API itself. */
export type ConsoleApi = ReturnType<typeof consoleApi>;

/** What serves the operator API: its `fetch`. */
export type OperatorFetch = (request: Request) => Response | Promise<Response>;

/** An answer of the operator API as it comes, for what is too much to be read whole. @throws OperatorError as the operator API refused */
export type AnswerStream = (path: string, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;

export function answerStream(serve: OperatorFetch, caller: OperatorCaller): AnswerStream {
  return async (path, signal) => {
    const response = await serve(callAs(caller, new Request(`http://localhost${path}`, { signal })));
    if (!response.ok || response.body === null) throw refusalIn(await response.json());
    return response.body;
  };
}

export function consoleApi(serve: OperatorFetch, caller: OperatorCaller) {
  const call = async (url: string | URL | Request, init?: RequestInit): Promise<Response> =>
    serve(callAs(caller, new Request(url, init)));
  const fetcher = Object.assign(call, { preconnect: fetch.preconnect });
  return treaty<OperatorApi>("http://localhost", { fetcher, parseDate: false });
}

interface ApiReply<Answer> {
  data: Answer | null;
  error: { status: unknown; value: unknown } | null;
}

/** The answer alone. @throws OperatorError as the operator API refused */
export async function answered<Answer>(reply: Promise<ApiReply<Answer>>): Promise<Answer> {
  const { data, error } = await reply;
  if (error === null && data !== null) return data;
  if (error?.value instanceof Error) throw error.value;
  throw refusalIn(error?.value);
}

function refusalIn(body: unknown): OperatorError {
  if (typeof body !== "object" || body === null || !("code" in body) || !isErrorCode(body.code)) {
    return new OperatorError("internal_error");
  }
  const message = "message" in body ? String(body.message) : undefined;
  const problems = "problems" in body && Array.isArray(body.problems) ? body.problems : [];
  return new OperatorError(body.code, message, problems);
}

const isErrorCode = (code: unknown): code is OperatorErrorCode => typeof code === "string" && code in operatorErrors;
