/** The client of the operator API over the Unix socket of the running service; its types come from the API itself. */
import { accessSync, constants } from "node:fs";
import { treaty } from "@elysiajs/eden";
import type { OperatorApi } from "../operator/api.ts";
import { callerHeader } from "../operator/caller.ts";
import { errorCode } from "../platform/error-code.ts";
import { jsonLines } from "../platform/json-lines.ts";
import { CommandFailed, type FailureProblem } from "./errors.ts";
import { becomeOwnerOf } from "./owner.ts";

export type OperatorClient = ReturnType<typeof operatorClient>;

/** The socket's path, the data folder for error messages, and who calls, for the audit. */
export interface SocketLocation {
  path: string;
  dataDir: string;
  user: string;
}

/** A fetch over the socket. It throws CommandFailed where no service answers. */
export function socketFetch({ path, dataDir, user }: SocketLocation) {
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

export function operatorClient(location: SocketLocation) {
  const fetcher = Object.assign(socketFetch(location), { preconnect: fetch.preconnect });
  return treaty<OperatorApi>("http://localhost", { fetcher, parseDate: false });
}

/** The result of a call as Eden gives it. */
interface Reply<Answer> {
  data: Answer | null;
  error: { status: unknown; value: unknown } | null;
}

/** The answer alone. @throws CommandFailed with the code and the message of the server */
export async function answerOf<Answer>(reply: Promise<Reply<Answer>>): Promise<Answer> {
  const { data, error } = await reply;
  if (error === null && data !== null) return data;
  if (error?.value instanceof Error) throw error.value;
  throw commandFailure(error?.value, error?.status);
}

/** The lines of an answer as they arrive; they end, too, where the service closes the connection. @throws CommandFailed as `answerOf` does */
export async function* answerLines<Line>(
  socket: SocketLocation,
  path: string,
  init: RequestInit,
): AsyncGenerator<Line> {
  const response = await socketFetch(socket)(`http://localhost${path}`, init);
  if (!response.ok || response.body === null) throw commandFailure(await response.json(), response.status);
  try {
    yield* jsonLines<Line>(response.body);
  } catch (error) {
    if (errorCode(error) !== "ECONNRESET") throw error;
  }
}

/** The failure that an error body of the server describes. */
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

/** Bun reports a socket in a folder that the caller may not enter like one that does not exist. */
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
