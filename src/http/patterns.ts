/** GET /v1/patterns, POST /v1/patterns/{patternCode}/messages: approved texts whose variables the customer fills in. */
import { Type } from "@sinclair/typebox";
import { invalid } from "../domain/api-error.ts";
import { parseMobileNumber } from "../domain/phone-number.ts";
import type { PatternSender } from "../messaging/patterns/pattern-send.ts";
import { isoTime } from "../platform/clock.ts";
import type { PatternRow } from "../store/patterns.ts";
import { problemsOf } from "./body-problems.ts";
import { objectField } from "./fields.ts";
import { clientReferenceField, optionalSenderField, recipientField } from "./message-fields.ts";
import { idempotentOperation, type Operation, operation } from "./operation.ts";
import { sendOneAnswers } from "./response-schemas.ts";
import { oneAccepted } from "./send-result.ts";
import * as reference from "./sending-response-schemas.ts";

const patternBody = Type.Object({
  sender: optionalSenderField,
  recipient: recipientField,
  variables: objectField({
    description: "A value for each of the pattern's variables, and for no other.",
    example: { name: "Ali" },
    codes: ["required", "too_short", "too_long", "invalid_format", "unknown"],
  }),
  clientReference: clientReferenceField,
});

export function patternOperations(patterns: PatternSender): Operation[] {
  return [
    operation({
      method: "GET",
      path: "/v1/patterns",
      tag: "Patterns",
      summary: "Patterns of the account",
      description: "Approved ones, and those that are suspended at the moment.",
      permission: "patterns:send",
      answers: reference.patternAnswers,
      refusals: [],
      perform: ({ caller }) => ({ status: 200, body: patterns.listed(caller.accountId).map(patternView) }),
    }),

    idempotentOperation({
      method: "POST",
      path: "/v1/patterns/:patternCode/messages",
      tag: "Patterns",
      summary: "Send by a pattern",
      description: "One message with the pattern's text and your values.",
      permission: "patterns:send",
      parameters: [reference.patternCodeParameter],
      body: patternBody,
      answers: sendOneAnswers,
      refusals: ["sender_not_permitted", "pattern_not_found", "pattern_not_sendable"],
      replay({ caller, idempotency }) {
        const known = patterns.replay(caller, idempotency);
        return known === null ? null : oneAccepted(known);
      },
      async perform({ caller, idempotency, rules, params: { patternCode = "" } }, body) {
        const recipient = parseMobileNumber(body.recipient, rules.defaultRegion);
        if (recipient === null) throw invalid(problemsOf(patternBody, body, rules));
        return oneAccepted(await patterns.send(caller, idempotency, patternCode, { ...body, recipient }));
      },
    }),
  ];
}

function patternView({ code, name, text, variables, sender, status, approvedAt }: PatternRow) {
  return {
    code,
    name,
    text,
    variables,
    sender,
    isActive: status === "approved",
    approvedAt: approvedAt === null ? null : isoTime(approvedAt),
  };
}
