/** Requests with a token that are under way: at most some per holder, and each ends with its token. */
import type { Clock, Timer } from "../platform/clock.ts";
import type { TokenRight, UserTokenService } from "../users/user-token-service.ts";
import { holderOf } from "./token-gate.ts";

/** A token that ended lets nothing more through after this time. */
const lookMs = 1_000;
export const requestsOfHolderMax = 8;
const requestsMax = 200;

interface OpenRequest {
  tokenId: number;
  holder: string;
  ending: AbortController;
}

export class OpenRequests {
  readonly #tokens: Pick<UserTokenService, "standing">;
  readonly #clock: Pick<Clock, "after">;
  readonly #open = new Set<OpenRequest>();
  #timer: Timer | null = null;

  constructor(tokens: Pick<UserTokenService, "standing">, clock: Pick<Clock, "after">) {
    this.#tokens = tokens;
    this.#clock = clock;
  }

  get count(): number {
    return this.#open.size;
  }

  /**
   * Runs `answer`, whose signal aborts when the token ends or the client leaves; its body is cut then. Null: too many are
   * under way.
   */
  async run(
    right: TokenRight,
    client: AbortSignal,
    answer: (signal: AbortSignal) => Promise<Response>,
  ): Promise<Response | null> {
    const holder = holderOf(right);
    const others = [...this.#open].filter((one) => one.holder === holder);
    if (others.length >= requestsOfHolderMax || this.#open.size >= requestsMax) return null;
    const ending = new AbortController();
    const request = { tokenId: right.token.id, holder, ending };
    this.#open.add(request);
    this.#watch();
    const done = () => void this.#open.delete(request);
    const signal = AbortSignal.any([ending.signal, client]);
    try {
      const response = await answer(signal);
      if (response.body === null || response.headers.has("Content-Length")) {
        done();
        return response;
      }
      return new Response(untilEnded(response.body, signal, done), response);
    } catch (reason) {
      done();
      throw reason;
    }
  }

  stop(): void {
    for (const { ending } of this.#open) ending.abort(new Error("The service stops"));
    this.#timer?.cancel();
  }

  #watch(): void {
    this.#timer ??= this.#clock.after(lookMs, () => {
      this.#timer = null;
      for (const { tokenId, ending } of this.#open) {
        if (this.#tokens.standing(tokenId) === null) ending.abort(new Error("The token has ended"));
      }
      if (this.#open.size > 0) this.#watch();
    });
  }
}

/** The same content; an aborted one is not mistaken for a complete one. */
function untilEnded(content: ReadableStream<Uint8Array>, signal: AbortSignal, done: () => void) {
  const passed = new TransformStream<Uint8Array, Uint8Array>();
  void content
    .pipeTo(passed.writable, { signal })
    .catch(() => {})
    .finally(done);
  return passed.readable;
}
