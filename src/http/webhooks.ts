/** /v1/webhooks: the URLs that the account's events are sent to. */

import { type Static, Type } from "@sinclair/typebox";
import { eventKinds } from "../domain/event.ts";
import { isoTime } from "../platform/clock.ts";
import type { Webhook, WebhookService } from "../webhooks/webhook-service.ts";
import { booleanField, choiceField, listField, textField } from "./fields.ts";
import { webhookCallbacks } from "./openapi-webhooks.ts";
import { bodyOperation, type Call, type Operation, operation, type ParameterDeclaration } from "./operation.ts";
import { choiceOf, flagOf, listOf, objectOf, textOf, timeOf, uuidOf } from "./response-fields.ts";

const exampleWebhookId = "0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11";

export const webhookIdParameter: ParameterDeclaration = {
  name: "id",
  in: "path",
  description: "The webhook's id.",
  schema: { type: "string", format: "uuid" },
  example: exampleWebhookId,
};

const fields = {
  id: uuidOf("The subscription's id.", exampleWebhookId),
  url: { ...textOf("Where its events are sent.", "https://hooks.example.com/sms"), format: "uri" },
  events: listOf(choiceOf(eventKinds, "A kind of event.", "message.status"), "Its events."),
  isActive: flagOf("Whether events are sent to it.", true),
  createdAtUtc: timeOf("When it was registered."),
  updatedAtUtc: timeOf("When it was changed last."),
};

/** Contract, "Webhook subscription". */
const webhook = objectOf("A webhook.", fields, "Webhook");
export type WebhookBody = Static<typeof webhook>;

const createdWebhook = objectOf(
  "A webhook, with its signing secret.",
  {
    ...fields,
    signingSecret: textOf("The key of every signature. It is shown this once.", `whsec_${"A".repeat(43)}`),
  },
  "CreatedWebhook",
);

const queuedTest = objectOf(
  "A queued test event.",
  {
    eventId: uuidOf("The event's id.", "3d4c1f0e-6a1e-4b62-8f0b-0a8c4e2f7b11"),
    status: choiceOf(["queued"], "It waits in the callback queue.", "queued"),
  },
  "QueuedTestEvent",
);

export const createResponses = {
  201: { description: "The webhook, with its signing secret.", body: createdWebhook },
};
export const listResponses = {
  200: {
    description: "The account's webhooks.",
    body: listOf(webhook, "The webhooks, in the order of their creation."),
  },
};
export const changeResponses = { 200: { description: "The webhook as it is now.", body: webhook } };
export const removeResponses = { 204: { description: "The webhook is removed.", body: null } };
export const testResponses = { 202: { description: "The test event is in the queue.", body: queuedTest } };

const eventsField = listField(choiceField(eventKinds, { description: "A kind of event.", example: "message.status" }), {
  countMin: 1,
  countMax: 100,
  description: "The kinds of event to send; repeats merge.",
});

export const createBody = Type.Object({
  url: textField({
    lengthMin: 1,
    lengthMax: 2048,
    description: "Public HTTPS address on port 443, without user info or fragment. Redirects are not followed.",
    example: "https://hooks.example.com/sms",
  }),
  events: eventsField,
});

export const changeBody = Type.Object({
  events: Type.Optional(eventsField),
  isActive: Type.Optional(
    booleanField({ description: "False stops it at once and ends what waits for it.", example: false }),
  ),
});

const shared = { tag: "Webhooks", permission: "webhooks:manage" } as const;
const one = { ...shared, path: "/v1/webhooks/:id", parameters: [webhookIdParameter] } as const;

const idOf = ({ params: { id = "" } }: Call) => id;

/** Contract, "Webhook subscription", without the secret. */
function webhookBody({ id, url, events, isActive, createdAt, updatedAt }: Webhook): WebhookBody {
  return { id, url, events, isActive, createdAtUtc: isoTime(createdAt), updatedAtUtc: isoTime(updatedAt) };
}

export function webhookOperations(webhooks: WebhookService): Operation[] {
  return [
    bodyOperation({
      ...shared,
      method: "POST",
      path: "/v1/webhooks/",
      operationId: "createWebhook",
      summary: "Register a webhook",
      description: "The host must resolve to public addresses only. The signing secret is shown in this answer alone.",
      body: createBody,
      responses: createResponses,
      callbacks: webhookCallbacks,
      errors: ["webhook_limit_reached"],
      async handle({ caller }, body) {
        const { webhook, signingSecret } = await webhooks.create(caller.accountId, body);
        return { status: 201, body: { ...webhookBody(webhook), signingSecret } };
      },
    }),

    operation({
      ...shared,
      method: "GET",
      path: "/v1/webhooks/",
      operationId: "listWebhooks",
      summary: "Webhooks of the account",
      description: "At most five, in the order of their creation.",
      responses: listResponses,
      errors: [],
      handle: ({ caller }) => ({ status: 200, body: webhooks.list(caller.accountId).map(webhookBody) }),
    }),

    bodyOperation({
      ...one,
      method: "PATCH",
      operationId: "updateWebhook",
      summary: "Change a webhook",
      description: "What is left out stays as it is. Switching it off stops it at once and ends what waits for it.",
      body: changeBody,
      responses: changeResponses,
      errors: ["webhook_not_found"],
      handle: async (call, body) => ({
        status: 200,
        body: webhookBody(await webhooks.change(call.caller.accountId, idOf(call), body)),
      }),
    }),

    operation({
      ...one,
      method: "DELETE",
      operationId: "deleteWebhook",
      summary: "Remove a webhook",
      description: "It stops at once; what waits for it is ended.",
      responses: removeResponses,
      errors: ["webhook_not_found"],
      async handle(call) {
        await webhooks.remove(call.caller.accountId, idOf(call));
        return { status: 204, body: null };
      },
    }),

    testOperation(webhooks),
  ];
}

function testOperation(webhooks: WebhookService): Operation {
  return operation({
    ...one,
    path: "/v1/webhooks/:id/test",
    method: "POST",
    operationId: "testWebhook",
    summary: "Send a test event",
    description: "Puts a webhook.test event into the callback queue of this webhook.",
    responses: testResponses,
    errors: ["webhook_not_found", "webhook_inactive"],
    async handle(call) {
      const eventId = await webhooks.test(call.caller.accountId, idOf(call));
      return { status: 202, body: { eventId, status: "queued" as const } };
    },
  });
}
