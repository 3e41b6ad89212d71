/** The order of checks for every request, in one place (docs/api-rules.md, "Requests"). */

import { ApiError } from "../domain/api-error.ts";
import { isCorrelationId } from "../domain/correlation-id.ts";
import { formerPayloadHash, isIdempotencyKey, noPayload, payloadHash } from "../domain/idempotency.ts";
import type { Permission } from "../domain/permissions.ts";
import type { IdempotentRequest } from "../messaging/messages/accept.ts";
import type { BookingClock } from "../platform/booking-clock.ts";
import type { Clock } from "../platform/clock.ts";
import type { Random } from "../platform/random.ts";
import type { AnswerGate } from "../store/replication.ts";
import type { Authenticated, Authenticator } from "./authentication.ts";
import { BodyBudget } from "./body-budget.ts";
import type { FieldRules } from "./fields.ts";
import { type LargeBodyParser, largeBodyBytesMin } from "./large-body-parser.ts";
import type { Call, IdempotentCall, IdempotentHandler, Operation, PathParams } from "./operation.ts";
import type { OperationAnswer } from "./operation-answer.ts";
import { assertBodyHeaders, bodyReader } from "./request-body.ts";
import { parseRequestJson } from "./request-json.ts";
import type { ResponseContext } from "./responses.ts";

export interface PipelineDeps {
  authenticator: Authenticator;
  clock: Clock;
  bookingClock: Pick<BookingClock, "moment">;
  random: Random;
  rulesOf(accountId: number, at: number): FieldRules;
  /** The peer's address; read only when a key fails. */
  peerOf(request: Request): string;
  /** Null without a cluster. */
  gate: AnswerGate | null;
  largeBodies: LargeBodyParser;
}

export type Pipeline = ReturnType<typeof pipeline>;

export function pipeline(deps: PipelineDeps) {
  const { authenticator, clock, bookingClock, random, rulesOf, gate, largeBodies } = deps;
  const [bodies, budget] = [bodyReader(clock), new BodyBudget()];

  /** Throws an ApiError at the first check that fails, or whatever the operation throws. */
  async function run(
    operation: Operation,
    request: Request,
    params: PathParams,
    context: ResponseContext,
  ): Promise<OperationAnswer> {
    const { handler, bodyBytesMax, permission } = operation;
    let authenticated: Authenticated;
    try {
      authenticated = admitted(deps, request, permission, context);
    } catch (refusal) {
      await gate?.pass();
      throw refusal;
    }
    assertBodyHeaders(request.headers, bodyBytesMax); // 415, 413
    const callNow = (): Call => {
      const { account, key } = authenticated;
      const caller = { accountId: account.id, apiKeyId: key.id, ...bookingClock.moment() };
      return { caller, correlationId: context.correlationId, params, request, rules: rulesOf(account.id, caller.at) };
    };
    if (handler.kind === "plain") return gated(gate, () => handler.run(callNow()));
    const held = budget.open(authenticated.account.id);
    try {
      // 429 or 503 if too many bytes are in flight
      const bytes = await bodies.read(request, bodyBytesMax, held);
      // 400 idempotency_key_required, idempotency_key_invalid
      const key = handler.kind === "idempotent" ? idempotencyKeyOf(request.headers) : "";
      if (held.isLarge) await held.turn();
      // 400 malformed_json
      const large = bytes.length < largeBodyBytesMin ? null : await largeBodies.parse(bytes, handler.schema);
      const json = large === null ? parseRequestJson(bytes) : large.json;
      // The request's single time: the upload is complete, and every later step uses this moment.
      const call = callNow();
      if (handler.kind === "body") return await gated(gate, () => handler.check(json, call.rules)(call));
      const idempotency: IdempotentRequest = {
        key,
        operation: operationOf(operation, params),
        payloadHash: noPayload,
        formerHash: () => (large === null ? formerPayloadHash(json) : large.formerHash),
      };
      // 200 for a known key, else 400 validation_failed, then 403, 404, 409 as the operation finds them
      const idempotentCall = { ...call, idempotency };
      try {
        const handle = handler.check(json, call.rules);
        // Parsing, checking and accepting a large body get separate turns: each is several times slower on a busy host.
        if (large !== null) await held.turn();
        idempotency.payloadHash = large === null ? payloadHash(json) : large.payloadHash;
        // No gate needed: the last commit it reads is its own.
        return await handle(idempotentCall);
      } catch (error) {
        return await gated(gate, () => replayOrThrow(error, handler, idempotentCall));
      }
    } finally {
      held.release();
    }
  }

  return {
    run,
    /** Stops background work, once no request is in flight. */
    endThreads: () => largeBodies.end(),
    correlationIdOf: (request: Request) => correlationIdOf(request, random),
    ownerOf: authenticator.ownerOf,
  };
}

/** 401, or 429 for an address that failed too often; 429; 403. */
function admitted(
  { authenticator, peerOf }: Pick<PipelineDeps, "authenticator" | "peerOf">,
  request: Request,
  permission: Permission,
  context: ResponseContext,
): Authenticated {
  const authenticated = authenticator.identify(request, peerOf);
  context.authenticated = authenticated;
  context.rateLimit = authenticator.count(authenticated);
  if (!context.rateLimit.admitted) throw tooMany(context.rateLimit.endsInSeconds);
  authenticator.admit(authenticated, permission);
  return authenticated;
}

/** Holds back whatever was read, even in a refusal, until a node taking over would know it. */
async function gated(
  gate: AnswerGate | null,
  answer: () => OperationAnswer | Promise<OperationAnswer>,
): Promise<OperationAnswer> {
  if (gate === null) return answer();
  try {
    return await answer();
  } finally {
    await gate.pass();
  }
}

/** The client's own correlation id if it is valid, else a new one. */
function correlationIdOf({ headers }: Request, random: Random): string {
  const given = headers.get("x-correlation-id");
  return given !== null && isCorrelationId(given) ? given : random.uuid();
}

/**
 * A known key is replayed before the body's fields and what they name are checked. The operation finds the key in the
 * transaction that would store it, so the key is looked up here only for a request that would be refused: a look-up
 * before every request was an extra read transaction, and cost an eighth of the throughput.
 */
function replayOrThrow(error: unknown, handler: IdempotentHandler, call: IdempotentCall): OperationAnswer {
  const known = error instanceof ApiError ? handler.replay(call) : null;
  if (known === null) throw error;
  return known;
}

function tooMany(retryAfterSeconds: number): ApiError {
  return new ApiError("rate_limit_exceeded", { retryAfterSeconds });
}

function idempotencyKeyOf(headers: Headers): string {
  const key = headers.get("idempotency-key");
  if (key === null || key === "") throw new ApiError("idempotency_key_required");
  if (!isIdempotencyKey(key)) throw new ApiError("idempotency_key_invalid");
  return key;
}

/** `POST /v1/approved-groups/spring/messages`: two groups are two operations. */
function operationOf({ method, path, fixedName }: Operation, params: PathParams): string {
  if (fixedName !== null) return fixedName;
  return `${method} ${path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? "")}`;
}
