/** What a refusal says beyond the meaning of its code, in English. */
import type { Coded, SentencesOf, ValuesOfSentences } from "./coded.ts";
import { counted } from "./counted.ts";
import { englishProblems, type ProblemValues } from "./operator-problem.ts";

export const idSamples = { account: "acc_1", key: "key_1", campaign: "camp_1", credential: "cred_1" } as const;

const english = {
  /** `text` is not in the format of such an id. */
  no_id: ({ subject, text }: { subject: "account" | "key" | "campaign" | "credential"; text: string }) =>
    `There is no ${subject} ${text}. An id looks like ${idSamples[subject]}.`,
  no_name: ({ subject, name }: { subject: "plan" | "route" | "group" | "pattern" | "line"; name: string }) =>
    `There is no ${subject} ${name}.`,
  /** `number` counts from 1. */
  no_rule: ({ plan, number, rules }: { plan: string; number: number; rules: number }) =>
    `Plan ${plan} has no rule ${number}; it has ${rules}.`,
  /** `name`: the simulator route that was named. */
  no_simulator: ({ name }: { name: string | null }) =>
    `There is no enabled simulator route${name === null ? "" : ` ${name}`}. Add one: peyk route add NAME --kind simulator`,
  code_of_several: ({ subject, code }: { subject: "group" | "pattern"; code: string }) =>
    `Several accounts have a ${subject} ${code}. Say whose: --account ID`,
  line_of: ({ number, account }: { number: string; account: string }) =>
    `The line ${number} belongs to account ${account} already.`,
  group_empty: ({ code }: { code: string }) =>
    `The group ${code} has no members. Import members first: peyk group import ${code} --csv FILE`,
  /** The first of the senders, and the number of others. */
  senders_use_plan: ({ senders, more }: { senders: readonly string[]; more: number }) =>
    `Senders use this plan: ${senders.join(", ")}${more === 0 ? "" : ` and ${more} more`}. Give them another one first (peyk plan use), or none (peyk plan leave).`,
  senders_use_route: (values: ProblemValues["senders_use_route"]) => englishProblems.senders_use_route(values),
  /** Those that need the plan or route. */
  removed_senders_wait: ({ senders, more }: { senders: readonly string[]; more: number }) =>
    `Messages of removed senders wait for it: ${senders.join(", ")}${more === 0 ? "" : ` and ${more} more`}. Cancel those that no carrier was given (peyk message cancel), or add the senders again with another route.`,
  plans_use_route: ({ plans }: { plans: readonly string[] }) =>
    `Routing plans use this route: ${plans.join(", ")}. Remove its rules there first (peyk plan rule remove), or disable this one.`,
  steps_use_route: () =>
    "Steps of one-time passwords use this channel (peyk otp steps list). Set them without it first, or disable this route.",
  route_disabled: () => "The route is disabled; enable it first.",
  simulator_traced: () => "The simulator speaks to nobody.",
  other_route_kind: ({ kind }: { kind: string }) => `This build cannot run ${kind} routes.`,
  /** `reason`: of the certificate check, in English. */
  certificate: ({ reason }: { reason: string }) => `${reason} The old one is served on.`,
  body_not_json: () => "The body is not valid JSON.",
  /** `reason`: of the form reader, in English. */
  form_unreadable: ({ reason }: { reason: string }) => `The form could not be read: ${reason}`,
  /** Waiting messages of a revoked key that were cancelled before the store failed. */
  cancel_unfinished: ({ cancelled }: { cancelled: number }) =>
    `The key is revoked and ${counted(cancelled, "waiting message")} of it cancelled; then the store could not write. Run it again for the rest.`,
  otp_again: () => "A one-time password is never sent again: ask for a new one.",
  /** The retention of texts, or the erasure of its recipient. */
  content_removed: () => "Its text or its recipient is no longer kept.",
  account_suspended: () => "Its account is suspended.",
  country_not_allowed: () => "Its account may not send to this country any more.",
  sender_inactive: ({ sender }: { sender: string }) => `${sender} is no active sender of its account any more.`,
  resent_as: ({ trackingCode }: { trackingCode: string }) => `It was sent again as ${trackingCode}. Once more: --again`,
  /** `message`: of the public API's refusal, in English. */
  public_refusal: ({ message }: { message: string }) => message,
};

export type DetailValues = ValuesOfSentences<typeof english>;
export type DetailTexts<Text = string> = SentencesOf<DetailValues, Text>;
export const englishDetails: DetailTexts = english;
export type DetailCode = keyof DetailValues;
export type ErrorDetail<Code extends DetailCode = DetailCode> = Coded<DetailValues, Code>;
