/**
 * What an owner can do with console users: add, list, reset, disable; and the links with which users choose a password.
 */

import type { ListRange, PartOfList } from "../domain/list-part.ts";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { type CustomerRole, isCustomerRole, type Role } from "../domain/roles.ts";
import type { Random } from "../platform/random.ts";
import type { Store, Tables } from "../store/store.ts";
import type { UserRow } from "../store/users.ts";
import { type PasswordHasher, type PasswordProblem, passwordProblem } from "./password.ts";
import { askerOf } from "./password-lanes.ts";
import { PortalLinks } from "./portal-links.ts";
import type { SessionChange, SessionEnds } from "./session-ends.ts";
import { newToken, tokenHash } from "./token.ts";

export interface UserServiceDeps {
  store: Store;
  clock: { now(): number };
  random: Random;
  hasher: PasswordHasher;
  ends: SessionEnds;
  /** Who may sign in with a password at the console. */
  passwords: "allowed" | "owner" | "off";
}

/** The token is only in this answer and cannot be shown again. */
export interface SetupLink {
  token: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

export type UserLook = Pick<UserRow, "language" | "theme" | "zone" | "hasShortcuts">;

export const userWays = ["password", "code", "passkey", "oidc"] as const;
export type UserWay = (typeof userWays)[number];

export const setupLinkMs = 3_600_000;
/** Of a colleague, who may read the mail on another day. */
export const invitationMs = 3 * 24 * 3_600_000;
/** Of one account, also those who were removed: what customers add must have an end. */
export const colleaguesMax = 50;
export const firstOwnerName = "owner";

export interface PasswordChange {
  current: string;
  next: string;
  /** Stays open. */
  sessionId: number;
}

/** Why a link did not set a password. */
export type SetupProblem = "link_ended" | PasswordProblem;

const isActiveOwner = ({ role, disabledAt }: UserRow) => role === "owner" && disabledAt === null;

/** Throws OperatorError; rejects with StoreUnavailable when the disk refuses, and with PasswordsBusy. */
export class UserService {
  readonly #deps: UserServiceDeps;
  readonly #portalLinks: PortalLinks;

  constructor(deps: UserServiceDeps) {
    this.#deps = deps;
    this.#portalLinks = new PortalLinks(deps);
  }

  all(): UserRow[] {
    return this.#deps.store.tables.users.all();
  }

  /** False until the first owner has chosen a password: nobody can sign in. */
  hasPasswords(): boolean {
    return this.#deps.store.tables.users.hasPasswords();
  }

  get passwords(): UserServiceDeps["passwords"] {
    return this.#deps.passwords;
  }

  /** Whether the sign-in form lets this role in. A setup link does, whatever the settings say. */
  mayUsePassword(role: Role): boolean {
    const { passwords } = this.#deps;
    return passwords === "allowed" || isCustomerRole(role) || (passwords === "owner" && role === "owner");
  }

  /** Those who sign in at the portal for this account. */
  ofAccount(accountId: number): UserRow[] {
    return this.#deps.store.tables.users.ofAccount(accountId);
  }

  /** None for a user who is not there. */
  waysOfId(userId: number): UserWay[] {
    const user = this.#deps.store.tables.users.byId(userId);
    return user === null ? [] : this.waysOf(user);
  }

  /** By which the user can sign in now, and the second factor. */
  waysOf({ id, passwordHash, sealedFactor }: UserRow): UserWay[] {
    const ways: Record<UserWay, boolean> = {
      password: passwordHash !== null,
      code: sealedFactor !== null,
      passkey: this.#deps.store.tables.passkeys.list(id).length > 0,
      oidc: this.#deps.store.tables.identities.of(id) !== null,
    };
    return userWays.filter((way) => ways[way]);
  }

  part(range: ListRange): Promise<PartOfList<UserRow>> {
    return this.#deps.store.tables.users.part(range);
  }

  /** `accountId`: only for a customer. */
  async add(name: string, role: Role, accountId: number | null): Promise<{ user: UserRow; link: SetupLink }> {
    if (isCustomerRole(role) !== (accountId !== null)) {
      throw invalidRequest([problemOf("account", "customer_account", {})]);
    }
    const createdAt = this.#deps.clock.now();
    return this.#linked((tables) => {
      if (accountId !== null && tables.accounts.byId(accountId) === null) throw new OperatorError("account_not_found");
      if (tables.users.byName(name) !== null) throw new OperatorError("user_exists");
      return tables.users.insert({ name, role, accountId, createdAt });
    });
  }

  /**
   * Password, second factor, sessions and tokens end at once; a disabled user is enabled again. `byUserId`: the user who
   * requests it, who cannot be the same one: the link would be shown to a session that has ended. Null if requested
   * through the operator's socket.
   */
  reset(name: string, byUserId: number | null): Promise<{ user: UserRow; link: SetupLink }> {
    return this.#linked((tables, removed) => {
      const { id } = existing(tables, name);
      if (id === byUserId) throw new OperatorError("own_reset");
      this.#portalLinks.endOf(id);
      removed(tables.sessions.removeOf(id));
      tables.userTokens.removeOf(id);
      tables.passkeys.removeOf(id);
      tables.users.setRecoveryCodes(id, []);
      // Whoever gives a user a password decides from then on what the user may.
      tables.identities.keepRoleOf(id);
      const cleared = { passwordHash: null, sealedFactor: null, disabledAt: null };
      return tables.users.update(id, cleared) ?? existing(tables, name);
    });
  }

  /** A colleague of one account, invited by another: a removed one, or one whose link is unused, is invited again. */
  invite(
    accountId: number,
    name: string,
    role: CustomerRole,
    byUserId: number | null,
  ): Promise<{ user: UserRow; link: SetupLink }> {
    const createdAt = this.#deps.clock.now();
    return this.#linked((tables, removed) => {
      const known = tables.users.byName(name);
      if (known === null) {
        if (tables.users.ofAccount(accountId).length >= colleaguesMax)
          throw new OperatorError("colleague_limit_reached");
        return tables.users.insert({ name, role, accountId, createdAt });
      }
      const isOpen = known.passwordHash === null && tables.identities.of(known.id) === null;
      const isInvited = known.accountId === accountId && (known.disabledAt !== null || isOpen);
      if (!isInvited) throw new OperatorError("user_exists");
      if (known.id === byUserId) throw new OperatorError("own_role");
      this.#portalLinks.endOf(known.id);
      removed(tables.sessions.removeOf(known.id));
      tables.userTokens.removeOf(known.id);
      tables.passkeys.removeOf(known.id);
      tables.identities.keepRoleOf(known.id);
      const cleared = { role, passwordHash: null, sealedFactor: null, disabledAt: null };
      tables.users.setRecoveryCodes(known.id, []);
      return tables.users.update(known.id, cleared) ?? known;
    }, invitationMs);
  }

  /** What a colleague may do, or null: nothing any more. `byUserId`: who asks, and keeps the own role. */
  changeColleague(
    accountId: number,
    name: string,
    role: CustomerRole | null,
    byUserId: number | null,
  ): Promise<UserRow> {
    return this.#deps.ends.write((tables, removed) => {
      const user = this.#colleague(tables, accountId, name, byUserId);
      const isAdmin = (one: UserRow) => one.role === "customer" && one.disabledAt === null && one.passwordHash !== null;
      const others = tables.users.ofAccount(accountId).filter((one) => one.id !== user.id);
      // Two administrators may demote each other at the same time.
      if (role !== "customer" && isAdmin(user) && !others.some(isAdmin)) throw new OperatorError("last_admin");
      if (role !== null && tables.identities.of(user.id)?.givesRole === true) throw new OperatorError("provider_role");
      if (role !== null) return tables.users.update(user.id, { role }) ?? user;
      removed(tables.sessions.removeOf(user.id));
      tables.userTokens.removeOf(user.id);
      tables.users.removeLinkOf(user.id);
      return tables.users.update(user.id, { disabledAt: user.disabledAt ?? this.#deps.clock.now() }) ?? user;
    });
  }

  #colleague(tables: Tables, accountId: number, name: string, byUserId: number | null): UserRow {
    const user = existing(tables, name);
    if (user.accountId !== accountId) throw new OperatorError("user_not_found");
    if (user.id === byUserId) throw new OperatorError("own_role");
    return user;
  }

  /**
   * A link for the first owner, who is added if there is none; a new one each time until a password has been chosen, and
   * at any time where passwords are off. An owner whose role comes from a provider is none without it.
   */
  setupLink(): Promise<{ user: UserRow; link: SetupLink }> {
    const createdAt = this.#deps.clock.now();
    return this.#linked((tables) => {
      const ownRole = ({ id }: UserRow) => tables.identities.of(id)?.givesRole !== true;
      const owners = tables.users.all().filter((user) => isActiveOwner(user) && ownRole(user));
      const known = owners.find(({ passwordHash }) => passwordHash !== null);
      if (known !== undefined && this.#deps.passwords !== "off") throw new OperatorError("owner_exists");
      // Somebody from a provider may have the name.
      const name = freeName(tables, firstOwnerName);
      return known ?? owners[0] ?? tables.users.insert({ name, role: "owner", accountId: null, createdAt });
    });
  }

  /** By which the operator's own site signs this customer in. Nobody who runs the service enters like that. */
  portalLink(name: string): { user: UserRow; link: SetupLink } {
    const user = existing(this.#deps.store.tables, name);
    if (!isCustomerRole(user.role) || user.disabledAt !== null) throw new OperatorError("no_portal_user");
    return { user, link: this.#portalLinks.create(user.id) };
  }

  /** The user of such a link; null if it is not good any more. */
  userOfPortalLink(token: string): UserRow | null {
    return this.#portalUser(this.#portalLinks.userIdOf(token));
  }

  /** The same, and it is used up: of two who use it, one gets in. */
  takePortalLink(token: string): UserRow | null {
    return this.#portalUser(this.#portalLinks.take(token));
  }

  #portalUser(id: number | null): UserRow | null {
    const user = id === null ? null : this.#deps.store.tables.users.byId(id);
    return user === null || user.disabledAt !== null || !isCustomerRole(user.role) ? null : user;
  }

  /** Sessions, tokens and an open link end at once. Disabling a disabled user changes nothing. */
  disable(name: string): Promise<UserRow> {
    const now = this.#deps.clock.now();
    return this.#deps.ends.write((tables, removed) => {
      const user = existing(tables, name);
      const others = tables.users.all().filter((other) => isActiveOwner(other) && other.id !== user.id);
      if (isActiveOwner(user) && others.length === 0) throw new OperatorError("last_owner");
      removed(tables.sessions.removeOf(user.id));
      tables.userTokens.removeOf(user.id);
      tables.users.removeLinkOf(user.id);
      return tables.users.update(user.id, { disabledAt: user.disabledAt ?? now }) ?? user;
    });
  }

  /** The user's console appearance; omitted fields stay as they are. */
  async setLook(userId: number, look: Partial<UserLook>): Promise<void> {
    await this.#deps.store.write((tables) => tables.users.update(userId, look));
  }

  /** The user of the link; looking does not use it up. Null if it was used, replaced or has expired. */
  userOfLink(token: string): UserRow | null {
    return linkedUser(this.#deps.store.tables, token, this.#deps.clock.now());
  }

  /** Uses up the link, unless the password is refused. */
  async setPassword(token: string, password: string): Promise<UserRow | SetupProblem> {
    const user = this.userOfLink(token);
    if (user === null) return "link_ended";
    const problem = await passwordProblem(password, user.name);
    if (problem !== null) return problem;
    const passwordHash = await this.#deps.hasher.hash(password, askerOf(user));
    return this.#deps.ends.write((tables, removed) => {
      // Checked again: only one of two concurrent attempts may pass.
      const owner = linkedUser(tables, token, this.#deps.clock.now());
      if (owner === null) return "link_ended";
      tables.users.removeLinkOf(owner.id);
      removed(tables.sessions.removeOf(owner.id));
      return tables.users.update(owner.id, { passwordHash }) ?? "link_ended";
    });
  }

  /** Whether it is the user's password. The caller counts the attempts. */
  async isPassword(userId: number, password: string): Promise<boolean> {
    const user = this.#deps.store.tables.users.byId(userId);
    return user !== null && this.#deps.hasher.verify(password, user.passwordHash, askerOf(user));
  }

  /** Every other session of the user ends. The caller counts the attempts. */
  async changePassword(userId: number, change: PasswordChange): Promise<"changed" | "wrong" | PasswordProblem> {
    const { store, hasher, ends } = this.#deps;
    const user = store.tables.users.byId(userId);
    if (user === null || !(await hasher.verify(change.current, user.passwordHash, askerOf(user)))) return "wrong";
    const problem = await passwordProblem(change.next, user.name);
    if (problem !== null) return problem;
    const passwordHash = await hasher.hash(change.next, askerOf(user));
    return ends.write((tables, removed) => {
      // A reset may have happened meanwhile.
      if (tables.users.byId(userId)?.passwordHash !== user.passwordHash) return "wrong";
      tables.users.update(userId, { passwordHash });
      removed(tables.sessions.removeOthers(userId, change.sessionId));
      return "changed";
    });
  }

  async #linked(change: SessionChange<UserRow>, goodMs = setupLinkMs): Promise<{ user: UserRow; link: SetupLink }> {
    const token = newToken(this.#deps.random);
    const expiresAt = this.#deps.clock.now() + goodMs;
    const user = await this.#deps.ends.write((tables, removed) => {
      const changed = change(tables, removed);
      tables.users.setLink({ userId: changed.id, tokenHash: tokenHash(token), expiresAt });
      return changed;
    });
    return { user, link: { token, expiresAt } };
  }
}

/** The name, or the first of it with a number that nobody has. */
export function freeName(tables: Tables, name: string): string {
  let free = name;
  for (let count = 2; tables.users.byName(free) !== null; count += 1) free = `${name}-${count}`;
  return free;
}

/** @throws OperatorError `user_not_found` */
export function existing(tables: Tables, name: string): UserRow {
  const user = tables.users.byName(name);
  if (user === null) throw new OperatorError("user_not_found");
  return user;
}

function linkedUser(tables: Tables, token: string, now: number): UserRow | null {
  const link = tables.users.link(tokenHash(token));
  if (link === null || link.expiresAt <= now) return null;
  const user = tables.users.byId(link.userId);
  return user === null || user.disabledAt !== null ? null : user;
}
