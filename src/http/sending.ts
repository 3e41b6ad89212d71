/** POST /v1/messages, /v1/messages/batch, /v1/messages/scheduled: sending one message, several, or one later. */
import type { TSchema } from "@sinclair/typebox";
import { type ApiErrorCode, invalid } from "../domain/api-error.ts";
import { messageClasses } from "../domain/message.ts";
import type { Acceptance, Acceptor, Draft } from "../messaging/messages/accept.ts";
import { joining } from "../messaging/messages/joined-campaign.ts";
import { problemsOf } from "./body-problems.ts";
import { campaignHeader, campaignIn } from "./campaign-header.ts";
import { type FieldRules, recipientOf } from "./fields.ts";
import { parseIsoTime } from "./iso-time.ts";
import { batchBody, batchBytesMax, scheduledBody, singleBody } from "./message-fields.ts";
import { sendBatchResponses, sendLaterResponses, sendOneResponses } from "./message-responses.ts";
import { type IdempotentCall, idempotentOperation, type Operation } from "./operation.ts";
import { laterAccepted, manyAccepted, oneAccepted } from "./send-result.ts";

/** Shared by the sending operations. Each may also refuse the sender. */
const sending = {
  method: "POST",
  tag: "Messages",
  permission: "messages:send",
  errors: ["sender_not_permitted"] satisfies ApiErrorCode[],
} as const;

export function sendingOperations(acceptor: Acceptor): Operation[] {
  return [sendOne(acceptor), sendLater(acceptor), sendMany(acceptor)];
}

function replayOf<Answer>(acceptor: Acceptor, answerOf: (acceptance: Acceptance) => Answer) {
  return ({ caller, idempotency }: IdempotentCall) => {
    const known = acceptor.replay(caller, idempotency);
    return known === null ? null : answerOf(known);
  };
}

function sendOne(acceptor: Acceptor): Operation {
  return idempotentOperation({
    ...sending,
    path: "/v1/messages",
    operationId: "sendMessage",
    summary: "Send one message",
    description: "202 means that the message is stored and will be sent, not that it was delivered.",
    body: singleBody,
    responses: sendOneResponses,
    replay: replayOf(acceptor, oneAccepted),
    handle({ caller, idempotency, rules }, body) {
      const draft = draftOf(body.sender, body, rules, { class: messageClasses.single, sendAt: null });
      if (draft === null) throw invalidBody(singleBody, body, rules);
      return acceptor.accept(caller, idempotency, [draft]).then(oneAccepted);
    },
  });
}

function sendLater(acceptor: Acceptor): Operation {
  return idempotentOperation({
    ...sending,
    path: "/v1/messages/scheduled",
    operationId: "scheduleMessage",
    summary: "Send one message later",
    description: "The message waits in the queue until `sendAt`; until it is handed over it can be cancelled.",
    body: scheduledBody,
    responses: sendLaterResponses,
    replay: replayOf(acceptor, laterAccepted),
    handle({ caller, idempotency, rules }, body) {
      const problems = problemsOf(scheduledBody, body, rules);
      if (problems.length > 0) throw invalid(problems);
      const sendAt = parseIsoTime(body.sendAt);
      const draft = draftOf(body.sender, body, rules, { class: messageClasses.bulk, sendAt });
      if (draft === null) throw invalidBody(scheduledBody, body, rules);
      return acceptor.accept(caller, idempotency, [draft]).then(laterAccepted);
    },
  });
}

function sendMany(acceptor: Acceptor): Operation {
  return idempotentOperation({
    ...sending,
    path: "/v1/messages/batch",
    operationId: "sendMessageBatch",
    summary: "Send several different messages",
    description:
      "All or nothing: one bad item and nothing is accepted; `errors` names every bad item. The body may have 16 MiB.",
    body: batchBody,
    bodyBytesMax: batchBytesMax,
    parameters: [campaignHeader],
    responses: sendBatchResponses,
    replay: replayOf(acceptor, manyAccepted),
    handle({ caller, idempotency, rules, request }, body) {
      const campaign = campaignIn(request);
      const drafts: Draft[] = [];
      for (const item of body.messages) {
        const draft = draftOf(body.sender, item, rules, { class: messageClasses.bulk, sendAt: null });
        if (draft === null) throw invalidBody(batchBody, body, rules);
        drafts.push(draft);
      }
      const inCampaign = joining(caller, drafts.length, { kind: "batch", name: campaign });
      return acceptor
        .accept(caller, idempotency, drafts, inCampaign)
        .then((accepted) => manyAccepted(accepted.duplicate ? accepted : { ...accepted, campaign: () => campaign }));
    },
  });
}

/** The body is well-formed, but a recipient is not allowed: reports every problem in the body. */
function invalidBody(schema: TSchema, body: unknown, rules: FieldRules): Error {
  return invalid(problemsOf(schema, body, rules));
}

/** Null if the recipient is not a mobile number, or its country is not allowed for the account. */
function draftOf(
  sender: string,
  { recipient, message, clientReference }: { recipient: string; message: string; clientReference?: string | null },
  rules: FieldRules,
  { class: messageClass, sendAt }: Pick<Draft, "class" | "sendAt">,
): Draft | null {
  const e164 = recipientOf(recipient, rules);
  if (e164 === null) return null;
  return {
    sender,
    recipient: e164,
    text: message,
    clientReference: clientReference ?? null,
    class: messageClass,
    sendAt,
  };
}
