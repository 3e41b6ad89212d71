/** Whom a provider of single sign-on lets in: users by issuer and subject, added at their first sign-in, or linked. */
import { OperatorError } from "../domain/operator-error.ts";
import { isCustomerRole, type Role } from "../domain/roles.ts";
import type { SignInSide } from "../domain/ways-in.ts";
import type { IdentityRow } from "../store/identities.ts";
import type { Store, Tables } from "../store/store.ts";
import type { UserRow } from "../store/users.ts";
import type { Removed, SessionEnds } from "./session-ends.ts";
import type { SessionService } from "./session-service.ts";
import { existing, freeName } from "./user-service.ts";

export interface ProviderUsersDeps {
  store: Store;
  clock: { now(): number };
  ends: SessionEnds;
  sessions: Pick<SessionService, "signInProven">;
  /** Null where there is no single sign-on. */
  issuers: Readonly<Record<SignInSide, string | null>>;
}

export interface Subject {
  side: SignInSide;
  issuer: string;
  subject: string;
}

/** A person as the provider and the settings judge it. */
export interface JudgedPerson extends Subject {
  sid: string | null;
  role: Role;
  accountId: number | null;
  /** For a user who is added. */
  name: string;
  hasFactor: boolean;
  endsAt: number;
}

export type Admission = { kind: "in"; token: string; user: string; isNew: boolean } | { kind: "disabled" | "account" };

export class ProviderUsers {
  readonly #deps: ProviderUsersDeps;

  constructor(deps: ProviderUsersDeps) {
    this.#deps = deps;
  }

  async admit(person: JudgedPerson, address: string): Promise<Admission> {
    const { ends, sessions } = this.#deps;
    const found = await ends.write((tables, removed) => this.#userOf(tables, person, removed));
    if (typeof found === "string") return { kind: found };
    const { role, accountId, hasFactor, endsAt, sid: providerSession } = person;
    const came = { way: "oidc", hasFactor, role, endsAt, providerSession } as const;
    // Another sign-in of the same person may have been judged meanwhile.
    const begun = await sessions.signInProven(found.user.id, came, address, ({ identities, users }) => {
      const [known, now] = [identities.of(found.user.id), users.byId(found.user.id)];
      if (known?.subject !== person.subject || known.issuer !== person.issuer) return false;
      return !known.givesRole || (known.judgedAt !== 0 && now?.role === role && now.accountId === accountId);
    });
    if (begun === null) return { kind: "disabled" };
    return { kind: "in", token: begun.token, user: found.user.name, isNew: found.isNew };
  }

  #userOf(
    tables: Tables,
    person: JudgedPerson,
    removed: Removed,
  ): { user: UserRow; isNew: boolean } | "disabled" | "account" {
    const { role, accountId } = person;
    if (accountId !== null && tables.accounts.byId(accountId) === null) return "account";
    const known = tables.identities.find(person.side, person.issuer, person.subject);
    if (known === null) return { user: this.#added(tables, person), isNew: true };
    const user = tables.users.byId(known.userId);
    if (user === null || user.disabledAt !== null) return "disabled";
    // A linked user keeps role and account; another account is no sign-in to this one.
    if (!known.givesRole && user.accountId !== accountId) return "account";
    tables.identities.judged(known.id, this.#deps.clock.now());
    if (!known.givesRole || (user.role === role && user.accountId === accountId)) return { user, isNew: false };
    // What another role or account opened ends with it.
    removed(tables.sessions.removeOf(user.id));
    if (user.accountId !== accountId) tables.userTokens.removeOf(user.id);
    return { user: tables.users.update(user.id, { role, accountId }) ?? user, isNew: false };
  }

  #added(tables: Tables, { side, issuer, subject, role, accountId, name }: JudgedPerson): UserRow {
    const now = this.#deps.clock.now();
    const user = tables.users.insert({ name: freeName(tables, name), role, accountId, createdAt: now });
    tables.identities.set({ userId: user.id, side, issuer, subject, givesRole: true, createdAt: now, judgedAt: now });
    return user;
  }

  /** The provider or the settings let the person in no more: what its sign-ins opened ends, and a role that it gave. */
  async left(subject: Subject): Promise<void> {
    await this.#deps.ends.write((tables, removed) => {
      const known = this.#signedOut(tables, subject, removed);
      if (known?.givesRole !== true) return;
      tables.identities.judged(known.id, 0);
      tables.userTokens.removeOf(known.userId);
    });
  }

  #signedOut(tables: Tables, { side, issuer, subject }: Subject, removed: Removed): IdentityRow | null {
    const known = tables.identities.find(side, issuer, subject);
    if (known === null) return null;
    const { userId, givesRole } = known;
    removed(givesRole ? tables.sessions.removeOf(userId) : tables.sessions.removeOpenedBy(userId, "oidc"));
    return known;
  }

  /** Ends what the provider signs out: one of its sessions, or all of a person. */
  async signedOut(side: SignInSide, issuer: string, subject: string | null, sid: string | null): Promise<void> {
    await this.#deps.ends.write((tables, removed) => {
      if (sid === null) {
        if (subject !== null) this.#signedOut(tables, { side, issuer, subject }, removed);
        return;
      }
      for (const { id, userId } of tables.sessions.ofProvider(sid)) {
        const known = tables.identities.of(userId);
        const isIts = known?.side === side && known.issuer === issuer && known.subject === (subject ?? known.subject);
        if (isIts) removed(tables.sessions.remove(id));
      }
    });
  }

  /** From then on this person signs in as this user, with the role that the provider gives. @throws OperatorError */
  link(name: string, subject: string): Promise<UserRow> {
    return this.#deps.ends.write((tables, removed) => {
      const user = existing(tables, name);
      const side: SignInSide = isCustomerRole(user.role) ? "portal" : "console";
      const issuer = this.#deps.issuers[side];
      if (issuer === null) throw new OperatorError("no_provider");
      const taken = tables.identities.find(side, issuer, subject);
      if (taken !== null && taken.userId !== user.id) throw new OperatorError("identity_taken");
      if (taken !== null) return user;
      // Of the person whom the user was linked to before.
      removed(tables.sessions.removeOpenedBy(user.id, "oidc"));
      const createdAt = this.#deps.clock.now();
      tables.identities.set({ userId: user.id, side, issuer, subject, givesRole: false, createdAt, judgedAt: null });
      return user;
    });
  }

  /** What was opened by it ends. A role that the provider gave is the user's own from then on. @throws OperatorError */
  unlink(name: string): Promise<UserRow> {
    return this.#deps.ends.write((tables, removed) => {
      const user = existing(tables, name);
      tables.identities.removeOf(user.id);
      removed(tables.sessions.removeOpenedBy(user.id, "oidc"));
      return user;
    });
  }
}
