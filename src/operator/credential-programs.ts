/** Whether the texts that lines and their rules take for a credential reach its program. */

import type { CustomerCredential } from "../messaging/directory/credential-directory.ts";
import type { OperatorDeps } from "./deps.ts";
import { ruleIdText } from "./ids.ts";

type CredentialDeps = Pick<OperatorDeps, "credentials">;

export type CredentialStatus = "active" | "revoked" | "key_ended";

export function credentialStatus(
  { id, revokedAt }: CustomerCredential,
  { credentials }: CredentialDeps,
): CredentialStatus {
  if (revokedAt !== null) return "revoked";
  return credentials.directory.owner(id) === null ? "key_ended" : "active";
}

export type ProgramProblem = Exclude<CredentialStatus, "active"> | "no_template";

/** Why a credential's program gets no text; null if it does. `isOfLine`: SMPP clients get those of their own lines. */
export function programProblem(id: number | null, deps: CredentialDeps, isOfLine: boolean): ProgramProblem | null {
  const credential = id === null ? null : deps.credentials.directory.byId(id);
  if (credential === null) return null;
  const status = credentialStatus(credential, deps);
  if (status !== "active") return status;
  const isReached = credential.sealedForward !== null || (isOfLine && credential.kind === "smpp");
  return isReached ? null : "no_template";
}

/** What takes texts for a credential. */
export function takingFor(credential: CustomerCredential, { directory, inbound, inboundRules }: OperatorDeps) {
  const accountId = directory.key(credential.apiKeyId)?.accountId;
  const own = inbound.lines.all().filter((line) => line.accountId === accountId);
  const isFor = ({ credentialId }: { credentialId: number | null }) => credentialId === credential.id;
  return {
    lines: own.filter(isFor).map(({ number }) => number),
    rules: own.flatMap(({ number: line }) => {
      const named = inboundRules.service.list(line).rules.filter(isFor);
      return named.map(({ id }) => ({ line, rule: ruleIdText(id) }));
    }),
  };
}
