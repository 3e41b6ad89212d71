/**
 * One-time passwords: the fraud guard's counts of how many were sent where, verified, held back; and by which steps a
 * code is tried again. Never a code.
 */

import { Type as t } from "@sinclair/typebox";
import { invalidRequest } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { type OtpPlanKey, otpStepLimits, otpStepWays } from "../domain/otp-steps.ts";
import { publicStatusOf } from "../domain/status.ts";
import type { MessageService } from "../messaging/messages/message-service.ts";
import type { GuardOverview } from "../messaging/otp/otp-guard.ts";
import { isoTime } from "../platform/clock.ts";
import type { OtpPlanRow } from "../store/otp-steps.ts";
import { timeOrNull } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountField, shortNameSchema } from "./field-schema.ts";
import { accountIdOf, accountIdText } from "./ids.ts";
import { changes, reads } from "./operation.ts";
import { oneOf, told } from "./schemas.ts";

export type OtpGuardAnswer = ReturnType<typeof otpGuardAnswer>;

function otpGuardAnswer({ on, alarms, ranges }: GuardOverview) {
  return {
    /** Nothing is counted while it is off (setting otp.fraud_guard). */
    on,
    /** Accounts with many codes of which few were verified, in this hour and the previous one. */
    alarms: alarms.map(({ accountId, ...counts }) => ({ account: accountIdText(accountId), ...counts })),
    /** Ranges of ten thousand numbers: those with codes held back first, then the busiest. */
    ranges: ranges.map(({ accountId, hourStart, ...range }) => ({
      account: accountIdText(accountId),
      ...range,
      hour: isoTime(hourStart),
    })),
  };
}

export type OtpPlanAnswer = ReturnType<typeof planAnswer>;

const planAnswer = ({ accountId, pattern, steps }: OtpPlanRow) => ({
  /** Null: every account that has none of its own. */
  account: accountId === 0 ? null : accountIdText(accountId),
  /** Null: every code of the account whose pattern has none of its own. */
  pattern: pattern === "" ? null : pattern,
  /** What follows the first SMS, each so many seconds after the step before. */
  steps,
});

type StepsShown = NonNullable<ReturnType<MessageService["show"]>["otpSteps"]>;

/** The steps of the challenge that a message belongs to. */
export function otpStepsAnswer({ steps, dueAt, outcome, endedAt, verifiedAt }: StepsShown) {
  const firstOpen = steps.findIndex(({ isPassed }) => !isPassed);
  return {
    steps: steps.map(({ by, channel = null, beganAt, row, isPassed }, index) => ({
      by,
      /** Its route; null for an SMS. */
      channel,
      trackingCode: row?.trackingCode ?? null,
      beganAt: timeOrNull(beganAt),
      /** Of its message, or what became of a step without one. */
      status: row === null ? unsentStatus(isPassed, outcome) : publicStatusOf(row.state),
      dueAt: index === firstOpen ? timeOrNull(dueAt) : null,
    })),
    /** Why no further step begins; null while one may. */
    outcome,
    endedAt: timeOrNull(endedAt),
    verifiedAt: timeOrNull(verifiedAt),
  };
}

const unsentStatus = (isPassed: boolean, outcome: StepsShown["outcome"]) =>
  isPassed ? ("passed_over" as const) : outcome === null ? ("waits" as const) : ("dropped" as const);

export type OtpTriedAnswer = ReturnType<typeof triedAnswer>;

const dayMs = 24 * 3_600_000;

function triedAnswer({ otpPlans, clock, directory, routingPlans: { networks } }: OperatorDeps) {
  return otpPlans.tried(clock.now() - dayMs).map(({ routeId, network, ...counts }) => ({
    /** `messages`: with how many it was verified, or was tried so far. `medianMs`: from the request to the right code. */
    ...counts,
    route: routeId === null ? null : (directory.routeById(routeId)?.name ?? null),
    network: network === 0 ? null : networks.nameOf(network),
  }));
}

const { steps: stepsMax, waitSecondsMin: minimum, waitSecondsMax: maximum } = otpStepLimits;

const keyFields = { account: accountField, pattern: t.Optional(shortNameSchema) };

const stepsField = t.Array(
  t.Object({
    by: oneOf(otpStepWays),
    channel: t.Optional(shortNameSchema),
    waitSeconds: t.Integer({ minimum, maximum, ...told("whole_number", { min: minimum, max: maximum }) }),
  }),
  { maxItems: stepsMax, ...told("list", { min: 0, max: stepsMax }) },
);

/** A pattern is an account's. */
function keyOf({ account, pattern = "" }: { account?: string | null; pattern?: string }): OtpPlanKey {
  if (account == null && pattern !== "")
    throw invalidRequest([problemOf("account", "required_beside", { key: "pattern" })]);
  return { accountId: account == null ? 0 : accountIdOf(account), pattern };
}

const planAudit = {
  target: ({ account, pattern }: { account?: string | null; pattern?: string }) =>
    [account ?? "all", ...(pattern === undefined ? [] : [pattern])].join("/"),
  state: (deps: OperatorDeps, key: { account?: string | null; pattern?: string }) => {
    const plan = deps.otpPlans.of(keyOf(key));
    return plan === null ? null : { steps: plan.steps };
  },
};

const plansAnswer = (deps: OperatorDeps) => deps.otpPlans.all().map(planAnswer);

export const otpAdmin = {
  "GET /otp/guard": reads({
    may: "status.read",
    run: ({ otpGuard }) => otpGuardAnswer(otpGuard.overview()),
  }),
  "GET /otp/steps": reads({ may: "routes.read", run: plansAnswer }),
  "GET /otp/steps/figures": reads({ may: "reports.read", run: triedAnswer }),
  "PUT /otp/steps": changes({
    may: "routes.change",
    input: { ...keyFields, steps: stepsField },
    run: async (deps, { steps, ...key }) => {
      if (steps.some(({ by, channel }) => (by === "channel") !== (channel !== undefined)))
        throw invalidRequest([problemOf("steps.channel", "required_beside", { key: "by channel" })]);
      await deps.otpPlans.set({ ...keyOf(key), steps });
      return plansAnswer(deps);
    },
    audit: { action: "otp.steps", ...planAudit },
  }),
  "DELETE /otp/steps": changes({
    may: "routes.change",
    input: keyFields,
    run: async (deps, key) => {
      await deps.otpPlans.remove(keyOf(key));
      return plansAnswer(deps);
    },
    audit: { action: "otp.steps.remove", ...planAudit },
  }),
};
