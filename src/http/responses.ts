/** Writes an operation's answer, or an error, with the headers that every response carries. */
import { type ApiError, apiErrors } from "../domain/api-error.ts";
import type { ErrorBody } from "./error-schema.ts";
import type { OperationAnswer } from "./operation-answer.ts";
import type { RateLimitState } from "./rate-window.ts";

/** What is known of a request when its response is written. */
export interface ResponseContext {
  correlationId: string;
  /** Null until the key is known. */
  rateLimit: RateLimitState | null;
  /** For the log. */
  trackingCode?: string;
}

const json = "application/json";

/** The last text is kept: the same few are written over and over, and allocating them cost most. */
function remembered(write: (value: number) => string): (value: number) => string {
  let last = Number.NaN;
  let text = "";
  return (value) => {
    if (value !== last) [last, text] = [value, write(value)];
    return text;
  };
}
const policyText = remembered((limit) => `"default";q=${limit};w=60`);
const limitText = remembered(String);
const resetText = remembered(String);

/** A plain object: pairs and a Headers took Bun longer. */
function headersOf({ correlationId, rateLimit }: ResponseContext): Record<string, string> {
  if (rateLimit === null) return { "X-Correlation-Id": correlationId };
  const { limit, remaining, endsInSeconds, endsAtSeconds } = rateLimit;
  return {
    "X-Correlation-Id": correlationId,
    "RateLimit-Policy": policyText(limit),
    RateLimit: `"default";r=${remaining};t=${endsInSeconds}`,
    "X-RateLimit-Limit": limitText(limit),
    "X-RateLimit-Remaining": `${remaining}`,
    "X-RateLimit-Reset": resetText(endsAtSeconds),
  };
}

/** The text of a JSON array, as its slices come. */
async function* jsonArray(slices: AsyncIterable<readonly unknown[]>): AsyncGenerator<string, void> {
  let separator = "[";
  for await (const slice of slices) {
    if (slice.length === 0) continue;
    yield separator + slice.map((item) => JSON.stringify(item)).join(",");
    separator = ",";
  }
  yield separator === "[" ? "[]" : "]";
}

export function answerResponse(answer: OperationAnswer, context: ResponseContext): Response {
  const headers = headersOf(context);
  if (answer.location !== undefined) headers.Location = answer.location;
  if (answer.payloadMismatch === true) headers["Idempotency-Payload-Mismatch"] = "true";
  if (answer.slices !== undefined) return streamed(answer.status, answer.slices, headers);
  if (answer.body === null) return new Response(null, { status: answer.status, headers });
  headers["Content-Type"] = json;
  return new Response(JSON.stringify(answer.body), { status: answer.status, headers });
}

/** A client that reads slowly makes the slices wait; one that closes the connection ends them. */
function streamed(
  status: number,
  slices: AsyncIterable<readonly unknown[]>,
  headers: Record<string, string>,
): Response {
  const source = jsonArray(slices);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = await source.next();
      if (piece.done === true) controller.close();
      else controller.enqueue(encoder.encode(piece.value));
    },
    async cancel() {
      await source.return();
    },
  });
  headers["Content-Type"] = json;
  return new Response(body, { status, headers });
}

/** Contract, "Errors". `allow` lists the methods of a 405; `close` ends the connection, since its body is not read. */
export function errorResponse(
  error: ApiError,
  context: ResponseContext,
  options: { allow?: string; close?: boolean } = {},
): Response {
  const headers = headersOf(context);
  headers["Content-Type"] = json;
  if (error.retryAfterSeconds !== null) headers["Retry-After"] = `${error.retryAfterSeconds}`;
  if (options.allow !== undefined) headers.Allow = options.allow;
  if (options.close === true) headers.Connection = "close";
  const { code, message, problems } = error;
  const body: ErrorBody = { code, message, correlationId: context.correlationId };
  if (problems.length > 0) body.errors = problems;
  return new Response(JSON.stringify(body), { status: apiErrors[code].status, headers });
}
