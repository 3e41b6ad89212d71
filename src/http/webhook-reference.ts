/** What the reference says of the answers about webhooks. */
import { eventKinds } from "../domain/event.ts";
import type { AnswerNotes, ParameterNotes } from "./operation.ts";

export const webhookIdParameter: ParameterNotes = {
  name: "id",
  in: "path",
  required: true,
  description: "The webhook's id.",
  schema: { type: "string", format: "uuid" },
};

const properties = {
  id: { type: "string", format: "uuid", example: "0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11" },
  url: { type: "string", format: "uri", example: "https://hooks.example.com/sms" },
  events: { type: "array", items: { type: "string", enum: [...eventKinds] }, example: [...eventKinds] },
  isActive: { type: "boolean" },
  createdAtUtc: { type: "string", format: "date-time", example: "2026-11-20T15:36:00.000Z" },
  updatedAtUtc: { type: "string", format: "date-time", example: "2026-11-20T15:36:00.000Z" },
};

const webhookSchema = { type: "object", required: Object.keys(properties), properties };

const createdProperties = {
  ...properties,
  signingSecret: {
    type: "string",
    description: "The key of every signature. It is shown this once.",
    example: `whsec_${"A".repeat(43)}`,
  },
};
const createdSchema = { type: "object", required: Object.keys(createdProperties), properties: createdProperties };

const testSchema = {
  type: "object",
  required: ["eventId", "status"],
  properties: { eventId: { type: "string", format: "uuid" }, status: { type: "string", enum: ["queued"] } },
};

type Answers = Readonly<Record<number, AnswerNotes>>;

export const createAnswers: Answers = {
  201: { description: "The webhook, with its signing secret.", schema: createdSchema },
};
export const listAnswers: Answers = {
  200: { description: "The account's webhooks.", schema: { type: "array", items: webhookSchema } },
};
export const changeAnswers: Answers = { 200: { description: "The webhook as it is now.", schema: webhookSchema } };
export const removeAnswers: Answers = { 204: { description: "It is gone." } };
export const testAnswers: Answers = { 202: { description: "The test event is in the queue.", schema: testSchema } };
