/** GET /v1/approved-groups, POST /v1/approved-groups/{groupCode}/messages: one text to everybody in an approved list. */
import { Type } from "@sinclair/typebox";
import type { GroupAcceptance } from "../messaging/groups/group-send.ts";
import type { Groups } from "../messaging/groups/groups.ts";
import type { SendResult } from "../messaging/messages/accept.ts";
import { isoTime } from "../platform/clock.ts";
import { textField } from "./fields.ts";
import { clientReferenceField, optionalSenderField } from "./message-fields.ts";
import { idempotentOperation, type Operation, type OperationAnswer, operation } from "./operation.ts";
import { sendResultBody } from "./send-result.ts";
import * as reference from "./sending-response-schemas.ts";

const groupBody = Type.Object({
  sender: optionalSenderField,
  message: textField({
    lengthMin: 1,
    lengthMax: 2000,
    description:
      "The text for all members. It may use `{{firstName}}`, `{{lastName}}`, `{{fullName}}` and `{{mobile}}`; 2000 characters hold " +
      "with the values in place, too.",
    example: "سلام {{firstName}}، جشنواره بهاره آغاز شد.",
  }),
  clientReference: clientReferenceField,
});

export function groupOperations({ service, sender }: Pick<Groups, "service" | "sender">): Operation[] {
  return [
    operation({
      method: "GET",
      path: "/v1/approved-groups",
      tag: "Approved groups",
      summary: "Groups that the account may send to",
      description: "Their members are fixed by an approval outside of this API.",
      permission: "groups:send",
      answers: reference.groupAnswers,
      refusals: [],
      perform: ({ caller }) => ({
        status: 200,
        body: service.usable(caller.accountId).map(({ approvedAt, ...group }) => ({
          ...group,
          approvedAt: approvedAt === null ? null : isoTime(approvedAt),
        })),
      }),
    }),

    idempotentOperation({
      method: "POST",
      path: "/v1/approved-groups/:groupCode/messages",
      tag: "Approved groups",
      summary: "Send to an approved group",
      description:
        "All members or none: each gets a message of its own, whose text is encoded and counted with the member's values in place.",
      permission: "groups:send",
      parameters: [reference.groupCodeParameter],
      body: groupBody,
      answers: reference.groupSendAnswers,
      refusals: [
        "unknown_variable",
        "personalisation_unavailable",
        "sender_not_permitted",
        "group_not_found",
        "group_not_sendable",
      ],
      replay({ caller, idempotency }) {
        const known = sender.replay(caller, idempotency);
        return known === null ? null : answerOf(known);
      },
      async perform({ caller, idempotency, params: { groupCode = "" } }, body) {
        return answerOf(await sender.send(caller, idempotency, groupCode, body));
      },
    }),
  ];

  function answerOf(acceptance: GroupAcceptance): OperationAnswer {
    const { duplicate, payloadMismatch } = acceptance;
    return { status: duplicate ? 200 : 202, pieces: jsonArray(sender.results(acceptance)), payloadMismatch };
  }
}

async function* jsonArray(slices: AsyncIterable<SendResult[]>): AsyncGenerator<string> {
  let before = "[";
  for await (const slice of slices) {
    if (slice.length === 0) continue;
    yield before + slice.map((result) => JSON.stringify(sendResultBody(result))).join(",");
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}
