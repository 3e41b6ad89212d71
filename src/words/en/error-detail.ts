/** English: what refusals say beyond the meaning of their codes. */
import { counted } from "../../domain/counted.ts";
import type { DetailCode, DetailValues, ErrorDetail } from "../../domain/error-detail.ts";
import { problemText } from "./operator-problem.ts";

export type DetailTexts<Text = string> = { readonly [Code in DetailCode]: (values: DetailValues[Code]) => Text };

export const idSamples: Readonly<Record<DetailValues["no_id"]["subject"], string>> = {
  account: "acc_1",
  key: "key_1",
  campaign: "camp_1",
  credential: "cred_1",
};

export const englishDetails: DetailTexts = {
  no_id: ({ subject, text }) => `There is no ${subject} ${text}. An id looks like ${idSamples[subject]}.`,
  no_name: ({ subject, name }) => `There is no ${subject} ${name}.`,
  no_rule: ({ plan, number, rules }) => `Plan ${plan} has no rule ${number}; it has ${rules}.`,
  no_simulator: ({ name }) =>
    `There is no enabled simulator route${name === null ? "" : ` ${name}`}. Add one: peyk route add NAME --kind simulator`,
  code_of_several: ({ subject, code }) => `Several accounts have a ${subject} ${code}. Say whose: --account ID`,
  line_of: ({ number, account }) => `The line ${number} belongs to account ${account} already.`,
  group_empty: ({ code }) =>
    `The group ${code} has no members. Import members first: peyk group import ${code} --csv FILE`,
  senders_use_plan: ({ senders, more }) =>
    `Senders use this plan: ${senders.join(", ")}${more === 0 ? "" : ` and ${more} more`}. Give them another one first (peyk plan use), or none (peyk plan leave).`,
  senders_use_route: (values) => problemText({ code: "senders_use_route", values }),
  plans_use_route: ({ plans }) =>
    `Routing plans use this route: ${plans.join(", ")}. Remove its rules there first (peyk plan rule remove), or disable this one.`,
  route_disabled: () => "The route is disabled; enable it first.",
  simulator_traced: () => "The simulator speaks to nobody.",
  other_route_kind: ({ kind }) => `This build cannot run ${kind} routes.`,
  certificate: ({ reason }) => `${reason} The old one is served on.`,
  body_not_json: () => "The body is not valid JSON.",
  form_unreadable: ({ reason }) => `The form could not be read: ${reason}`,
  cancel_unfinished: ({ cancelled }) =>
    `The key is revoked and ${counted(cancelled, "waiting message")} of it cancelled; then the store could not write. Run it again for the rest.`,
  otp_again: () => "A one-time password is never sent again: ask for a new one.",
  content_removed: () => "Its text or its recipient is no longer kept.",
  account_suspended: () => "Its account is suspended.",
  country_not_allowed: () => "Its account may not send to this country any more.",
  sender_inactive: ({ sender }) => `${sender} is no active sender of its account any more.`,
  resent_as: ({ trackingCode }) => `It was sent again as ${trackingCode}. Once more: --again`,
  public_refusal: ({ message }) => message,
};

export function detailText<Code extends DetailCode, Text>(
  { code, values }: ErrorDetail<Code>,
  texts: DetailTexts<Text>,
): Text {
  return texts[code](values);
}
