/** Calls from HTTP providers: receipts and inbound messages, under a secret path, outside customers' keys and rates. */
import { ApiError } from "../domain/api-error.ts";
import type { Clock } from "../platform/clock.ts";
import { nextTurn } from "../platform/next-turn.ts";
import { isForm } from "../providers/http/callbacks.ts";
import { BodyBudget } from "./body-budget.ts";
import { retryAfterSeconds } from "./error-responses.ts";
import type { InFlightRequests } from "./in-flight.ts";
import { bodyReader, declaredLength } from "./request-body.ts";
import { errorResponse, type ResponseContext } from "./responses.ts";

/** A call as received. `query` is without its question mark and still percent-encoded; `body` is decoded as UTF-8. */
export interface ProviderCall {
  query: string;
  contentType: string;
  body: string;
  octets: Uint8Array;
  header(name: string): string | null;
  /** The client's address. */
  address: string;
}

/** `challenge`: how to authenticate, for a 401. */
export interface ProviderCallAnswer {
  status: number;
  contentType: string;
  body: string;
  challenge?: string;
}

/** Never rejects; resolves only once the content of the call is committed. */
export type TakeProviderCall = (call: ProviderCall) => Promise<ProviderCallAnswer>;

export interface ProviderCalls {
  /** Null for a path that belongs to no route; a wrong secret makes such a path. */
  find(pathname: string): TakeProviderCall | null;
}

/** A thousand receipts of a generous kilobyte each. */
export const callBytesMax = 1024 * 1024;
/** One receipt or text: the longest that a phone sends in parts, fully percent-encoded. */
export const formCallBytesMax = 256 * 1024;
/** All providers share the budget of one account. */
const allProviders = 0;
const methods = ["GET", "POST"];

export interface ProviderCallbackDeps {
  calls: ProviderCalls;
  inFlight: InFlightRequests;
  clock: Clock;
  correlationIdOf(request: Request): string;
  addressOf(request: Request): string;
}

export function providerCallbacks({ calls, inFlight, clock, correlationIdOf, addressOf }: ProviderCallbackDeps) {
  const bodies = bodyReader(clock);
  const budget = new BodyBudget();
  const decoder = new TextDecoder();

  async function answer(request: Request, handle: TakeProviderCall, context: ResponseContext): Promise<Response> {
    const contentType = request.headers.get("content-type") ?? "";
    const bytesMax = isForm(contentType) ? formCallBytesMax : callBytesMax;
    if ((declaredLength(request.headers) ?? 0) > bytesMax) throw tooLarge(bytesMax);
    // Octets that are not UTF-8 are replaced: they must not cost the receipt that contains them.
    const held = budget.open(allProviders);
    const read = async () => {
      const octets = await bodies.read(request, bytesMax, held);
      const body = decoder.decode(octets);
      // Decoding is a separate turn: a megabyte that is not UTF-8 takes 25 ms.
      if (octets.length > formCallBytesMax) await nextTurn();
      return handle({
        query: queryOf(request.url),
        contentType,
        body,
        octets,
        header: (name) => request.headers.get(name),
        address: addressOf(request),
      });
    };
    const answered = await read().finally(() => held.release());
    return new Response(answered.body === "" ? null : answered.body, {
      status: answered.status,
      headers: {
        "Content-Type": answered.contentType,
        "X-Correlation-Id": context.correlationId,
        ...(answered.challenge === undefined ? {} : { "WWW-Authenticate": answered.challenge }),
        ...(answered.status === 503 ? { "Retry-After": `${retryAfterSeconds}` } : {}),
      },
    });
  }

  return {
    /** Null if the path does not belong to a provider. */
    serve(request: Request, pathname: string): Promise<Response> | null {
      const handle = calls.find(pathname);
      if (handle === null) return null;
      const context: ResponseContext = { correlationId: correlationIdOf(request), rateLimit: null };
      const refuse = (error: ApiError, options = {}) => Promise.resolve(errorResponse(error, context, options));
      if (!methods.includes(request.method)) {
        return refuse(new ApiError("method_not_allowed"), { allow: methods.join(", ") });
      }
      if (!inFlight.enter()) return refuse(new ApiError("service_unavailable", { retryAfterSeconds }), { close: true });
      return answer(request, handle, context)
        .catch((reason: unknown) => {
          if (!(reason instanceof ApiError)) throw reason;
          return refuse(reason, { close: true });
        })
        .finally(inFlight.leave);
    },
  };
}

const tooLarge = (bytesMax: number) =>
  new ApiError("payload_too_large", { message: `The body may have at most ${bytesMax} bytes.` });

/** Undecoded: a provider's octets need not be UTF-8. */
function queryOf(url: string): string {
  const begins = url.indexOf("?");
  return begins === -1 ? "" : url.slice(begins + 1);
}
