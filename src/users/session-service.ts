/** Sign-in, the second factor, and the sessions that follow. */
import { clientOf } from "../domain/client-address.ts";
import type { Role } from "../domain/roles.ts";
import type { SignInWay } from "../domain/ways-in.ts";
import type { KeyedHash } from "../platform/keyed-hash.ts";
import type { Logger } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import type { Sealer } from "../platform/seal.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import type { NewSession, SessionAge, SessionRow } from "../store/sessions.ts";
import type { Store, Tables } from "../store/store.ts";
import type { UserRow } from "../store/users.ts";
import type { PasskeyService } from "./passkey-service.ts";
import type { PasswordHasher } from "./password.ts";
import { askerOf, laneOf, PasswordsBusy } from "./password-lanes.ts";
import type { ProviderRoles } from "./provider-roles.ts";
import {
  factorStepOf,
  factorUrl,
  isFactorSecret,
  newFactorSecret,
  newRecoveryCodes,
  plainRecoveryCode,
} from "./second-factor.ts";
import type { EndedSession, Removed, SessionEnds, SessionOfUser } from "./session-ends.ts";
import { SessionTokens } from "./session-tokens.ts";
import { type CountedTry, SignInThrottle, triedWith } from "./sign-in-throttle.ts";
import { newToken, tokenHash } from "./token.ts";

export interface SessionServiceDeps {
  store: Store;
  clock: { now(): number; monotonic(): number };
  random: Random;
  sealer: Sealer;
  hasher: PasswordHasher;
  ends: SessionEnds;
  providerRoles: ProviderRoles;
  /** Proves whose session a token belonged to. */
  tokenProof: KeyedHash;
  passkeys: Pick<PasskeyService, "isAskedOf">;
  log: Pick<Logger, "warn">;
}

/** A session ends after this long without a request, and after this long in any case. */
export const sessionIdleMs = 12 * 3_600_000;
export const sessionMs = 7 * 24 * 3_600_000;
/** Written no more often than this: a page sends many requests a minute. */
const seenEveryMs = 60_000;

/** Per user: repeated sign-ins must not make the table or the page of sessions grow without limit. */
export const sessionsOfUserMax = 50;
export const pendingOfUserMax = 10;
/** Time allowed for the second factor after the password. */
export const pendingSessionMs = 15 * 60_000;
/** After this many in one sign-in, the password is required again. */
export const wrongCodesMax = 5;

export type SignInResult =
  | { kind: "in"; token: string }
  /** The token is valid only for the second factor. */
  | { kind: "code_needed"; token: string }
  | { kind: "wrong" }
  | { kind: "slow"; waitMs: number }
  /** Too many people are signing in at the moment, so this attempt was not made. */
  | { kind: "busy"; waitMs: number };

/** `ended`: too many were wrong, or too much time passed; sign-in starts again with the password. */
export type CodeResult = Exclude<SignInResult, { kind: "code_needed" | "busy" }> | { kind: "ended" };

export interface NewFactor {
  password: string;
  /** The secret that `proposeFactor` returned. */
  secret: string;
  /** A code from the app, which shows that the app knows the secret. */
  code: string;
}

export interface AddedFactor {
  recoveryCodes: string[];
}

/** How somebody came in. */
export type CameBy = Pick<SessionRow, "way" | "hasFactor" | "role" | "endsAt" | "providerSession">;

/** By a way that leaves the user's role as it is, and the session as long as any. */
export const cameBy = (way: SignInWay, hasFactor = false): CameBy => ({
  way,
  hasFactor,
  role: null,
  endsAt: null,
  providerSession: null,
});

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
    for (const { user, address } of deps.store.tables.sessions.addresses()) this.#throttle.remember(user, address);
  }

  /** `admits`: the roles that may sign in here; for others the password counts as wrong. */
  async signIn(
    name: string,
    password: string,
    address: string,
    admits: (role: Role) => boolean,
  ): Promise<SignInResult> {
    try {
      return await this.#signIn(name, password, address, admits);
    } catch (reason) {
      if (reason instanceof PasswordsBusy) return { kind: "busy", waitMs: reason.waitMs };
      throw reason;
    }
  }

  async #signIn(
    name: string,
    password: string,
    address: string,
    admits: (role: Role) => boolean,
  ): Promise<SignInResult> {
    const counted = this.#throttle.password(name, address);
    if (counted.waitMs > 0) return { kind: "slow", waitMs: counted.waitMs };
    const { store, hasher, ends } = this.#deps;
    const user = store.tables.users.byName(name);
    const isAdmitted = user !== null && user.disabledAt === null && admits(user.role);
    const asker = { lane: laneOf(admits), client: clientOf(address), isStranger: true };
    const isRight = await triedWith(counted, () =>
      hasher.verify(password, isAdmitted ? user.passwordHash : null, asker),
    );
    if (user === null || !isRight) return { kind: "wrong" };
    const needsCode = this.#isMoreAsked(user);
    const begun = this.#newSession(user.id, !needsCode, address, cameBy("password"));
    const isBegun = await ends.write((tables, removed) => {
      const now = tables.users.byId(user.id);
      if (now === null || now.disabledAt !== null || now.passwordHash !== user.passwordHash) return false;
      if (this.#isMoreAsked(now) !== needsCode) return false;
      return this.#begin(tables, begun.row, removed);
    });
    if (!isBegun) return { kind: "wrong" };
    counted.wasRight();
    return { kind: needsCode ? "code_needed" : "in", token: begun.token };
  }

  /**
   * Of a user whom something else proved: a link, a provider, a passkey. After a link the second factor is still asked.
   * Null if the user may no longer sign in.
   */
  async signInProven(
    userId: number,
    came: CameBy,
    address: string,
    isStillProven: (tables: Tables) => boolean = () => true,
  ): Promise<Extract<SignInResult, { token: string }> | null> {
    const isCodeNeeded = (user: UserRow | null) => came.way === "link" && user !== null && this.#isMoreAsked(user);
    const needsCode = isCodeNeeded(this.#deps.store.tables.users.byId(userId));
    const begun = this.#newSession(userId, !needsCode, address, came);
    const isBegun = await this.#deps.ends.write((tables, removed) => {
      const now = tables.users.byId(userId);
      if (now === null || now.disabledAt !== null || isCodeNeeded(now) !== needsCode) return false;
      return isStillProven(tables) && this.#begin(tables, begun.row, removed);
    });
    return isBegun ? { kind: needsCode ? "code_needed" : "in", token: begun.token } : null;
  }

  /** The user of a session that awaits its second factor. */
  waitingUser(token: string): UserRow | null {
    return this.#found(token, false)?.user ?? null;
  }

  /**
   * A code from the app or a recovery code, each valid once, or whether a passkey of the user proved it. The session
   * continues under a new token.
   */
  async confirm(token: string, code: string | boolean, address: string): Promise<CodeResult> {
    const waiting = this.#found(token, false);
    if (waiting === null) return { kind: "ended" };
    const { user, session } = waiting;
    const counted = this.#throttle.code(user, address);
    if (counted.waitMs > 0) return { kind: "slow", waitMs: counted.waitMs };
    const { ends, log } = this.#deps;
    const confirmed = this.#newSession(user.id, true, address, {
      ...session,
      hasFactor: session.hasFactor || code === true,
    });
    const kind = await ends.write((tables, removed) => {
      // Checked again: it may have ended meanwhile, for example by a reset.
      if (this.#found(token, false) === null) return "gone";
      if (typeof code === "boolean" ? code : this.#takeCode(tables, user.id, code)) {
        removed(tables.sessions.remove(session.id));
        return this.#begin(tables, confirmed.row, removed) ? "in" : "gone";
      }
      if (tables.sessions.addWrongCode(session.id) < wrongCodesMax) return "wrong";
      removed(tables.sessions.remove(session.id));
      return "ended";
    });
    if (kind === "ended")
      log.warn({ user: user.name, address }, `a right password was followed by ${wrongCodesMax} wrong codes`);
    if (kind !== "in") return { kind: kind === "wrong" ? kind : "ended" };
    counted.wasRight();
    return { kind, token: confirmed.token };
  }

  /** The holder of the token; null if the session has ended or awaits its second factor. */
  async find(token: string): Promise<SignedIn | null> {
    const found = this.#found(token, true);
    if (found === null) return null;
    const now = this.#deps.clock.now();
    const { id, seenAt } = found.session;
    if (now - seenAt >= seenEveryMs) await this.#seen(id, now);
    return found;
  }

  /**
   * The user of a session that this token opened, however it ended; null for any other token, and for a user who may no
   * longer sign in.
   */
  formerUser(token: string): UserRow | null {
    const id = this.#tokens.userOf(token);
    const user = id === null ? null : this.#deps.store.tables.users.byId(id);
    return user === null || user.disabledAt !== null ? null : user;
  }

  /** True while this user's session is valid. Checking does not extend it. */
  isOpen({ userId, sessionId }: SessionOfUser): boolean {
    const session = this.#deps.store.tables.sessions.confirmed(sessionId, userId);
    return session !== null && isOpen(session, this.#deps.clock.now());
  }

  /** See `SessionEnds.subscribe`. */
  onEnd(listener: (ended: EndedSession) => void): void {
    this.#deps.ends.subscribe(listener);
  }

  list(userId: number): SessionRow[] {
    const now = this.#deps.clock.now();
    return this.#deps.store.tables.sessions.of(userId).filter((session) => session.isConfirmed && isOpen(session, now));
  }

  /** Ends the session that holds the token, confirmed or not. An expired one is left to the prune. */
  async endHeld(token: string): Promise<void> {
    const session = this.#deps.store.tables.sessions.byToken(tokenHash(token));
    if (session === null || !isOpen(session, this.#deps.clock.now())) return;
    await this.#deps.ends.write((tables, removed) => removed(tables.sessions.remove(session.id)));
  }

  /** False if the user has no such session. */
  end(userId: number, sessionId: number): Promise<boolean> {
    return this.#deps.ends.write((tables, removed) => {
      const isTheirs = tables.sessions.of(userId).some(({ id }) => id === sessionId);
      if (isTheirs) removed(tables.sessions.remove(sessionId));
      return isTheirs;
    });
  }

  /** For the app of `user`; nothing is stored until `addFactor` has seen a code from it. */
  proposeFactor(user: string): { secret: string; url: string } {
    const secret = newFactorSecret(this.#deps.random);
    return { secret, url: factorUrl(secret, user) };
  }

  /** The same for a secret proposed before; null if it is not one. */
  factorOf(user: string, secret: string): { secret: string; url: string } | null {
    return isFactorSecret(secret) ? { secret, url: factorUrl(secret, user) } : null;
  }

  /** How long any attempt from this address must wait, in milliseconds; 0 for at once. */
  waitMsAt(address: string): number {
    return this.#throttle.waitMsAt(address);
  }

  /** A password that is entered again and checked elsewhere. */
  countPassword(name: string, address: string): CountedTry {
    return this.#throttle.password(name, address);
  }

  /** The same for a code. */
  countCode(user: Pick<UserRow, "id" | "name">, address: string): CountedTry {
    return this.#throttle.code(user, address);
  }

  /** Whether it is a code from the user's app or a recovery code, which is used up. */
  isCode(userId: number, code: string): Promise<boolean> {
    return this.#deps.store.write((tables) => this.#takeCode(tables, userId, code));
  }

  /** With a code from the app or a recovery code. False if it is wrong. */
  removeFactor(userId: number, code: string): Promise<boolean> {
    return this.#deps.store.write((tables) => {
      if (!this.#takeCode(tables, userId, code)) return false;
      tables.users.update(userId, { sealedFactor: null });
      tables.users.setRecoveryCodes(userId, []);
      return true;
    });
  }

  /**
   * Requires the password again: whoever finds a session open must not be able to take the account over for good. The
   * caller counts the attempts. The recovery codes are only in this answer; `code` is also required if the user already
   * has a second factor.
   */
  async addFactor(userId: number, { password, secret, code }: NewFactor): Promise<AddedFactor | "password" | "code"> {
    const { store, hasher, random, sealer, clock } = this.#deps;
    const asking = store.tables.users.byId(userId);
    const passwordHash = asking?.passwordHash ?? null;
    if (asking === null || !(await hasher.verify(password, passwordHash, askerOf(asking)))) return "password";
    const step = factorStepOf(secret, code, clock.now());
    if (step === null) return "code";
    const recoveryCodes = newRecoveryCodes(random);
    const sealedFactor = Buffer.from(sealer.seal(secret));
    return store.write((tables) => {
      const user = tables.users.byId(userId);
      // A reset may have happened meanwhile.
      if (user === null || user.passwordHash !== passwordHash) return "password";
      if (user.sealedFactor !== null) return "code";
      tables.users.update(userId, { sealedFactor, factorStep: step });
      tables.users.setRecoveryCodes(userId, recoveryCodes.map(recoveryHash));
      return { recoveryCodes };
    });
  }

  async forgetOld(): Promise<void> {
    const now = this.#deps.clock.now();
    await this.#deps.ends.write((tables, removed) =>
      removed(tables.sessions.prune({ seenBefore: now - sessionIdleMs, createdBefore: now - sessionMs, now })),
    );
  }

  /** On a disk that refuses writes, pages can still be read; the session then ends slightly earlier. */
  async #seen(sessionId: number, now: number): Promise<void> {
    try {
      await this.#deps.store.write((tables) => tables.sessions.seen(sessionId, now));
    } catch (reason) {
      if (!(reason instanceof StoreUnavailable)) throw reason;
    }
  }

  /** Whether a password alone does not let the user in. */
  #isMoreAsked(user: UserRow): boolean {
    return user.sealedFactor !== null || this.#deps.passkeys.isAskedOf(user);
  }

  #takeCode(tables: Tables, userId: number, code: string): boolean {
    const sealed = tables.users.byId(userId)?.sealedFactor ?? null;
    if (sealed === null) return false;
    const step = factorStepOf(this.#deps.sealer.open(sealed), code, this.#deps.clock.now());
    if (step !== null) return tables.users.takeFactorStep(userId, step);
    return tables.users.takeRecoveryCode(userId, recoveryHash(code));
  }

  /** Replaces the oldest if the user already has the maximum. False if a role that a provider gave has ended. */
  #begin(tables: Tables, row: NewSession, removed: Removed): boolean {
    const endsAt = row.way === "oidc" ? row.endsAt : this.#deps.providerRoles.endOf(tables, row.userId);
    if (typeof endsAt === "number" && endsAt <= row.createdAt) return false;
    tables.sessions.insert({ ...row, endsAt });
    removed(tables.sessions.keepNewest(row, row.isConfirmed ? sessionsOfUserMax : pendingOfUserMax));
    return true;
  }

  /** The row has not been inserted yet. */
  #newSession(userId: number, isConfirmed: boolean, address: string, came: CameBy): { token: string; row: NewSession } {
    const token = isConfirmed ? this.#tokens.forUser(userId) : newToken(this.#deps.random);
    const now = this.#deps.clock.now();
    const { way, hasFactor, role, endsAt, providerSession } = came;
    const begun = { way, hasFactor, role, endsAt, providerSession, address, createdAt: now, seenAt: now };
    return { token, row: { tokenHash: tokenHash(token), userId, isConfirmed, ...begun } };
  }

  #found(token: string, isConfirmed: boolean): SignedIn | null {
    const session = this.#deps.store.tables.sessions.byToken(tokenHash(token));
    const user = session === null ? null : this.#holder(session, isConfirmed);
    // The role that the provider gave holds for what it opened.
    return session === null || user === null ? null : { user: { ...user, role: session.role ?? user.role }, session };
  }

  /** Null if the session has ended, or its user may no longer sign in. */
  #holder(session: SessionRow, isConfirmed: boolean): UserRow | null {
    if (session.isConfirmed !== isConfirmed || !isOpen(session, this.#deps.clock.now())) return null;
    const user = this.#deps.store.tables.users.byId(session.userId);
    return user === null || user.disabledAt !== null ? null : user;
  }
}

const recoveryHash = (code: string) => tokenHash(plainRecoveryCode(code));

function isOpen({ isConfirmed, seenAt, createdAt, endsAt }: SessionAge, now: number): boolean {
  if (endsAt !== null && endsAt <= now) return false;
  return isConfirmed ? now - seenAt < sessionIdleMs && now - createdAt < sessionMs : now - createdAt < pendingSessionMs;
}
