/** Quotas of accounts and keys: set, lift, show with what is used of them. */
import { Elysia, t } from "elysia";
import { counted } from "../domain/counted.ts";
import { invalidRequest } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { quotaPartsMax } from "../domain/quota.ts";
import type { QuotaUse } from "../messaging/quotas/quota-guard.ts";
import { isoTime } from "../platform/clock.ts";
import type { QuotaSubject } from "../store/quotas.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdOf, accountIdText, keyIdOf, keyIdText } from "./ids.ts";
import { firstWarnings } from "./warnings.ts";

const limitSchema = t.Optional(
  t.Nullable(
    t.Integer({ minimum: 0, maximum: quotaPartsMax, error: `must be a whole number from 0 to ${quotaPartsMax}` }),
  ),
);

export type QuotaAnswer = ReturnType<typeof quotaAnswer>;

export function quotaAnswer({ quota, period, partsUsed }: QuotaUse) {
  const { subject, subjectId } = quota;
  return {
    /** `acc_1` or `key_1`. */
    of: subject === "account" ? accountIdText(subjectId) : keyIdText(subjectId),
    period: quota.period,
    partsMax: quota.partsMax,
    partsUsed,
    /** Of the present day or month. */
    startsAt: isoTime(period.startsAt),
    resetsAt: isoTime(period.endsAt),
  };
}

/** `acc_1`, `key_1`. Throws OperatorError. */
export function quotaSubjectOf(text: string): QuotaSubject {
  if (text.startsWith("key_")) return { subject: "key", subjectId: keyIdOf(text) };
  return { subject: "account", subjectId: accountIdOf(text) };
}

export function quotaRoutes({ quotas }: Pick<OperatorDeps, "quotas">) {
  return new Elysia({ prefix: "/quotas" })
    .get("/", () => quotas.all().map(quotaAnswer))
    .get("/:of", ({ params }) => quotas.of(quotaSubjectOf(params.of)).map(quotaAnswer))
    .put(
      "/:of",
      async ({ params, body: { day, month } }) => {
        if (day === undefined && month === undefined)
          throw invalidRequest([problemOf("body", "nothing_to_change", {})]);
        return (await quotas.set(quotaSubjectOf(params.of), { day, month })).map(quotaAnswer);
      },
      { body: t.Object({ day: limitSchema, month: limitSchema }) },
    );
}

/** Sentences about quotas of which little is left. */
export function quotaWarnings({ quotas }: Pick<OperatorDeps, "quotas">): string[] {
  const others = (count: number) => `Little is left of ${counted(count, "more quota")}. See: peyk quota show`;
  return firstWarnings({ rows: quotas.nearlyUsed(), others }, (use) => {
    const { of, period, partsMax, partsUsed, resetsAt } = quotaAnswer(use);
    return `${of} has sent ${partsUsed} of the ${counted(partsMax, "part")} that it may send in this ${period}, which ends at ${resetsAt}. See: peyk quota show ${of}`;
  });
}
