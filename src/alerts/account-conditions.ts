/** Conditions about what accounts may still send. */
import { alertOf } from "../domain/alert-text.ts";
import type { AlertCondition, AlertFinding } from "./condition.ts";

export interface AccountConditionsDeps {
  /** Quotas of which less than a fifth is left; `of`: an account or a key, as commands name it. */
  quotas(): readonly { of: string; period: string; partsUsed: number; partsMax: number }[];
  /** Active prepaid accounts; amounts in the currency's smallest unit, `spent` in the last day. */
  balances(): readonly { account: string; name: string; available: number; spent: number }[];
}

export function accountConditions({ quotas, balances }: AccountConditionsDeps): AlertCondition[] {
  const common = { severity: "ticket" as const, holdMs: 0, windowMs: 0 };
  return [
    {
      ...common,
      name: "QuotaNearlyUsed",
      todo: (subject) => `peyk quota show ${subject.split(" ")[0]}`,
      find: () =>
        quotas().map(({ of, period, partsUsed, partsMax }) =>
          alertOf("QuotaNearlyUsed", `${of} ${period}`, { of, period, partsUsed, partsMax }),
        ),
    },
    {
      ...common,
      name: "BalanceLow",
      todo: (account) => `peyk account balance ${account}`,
      find: () =>
        balances().flatMap(({ account, name, available, spent }): AlertFinding[] => {
          if (available > 0 && available >= spent) return [];
          return [alertOf("BalanceLow", account, { account, name, isEmpty: available <= 0 })];
        }),
    },
  ];
}
