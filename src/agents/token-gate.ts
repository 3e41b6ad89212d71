/** Opens requests by a user's token: from the Authorization header alone, with guesses limited per client. */
import { clientOf } from "../domain/client-address.ts";
import type { Role } from "../domain/roles.ts";
import type { Clock } from "../platform/clock.ts";
import { rateWindows } from "../platform/rate-window.ts";
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
/** Of all tokens of a user. */
export const requestsPerMinute = 1_200;
const usersMax = 10_000;

export type Opened = { right: TokenRight } | { refused: "wrong" | "throttled" | "tooMany"; retrySeconds?: number };

export class TokenGate {
  readonly #deps: TokenGateDeps;
  readonly #failures;
  readonly #requests;

  constructor(deps: TokenGateDeps) {
    this.#deps = deps;
    this.#failures = rateWindows<string>(deps.clock, clientsMax);
    this.#requests = rateWindows<number>(deps.clock, usersMax);
  }

  /** A right token is never refused for others' guesses. `admits`: the roles that are answered here. */
  async open({ headers }: Request, address: string, admits: (role: Role) => boolean): Promise<Opened> {
    const text = /^Bearer ([\w-]{1,200})$/i.exec(headers.get("Authorization") ?? "")?.[1] ?? "";
    const right = await this.#deps.tokens.open(text, address);
    if (right === null || !admits(right.role)) return this.#failed(clientOf(address));
    const { admitted, endsInSeconds } = this.#requests.take(right.user.id, requestsPerMinute);
    return admitted ? { right } : { refused: "tooMany", retrySeconds: endsInSeconds };
  }

  #failed(client: string): Opened {
    this.#deps.guessed(client);
    const { admitted, endsInSeconds } = this.#failures.take(client, failedPerMinute);
    return admitted ? { refused: "wrong" } : { refused: "throttled", retrySeconds: endsInSeconds };
  }
}
