/** POST /v1/messages, /v1/messages/batch, /v1/messages/scheduled: sending one message, several, or one later. */
import type { TSchema } from "@sinclair/typebox";
import { ApiError, type ApiErrorCode, invalid } from "../domain/api-error.ts";
import { messageClasses } from "../domain/message.ts";
import type { Acceptance, Acceptor, Draft } from "../messaging/messages/accept.ts";
import { type RefusedDraft, readDraft } from "../messaging/messages/draft.ts";
import { joining } from "../messaging/messages/joined-campaign.ts";
import { problemsOf } from "./body-problems.ts";
import { campaignHeader, campaignIn } from "./campaign-header.ts";
import type { FieldRules } from "./fields.ts";
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
      if ("problems" in draft) throw refused(draft, singleBody, body, rules);
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
      const sendAt = parseIsoTime(body.sendAt);
      const draft = draftOf(body.sender, body, rules, { class: messageClasses.bulk, sendAt });
      if ("problems" in draft) throw refused(draft, scheduledBody, body, rules);
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
        if ("problems" in draft) throw refused(draft, batchBody, body, rules);
        drafts.push(draft);
      }
      const inCampaign = joining(caller, drafts.length, { kind: "batch", name: campaign });
      return acceptor
        .accept(caller, idempotency, drafts, inCampaign)
        .then((accepted) => manyAccepted(accepted.duplicate ? accepted : { ...accepted, campaign: () => campaign }));
    },
  });
}

/** Reports every problem in the body; a sender that is not the account's is refused only if there is no other. */
function refused(
  { problems: [first] }: RefusedDraft,
  schema: TSchema,
  body: { sender: string },
  rules: FieldRules,
): Error {
  const problems = problemsOf(schema, body, rules);
  if (problems.length > 0) return invalid(problems);
  if (first === "sender_not_permitted") return new ApiError(first, { sender: body.sender });
  throw new Error(`A body without problems was refused with ${first}`);
}

function draftOf(
  sender: string,
  { recipient, message, clientReference }: { recipient: string; message: string; clientReference?: string | null },
  rules: FieldRules,
  { class: messageClass, sendAt }: Pick<Draft, "class" | "sendAt">,
): Draft | RefusedDraft {
  const given = {
    sender: [sender],
    recipient: [recipient],
    text: message,
    clientReference,
    class: messageClass,
    sendAt,
  };
  return readDraft(given, rules);
}
