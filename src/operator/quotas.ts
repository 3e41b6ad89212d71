/** Quotas of accounts and keys: setting, removing, and showing them with their usage. */
import { Type as t } from "@sinclair/typebox";
import { counted } from "../domain/counted.ts";
import { invalidRequest } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { quotaFields } from "../fields/quota.ts";
import type { QuotaUse } from "../messaging/quotas/quota-guard.ts";
import { isoTime } from "../platform/clock.ts";
import type { QuotaSubject } from "../store/quotas.ts";
import type { OperatorDeps } from "./deps.ts";
import { foundOrNull } from "./errors.ts";
import { fieldSchemas } from "./field-schema.ts";
import { accountIdOf, accountIdText, keyIdOf, keyIdText } from "./ids.ts";
import { changes, reads, type Scope } from "./operation.ts";
import { firstWarnings } from "./warnings.ts";

export type QuotaAnswer = ReturnType<typeof quotaAnswer>;

export function quotaAnswer({ quota, period, partsUsed }: QuotaUse) {
  const { subject, subjectId } = quota;
  return {
    /** `acc_1` or `key_1`. */
    of: subject === "account" ? accountIdText(subjectId) : keyIdText(subjectId),
    period: quota.period,
    partsMax: quota.partsMax,
    partsUsed,
    /** For the current day or month. */
    startsAt: isoTime(period.startsAt),
    resetsAt: isoTime(period.endsAt),
  };
}

/** `acc_1`, `key_1`. Throws OperatorError. */
export function quotaSubjectOf(text: string): QuotaSubject {
  if (text.startsWith("key_")) return { subject: "key", subjectId: keyIdOf(text) };
  return { subject: "account", subjectId: accountIdOf(text) };
}

/** For the audit; null if no such account or key exists. */
export function quotasOf(subject: string, { quotas }: Pick<OperatorDeps, "quotas">) {
  const found = foundOrNull(() => quotas.of(quotaSubjectOf(subject)));
  if (found === null) return null;
  return Object.fromEntries(found.map(({ quota: { period, partsMax } }) => [period, partsMax]));
}

const subjectOwner: Scope = ({ of }, { directory }) => {
  const found = foundOrNull(() => quotaSubjectOf(String(of)));
  if (found === null) return null;
  return found.subject === "account" ? found.subjectId : (directory.key(found.subjectId)?.accountId ?? null);
};

export const quotaAdmin = {
  "GET /quotas": reads({
    may: "accounts.read",
    run: ({ quotas }) => quotas.all().map(quotaAnswer),
  }),
  "GET /quotas/:of": reads({
    may: "usage.read",
    scope: subjectOwner,
    input: { of: t.String() },
    run: ({ quotas }, { of }) => quotas.of(quotaSubjectOf(of)).map(quotaAnswer),
  }),
  "PUT /quotas/:of": changes({
    may: "accounts.change",
    input: { of: t.String(), ...fieldSchemas(quotaFields) },
    run: async ({ quotas }, { of, day, month }) => {
      if (day === undefined && month === undefined) throw invalidRequest([problemOf("body", "nothing_to_change", {})]);
      return (await quotas.set(quotaSubjectOf(of), { day, month })).map(quotaAnswer);
    },
    audit: { action: "quota.set", target: ({ of }) => of, state: (deps, { of }) => quotasOf(of, deps) },
  }),
};

/** Warnings about quotas that are nearly used up. */
export function quotaWarnings({ quotas }: Pick<OperatorDeps, "quotas">): string[] {
  const others = (count: number) => `Little is left of ${counted(count, "more quota")}. See: peyk quota show`;
  return firstWarnings({ rows: quotas.nearlyUsed(), others }, (use) => {
    const { of, period, partsMax, partsUsed, resetsAt } = quotaAnswer(use);
    return `${of} has sent ${partsUsed} of the ${counted(partsMax, "part")} that it may send in this ${period}, which ends at ${resetsAt}. See: peyk quota show ${of}`;
  });
}
