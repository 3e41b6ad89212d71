/** Single sign-on at one side: from the button to the provider and back, and what the provider's answer opens. */
import { isObject } from "../domain/json-file.ts";
import {
  type ClaimProblem,
  claimAt,
  isClaimProblem,
  roleGiven,
  userNameFrom,
  valuesAt,
} from "../domain/oidc-claims.ts";
import { OperatorError } from "../domain/operator-error.ts";
import type { Role } from "../domain/roles.ts";
import type { SignInSide } from "../domain/ways-in.ts";
import { type Clock, within } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import {
  OpenidProvider,
  type ProvenPerson,
  ProviderFailed,
  type ProviderOptions,
  type ProviderTrouble,
  type SignInSecrets,
} from "../platform/openid-provider.ts";
import { rateWindows } from "../platform/rate-window.ts";
import type { Sealer } from "../platform/seal.ts";
import type { Admission, ProviderUsers } from "./provider-users.ts";
import type { SessionOfUser } from "./session-ends.ts";
import type { SessionService } from "./session-service.ts";

export interface SingleSignOnOptions extends ProviderOptions {
  side: SignInSide;
  /** What the button says. */
  name: string;
  redirectUri: string;
  scopes: string;
  acrValues: string;
  claim: string;
  /** VALUE=ROLE */
  mapping: readonly string[];
  roles: readonly Role[];
  /** The claim that names the account; null where there is none. */
  account: string | null;
  sessionHours: number;
}

export interface SingleSignOnDeps {
  clock: Pick<Clock, "now" | "monotonic" | "after">;
  sealer: Sealer;
  log: Pick<Logger, "info" | "warn" | "debug">;
  users: ProviderUsers;
  sessions: Pick<SessionService, "isOpen" | "find">;
}

/** A person who is signed in and whom the provider shall vouch for from now on. */
export interface Linking extends SessionOfUser {
  user: string;
}

interface Sealed {
  side: SignInSide;
  at: number;
}

/** What the browser keeps, sealed, until it comes back. */
interface Flow extends SignInSecrets, Sealed {
  /** The page that the reader wanted. */
  to: string;
  /** The session that the browser had; it ends when another begins. */
  before: string | null;
  link: Linking | null;
}

export interface SignOnAsked extends Pick<Flow, "to" | "before"> {
  /** Of somebody who is signed in and asks to be linked. */
  ticket: string | null;
}

/** `expired`: of another browser, used before, or too late. */
export type SignOnTrouble =
  | { kind: ProviderTrouble | "expired" | "busy" | "disabled" | "identity_taken" }
  | ClaimProblem;

export type SignOnSuccess =
  | (Extract<Admission, { kind: "in" }> & Pick<Flow, "to" | "before">)
  | { kind: "linked"; user: string };
export type SignOnEnd = SignOnSuccess | { kind: "trouble"; trouble: SignOnTrouble };

export const flowMs = 10 * 60_000;
/** Waiting for a provider that does not answer. */
const beginMsMax = 1_000;
/** Requests to the provider at a time: strangers begin sign-ins as well. */
const runningMax = 16;
const toLengthMax = 1_000;
const tokenLengthMax = 100;
const rememberedMax = 10_000;

export class SingleSignOn {
  readonly options: SingleSignOnOptions;
  readonly #deps: SingleSignOnDeps;
  readonly #provider: OpenidProvider;
  /** What was used and may not be used again: states, and logout tokens. The oldest first. */
  readonly #used = new Map<string, number>();
  /** Anybody may send what is no notice of the provider: one a minute is logged as a warning. */
  readonly #notices;
  #running = 0;

  constructor(options: SingleSignOnOptions, deps: SingleSignOnDeps) {
    this.options = options;
    this.#deps = deps;
    this.#provider = new OpenidProvider(options, deps.clock);
    this.#notices = rateWindows<string>(deps.clock, 1);
  }

  /** Where the browser goes, and what it keeps meanwhile. */
  async begin({ to, before, ticket }: SignOnAsked): Promise<{ url: string; kept: string } | SignOnTrouble> {
    const link = ticket === null ? null : await this.#linking(ticket, before);
    if (ticket !== null && link === null) return { kind: "expired" };
    return this.#tried(async () => {
      const { url, ...secrets } = await this.#begun();
      const asked = { to: to.length > toLengthMax ? "/" : to, before: before?.slice(0, tokenLengthMax) ?? null };
      return { url, kept: this.#sealed({ ...secrets, ...asked, link }) };
    });
  }

  /** For somebody who just gave the password again. */
  ticketFor(linking: Linking): string {
    return this.#sealed({ linking });
  }

  /** Only the browser that asked to be linked: by another's ticket, its reader would become the other. */
  async #linking(ticket: string, token: string | null): Promise<Linking | null> {
    const linking = this.#opened(ticket, isTicket)?.linking;
    const held = token === null ? null : await this.#deps.sessions.find(token);
    return linking !== undefined && held?.session.id === linking.sessionId ? linking : null;
  }

  #sealed(content: object): string {
    const kept = { ...content, side: this.options.side, at: this.#deps.clock.now() };
    return Buffer.from(this.#deps.sealer.seal(JSON.stringify(kept))).toString("base64url");
  }

  #begun(): ReturnType<OpenidProvider["begin"]> {
    const { redirectUri, scopes, acrValues, issuer } = this.options;
    const late = () => new ProviderFailed("down", `${issuer} does not answer within a second`);
    return within(this.#deps.clock, beginMsMax, this.#provider.begin(redirectUri, scopes, acrValues), late);
  }

  /** `kept`: what the browser kept; `query`: what the provider sent with it. */
  async finish(kept: string | null, query: URLSearchParams, address: string): Promise<SignOnEnd> {
    const flow = kept === null ? null : this.#opened(kept, isFlow);
    if (flow === null || query.get("state") !== flow.state || !this.#isFirstUse(flow.state)) {
      return { kind: "trouble", trouble: { kind: "expired" } };
    }
    const { claim, redirectUri, account } = this.options;
    const back = new URL(`${redirectUri}?${query}`);
    const needs = (claims: object) =>
      [claim, ...(account === null ? [] : [account])].some((name) => claimAt(claims, name) === undefined);
    const end = await this.#tried(async () => {
      const person = await this.#provider.finish(back, flow, needs);
      return flow.link === null ? this.#admit(person, flow, address) : this.#link(person, flow.link);
    });
    return end.kind === "in" || end.kind === "linked" ? end : { kind: "trouble", trouble: end };
  }

  async #admit(person: ProvenPerson, { to, before }: Flow, address: string): Promise<SignOnSuccess | SignOnTrouble> {
    const { side, issuer, sessionHours, acrValues } = this.options;
    const { subject, sid, claims } = person;
    const judged = this.#judge(person);
    if (isClaimProblem(judged)) {
      const { log, users } = this.#deps;
      log.warn({ side, subject, claim: judged.claim, problem: judged.kind }, "single sign-on let nobody in");
      log.debug({ side, subject, value: claimAt(claims, judged.claim) }, "what the provider said");
      await users.left({ side, issuer, subject });
      return judged;
    }
    const endsAt = this.#deps.clock.now() + sessionHours * 3_600_000;
    const name = userNameFrom(claims, subject);
    const asked = { side, issuer, subject, sid, name, endsAt, hasFactor: acrValues !== "", ...judged };
    const admission = await this.#deps.users.admit(asked, address);
    if (admission.kind === "account") return { kind: "account", claim: this.options.account ?? "" };
    if (admission.kind !== "in") return { kind: "disabled" };
    if (admission.isNew)
      this.#deps.log.info({ side, subject, user: admission.user }, "a user was added by single sign-on");
    return { ...admission, to, before };
  }

  #judge({ acr, claims }: ProvenPerson): { role: Role; accountId: number | null } | ClaimProblem {
    const { acrValues, claim, mapping, roles, account } = this.options;
    if (acrValues !== "" && !acrValues.split(" ").includes(acr ?? "")) return { kind: "acr", claim: "acr" };
    const role = roleGiven(claims, claim, { mapping, roles });
    if (isClaimProblem(role)) return role;
    if (account === null) return { role, accountId: null };
    const ids = valuesAt(claims, account);
    if (isClaimProblem(ids)) return ids;
    const id = ids.length === 1 ? /^acc_([1-9]\d{0,14})$/.exec(ids[0] ?? "")?.[1] : undefined;
    return id === undefined ? { kind: "account", claim: account } : { role, accountId: Number(id) };
  }

  async #link({ subject }: ProvenPerson, link: Linking): Promise<SignOnSuccess | SignOnTrouble> {
    if (!this.#deps.sessions.isOpen(link)) return { kind: "expired" };
    try {
      await this.#deps.users.link(link.user, subject);
      return { kind: "linked", user: link.user };
    } catch (reason) {
      if (!(reason instanceof OperatorError) || reason.code !== "identity_taken") throw reason;
      return { kind: "identity_taken" };
    }
  }

  /** A notice of the provider that somebody signed out there. False if it is none. */
  async signedOut(token: string): Promise<boolean> {
    const done = await this.#tried(
      async () => {
        const { subject, sid, jti } = await this.#provider.readLogout(token);
        if (!this.#isFirstUse(`logout ${jti}`))
          throw new ProviderFailed("untrusted", "this logout token was used before");
        await this.#deps.users.signedOut(this.options.side, this.options.issuer, subject, sid);
        return { kind: "done" } as const;
      },
      () => (this.#notices.take("", 1).admitted ? "warn" : "debug"),
    );
    return done.kind === "done";
  }

  /** From then on the person signs in without the provider. @throws OperatorError */
  async unlink(user: string): Promise<void> {
    await this.#deps.users.unlink(user);
  }

  /** What happened instead, if the provider is at fault; the log says more. */
  async #tried<T>(
    work: () => Promise<T>,
    level: () => "warn" | "debug" = () => "warn",
  ): Promise<T | { kind: ProviderTrouble | "busy" }> {
    if (this.#running >= runningMax) return { kind: "busy" };
    this.#running += 1;
    try {
      return await work();
    } catch (reason) {
      if (!(reason instanceof ProviderFailed)) throw reason;
      const { trouble, message } = reason;
      this.#deps.log[level()]({ side: this.options.side, trouble, why: message }, "single sign-on failed");
      return { kind: trouble };
    } finally {
      this.#running -= 1;
    }
  }

  #opened<T extends Sealed>(text: string, isIt: (value: unknown) => value is T): T | null {
    try {
      const content: unknown = JSON.parse(this.#deps.sealer.open(Buffer.from(text, "base64url")));
      if (!isIt(content) || content.side !== this.options.side) return null;
      const age = this.#deps.clock.now() - content.at;
      return age >= 0 && age < flowMs ? content : null;
    } catch {
      // Not sealed by us, or changed since.
      return null;
    }
  }

  #isFirstUse(text: string): boolean {
    const now = this.#deps.clock.now();
    for (const [oldest, at] of this.#used) {
      if (now - at < flowMs && this.#used.size < rememberedMax) break;
      this.#used.delete(oldest);
    }
    if (this.#used.has(text)) return false;
    this.#used.set(text, now);
    return true;
  }
}

const isFlow = (value: unknown): value is Flow => isObject(value) && "verifier" in value;
const isTicket = (value: unknown): value is Sealed & { linking: Linking } => isObject(value) && "linking" in value;
