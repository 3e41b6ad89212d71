/** Describes an HTTP provider: what presets fill in and route files spell out. */
import type { AnswerRules, Condition, IdRule } from "./answer.ts";
import type { BatchRules } from "./batch-answer.ts";
import type { InboundRules, ReceiptRules } from "./callbacks.ts";
import type { CallerRules } from "./caller-check.ts";
import type { InboundPollRules, ReportPollRules } from "./poll-file.ts";
import type { RequestTemplate } from "./template.ts";

/** The requests, answers and callbacks of a provider, from a preset or a template. */
export interface HttpTemplate {
  request: RequestTemplate;
  answer: AnswerRules;
  /** How messages share a request; null: each has its own. */
  batch: BatchRules | null;
  receipts: ReceiptRules | null;
  inbound: InboundRules | null;
  /** How the carrier is asked for reports and for texts; null: it calls. */
  reportPoll: ReportPollRules | null;
  inboundPoll: InboundPollRules | null;
  /** Who may call receipts and inbound, beside knowing the secret in their path. */
  caller: CallerRules;
  /** A request that sends no message and checks the credentials; null: only the connection is tried. */
  probe: { request: RequestTemplate; accepted: readonly Condition[] } | null;
}

/** Where a message's id is. */
export function idRuleOf({ answer, batch }: Pick<HttpTemplate, "answer" | "batch">): IdRule | null {
  return batch === null ? answer.id : batch.rules.id;
}
