/**
 * Authenticates customers of drop-in protocols, and reports their requests to the log (without content) and to the
 * operator.
 */
import { clientOf } from "../domain/client-address.ts";
import type { CredentialKind } from "../domain/credential.ts";
import type { CredentialOwner } from "../messaging/directory/credential-directory.ts";
import type { CredentialGate, GateOutcome, Peer } from "../messaging/directory/credential-gate.ts";
import type { CredentialUses } from "../messaging/directory/credential-uses.ts";
import type { RefusedRequests } from "../messaging/refusals/refused-requests.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";

export interface DropInCustomersDeps {
  gate: Pick<CredentialGate, "open" | "openBy">;
  uses: CredentialUses;
  refusedRequests: Pick<RefusedRequests, "record">;
  clock: Clock;
  log: Logger;
}

/** `throttled`: too many wrong secrets came from the address. */
export type SignInOutcome = CredentialOwner | "wrong" | "throttled";

/** At most one log line per credential and cause in this time. */
const logEveryMs = 60_000;
/** What a customer calls the request. */
const requestNames: Readonly<Record<CredentialKind, string>> = {
  smpp: "submit_sm",
  kannel: "/cgi-bin/sendsms",
  jasmin: "/send",
  intake: "/in/NAME",
  smtp: "MAIL",
};
/** There are few causes; this bounds the memory for many credentials. */
const rememberedMax = 10_000;

export class DropInCustomers {
  readonly #loggedAtMs = new Map<string, number>();

  constructor(private readonly deps: DropInCustomersDeps) {}

  signIn(kind: CredentialKind, name: string, secret: string, from: Peer): SignInOutcome {
    return this.#told(kind, from, this.deps.gate.open(kind, name, secret, from));
  }

  /** For a proof other than a password, such as a signature. */
  signInBy(kind: CredentialKind, name: string, from: Peer, proves: (owner: CredentialOwner) => boolean): SignInOutcome {
    return this.#told(kind, from, this.deps.gate.openBy(kind, name, from, proves));
  }

  accepted({ credential }: CredentialOwner, messageCount: number): void {
    this.deps.uses.accepted(credential.id, messageCount);
  }

  /** A request whose sender is unknown because it cannot be read. */
  unread(route: string, { address }: Peer): void {
    if (this.#isNews(`${route} ${clientOf(address)}`))
      this.deps.log.warn({ route, address }, "a drop-in request could not be read");
  }

  /** `cause`: one of a few. `words`: free of texts, numbers and secrets. */
  refused({ credential, account }: CredentialOwner, cause: string, words: string): void {
    const { uses, clock, log, refusedRequests } = this.deps;
    refusedRequests.record(
      { accountId: account.id, way: credential.kind, id: credential.id },
      { code: cause, status: null, request: requestNames[credential.kind], field: "", sender: "" },
    );
    uses.refused(credential.id, { at: clock.now(), status: cause, words });
    if (this.#isNews(`${credential.id} ${cause}`))
      log.warn(
        { credential: credential.id, kind: credential.kind, cause, why: words },
        "a drop-in request was refused",
      );
  }

  /** The name that was sent is not logged: it could be a password in the wrong field. */
  #told(kind: CredentialKind, from: Peer, outcome: GateOutcome): SignInOutcome {
    if ("owner" in outcome) return outcome.owner;
    if (outcome.refused === "throttled") return "throttled";
    const { address } = from;
    const why =
      outcome.refused === "not_usable"
        ? "its key is not for this address, or a test key, or its password is too short without addresses"
        : "name or secret is wrong";
    if (this.#isNews(`${kind} ${address} ${why}`)) this.deps.log.warn({ kind, address, why }, "a sign-in was refused");
    return "wrong";
  }

  #isNews(subject: string): boolean {
    const nowMs = this.deps.clock.monotonic();
    if ((this.#loggedAtMs.get(subject) ?? Number.NEGATIVE_INFINITY) + logEveryMs > nowMs) return false;
    if (this.#loggedAtMs.size >= rememberedMax) this.#loggedAtMs.clear();
    this.#loggedAtMs.set(subject, nowMs);
    return true;
  }
}
