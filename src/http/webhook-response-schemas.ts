/** What the reference says of the answers about webhooks. */
import { eventKinds } from "../domain/event.ts";
import type { AnswerNotes, ParameterNotes } from "./operation.ts";
import { listOf, shown, shownText, shownTime } from "./response-schemas.ts";

const shownUuid = (description: string, example: string) => ({ ...shownText(description, example), format: "uuid" });

export const webhookIdParameter: ParameterNotes = {
  name: "id",
  in: "path",
  required: true,
  description: "The webhook's id.",
  schema: { type: "string", format: "uuid" },
  example: "0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11",
};

const fields = {
  id: shownUuid("The subscription's id.", "0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11"),
  url: { ...shownText("Where its events are sent.", "https://hooks.example.com/sms"), format: "uri" },
  events: listOf(
    { type: "string", enum: eventKinds, description: "A kind of event.", example: eventKinds[0] },
    "Its events.",
  ),
  isActive: { type: "boolean", description: "Whether events are sent to it.", example: true },
  createdAtUtc: shownTime("When it was registered."),
  updatedAtUtc: shownTime("When it was changed last."),
};

const webhookSchema = shown("A webhook.", fields);

const createdSchema = shown("A webhook, with its signing secret.", {
  ...fields,
  signingSecret: shownText("The key of every signature. It is shown this once.", `whsec_${"A".repeat(43)}`),
});

const testSchema = shown("A test event on its way.", {
  eventId: shownUuid("The event's id.", "3d4c1f0e-6a1e-4b62-8f0b-0a8c4e2f7b11"),
  status: { type: "string", enum: ["queued"], description: "It waits in the callback queue.", example: "queued" },
});

type Answers = Readonly<Record<number, AnswerNotes>>;

export const createAnswers: Answers = {
  201: { description: "The webhook, with its signing secret.", schema: createdSchema },
};
export const listAnswers: Answers = {
  200: {
    description: "The account's webhooks.",
    schema: listOf(webhookSchema, "The webhooks, in the order of their creation."),
  },
};
export const changeAnswers: Answers = { 200: { description: "The webhook as it is now.", schema: webhookSchema } };
export const removeAnswers: Answers = { 204: { description: "It is gone." } };
export const testAnswers: Answers = { 202: { description: "The test event is in the queue.", schema: testSchema } };
