/** What HTTP providers call: receipts and texts from phones, under a secret path, apart from the customers' keys and rates. */
import { Refusal } from "../domain/refusal.ts";
import type { Clock } from "../platform/clock.ts";
import { bodyReader } from "./body.ts";
import type { Gate } from "./gate.ts";
import { retryAfterSeconds } from "./refusing.ts";
import { type Exchange, refusalResponse } from "./respond.ts";

/** A call as it came. `query` without its question mark and still percent-encoded; `body` decoded as UTF-8. */
export interface ProviderCall {
  query: string;
  contentType: string;
  body: string;
}

/** Never rejects; answers only once what the call tells is committed. */
export type TakeProviderCall = (call: ProviderCall) => Promise<{ status: number; contentType: string; body: string }>;

export interface ProviderCalls {
  /** Null for a path that no route is called by; a wrong secret is such a path. */
  find(pathname: string): TakeProviderCall | null;
}

/** A thousand receipts of a generous kilobyte. */
const callBytesMax = 1024 * 1024;
const methods = ["GET", "POST"];

export interface CallbackServingParts {
  calls: ProviderCalls;
  gate: Gate;
  clock: Clock;
  correlationIdOf(request: Request): string;
}

export function callbackServing({ calls, gate, clock, correlationIdOf }: CallbackServingParts) {
  const bodies = bodyReader(clock);
  const decoder = new TextDecoder();

  async function take(request: Request, taker: TakeProviderCall, exchange: Exchange): Promise<Response> {
    if (Number(request.headers.get("content-length") ?? 0) > callBytesMax) throw tooLarge();
    // A letter that is no UTF-8 must not cost the receipt that it stands in.
    const body = decoder.decode(await bodies.read(request, callBytesMax));
    const contentType = request.headers.get("content-type") ?? "";
    const answer = await taker({ query: queryOf(request.url), contentType, body });
    return new Response(answer.body, {
      status: answer.status,
      headers: {
        "Content-Type": answer.contentType,
        "X-Correlation-Id": exchange.correlationId,
        ...(answer.status === 503 ? { "Retry-After": `${retryAfterSeconds}` } : {}),
      },
    });
  }

  return {
    /** Null where the path is no provider's. */
    serve(request: Request, pathname: string): Promise<Response> | null {
      const taker = calls.find(pathname);
      if (taker === null) return null;
      const exchange: Exchange = { correlationId: correlationIdOf(request), standing: null };
      const refuse = (refusal: Refusal, notes = {}) => Promise.resolve(refusalResponse(refusal, exchange, notes));
      if (!methods.includes(request.method)) {
        return refuse(new Refusal("method_not_allowed"), { allow: methods.join(", ") });
      }
      if (!gate.enter()) return refuse(new Refusal("service_unavailable", { retryAfterSeconds }), { close: true });
      return take(request, taker, exchange)
        .catch((reason: unknown) => {
          if (!(reason instanceof Refusal)) throw reason;
          return refuse(reason, { close: true });
        })
        .finally(gate.leave);
    },
  };
}

const tooLarge = () =>
  new Refusal("payload_too_large", { message: `The body may have at most ${callBytesMax} bytes.` });

/** As it came: a provider's octets need not be UTF-8. */
function queryOf(url: string): string {
  const begins = url.indexOf("?");
  return begins === -1 ? "" : url.slice(begins + 1);
}
