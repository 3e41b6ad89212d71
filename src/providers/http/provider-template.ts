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
  /** How the carrier is polled for reports and texts; null: it calls. */
  reportPoll: ReportPollRules | null;
  inboundPoll: InboundPollRules | null;
  /** Who may deliver receipts and texts, besides knowing the secret in their path. */
  caller: CallerRules;
  /** A request that checks the credentials without sending a message; null: only the connection is tested. */
  probe: { request: RequestTemplate; accepted: readonly Condition[] } | null;
}

/** Where a message's id is. */
export function idRuleOf({ answer, batch }: Pick<HttpTemplate, "answer" | "batch">): IdRule | null {
  return batch === null ? answer.id : batch.rules.id;
}
