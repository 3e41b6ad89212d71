/** Signing in, the second factor, and the sessions that follow. */
import type { Role } from "../domain/roles.ts";
import type { KeyedHash } from "../platform/keyed-hash.ts";
import type { Random } from "../platform/random.ts";
import type { Sealer } from "../platform/seal.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import type { SessionRow } from "../store/sessions.ts";
import type { Store, Tables } from "../store/store.ts";
import type { UserRow } from "../store/users.ts";
import type { PasswordHasher } from "./password.ts";
import {
  factorStepOf,
  factorUrl,
  isFactorSecret,
  newFactorSecret,
  newRecoveryCodes,
  plainRecoveryCode,
} from "./second-factor.ts";
import type { EndedSession, SessionChange, SessionEnds, SessionOfUser } from "./session-ends.ts";
import { SessionTokens } from "./session-tokens.ts";
import { SignInThrottle } from "./sign-in-throttle.ts";
import { newToken, tokenHash } from "./token.ts";

export interface SessionServiceDeps {
  store: Store;
  clock: { now(): number; monotonic(): number };
  random: Random;
  sealer: Sealer;
  hasher: PasswordHasher;
  ends: SessionEnds;
  /** Under which a token says whose it was. */
  tokenProof: KeyedHash;
}

/** A session ends after so long without a request, and after so long in any case. */
export const sessionIdleMs = 12 * 3_600_000;
export const sessionMs = 7 * 24 * 3_600_000;
/** Written no more often: a page asks many times a minute. */
const seenEveryMs = 60_000;

export type SignInResult =
  | { kind: "in"; token: string }
  /** The token is good for the second factor alone. */
  | { kind: "code_needed"; token: string }
  | { kind: "wrong" }
  | { kind: "slow"; waitMs: number };

export interface SignedIn {
  user: UserRow;
  session: SessionRow;
}

export class SessionService {
  readonly #deps: SessionServiceDeps;
  readonly #throttle: SignInThrottle;
  readonly #tokens: SessionTokens;

  constructor(deps: SessionServiceDeps) {
    this.#deps = deps;
    this.#tokens = new SessionTokens(deps);
    this.#throttle = new SignInThrottle(deps.clock);
  }

  /** `admits`: the roles that may come in where this is asked; to others their password is wrong. */
  async signIn(
    name: string,
    password: string,
    address: string,
    admits: (role: Role) => boolean,
  ): Promise<SignInResult> {
    const waitMs = this.#throttle.waitMs(name, address);
    if (waitMs > 0) return { kind: "slow", waitMs };
    // Counted before the answer is known: guesses at the same time must not all be the first.
    this.#throttle.failed(name, address);
    const { store, hasher } = this.#deps;
    const user = store.tables.users.byName(name);
    const isAdmitted = user !== null && user.disabledAt === null && admits(user.role);
    const isRight = await hasher.verify(password, isAdmitted ? user.passwordHash : null);
    if (user === null || !isRight) return { kind: "wrong" };
    const needsCode = user.sealedFactor !== null;
    const token = await this.#begin(user.id, !needsCode, address, (tables) => {
      const { disabledAt, passwordHash } = tables.users.byId(user.id) ?? { disabledAt: 0, passwordHash: null };
      return disabledAt === null && passwordHash === user.passwordHash;
    });
    if (token === null) return { kind: "wrong" };
    if (needsCode) return { kind: "code_needed", token };
    this.#throttle.succeeded(name, address);
    return { kind: "in", token };
  }

  /** A code of the app or a recovery code, each good once. The session goes on under another token. */
  async confirm(token: string, code: string, address: string): Promise<SignInResult> {
    const waiting = this.#found(token, false);
    if (waiting === null) return { kind: "wrong" };
    const { user, session } = waiting;
    const waitMs = this.#throttle.waitMs(user.name, address);
    if (waitMs > 0) return { kind: "slow", waitMs };
    this.#throttle.failed(user.name, address);
    const confirmed = await this.#begin(user.id, true, address, (tables, removed) => {
      if (!this.#takeCode(tables, user, code)) return false;
      removed(tables.sessions.remove(session.id));
      return true;
    });
    if (confirmed === null) return { kind: "wrong" };
    this.#throttle.succeeded(user.name, address);
    return { kind: "in", token: confirmed };
  }

  /** Who holds the token; null where the session has ended, or waits for its second factor. */
  async find(token: string): Promise<SignedIn | null> {
    const found = this.#found(token, true);
    if (found === null) return null;
    const now = this.#deps.clock.now();
    const { id, seenAt } = found.session;
    if (now - seenAt >= seenEveryMs) await this.#seen(id, now);
    return found;
  }

  /** Who had a session that this token opened, however that has ended; null for any other token, and for who may come in no more. */
  formerUser(token: string): UserRow | null {
    const id = this.#tokens.userOf(token);
    const user = id === null ? null : this.#deps.store.tables.users.byId(id);
    return user === null || user.disabledAt !== null ? null : user;
  }

  /** True while the session of this user is valid. Asking does not extend it. */
  isOpen({ userId, sessionId }: SessionOfUser): boolean {
    const session = this.#deps.store.tables.sessions.byId(sessionId);
    return session !== null && session.userId === userId && this.#holder(session, true) !== null;
  }

  /** See `SessionEnds.subscribe`. */
  onEnd(listener: (ended: EndedSession) => void): void {
    this.#deps.ends.subscribe(listener);
  }

  list(userId: number): SessionRow[] {
    const now = this.#deps.clock.now();
    return this.#deps.store.tables.sessions.of(userId).filter((session) => session.isConfirmed && isOpen(session, now));
  }

  /** Ends the session that holds the token, confirmed or not. One whose time is over is left to the prune: it ended before. */
  async endHeld(token: string): Promise<void> {
    const session = this.#deps.store.tables.sessions.byToken(tokenHash(token));
    if (session === null || !isOpen(session, this.#deps.clock.now())) return;
    await this.#deps.ends.write((tables, removed) => removed(tables.sessions.remove(session.id)));
  }

  /** False where the user has no such session. */
  end(userId: number, sessionId: number): Promise<boolean> {
    return this.#deps.ends.write((tables, removed) => {
      const isTheirs = tables.sessions.of(userId).some(({ id }) => id === sessionId);
      if (isTheirs) removed(tables.sessions.remove(sessionId));
      return isTheirs;
    });
  }

  /** For the app of `user`; nothing is stored until `addFactor` has seen a code of it. */
  proposeFactor(user: string): { secret: string; url: string } {
    const secret = newFactorSecret(this.#deps.random);
    return { secret, url: factorUrl(secret, user) };
  }

  /** The same for a secret that was proposed before; null where it is none. */
  factorOf(user: string, secret: string): { secret: string; url: string } | null {
    return isFactorSecret(secret) ? { secret, url: factorUrl(secret, user) } : null;
  }

  /** How long any try from this address must wait, in milliseconds; 0 for at once. */
  waitMsAt(address: string): number {
    return this.#throttle.waitMsAt(address);
  }

  /** Counts a try at a password or a code, and gives how long it must wait, in milliseconds; 0 for at once. */
  countTry(name: string, address: string): number {
    const waitMs = this.#throttle.waitMs(name, address);
    if (waitMs === 0) this.#throttle.failed(name, address);
    return waitMs;
  }

  /** The try that was counted last was right. */
  succeeded(name: string, address: string): void {
    this.#throttle.succeeded(name, address);
  }

  /** By a code of the app or a recovery code. False for a wrong one. */
  removeFactor(userId: number, code: string): Promise<boolean> {
    return this.#deps.store.write((tables) => {
      const user = tables.users.byId(userId);
      if (user === null || !this.#takeCode(tables, user, code)) return false;
      tables.users.update(userId, { sealedFactor: null });
      tables.users.setRecoveryCodes(userId, []);
      return true;
    });
  }

  /** The recovery codes, which are in this answer alone; null for a wrong code, or where the user has a second factor. */
  async addFactor(userId: number, secret: string, code: string): Promise<string[] | null> {
    const { store, random, sealer, clock } = this.#deps;
    const step = factorStepOf(secret, code, clock.now());
    if (step === null) return null;
    const codes = newRecoveryCodes(random);
    const sealedFactor = Buffer.from(sealer.seal(secret));
    return store.write((tables) => {
      if (tables.users.byId(userId)?.sealedFactor !== null) return null;
      tables.users.update(userId, { sealedFactor, factorStep: step });
      tables.users.setRecoveryCodes(userId, codes.map(recoveryHash));
      return codes;
    });
  }

  async forgetOld(): Promise<void> {
    const now = this.#deps.clock.now();
    await this.#deps.ends.write((tables, removed) =>
      removed(tables.sessions.prune(now - sessionIdleMs, now - sessionMs)),
    );
  }

  /** On a disk that refuses, pages can still be read; the session then ends a little earlier. */
  async #seen(sessionId: number, now: number): Promise<void> {
    try {
      await this.#deps.store.write((tables) => tables.sessions.seen(sessionId, now));
    } catch (reason) {
      if (!(reason instanceof StoreUnavailable)) throw reason;
    }
  }

  #takeCode(tables: Tables, user: UserRow, code: string): boolean {
    if (user.sealedFactor === null) return false;
    const step = factorStepOf(this.#deps.sealer.open(user.sealedFactor), code, this.#deps.clock.now());
    if (step !== null) return tables.users.takeFactorStep(user.id, step);
    return tables.users.takeRecoveryCode(user.id, recoveryHash(code));
  }

  async #begin(
    userId: number,
    isConfirmed: boolean,
    address: string,
    isAllowed: SessionChange<boolean>,
  ): Promise<string | null> {
    const { ends, clock, random } = this.#deps;
    const token = isConfirmed ? this.#tokens.forUser(userId) : newToken(random);
    const now = clock.now();
    const row = { tokenHash: tokenHash(token), userId, isConfirmed, address, createdAt: now, seenAt: now };
    const isBegun = await ends.write((tables, removed) => {
      const allowed = isAllowed(tables, removed);
      if (allowed) tables.sessions.insert(row);
      return allowed;
    });
    return isBegun ? token : null;
  }

  #found(token: string, isConfirmed: boolean): SignedIn | null {
    const session = this.#deps.store.tables.sessions.byToken(tokenHash(token));
    const user = session === null ? null : this.#holder(session, isConfirmed);
    return session === null || user === null ? null : { user, session };
  }

  /** Null where the session has ended, or its user may come in no more. */
  #holder(session: SessionRow, isConfirmed: boolean): UserRow | null {
    if (session.isConfirmed !== isConfirmed || !isOpen(session, this.#deps.clock.now())) return null;
    const user = this.#deps.store.tables.users.byId(session.userId);
    return user === null || user.disabledAt !== null ? null : user;
  }
}

const recoveryHash = (code: string) => tokenHash(plainRecoveryCode(code));

const isOpen = ({ seenAt, createdAt }: SessionRow, now: number) =>
  now - seenAt < sessionIdleMs && now - createdAt < sessionMs;
