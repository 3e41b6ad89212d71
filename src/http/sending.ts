/** POST /v1/messages, /v1/messages/batch, /v1/messages/scheduled: sending one message, several, or one later. */
import type { TSchema } from "@sinclair/typebox";
import { type ApiErrorCode, invalid } from "../domain/api-error.ts";
import { messageClasses } from "../domain/message.ts";
import type { Acceptance, Acceptor, Draft } from "../messaging/messages/accept.ts";
import { problemsOf } from "./body-problems.ts";
import { type FieldRules, recipientOf } from "./fields.ts";
import { parseIsoTime } from "./iso-time.ts";
import { batchBody, batchBytesMax, scheduledBody, singleBody } from "./message-fields.ts";
import { sendBatchResponses, sendLaterResponses, sendOneResponses } from "./message-responses.ts";
import { type IdempotentCall, idempotentOperation, type Operation } from "./operation.ts";
import { laterAccepted, manyAccepted, oneAccepted } from "./send-result.ts";

/** Shared by the sending operations; beside the body, each may refuse the sender. */
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
    responses: sendBatchResponses,
    replay: replayOf(acceptor, manyAccepted),
    handle({ caller, idempotency, rules }, body) {
      const drafts: Draft[] = [];
      for (const item of body.messages) {
        const draft = draftOf(body.sender, item, rules, { class: messageClasses.bulk, sendAt: null });
        if (draft === null) throw invalidBody(batchBody, body, rules);
        drafts.push(draft);
      }
      return acceptor.accept(caller, idempotency, drafts).then(manyAccepted);
    },
  });
}

/** The body's shape is good, but a recipient is not one to send to: names every problem of the body. */
function invalidBody(schema: TSchema, body: unknown, rules: FieldRules): Error {
  return invalid(problemsOf(schema, body, rules));
}

/** Null when the recipient is no mobile number, or of a country that the account may not send to. */
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
