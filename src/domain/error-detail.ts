/** What a refusal says beyond the meaning of its code: a code of its own, and the values in its sentence. */
import type { ProblemValues } from "./operator-problem.ts";

export interface DetailValues {
  /** `text` is not in the format of such an id. */
  no_id: { subject: "account" | "key" | "campaign" | "credential"; text: string };
  no_name: { subject: "plan" | "route" | "group" | "pattern" | "line"; name: string };
  /** `number` counts from 1. */
  no_rule: { plan: string; number: number; rules: number };
  /** `name`: the simulator route that was named. */
  no_simulator: { name: string | null };
  code_of_several: { subject: "group" | "pattern"; code: string };
  line_of: { number: string; account: string };
  group_empty: { code: string };
  /** The first of the senders, and the number of others. */
  senders_use_plan: { senders: readonly string[]; more: number };
  senders_use_route: ProblemValues["senders_use_route"];
  plans_use_route: { plans: readonly string[] };
  route_disabled: object;
  simulator_traced: object;
  other_route_kind: { kind: string };
  /** `reason`: of the certificate check, in English. */
  certificate: { reason: string };
  body_not_json: object;
  /** `reason`: of the form reader, in English. */
  form_unreadable: { reason: string };
  /** Waiting messages of a revoked key that were cancelled before the store failed. */
  cancel_unfinished: { cancelled: number };
  otp_again: object;
  /** The retention of texts, or the erasure of its recipient. */
  content_removed: object;
  account_suspended: object;
  country_not_allowed: object;
  sender_inactive: { sender: string };
  resent_as: { trackingCode: string };
  /** `message`: of the public API's refusal, in English. */
  public_refusal: { message: string };
}

export type DetailCode = keyof DetailValues;

export type ErrorDetail<Code extends DetailCode = DetailCode> = {
  [One in Code]: { code: One; values: DetailValues[One] };
}[Code];
