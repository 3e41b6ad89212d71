/**
 * Tokens by which a user's programs act for the user. What a token may is judged at each request: it ends with its user,
 * and never has more than its user has at the time.
 */
import { addressMatcher } from "../domain/address-ranges.ts";
import { OperatorError } from "../domain/operator-error.ts";
import { lesserRole, type Role } from "../domain/roles.ts";
import type { Random } from "../platform/random.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import type { Store } from "../store/store.ts";
import type { NewUserToken, UserTokenRow } from "../store/user-tokens.ts";
import type { UserRow } from "../store/users.ts";
import type { ProviderRoles } from "./provider-roles.ts";
import { newToken, tokenHash } from "./token.ts";
import { existing } from "./user-service.ts";

export interface UserTokenServiceDeps {
  store: Store;
  clock: { now(): number };
  random: Random;
  providerRoles: ProviderRoles;
}

export type TokenSettings = Pick<
  NewUserToken,
  "name" | "role" | "expiresAt" | "allowFrom" | "operations" | "freed" | "readsTexts"
>;

/** A token that is good now. */
export interface TokenRight {
  token: UserTokenRow;
  user: UserRow;
  /** The lesser of the token's and the user's. */
  role: Role;
}

/** Told apart from other secrets by people and by scanners of repositories. */
export const tokenPrefix = "peykuser_";
export const tokensOfUserMax = 50;
/** Written no more often than this. */
const seenEveryMs = 60_000;
/** How long an ended token is still listed. */
const listedAfterEndMs = 30 * 24 * 3_600_000;

export class UserTokenService {
  readonly #deps: UserTokenServiceDeps;

  constructor(deps: UserTokenServiceDeps) {
    this.#deps = deps;
  }

  /** The text is only in this answer. @throws OperatorError */
  async create(userName: string, settings: TokenSettings): Promise<{ text: string; token: UserTokenRow }> {
    const { store, clock, random } = this.#deps;
    const text = tokenPrefix + newToken(random);
    const token = await store.write((tables) => {
      const user = existing(tables, userName);
      if (user.disabledAt !== null) throw new OperatorError("user_disabled");
      this.#deps.providerRoles.assertMayHaveOwn(tables, user.id);
      if (lesserRole(settings.role, user.role) !== settings.role) throw new OperatorError("token_role");
      if (tables.userTokens.list(user.id).length >= tokensOfUserMax) throw new OperatorError("token_limit_reached");
      return tables.userTokens.insert({
        ...settings,
        userId: user.id,
        tokenHash: tokenHash(text),
        createdAt: clock.now(),
      });
    });
    return { text, token };
  }

  /** Of a user, or all. */
  list(userId?: number): UserTokenRow[] {
    return this.#deps.store.tables.userTokens.list(userId);
  }

  /** Null if there is no such token, or it is another user's. */
  show(id: number, userId?: number): UserTokenRow | null {
    const token = this.#deps.store.tables.userTokens.byId(id);
    return token === null || (userId !== undefined && token.userId !== userId) ? null : token;
  }

  ownerOf({ userId }: UserTokenRow): UserRow | null {
    return this.#deps.store.tables.users.byId(userId);
  }

  /** @throws OperatorError `token_not_found` */
  revoke(id: number, userId?: number): Promise<UserTokenRow> {
    return this.#deps.store.write((tables) => {
      const token = this.show(id, userId);
      if (token === null) throw new OperatorError("token_not_found");
      tables.userTokens.remove(id);
      return token;
    });
  }

  /** @throws OperatorError `token_not_found` */
  free(id: number, freed: readonly string[]): Promise<UserTokenRow> {
    return this.#deps.store.write((tables) => {
      const token = tables.userTokens.update(id, { freed });
      if (token === null) throw new OperatorError("token_not_found");
      return token;
    });
  }

  /** The right of whoever sends this text from this address; null for none. */
  async open(text: string, address: string): Promise<TokenRight | null> {
    if (!text.startsWith(tokenPrefix)) return null;
    const right = this.#rightBy(this.#deps.store.tables.userTokens.byHash(tokenHash(text)));
    if (right === null || !isFrom(right.token, address)) return null;
    await this.#seen(right.token);
    return right;
  }

  /** What a token that was opened may now; null if it has ended. */
  standing(id: number): TokenRight | null {
    return this.#rightBy(this.#deps.store.tables.userTokens.byId(id));
  }

  async forgetOld(): Promise<void> {
    const before = this.#deps.clock.now() - listedAfterEndMs;
    await this.#deps.store.write((tables) => tables.userTokens.prune(before));
  }

  #rightBy(token: UserTokenRow | null): TokenRight | null {
    if (token === null || token.expiresAt <= this.#deps.clock.now()) return null;
    const user = this.ownerOf(token);
    const role = user === null ? null : lesserRole(token.role, user.role);
    if (user === null || user.disabledAt !== null || role === null) return null;
    const { store, providerRoles, clock } = this.#deps;
    const endsAt = providerRoles.endOf(store.tables, user.id);
    const isEnded = endsAt !== null && (endsAt <= clock.now() || !providerRoles.mayHaveOwn(store.tables, user.id));
    return isEnded ? null : { token, user, role };
  }

  /** A disk that refuses writes does not keep a program from reading. */
  async #seen({ id, seenAt }: UserTokenRow): Promise<void> {
    const now = this.#deps.clock.now();
    if (seenAt !== null && now - seenAt < seenEveryMs) return;
    try {
      await this.#deps.store.write((tables) => tables.userTokens.update(id, { seenAt: now }));
    } catch (reason) {
      if (!(reason instanceof StoreUnavailable)) throw reason;
    }
  }
}

const isFrom = ({ allowFrom }: UserTokenRow, address: string) =>
  allowFrom.length === 0 || addressMatcher(allowFrom)(address);
