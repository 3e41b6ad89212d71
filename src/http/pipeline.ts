/** The way of every request through the public API: the order of checks, in one place (decisions, "Requests in general"). */
import { isCorrelationId } from "../domain/correlation-id.ts";
import { isIdempotencyKey, payloadHash } from "../domain/idempotency.ts";
import { Refusal } from "../domain/refusal.ts";
import type { Clock } from "../platform/clock.ts";
import type { Random } from "../platform/random.ts";
import { assertBodyHeaders, bodyReader } from "./body.ts";
import type { Credentials } from "./credentials.ts";
import type { FieldRules } from "./fields.ts";
import { parseJson } from "./json.ts";
import type { Answer, Call, IdempotentCall, IdempotentPerformance, Operation, PathParams } from "./operation.ts";
import type { Exchange } from "./respond.ts";

export interface PipelineParts {
  credentials: Credentials;
  clock: Clock;
  random: Random;
  rules: FieldRules;
  /** The address at the other end of the connection; asked for only when a key fails. */
  peerOf(request: Request): string;
}

export type Pipeline = ReturnType<typeof pipeline>;

export function pipeline({ credentials, clock, random, rules, peerOf }: PipelineParts) {
  const bodies = bodyReader(clock);

  /** Throws a Refusal at the first check that fails, or whatever the operation throws. */
  async function run(operation: Operation, request: Request, params: PathParams, exchange: Exchange): Promise<Answer> {
    const { headers } = request;
    // 401, or 429 for an address that failed too often
    const holder = credentials.identify(request, peerOf);
    // 429
    exchange.standing = credentials.count(holder);
    if (!exchange.standing.admitted) throw tooMany(exchange.standing.endsInSeconds);
    // 403
    credentials.admit(holder, operation.permission);
    // 415, 413
    const { performance, bodyBytesMax } = operation;
    assertBodyHeaders(headers, bodyBytesMax);
    const call: Call = {
      caller: { accountId: holder.account.id, apiKeyId: holder.key.id },
      correlationId: exchange.correlationId,
      params,
      request,
      rules,
    };
    if (performance.kind === "plain") return performance.perform(call);
    const bytes = await bodies.read(request, bodyBytesMax);
    // 400 idempotency_key_required, idempotency_key_invalid
    const key = performance.kind === "idempotent" ? idempotencyKeyOf(headers) : "";
    // 400 malformed_json
    const json = parseJson(bytes);
    if (performance.kind === "body") return performance.perform(call, json);
    const idempotency = { key, operation: operationOf(operation, params), payloadHash: payloadHash(json) };
    // 200 for a known key, else 400 validation_failed, then 403, 404, 409 as the operation finds them
    const idempotentCall = Object.assign(call, { idempotency });
    try {
      return await performance.perform(idempotentCall, json);
    } catch (reason) {
      return replayOrThrow(reason, performance, idempotentCall);
    }
  }

  return {
    run,
    /** The client's own correlation id when it is a good one, else a new one. */
    correlationIdOf(request: Request): string {
      const given = request.headers.get("x-correlation-id");
      return given !== null && isCorrelationId(given) ? given : random.uuid();
    },
  };
}

/**
 * A known key comes before anything that is asked of the body or of what it names. Whoever performs finds the key in the
 * transaction in which it would store it; so it is looked up here only for a request that would be refused. A look-up ahead of
 * every request was a read transaction of its own and cost an eighth of the throughput.
 */
function replayOrThrow(reason: unknown, performance: IdempotentPerformance, call: IdempotentCall): Answer {
  const known = reason instanceof Refusal ? performance.replay(call) : null;
  if (known === null) throw reason;
  return known;
}

function tooMany(retryAfterSeconds: number): Refusal {
  return new Refusal("rate_limit_exceeded", { retryAfterSeconds });
}

function idempotencyKeyOf(headers: Headers): string {
  const key = headers.get("idempotency-key");
  if (key === null || key === "") throw new Refusal("idempotency_key_required");
  if (!isIdempotencyKey(key)) throw new Refusal("idempotency_key_invalid");
  return key;
}

/** `POST /v1/approved-groups/spring/messages`: two groups are two operations. */
function operationOf({ method, path, fixedName }: Operation, params: PathParams): string {
  if (fixedName !== null) return fixedName;
  return `${method} ${path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? "")}`;
}
