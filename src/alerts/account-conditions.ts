/** Conditions about what accounts may still send. */
import type { AlertCondition, AlertFinding } from "./condition.ts";

export interface AccountConditionsDeps {
  /** Quotas of which less than a fifth is left; `of`: an account or a key, as commands name it. */
  quotas(): readonly { of: string; period: string; partsUsed: number; partsMax: number }[];
  /** Active prepaid accounts; amounts in the currency's smallest unit, `spent` in the last day. */
  balances(now: number): readonly { account: string; name: string; available: number; spent: number }[];
}

export function accountConditions({ quotas, balances }: AccountConditionsDeps): AlertCondition[] {
  const common = { severity: "ticket" as const, holdMs: 0, windowMs: 0 };
  return [
    {
      ...common,
      name: "QuotaNearlyUsed",
      todo: (subject) => `peyk quota show ${subject.split(" ")[0]}`,
      find: () =>
        quotas().map(({ of, period, partsUsed, partsMax }) => {
          const used = `${partsUsed} of ${partsMax} parts of its ${period}`;
          return { subject: `${of} ${period}`, words: `The quota of ${of} is nearly used up: ${used}` };
        }),
    },
    {
      ...common,
      name: "BalanceLow",
      todo: (account) => `peyk account balance ${account}`,
      find: (_, now) =>
        balances(now).flatMap(({ account, name, available, spent }): AlertFinding[] => {
          if (available > 0 && available >= spent) return [];
          const words = available <= 0 ? "has nothing left to spend" : "has less left to spend than it spent in a day";
          return [{ subject: account, words: `${name} (${account}) ${words}` }];
        }),
    },
  ];
}
