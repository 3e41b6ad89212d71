/** Authenticates binds, and checks that the key permits what the bind is for. */
import { readSmppCredential, type SmppCredentialOptions } from "../domain/credential.ts";
import type { Reason } from "../domain/reason.ts";
import type { CredentialOwner } from "../messaging/directory/credential-directory.ts";
import type { CredentialGate, GateRefusal } from "../messaging/directory/credential-gate.ts";
import type { BindRequest } from "./customer-requests.ts";
import type { CustomerBindMode } from "./customer-session.ts";
import { customerStatus } from "./customer-status.ts";

export type BindOutcome =
  | { status: number; why: string }
  | { status: 0; owner: CredentialOwner; options: SmppCredentialOptions };

const wantedBy = {
  transmitter: ["messages:send"],
  receiver: ["messages:read", "inbound:read"],
  transceiver: ["messages:send", "messages:read", "inbound:read"],
} as const;

export class BindService {
  constructor(private readonly gate: CredentialGate) {}

  /** A correct password is never refused because of others' attempts from its address. */
  decide(request: BindRequest, mode: CustomerBindMode, address: string): BindOutcome {
    const { systemId, password } = request;
    const outcome = this.gate.open("smpp", systemId, password, { address });
    if ("refused" in outcome) return refusedBind(systemId, outcome.refused);
    const { owner } = outcome;
    const { account, key, credential } = owner;
    if (account.status === "suspended") return { status: customerStatus.bindFailed, why: "the account is suspended" };
    if (!wantedBy[mode].some((permission) => key.permissions.has(permission)))
      return { status: customerStatus.bindFailed, why: "the key lacks the permission" };
    return { status: 0, owner, options: readSmppCredential(credential.options) };
  }

  /** Why a bind must end that was once accepted; null if it may stay. `owner`: null if it is not valid any more. */
  endOf(owner: CredentialOwner | null, address: string): Reason | null {
    if (owner === null) return { code: "client_key_ended" };
    if (owner.account.status === "suspended") return { code: "waits_account_suspended" };
    return this.gate.mayUse(owner, { address }) ? null : { code: "client_address_refused" };
  }
}

function refusedBind(systemId: string, refusal: GateRefusal): BindOutcome {
  if (refusal === "throttled") return { status: customerStatus.throttled, why: "" };
  const why =
    refusal === "not_usable" ? "its key is not for this address, or a test key" : "system_id or password is wrong";
  return { status: customerStatus.invalidPassword, why: `${why} (${JSON.stringify(systemId)})` };
}
