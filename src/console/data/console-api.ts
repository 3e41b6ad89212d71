/** The operator API as pages call it: in this process, with the types of the command line's client, in the name of the signed-in user. */
import { treaty } from "@elysiajs/eden";
import { OperatorError, type OperatorErrorCode, operatorErrors } from "../../domain/operator-error.ts";
import type { OperatorApi } from "../../operator/api.ts";
import { callAs, type OperatorCaller } from "../../operator/caller.ts";
import { nextTurn } from "../../platform/next-turn.ts";

/** Every call of a customer's is bound to the customer's account by the operator API itself. */
export type ConsoleApi = ReturnType<typeof consoleApi>;

/** What serves the operator API: its `fetch`. */
export type OperatorFetch = (request: Request) => Response | Promise<Response>;

/** An answer of the operator API as it comes, for what is too much to be read whole. @throws OperatorError as the operator API refused */
export type AnswerStream = (
  path: string,
  signal: AbortSignal,
  /** Posted, where it is given. */
  body?: Uint8Array<ArrayBuffer>,
) => Promise<ReadableStream<Uint8Array>>;

export function answerStream(serve: OperatorFetch, caller: OperatorCaller): AnswerStream {
  return async (path, signal, body) => {
    const init = body === undefined ? { signal } : { signal, method: "POST", body };
    const response = await serve(callAs(caller, new Request(`http://localhost${path}`, init)));
    if (!response.ok || response.body === null) throw refusalIn(await response.json());
    return response.body;
  };
}

/** Is written by the page in one turn of the event loop, answered in another, and its answer is read in a third: fifty thousand numbers take 20 ms each. */
const largeBodyCharacters = 256 * 1024;

export function consoleApi(serve: OperatorFetch, caller: OperatorCaller) {
  const call = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const isLarge = typeof init?.body === "string" && init.body.length > largeBodyCharacters;
    if (isLarge) await nextTurn();
    const response = await serve(callAs(caller, new Request(url, init)));
    if (isLarge) await nextTurn();
    return response;
  };
  const fetcher = Object.assign(call, { preconnect: fetch.preconnect });
  return withEncodedSegments(treaty<OperatorApi>("http://localhost", { fetcher, parseDate: false }));
}

const isMethod = (name: string) => ["get", "post", "put", "patch", "delete", "head", "options"].includes(name);

/**
 * Eden writes a parameter into the path as it stands: `../keys/key_1/revoke?` in the place of a tracking code would call what the
 * page has no permission for.
 */
function withEncodedSegments<Client extends object>(client: Client, name = ""): Client {
  return new Proxy(client, {
    get: (target, key, receiver) => {
      const value: unknown = Reflect.get(target, key, receiver);
      return typeof value === "function" && typeof key === "string" ? withEncodedSegments(value, key) : value;
    },
    apply: (target, self, args: unknown[]) => {
      if (typeof target !== "function") throw new TypeError("Only a function is called");
      if (isMethod(name)) return Reflect.apply(target, self, args);
      const next: unknown = Reflect.apply(target, self, args.map(encodedSegment));
      return typeof next === "function" ? withEncodedSegments(next) : next;
    },
  });
}

/** `{ code: "a/b" }` becomes `{ code: "a%2Fb" }`. */
function encodedSegment(params: unknown): unknown {
  if (typeof params !== "object" || params === null) throw new TypeError("A path takes its parameter by name");
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const text = String(value);
      if (["", ".", ".."].includes(text)) throw new OperatorError("not_found");
      return [name, encodeURIComponent(text)];
    }),
  );
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
