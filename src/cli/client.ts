/** The command line's way to a running appliance: the operator API over its Unix socket, typed end to end. */
import { treaty } from "@elysiajs/eden";
import type { OperatorApi } from "../operator/api.ts";
import { errorCode } from "../platform/error-code.ts";
import { CommandFailed, type FailureProblem } from "./errors.ts";
import { becomeOwnerOf } from "./owner.ts";

export type OperatorClient = ReturnType<typeof operatorClient>;

/** Where the operator API is served, and the data folder for words that help. */
export interface SocketLocation {
  path: string;
  dataDir: string;
}

/** A fetch over the socket. Where nobody answers it throws CommandFailed with words that help. */
export function socketFetch({ path, dataDir }: SocketLocation) {
  return async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    // As late as this: files that the caller may read as root have been read.
    becomeOwnerOf(path);
    try {
      return await fetch(url, { ...init, unix: path });
    } catch (error) {
      throw unreachable(error, path, dataDir);
    }
  };
}

export function operatorClient(path: string, dataDir: string) {
  const fetcher = Object.assign(socketFetch({ path, dataDir }), { preconnect: fetch.preconnect });
  return treaty<OperatorApi>("http://localhost", { fetcher, parseDate: false });
}

/** What a call gives: the answer, or what was thrown or refused. */
interface Reply<Answer> {
  data: Answer | null;
  error: { status: unknown; value: unknown } | null;
}

/** The answer alone. Throws CommandFailed with the code and the words of the appliance. */
export async function answerOf<Answer>(reply: Promise<Reply<Answer>>): Promise<Answer> {
  const { data, error } = await reply;
  if (error === null && data !== null) return data;
  if (error?.value instanceof Error) throw error.value;
  throw commandFailure(error?.value, error?.status);
}

/** What the appliance refused, in its own words. */
export function commandFailure(body: unknown, status: unknown): CommandFailed {
  if (typeof body === "object" && body !== null && "code" in body && "message" in body) {
    const problems = "problems" in body && Array.isArray(body.problems) ? body.problems.filter(isProblem) : [];
    return new CommandFailed(String(body.code), String(body.message), problems);
  }
  return new CommandFailed(
    "internal_error",
    `The appliance answered ${String(status)} without saying why. Its log says more.`,
  );
}

function isProblem(value: unknown): value is FailureProblem {
  const shaped = typeof value === "object" && value !== null && "key" in value && "message" in value;
  return shaped && typeof value.key === "string" && typeof value.message === "string";
}

function unreachable(error: unknown, socketPath: string, dataDir: string): CommandFailed {
  const code = errorCode(error);
  if (code === "EACCES" || code === "EPERM") {
    return new CommandFailed("no_access", `You may not open ${socketPath}. Run this as its owner, or as root.`);
  }
  if (!["ENOENT", "ECONNREFUSED", "FailedToOpenSocket", "ENOTDIR"].includes(code)) {
    return new CommandFailed("no_answer", `The appliance at ${socketPath} broke off: ${String(error)}`);
  }
  const words = [
    `No appliance is running: nobody answers at ${socketPath}.`,
    `Start it:            peyk serve --data-dir ${dataDir}`,
    "Under systemd:       systemctl start peyk",
    "In another folder:   say --data-dir DIR or set PEYK_DATA_DIR",
  ];
  return new CommandFailed("no_appliance", words.join("\n"));
}
