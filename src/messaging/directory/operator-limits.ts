/** Reads and writes the limits that operators set on keys and credentials, and refuses what exceeds them. */
import { readSmppCredential } from "../../domain/credential.ts";
import {
  areAllPermissions,
  type CredentialLimits,
  credentialProblems,
  type KeyLimits,
  keyProblems,
  type SetBy,
} from "../../domain/customer-limits.ts";
import { invalidRequest } from "../../domain/operator-error.ts";
import type { OperatorProblem } from "../../domain/operator-problem.ts";
import { isPermission, permissions } from "../../domain/permissions.ts";
import type { AccountRow } from "../../store/accounts.ts";
import type { CredentialRow, NewCredential } from "../../store/credentials.ts";
import type { KeyRow, NewKey } from "../../store/keys.ts";

interface LimitedBy<Row> {
  setBy: SetBy;
  account: AccountRow;
  /** Null for a new one. */
  row: Row | null;
}

export const rangesText = (ranges: readonly string[]) => (ranges.length === 0 ? null : ranges.join(" "));

export const rangesOf = (text: string | null) => text?.split(" ") ?? [];

export const permissionsOf = (text: string) => text.split(" ").filter(isPermission);

function refuse(problems: readonly OperatorProblem[]): void {
  if (problems.length > 0) throw invalidRequest(problems);
}

const keyNow = (row: KeyRow): KeyLimits => ({
  requestsPerMinute: row.requestsPerMinute,
  permissions: permissionsOf(row.permissions),
  allowFrom: rangesOf(row.allowFrom),
  expiresAt: row.expiresAt,
});

const keySet = (row: KeyRow | null): KeyLimits => ({
  requestsPerMinute: row?.operatorRate ?? null,
  permissions: row?.operatorPermissions == null ? permissions : permissionsOf(row.operatorPermissions),
  allowFrom: rangesOf(row?.operatorAllowFrom ?? null),
  expiresAt: row?.operatorExpiresAt ?? null,
});

/** The columns in which an operator's change becomes a limit; for a customer, none. @throws OperatorError */
export function keyLimitColumns(
  change: Partial<KeyLimits>,
  { setBy, account, row }: LimitedBy<KeyRow>,
): Partial<NewKey> {
  if (setBy === "customer") {
    refuse(keyProblems(change, keySet(row), account, row === null ? null : keyNow(row)));
    return {};
  }
  const { requestsPerMinute, permissions: chosen, allowFrom, expiresAt } = change;
  return {
    ...(requestsPerMinute !== undefined && { operatorRate: requestsPerMinute }),
    ...(chosen !== undefined && { operatorPermissions: areAllPermissions(chosen) ? null : chosen.join(" ") }),
    ...(allowFrom !== undefined && { operatorAllowFrom: rangesText(allowFrom) }),
    ...(expiresAt !== undefined && { operatorExpiresAt: expiresAt }),
  };
}

type ChosenLimits = { readonly [Name in keyof CredentialLimits]?: CredentialLimits[Name] | undefined };

/** The same for a credential. @throws OperatorError */
export function credentialLimitColumns(
  change: ChosenLimits,
  { setBy, account, row }: LimitedBy<CredentialRow>,
): Partial<NewCredential> {
  const { ratePerSecond, binds, window } = change;
  if (setBy === "operator")
    return {
      ...(ratePerSecond !== undefined && { operatorRate: ratePerSecond }),
      ...(binds !== undefined && { operatorBinds: binds }),
      ...(window !== undefined && { operatorWindow: window }),
    };
  const set = {
    ratePerSecond: row?.operatorRate ?? null,
    binds: row?.operatorBinds ?? null,
    window: row?.operatorWindow ?? null,
  };
  const now = row === null ? null : { ratePerSecond: row.ratePerSecond, ...readSmppCredential(row.options) };
  refuse(credentialProblems(change, set, account, now));
  return {};
}
