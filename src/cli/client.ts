/**
 * The client of the operator API over the running service's Unix socket; its types come from the operations themselves.
 */
import { accessSync, constants } from "node:fs";
import { callerHeader } from "../operator/caller.ts";
import type { AnswerOf, InputFor, OperationName, OperatorClient } from "../operator/client.ts";
import { methodOf, pathOf, type StreamedAnswer } from "../operator/operation.ts";
import { errorCode } from "../platform/error-code.ts";
import { jsonLines } from "../platform/json-lines.ts";
import { CommandFailed, type FailureProblem, UsageError } from "./errors.ts";
import { becomeOwnerOf } from "./owner.ts";

/** The socket's path, the data folder for error messages, and the caller for the audit. */
export interface SocketLocation {
  path: string;
  dataDir: string;
  user: string;
}

/** A fetch over the socket. Throws CommandFailed if no service answers. */
function socketFetch({ path, dataDir, user }: SocketLocation) {
  return async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const headers = new Headers(init?.headers);
    headers.set(callerHeader, encodeURIComponent(user));
    try {
      // Not earlier: files that only root may read have been read by now.
      becomeOwnerOf(path);
      return await fetch(url, { ...init, headers, unix: path });
    } catch (error) {
      throw error instanceof CommandFailed ? error : unreachable(error, path, dataDir);
    }
  };
}

/** Rejects with CommandFailed, carrying the server's code and message. */
export function operatorClient(location: SocketLocation): OperatorClient {
  return async (name, ...[input, options]) => {
    const response = await request(location, name, input ?? {}, { signal: options?.signal ?? null });
    return response.json();
  };
}

/** An operation by its name, whatever it is, with an answer that arrives whole. @throws CommandFailed */
export async function namedOperation(
  location: SocketLocation,
  name: string,
  input: object,
  signal: AbortSignal,
): Promise<unknown> {
  return (await request(location, name, input, { signal })).json();
}

/** A streamed answer to a request that may carry a file. @throws CommandFailed like the other calls of a client */
export async function streamed<Name extends OperationName>(
  location: SocketLocation,
  name: Name,
  input: InputFor<Name>,
  file?: BodyInit,
): Promise<ReadableStream<Uint8Array>> {
  const { body, status } = await request(location, name, input, file === undefined ? {} : { body: file });
  if (body === null) throw commandFailure(null, status);
  return body;
}

/** Yields the answer's lines as they arrive; ends as well if the service closes the connection. */
export async function* answerLines<Name extends OperationName>(
  location: SocketLocation,
  name: Name,
  input: InputFor<Name>,
  file?: BodyInit,
): AsyncGenerator<LineOf<AnswerOf<Name>>> {
  const body = await streamed(location, name, input, file);
  try {
    yield* jsonLines<LineOf<AnswerOf<Name>>>(body);
  } catch (error) {
    if (errorCode(error) !== "ECONNRESET") throw error;
  }
}

type LineOf<Answer> = Answer extends StreamedAnswer<infer Line> ? Line : never;

/** `body`: a file. Without one, the input is sent as JSON where the method allows it, otherwise in the query. */
async function request(location: SocketLocation, name: string, input: object, init: RequestInit): Promise<Response> {
  const given = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = pathOf(name).replaceAll(/:(\w+)/g, (_, field: string) => {
    const segment = pathSegment(String(given.get(field)));
    given.delete(field);
    return segment;
  });
  const method = methodOf(name);
  const isInQuery = method === "GET" || method === "DELETE" || init.body !== undefined;
  const query = new URLSearchParams(isInQuery ? [...given].map(([field, value]) => [field, String(value)]) : []);
  const url = `http://localhost${path}${query.size > 0 ? `?${query}` : ""}`;
  const json = isInQuery ? {} : { body: JSON.stringify(Object.fromEntries(given)) };
  const response = await socketFetch(location)(url, { ...init, ...json, method });
  if (response.ok) return response;
  throw commandFailure(await response.json().catch(() => null), response.status);
}

/** A name or an id in a path; an empty one would request the whole list. */
function pathSegment(text: string): string {
  if (["", ".", ".."].includes(text)) throw new UsageError(`"${text}" is no name and no id.`);
  return encodeURIComponent(text);
}

/** The failure described by one of the server's error bodies. */
export function commandFailure(body: unknown, status: unknown): CommandFailed {
  if (typeof body === "object" && body !== null && "code" in body && "message" in body) {
    const problems = "problems" in body && Array.isArray(body.problems) ? body.problems.filter(isProblem) : [];
    return new CommandFailed(String(body.code), String(body.message), problems);
  }
  return new CommandFailed(
    "internal_error",
    `The service answered ${String(status)} without a reason. Its log says more.`,
  );
}

function isProblem(value: unknown): value is FailureProblem {
  const shaped = typeof value === "object" && value !== null && "key" in value && "message" in value;
  return shaped && typeof value.key === "string" && typeof value.message === "string";
}

/** For a socket in a folder that the caller may not enter, Bun reports the same error as for a missing one. */
function isForbidden(socketPath: string): boolean {
  try {
    accessSync(socketPath, constants.R_OK | constants.W_OK);
    return false;
  } catch (error) {
    return errorCode(error) === "EACCES";
  }
}

function unreachable(error: unknown, socketPath: string, dataDir: string): CommandFailed {
  const code = errorCode(error);
  if (code === "EACCES" || code === "EPERM" || isForbidden(socketPath)) {
    return new CommandFailed("no_access", `You may not open ${socketPath}. Use sudo, or run this as its owner.`);
  }
  if (!["ENOENT", "ECONNREFUSED", "FailedToOpenSocket", "ENOTDIR", "ENAMETOOLONG", "ELOOP"].includes(code)) {
    const sentence = `The service at ${socketPath} closed the connection before it answered. Its log says more.`;
    return new CommandFailed("no_answer", sentence);
  }
  const lines = [
    `The service is not running: nothing answers at ${socketPath}.`,
    `Start it:            peyk serve --data-dir ${dataDir}`,
    "Under systemd:       systemctl start peyk",
    "In another folder:   give --data-dir DIR or set PEYK_DATA_DIR",
  ];
  return new CommandFailed("no_appliance", lines.join("\n"));
}
