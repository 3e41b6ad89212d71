/** Writes what an operation answered, or why it refused, with the headers that every response carries. */
import { type ApiError, apiErrors } from "../domain/api-error.ts";
import type { OperationAnswer } from "./operation.ts";
import type { Standing } from "./rate-window.ts";

/** What is known of a request, whatever becomes of it. */
export interface ResponseContext {
  correlationId: string;
  /** Null until the key is known. */
  standing: Standing | null;
  /** For the log. */
  trackingCode?: string;
}

const json = "application/json";

/** A server writes the same few texts over and over; a text that is there already costs no allocation, which cost most. */
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
function headersOf({ correlationId, standing }: ResponseContext): Record<string, string> {
  if (standing === null) return { "X-Correlation-Id": correlationId };
  const { limit, remaining, endsInSeconds, endsAtSeconds } = standing;
  return {
    "X-Correlation-Id": correlationId,
    "RateLimit-Policy": policyText(limit),
    RateLimit: `"default";r=${remaining};t=${endsInSeconds}`,
    "X-RateLimit-Limit": limitText(limit),
    "X-RateLimit-Remaining": `${remaining}`,
    "X-RateLimit-Reset": resetText(endsAtSeconds),
  };
}

export function answerResponse(answer: OperationAnswer, exchange: ResponseContext): Response {
  const headers = headersOf(exchange);
  if (answer.location !== undefined) headers.Location = answer.location;
  if (answer.payloadMismatch === true) headers["Idempotency-Payload-Mismatch"] = "true";
  if (answer.pieces !== undefined) return streamed(answer.status, answer.pieces, headers);
  if (answer.body === undefined) return new Response(null, { status: answer.status, headers });
  headers["Content-Type"] = json;
  return new Response(JSON.stringify(answer.body), { status: answer.status, headers });
}

/** A client that reads slowly makes the pieces wait; one that goes away ends them. */
function streamed(status: number, pieces: AsyncIterable<string>, headers: Record<string, string>): Response {
  const source = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = await source.next();
      if (piece.done === true) controller.close();
      else controller.enqueue(encoder.encode(piece.value));
    },
    async cancel() {
      await source.return?.();
    },
  });
  headers["Content-Type"] = json;
  return new Response(body, { status, headers });
}

/** Contract, "Errors". `allow` lists the methods of a 405; `close` ends the connection, whose body nobody will read. */
export function errorResponse(
  refusal: ApiError,
  exchange: ResponseContext,
  notes: { allow?: string; close?: boolean } = {},
): Response {
  const headers = headersOf(exchange);
  headers["Content-Type"] = json;
  if (refusal.retryAfterSeconds !== null) headers["Retry-After"] = `${refusal.retryAfterSeconds}`;
  if (notes.allow !== undefined) headers.Allow = notes.allow;
  if (notes.close === true) headers.Connection = "close";
  const { code, message, problems } = refusal;
  const errors = problems.length === 0 ? {} : { errors: problems };
  const body = JSON.stringify({ code, message, correlationId: exchange.correlationId, ...errors });
  return new Response(body, { status: apiErrors[code].status, headers });
}
