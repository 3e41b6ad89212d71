/**
 * GET /v1/approved-groups, POST /v1/approved-groups/{groupCode}/messages: one text to every member of an approved
 * group.
 */
import { Type } from "@sinclair/typebox";
import type { GroupAcceptance } from "../messaging/groups/group-send.ts";
import type { Groups } from "../messaging/groups/groups.ts";
import type { Caller, SendResult } from "../messaging/messages/accept.ts";
import { isoTime } from "../platform/clock.ts";
import { campaignHeader, campaignIn } from "./campaign-header.ts";
import { textField } from "./fields.ts";
import { clientReferenceField, messageTextLimits, optionalSenderField } from "./message-fields.ts";
import { type CampaignSendResultBody, sendManyResponses } from "./message-responses.ts";
import { idempotentOperation, type Operation, operation, type ParameterDeclaration } from "./operation.ts";
import type { AnswerTo } from "./operation-answer.ts";
import { approvedAtField, countOf, listOf, objectOf, textOf } from "./response-fields.ts";
import { inCampaign } from "./send-result.ts";

const groupBody = Type.Object({
  sender: optionalSenderField,
  message: textField({
    ...messageTextLimits,
    description:
      "The text for all members. It may use `{{firstName}}`, `{{lastName}}`, `{{fullName}}` and `{{mobile}}`; " +
      `${messageTextLimits.lengthMax} characters hold with the values in place, too.`,
    example: "سلام {{firstName}}، جشنواره بهاره آغاز شد.",
  }),
  clientReference: clientReferenceField,
});

const groupCodeParameter: ParameterDeclaration = {
  name: "groupCode",
  in: "path",
  description: "A code from GET /v1/approved-groups.",
  schema: { type: "string" },
  example: "spring-offer",
};

/** Contract, "Approved group". */
const group = objectOf(
  "A group that the account may send to.",
  {
    code: textOf("Stable; part of the path of a send.", "spring-offer"),
    name: textOf("The name to show.", "Spring offer"),
    recipientCount: countOf("Approved recipients.", 1250),
    approvedAt: approvedAtField,
  },
  "ApprovedGroup",
);

const groupSendResponses = sendManyResponses("One result a member, in the group's order.");

export function groupOperations({ service, sender }: Pick<Groups, "service" | "sender">): Operation[] {
  return [
    operation({
      method: "GET",
      path: "/v1/approved-groups",
      tag: "Approved groups",
      operationId: "listApprovedGroups",
      summary: "Groups that the account may send to",
      description: "Their members are fixed by an approval outside of this API.",
      permission: "groups:send",
      responses: { 200: { description: "The groups.", body: listOf(group, "The approved groups, by code.") } },
      errors: [],
      handle: ({ caller }) => ({
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
      operationId: "sendToApprovedGroup",
      summary: "Send to an approved group",
      description:
        "All members or none: each gets a message of its own, whose text is encoded and counted with the member's values in place.",
      permission: "groups:send",
      parameters: [groupCodeParameter, campaignHeader],
      body: groupBody,
      responses: groupSendResponses,
      errors: [
        "unknown_variable",
        "personalisation_unavailable",
        "sender_not_permitted",
        "group_not_found",
        "group_not_sendable",
      ],
      replay({ caller, idempotency }) {
        const known = sender.replay(caller, idempotency);
        return known === null ? null : answerOf(known, caller);
      },
      async handle({ caller, idempotency, request, params: { groupCode = "" } }, body) {
        const campaign = campaignIn(request);
        return answerOf(await sender.send(caller, idempotency, groupCode, { ...body, campaign }), caller);
      },
    }),
  ];

  function answerOf(acceptance: GroupAcceptance, { accountId }: Caller): AnswerTo<typeof groupSendResponses> {
    const { duplicate, payloadMismatch } = acceptance;
    return {
      status: duplicate ? 200 : 202,
      slices: bodiesOf(sender.results(acceptance, accountId), sender.campaignName(acceptance)),
      payloadMismatch,
    };
  }
}

async function* bodiesOf(
  slices: AsyncIterable<SendResult[]>,
  campaign: string | null,
): AsyncGenerator<CampaignSendResultBody[]> {
  const bodyOf = inCampaign(campaign);
  for await (const slice of slices) yield slice.map(bodyOf);
}
