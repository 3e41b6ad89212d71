/** The answers about webhooks. */
import type { Static } from "@sinclair/typebox";
import { eventKinds } from "../domain/event.ts";
import type { ParameterDeclaration } from "./operation.ts";
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
