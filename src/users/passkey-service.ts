/** Passkeys: asking browsers for them, adding and removing them, and who proved to have one. */
import { clientOf } from "../domain/client-address.ts";
import { OperatorError } from "../domain/operator-error.ts";
import { isCustomerRole, type Role } from "../domain/roles.ts";
import type { SignInSide } from "../domain/ways-in.ts";
import type { KeyedHash } from "../platform/keyed-hash.ts";
import type { Logger } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import type { PasskeyRow } from "../store/passkeys.ts";
import type { Store, Tables } from "../store/store.ts";
import type { UserRow } from "../store/users.ts";
import { challengeMs, PasskeyChallenges } from "./passkey-challenges.ts";
import { creationOptions, passkeyHost, requestOptions } from "./passkey-requests.ts";
import { askerOf, PasswordLanes } from "./password-lanes.ts";
import type { ProviderRoles } from "./provider-roles.ts";
import type { SessionEnds, SessionOfUser } from "./session-ends.ts";

export interface PasskeyServiceDeps {
  store: Store;
  clock: { now(): number; monotonic(): number };
  random: Pick<Random, "bytes">;
  ends: SessionEnds;
  log: Pick<Logger, "info">;
  /** By which authenticators tell users apart, without their names. */
  handles: KeyedHash;
  /** Under which browsers reach each listener from elsewhere. */
  urls: Readonly<Record<SignInSide, string | null>>;
  providerRoles: Pick<ProviderRoles, "mayHaveOwn" | "assertMayHaveOwn">;
  /** From whom a second factor is demanded. */
  isFactorDemanded(role: Role): boolean;
}

export type PasskeyUser = Pick<UserRow, "id" | "name" | "role">;

/** Where a browser is asked. */
export interface PasskeyPlace {
  side: SignInSide;
  origin: string;
  address: string;
}

/** What is made once a browser has answered. */
export interface NewPasskeyTerms {
  name: string;
  signsIn: boolean;
  sessionId: number;
}

interface Asked {
  host: string;
  userId: number | null;
  terms: NewPasskeyTerms | null;
}

/** `late`: the challenge has ended. `counted_back`: a copy of it may exist, so it proves nothing. */
export type PasskeyProof =
  | { kind: "proven"; passkey: PasskeyRow; user: UserRow }
  | { kind: "counted_back"; passkey: PasskeyRow; user: UserRow }
  | { kind: "late" | "wrong" };

export const passkeysOfUserMax = 20;
/** In the log. */
const refusalLengthMax = 200;

/** Longer than what is hashed for the tokens of sessions. */
const handleOf = (userId: number): string => `the handle of user ${userId} at authenticators`;

export class PasskeyService {
  readonly #deps: PasskeyServiceDeps;
  readonly #challenges: PasskeyChallenges<Asked>;
  readonly #lanes = new PasswordLanes();

  constructor(deps: PasskeyServiceDeps) {
    this.#deps = deps;
    this.#challenges = new PasskeyChallenges(deps);
  }

  /** Of a user, or all. */
  list(userId?: number): PasskeyRow[] {
    return this.#deps.store.tables.passkeys.list(userId);
  }

  /** Those bound to the name under which the user's pages are served now, or to this machine's. */
  bound({ id, role }: PasskeyUser): PasskeyRow[] {
    const url = this.#deps.urls[isCustomerRole(role) ? "portal" : "console"];
    const hosts = ["localhost", url === null ? null : passkeyHost(url)];
    return this.list(id).filter(({ host }) => hosts.includes(host));
  }

  /** Whether the user may have any. */
  mayHave({ id }: PasskeyUser): boolean {
    return this.#deps.providerRoles.mayHaveOwn(this.#deps.store.tables, id);
  }

  /** Whether the provider has just opened the session: enough for a user who has nothing else to show. */
  isFresh({ userId, sessionId }: SessionOfUser): boolean {
    const { clock, store } = this.#deps;
    const since = clock.now() - challengeMs;
    return store.tables.sessions
      .of(userId)
      .some((one) => one.id === sessionId && one.way === "oidc" && one.createdAt > since);
  }

  /** Whether one of them is asked for after a password. */
  isAskedOf(user: PasskeyUser): boolean {
    const isDemanded = this.#deps.isFactorDemanded(user.role);
    return this.bound(user).some(({ signsIn }) => isDemanded || !signsIn);
  }

  /** Whether anybody signs in by a passkey under this origin. */
  isOffered(origin: string): boolean {
    const host = passkeyHost(origin);
    return host !== null && this.#deps.store.tables.passkeys.hasAt(host);
  }

  /** Where passkeys work if they do not under this origin. */
  originsBeside(side: SignInSide, origin: string): string[] {
    if (passkeyHost(origin) !== null) return [];
    const [here, url] = [new URL(origin), this.#deps.urls[side]];
    const isThisMachine = here.hostname.startsWith("127.") || here.hostname === "[::1]";
    const named = url !== null && passkeyHost(url) !== null ? [new URL(url).origin] : [];
    return isThisMachine ? [...named, `${here.protocol}//localhost${here.port === "" ? "" : `:${here.port}`}`] : named;
  }

  /** For the browser: for the user's, or whichever signs in. @throws OperatorError `passkey_not_found` for none */
  request({ origin, address }: Pick<PasskeyPlace, "origin" | "address">, user: PasskeyUser | null) {
    const host = passkeyHost(origin);
    const theirs = user === null ? [] : this.list(user.id).filter((one) => one.host === host);
    if (host === null || (user === null ? !this.isOffered(origin) : theirs.length === 0))
      throw new OperatorError("passkey_not_found");
    const challenge = this.#challenges.create(address, { host, userId: user?.id ?? null, terms: null });
    return requestOptions(challenge, host, theirs);
  }

  /** For the browser: a new one. Null where browsers allow none. */
  proposal(
    { origin, address }: Pick<PasskeyPlace, "origin" | "address">,
    user: PasskeyUser,
    service: string,
    terms: NewPasskeyTerms,
  ) {
    const host = passkeyHost(origin);
    if (host === null) return null;
    this.#deps.providerRoles.assertMayHaveOwn(this.#deps.store.tables, user.id);
    const passkeys = this.list(user.id);
    if (passkeys.length >= passkeysOfUserMax) throw new OperatorError("passkey_limit_reached");
    const { signsIn } = terms;
    const challenge = this.#challenges.create(address, { host, userId: user.id, terms });
    const handle = this.#deps.handles.hash(handleOf(user.id));
    return creationOptions({ challenge, host, service, user, handle, signsIn, passkeys });
  }

  /** What the browser answered to `request`. @throws PasswordsBusy */
  async prove(
    { side, origin, address }: PasskeyPlace,
    answer: string,
    asked: PasskeyUser | null,
  ): Promise<PasskeyProof> {
    const { assertionIn, assertionCounter, challengeIn } = await import("./passkey-verification.ts");
    const { tables } = this.#deps.store;
    const assertion = assertionIn(answer);
    const passkey = assertion === null ? null : tables.passkeys.byCredential(assertion.id);
    if (assertion === null || passkey === null) return { kind: "wrong" };
    const [challenge, host] = [challengeIn(assertion), passkeyHost(origin)];
    const open = this.#challenges.take(address, challenge);
    if (open === null) return { kind: "late" };
    const isAsked = asked === null ? passkey.signsIn : passkey.userId === asked.id;
    if (open.terms !== null || open.userId !== (asked?.id ?? null) || open.host !== host || !isAsked)
      return { kind: "wrong" };
    const asker = asked === null ? { lane: side, client: clientOf(address), isStranger: true } : askerOf(asked);
    const expected = { origin, host, challenge, isUserVerified: asked === null };
    const counter = await this.#judged(asker, () => assertionCounter(assertion, passkey.publicKey, expected));
    return counter === null ? { kind: "wrong" } : this.#counted(passkey.id, counter);
  }

  /** What the browser answered to `proposal`. @throws OperatorError, PasswordsBusy */
  async add(
    { origin, address }: PasskeyPlace,
    answer: string,
    user: PasskeyUser,
    sessionId: number,
  ): Promise<PasskeyRow | null> {
    const { challengeIn, createdPasskey, creationIn } = await import("./passkey-verification.ts");
    const creation = creationIn(answer);
    if (creation === null) return null;
    const [challenge, host] = [challengeIn(creation), passkeyHost(origin)];
    const open = this.#challenges.take(address, challenge);
    if (open?.terms?.sessionId !== sessionId || open.userId !== user.id || open.host !== host) return null;
    const { name, signsIn } = open.terms;
    const expected = { origin, host, challenge, isUserVerified: signsIn };
    const created = await this.#judged(askerOf(user), () => createdPasskey(creation, expected));
    if (created === null) return null;
    const row = { ...created, userId: user.id, name, host, signsIn, createdAt: this.#deps.clock.now() };
    return this.#deps.store.write((tables) => {
      if (tables.passkeys.list(user.id).length >= passkeysOfUserMax) throw new OperatorError("passkey_limit_reached");
      if (tables.passkeys.byCredential(row.credentialId) !== null) return null;
      // It may have ended meanwhile, by a reset.
      if (tables.sessions.confirmed(sessionId, user.id) === null) return null;
      if (signsIn) tables.sessions.proved(sessionId);
      return tables.passkeys.insert(row);
    });
  }

  /** Sessions that the user's passkeys opened end, but not the one that asks. @throws OperatorError `passkey_not_found` */
  remove(id: number, by: { userId: number; sessionId: number } | null): Promise<PasskeyRow> {
    return this.#deps.ends.write((tables, removed) => {
      const passkey = tables.passkeys.byId(id);
      if (passkey === null || (by !== null && passkey.userId !== by.userId))
        throw new OperatorError("passkey_not_found");
      tables.passkeys.remove(id);
      removed(tables.sessions.removeOpenedBy(passkey.userId, "passkey", by?.sessionId ?? null));
      return passkey;
    });
  }

  /** One at a time in each lane. Null if it was refused; why is in the log. */
  async #judged<T>(asker: Parameters<PasswordLanes["run"]>[0], judge: () => Promise<T>): Promise<T | null> {
    return this.#lanes.run(asker, async () => {
      try {
        return await judge();
      } catch (reason) {
        const why = reason instanceof Error ? reason.message.slice(0, refusalLengthMax) : "";
        this.#deps.log.info({ client: asker.client, why }, "a passkey was refused");
        return null;
      }
    });
  }

  /** Only an authenticator that counts at all counts up. */
  #counted(id: number, counter: number): Promise<PasskeyProof> {
    return this.#deps.store.write((tables) => {
      // Both may have gone meanwhile.
      const passkey = tables.passkeys.byId(id);
      const user = passkey === null ? null : tables.users.byId(passkey.userId);
      if (passkey === null || user === null || user.disabledAt !== null) return { kind: "wrong" };
      if (!this.#deps.providerRoles.mayHaveOwn(tables, user.id)) return { kind: "wrong" };
      const hasCountedBack = (counter > 0 || passkey.counter > 0) && counter <= passkey.counter;
      if (hasCountedBack) return { kind: "counted_back", passkey, user };
      tables.passkeys.used(id, { counter, usedAt: this.#deps.clock.now() });
      return { kind: "proven", passkey, user };
    });
  }
}

/** The transaction that begins a session looks once more. */
export const isStillThere =
  ({ id }: PasskeyRow) =>
  (tables: Tables): boolean =>
    tables.passkeys.byId(id) !== null;
