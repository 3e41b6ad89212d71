/** GET /v1/patterns, POST /v1/patterns/{patternCode}/messages: approved texts whose variables the customer fills in. */
import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../domain/api-error.ts";
import type { PatternSender } from "../messaging/patterns/pattern-send.ts";
import { isoTime } from "../platform/clock.ts";
import type { PatternRow } from "../store/patterns.ts";
import { problemsOf } from "./body-problems.ts";
import { objectField, recipientOf } from "./fields.ts";
import { clientReferenceField, optionalSenderField, recipientField } from "./message-fields.ts";
import { sendOneResponses } from "./message-responses.ts";
import { idempotentOperation, type Operation, operation, type ParameterDeclaration } from "./operation.ts";
import { approvedAtField, countOf, flagOf, listOf, objectOf, orNull, textOf } from "./response-fields.ts";
import { oneAccepted } from "./send-result.ts";

const patternSendBody = Type.Object({
  sender: optionalSenderField,
  recipient: recipientField,
  variables: objectField({
    description: "A value for each of the pattern's variables, and for no other.",
    example: { name: "Ali" },
    codes: ["required", "too_short", "too_long", "invalid_format", "unknown"],
  }),
  clientReference: clientReferenceField,
});

const patternCodeParameter: ParameterDeclaration = {
  name: "patternCode",
  in: "path",
  description: "A code from GET /v1/patterns.",
  schema: { type: "string" },
  example: "order-ready",
};

const variable = objectOf(
  "One variable.",
  {
    name: textOf("Its name.", "name"),
    maxLength: countOf("The most characters of its value.", 30),
  },
  "PatternVariable",
);

const pattern = objectOf(
  "An approved text with variables.",
  {
    code: textOf("Stable; part of the path of a send.", "order-ready"),
    name: textOf("The name to show.", "Order ready"),
    text: textOf("The text, its variables in double braces.", "Dear {{name}}, your order is ready."),
    variables: listOf(variable, "The variables, in the order of their first use."),
    sender: orNull(textOf("The sender unless the request names one; null for the account's default.", "982000123")),
    isActive: flagOf("False while it is suspended and cannot be used.", true),
    approvedAt: approvedAtField,
  },
  "Pattern",
);

const listResponses = {
  200: { description: "The patterns.", body: listOf(pattern, "Every pattern that was approved, by code.") },
};

export function patternOperations(patterns: PatternSender): Operation[] {
  return [
    operation({
      method: "GET",
      path: "/v1/patterns",
      tag: "Patterns",
      operationId: "listPatterns",
      summary: "Patterns of the account",
      description: "Approved ones, and those that are suspended at the moment.",
      permission: "patterns:send",
      responses: listResponses,
      errors: [],
      handle: ({ caller }) => ({ status: 200, body: patterns.listed(caller.accountId).map(patternBodyOf) }),
    }),

    idempotentOperation({
      method: "POST",
      path: "/v1/patterns/:patternCode/messages",
      tag: "Patterns",
      operationId: "sendPatternMessage",
      summary: "Send by a pattern",
      description: "One message with the pattern's text and your values.",
      permission: "patterns:send",
      parameters: [patternCodeParameter],
      body: patternSendBody,
      responses: sendOneResponses,
      errors: ["sender_not_permitted", "pattern_not_found", "pattern_not_sendable"],
      replay({ caller, idempotency }) {
        const known = patterns.replay(caller, idempotency);
        return known === null ? null : oneAccepted(known);
      },
      async handle({ caller, idempotency, rules, params: { patternCode = "" } }, body) {
        const recipient = recipientOf(body.recipient, rules);
        if (recipient === null) throw invalid(problemsOf(patternSendBody, body, rules));
        return oneAccepted(await patterns.send(caller, idempotency, patternCode, { ...body, recipient }));
      },
    }),
  ];
}

function patternBodyOf(row: PatternRow): Static<typeof pattern> {
  const { code, name, text, variables, sender, status, approvedAt } = row;
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
