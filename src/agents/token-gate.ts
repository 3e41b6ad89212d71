/** Opens requests by a user's token: from the Authorization header alone, with guesses limited per client, and in turns. */
import { clientOf } from "../domain/client-address.ts";
import type { Role } from "../domain/roles.ts";
import type { Clock } from "../platform/clock.ts";
import { rateWindows } from "../platform/rate-window.ts";
import { WorkShares } from "../platform/work-shares.ts";
import type { TokenRight, UserTokenService } from "../users/user-token-service.ts";

export interface TokenGateDeps {
  tokens: Pick<UserTokenService, "open">;
  clock: Clock;
  /** Counts a wrong token, by the network that it came from. */
  guessed(network: string): void;
}

/** As over other protocols. */
const failedPerMinute = 60;
const clientsMax = 20_000;
/** Milliseconds that a holder's requests may take at once, and then of each second; more wait. One takes 2 to 8. */
const workMs = { perSecond: 25, most: 250 };
/** What one counts at most: it also waits for other threads, and for the work of others. */
const requestMsMax = 8;

export type Opened = { right: TokenRight } | { refused: "wrong" | "throttled"; retrySeconds?: number };

/** Whose requests count together: a customer adds users, so those of an account do. */
export const holderOf = ({ user: { id, accountId } }: TokenRight): string =>
  accountId === null ? `user ${id}` : `account ${accountId}`;

export class TokenGate {
  readonly #deps: TokenGateDeps;
  readonly #failures;
  readonly #work: WorkShares<string>;

  constructor(deps: TokenGateDeps) {
    this.#deps = deps;
    this.#failures = rateWindows<string>(deps.clock, clientsMax);
    this.#work = new WorkShares(deps.clock, workMs);
  }

  /** A right token is never refused for others' guesses. `admits`: the roles that are answered here. */
  async open({ headers }: Request, address: string, admits: (role: Role) => boolean): Promise<Opened> {
    const text = /^Bearer ([\w-]{1,200})$/i.exec(headers.get("Authorization") ?? "")?.[1] ?? "";
    const right = await this.#deps.tokens.open(text, address);
    if (right === null || !admits(right.role)) return this.#failed(clientOf(address));
    return { right };
  }

  /** Serves a request in its holder's turn. */
  async inTurn<Answer>(right: TokenRight, serve: () => Promise<Answer>): Promise<Answer> {
    const [holder, { clock }] = [holderOf(right), this.#deps];
    await this.#work.turn(holder, requestMsMax);
    const startedMs = clock.monotonic();
    return serve().finally(() => {
      this.#work.done(holder, Math.min(0, clock.monotonic() - startedMs - requestMsMax));
    });
  }

  #failed(client: string): Opened {
    this.#deps.guessed(client);
    const { admitted, endsInSeconds } = this.#failures.take(client, failedPerMinute);
    return admitted ? { refused: "wrong" } : { refused: "throttled", retrySeconds: endsInSeconds };
  }
}
