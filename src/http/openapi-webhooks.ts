/** The events in the reference: what a receiver gets, and how to verify it. */
import { eventKinds, testEventKind } from "../domain/event.ts";
import { publicStatuses } from "../domain/message.ts";
import { exampleTrackingCode } from "./message-responses.ts";
import { schemaReference } from "./openapi-components.ts";
import { choiceOf, objectOf, orNull, textOf, timeOf, uuidOf } from "./response-fields.ts";

const exampleEventId = "01a1fab7-98e8-7a4b-b4ae-5eb17b8fc501";
type Kind = (typeof eventKinds)[number] | typeof testEventKind;

function eventOf(kind: Kind, name: string, description: string, data: ReturnType<typeof objectOf>) {
  const fields = {
    id: uuidOf("The event's id, the same at every repeat.", exampleEventId),
    type: choiceOf([kind], "The kind of event.", kind),
    createdAt: timeOf("When it happened."),
    data,
  };
  return objectOf(description, fields, name);
}

const [sender, recipient] = [textOf("The sender.", "982000123"), textOf("The recipient as E.164.", "+989121234567")];

const events: Readonly<Record<Kind, { operationId: string; summary: string; schema: ReturnType<typeof eventOf> }>> = {
  "message.status": {
    operationId: "onMessageStatus",
    summary: "A message has a new status",
    schema: eventOf(
      "message.status",
      "MessageStatusEvent",
      "A message has a new public status.",
      objectOf(
        "The message as it is by now.",
        {
          trackingCode: textOf("The message.", exampleTrackingCode),
          clientReference: orNull(textOf("Your own reference.", "order-1042")),
          sender,
          recipient,
          status: choiceOf(publicStatuses, "The new status.", "delivered"),
          changedAt: timeOf("When the status changed. Compare it: events may come out of order."),
        },
        "MessageStatusChange",
      ),
    ),
  },
  "inbound.received": {
    operationId: "onInboundMessage",
    summary: "A message was received",
    schema: eventOf(
      "inbound.received",
      "InboundReceivedEvent",
      "A message was received for the account.",
      objectOf(
        "The received message.",
        {
          trackingCode: textOf("Identifier of the received message.", "01KAGN0Q6YV5T0WJ7V8K3H4R2B"),
          sender: textOf("Who sent it.", "+989121234567"),
          receiver: textOf("The account's line.", "30001234"),
          message: textOf("Its text.", "سلام"),
          receivedAt: timeOf("When it arrived."),
        },
        "ReceivedMessage",
      ),
    ),
  },
  "webhook.test": {
    operationId: "onWebhookTest",
    summary: "A test that you asked for",
    schema: eventOf(
      testEventKind,
      "WebhookTestEvent",
      "The answer to POST /v1/webhooks/{id}/test.",
      objectOf(
        "What was tested.",
        {
          webhookId: uuidOf("The webhook.", "0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11"),
          message: textOf("Words.", "This is a test event."),
        },
        "WebhookTest",
      ),
    ),
  },
};

export const eventSchemas = Object.values(events).map(({ schema }) => schema);

const verification =
  "The signature is HMAC-SHA256 over `X-Service-Timestamp`, a dot and the body exactly as received, under the UTF-8 bytes of the whole signing " +
  "secret. Compare in constant time, refuse a timestamp that is more than five minutes off, process an event id once, and answer any 2xx within " +
  "ten seconds. Anything else is tried again, eight times over about two hours and forty minutes. [Verify our signature](/docs/verify-signature) has code.";

const headerParameter = (name: string, description: string, example: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
  example,
});

const bodyAndAnswer = (kind: Kind) => ({
  requestBody: { required: true, content: { "application/json": { schema: schemaReference(events[kind].schema) } } },
  responses: { "2XX": { description: "The event is yours; it is not sent again." } },
});

function detailOf(kind: Kind) {
  const { operationId, summary } = events[kind];
  return {
    post: {
      operationId,
      tags: ["Events"],
      summary,
      description: verification,
      security: [],
      parameters: [
        headerParameter("X-Service-Event-Id", "The event's id, as `id` in the body.", exampleEventId),
        headerParameter("X-Service-Event", "The kind of event.", kind),
        headerParameter("X-Service-Timestamp", "Unix time in seconds, new at every attempt.", "1795189020"),
        headerParameter("X-Service-Signature", "`v1=` and 64 hexadecimal characters.", `v1=${"0f".repeat(32)}`),
      ],
      ...bodyAndAnswer(kind),
    },
  };
}

const kinds = [...eventKinds, testEventKind] as const;

export const webhookDetails = Object.fromEntries(kinds.map((kind) => [kind, detailOf(kind)]));

function callbackOf(kind: Kind) {
  const { operationId, summary } = events[kind];
  const description = `The webhook \`${kind}\`, where its headers and signature are described.`;
  const post = { operationId: `${operationId}Callback`, summary, description, ...bodyAndAnswer(kind) };
  return { "{$request.body#/url}": { post: { ...post, security: [] } } };
}

/** The same as callbacks of the operation that registers a webhook: some generators read no `webhooks`. */
export const webhookCallbacks = Object.fromEntries(kinds.map((kind) => [events[kind].operationId, callbackOf(kind)]));
