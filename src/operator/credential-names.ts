/** The names of new credentials, which are unique among those of all accounts. */
import {
  type CredentialKind,
  credentialNameFor,
  isSystemId,
  suffixedName,
  suffixLength,
} from "../domain/credential.ts";
import { dropInLimits } from "../domain/drop-in-credential.ts";
import { type OperatorProblem, problemOf } from "../domain/operator-problem.ts";
import type { OperatorCaller } from "./caller.ts";
import type { OperatorDeps } from "./deps.ts";

const systemIdMax = 15;

/**
 * A customer's gets a random end: no name is taken then, and none tells that another account has it. `name`: the chosen
 * one.
 */
export function newNameOf(
  { random }: Pick<OperatorDeps, "random">,
  { accountId }: OperatorCaller,
  kind: CredentialKind,
  name: string | undefined,
): string {
  const bytes = (count: number) => random.bytes(count);
  if (name === undefined) return credentialNameFor(kind, bytes);
  return accountId === null ? name : suffixedName(name, bytes);
}

export function nameProblems(
  { accountId }: OperatorCaller,
  kind: CredentialKind,
  name: string | undefined,
): OperatorProblem[] {
  if (name === undefined) return [];
  if (kind === "smpp" && !isSystemId(name)) return [problemOf("name", "system_id", {})];
  const max = (kind === "smpp" ? systemIdMax : dropInLimits.nameCharactersMax) - suffixLength;
  return accountId !== null && name.length > max ? [problemOf("name", "latin_word", { max })] : [];
}
