/**
 * What users' programs reach with a token over a listener of the console: the operator's API under `/api`, and MCP at
 * `/mcp`. The listener has checked `Host`, and `Origin` where a browser sent it.
 */
import { OperatorError } from "../domain/operator-error.ts";
import type { Role } from "../domain/roles.ts";
import { operationRoutes } from "../operator/api.ts";
import { errorAnswer, refusalFor } from "../operator/errors.ts";
import type { Fields, OperationCall } from "../operator/operation.ts";
import { type Clock, sleep } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import { TurnShare } from "../platform/turn-share.ts";
import { apiDocument } from "./api-document.ts";
import { readBody } from "./body.ts";
import { OpenRequests } from "./open-requests.ts";
import { type Opened, TokenGate, type TokenGateDeps } from "./token-gate.ts";
import { AwaitsPerson, type TokenAsker, TokenOperations, type TokenOperationsDeps } from "./token-operations.ts";

export interface AgentServerDeps extends Omit<TokenOperationsDeps, "tokens">, TokenGateDeps {
  tokens: TokenGateDeps["tokens"] & TokenOperationsDeps["tokens"];
  clock: Clock;
  random: Random;
  log: Logger;
}

/** The listener that a request came to. */
export interface ServedSide {
  /** The roles that are answered here. */
  admits(role: Role): boolean;
  /** Whether `/api` is here as well. */
  hasApi: boolean;
  /** Where its pages are. */
  pagesUrl: string;
  address: string;
  /** Called once the token is known: an answer may take long. */
  mayBeSilent(): void;
}

/** A list of 50,000 numbers has 800 KB. */
const apiBytesMax = 1024 * 1024;
const mcpBytesMax = 256 * 1024;
const refusedMs = 1_000;
/** Cold code of an operation and its answer held the event loop longer in one turn. */
const heldMsMax = 3;

type Asked = { request: Request; path: string; asker: TokenAsker; signal: AbortSignal };

export class AgentServer {
  readonly #deps: AgentServerDeps;
  readonly #gate: TokenGate;
  readonly #operations: TokenOperations;
  readonly #requests: OpenRequests;
  readonly #turns: TurnShare;
  /** What the routes need of a request besides itself. */
  readonly #askers = new WeakMap<Request, TokenAsker>();
  readonly #api;

  constructor(deps: AgentServerDeps) {
    this.#deps = deps;
    this.#gate = new TokenGate(deps);
    this.#operations = new TokenOperations(deps);
    this.#requests = new OpenRequests(deps.tokens, deps.clock);
    this.#turns = new TurnShare(deps.clock, heldMsMax);
    this.#api = operationRoutes({
      log: deps.log,
      readBody: (request) => readBody(request, apiBytesMax, deps.clock),
      perform: (request, name, given, also) => this.#perform(request, name, given, also),
    });
  }

  stop(): void {
    this.#requests.stop();
  }

  /** Reads nothing of a request without a token. */
  async answer(request: Request, path: string, side: ServedSide): Promise<Response> {
    if (path !== "/mcp" && !side.hasApi) return refused(404, "not_found", "There is nothing here.");
    const opened = await this.#gate.open(request, side.address, side.admits);
    if ("refused" in opened) return refusedToken(opened);
    side.mayBeSilent();
    const asker = { right: opened.right, address: side.address, pagesUrl: side.pagesUrl };
    const answered = await this.#requests.run(opened.right, request.signal, async (signal) => {
      try {
        const serve = () => this.#turns.run(() => this.#answered({ request, path, asker, signal }));
        return await this.#gate.inTurn(opened.right, serve);
      } catch (reason) {
        return errorAnswer(refusalFor(this.#deps.log, reason));
      }
    });
    if (answered !== null) return answered;
    // Who asks again at once would take more than this costs.
    await sleep(this.#deps.clock, refusedMs);
    return refused(429, "too_many_requests", "Too many requests of this user or account are under way.", 1);
  }

  async #answered(asked: Asked): Promise<Response> {
    if (asked.path === "/mcp") return this.#mcp(asked);
    const { request, path, asker } = asked;
    if (path === "/api" || path === "/api/openapi.json") {
      const names = (name: string) => this.#operations.mayDo(asker, name);
      return Response.json(apiDocument(names, asker.right.role, asker.pagesUrl));
    }
    const confirmation = /^\/api\/confirmations\/([\w-]{1,64})$/.exec(path)?.[1];
    if (confirmation !== undefined) return Response.json(this.#operations.confirmation(asker, confirmation));
    const inner = innerRequest(request, path.slice("/api".length), asked.signal);
    this.#askers.set(inner, asker);
    return this.#api.fetch(inner);
  }

  async #perform(
    request: Request,
    name: string,
    given: Fields,
    also: Pick<OperationCall, "signal" | "file">,
  ): Promise<unknown> {
    const asker = this.#askers.get(request);
    if (asker === undefined) throw new OperatorError("not_found");
    const answer = await this.#operations.perform(asker, name, given, also);
    return answer instanceof AwaitsPerson ? Response.json(answer.told, { status: 202 }) : answer;
  }

  async #mcp({ request, asker, signal }: Asked): Promise<Response> {
    if (request.method !== "POST") return refused(405, "method_not_allowed", "MCP is answered to POST alone here.");
    const body = await readBody(request, mcpBytesMax, this.#deps.clock);
    const { answerMcp } = await import("./mcp-server.ts");
    const operations = this.#operations;
    return answerMcp(request, body, signal, {
      isForCustomer: asker.right.user.accountId !== null,
      isOpen: ({ operation }) => operations.mayDo(asker, operation),
      call: async ({ operation }, input, aborted) => {
        const answer = await operations.perform(asker, operation, input, { signal: aborted });
        return answer instanceof AwaitsPerson ? { waitsForAPerson: answer.told } : answer;
      },
      confirmation: (id) => operations.confirmation(asker, id),
      mark: () => Buffer.from(this.#deps.random.bytes(12)).toString("hex"),
    });
  }
}

/** The operation's request: without the prefix, and without anything that identifies the asker. */
function innerRequest(request: Request, path: string, signal: AbortSignal): Request {
  const url = new URL(request.url);
  const { method, body } = request;
  return new Request(`http://localhost${path}${url.search}`, { method, body, signal });
}

const sayings = {
  wrong: [
    401,
    "token_unknown",
    "No good token: send it as Authorization: Bearer TOKEN, from an address that it is for.",
  ],
  throttled: [429, "too_many_requests", "Too many wrong tokens from your address."],
} as const;

function refusedToken({ refused: why, retrySeconds }: Extract<Opened, { refused: unknown }>): Response {
  const [status, code, message] = sayings[why];
  const response = refused(status, code, message, retrySeconds);
  if (why === "wrong") response.headers.set("WWW-Authenticate", "Bearer");
  return response;
}

function refused(status: number, code: string, message: string, retrySeconds?: number): Response {
  const headers = new Headers(retrySeconds === undefined ? {} : { "Retry-After": String(retrySeconds) });
  return Response.json({ code, message }, { status, headers });
}
