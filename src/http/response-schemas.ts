/** What the reference says of the answers: each field with its type, its meaning and an example. */

import { apiErrors, fieldCodes } from "../domain/api-error.ts";
import { messageEncodings, messageErrorCodes, publicStatuses } from "../domain/message.ts";
import type { AnswerNotes, ParameterNotes } from "./operation.ts";

type Answers = Readonly<Record<number, AnswerNotes>>;
type Field = Readonly<Record<string, unknown>>;

export const exampleTrackingCode = "01KAGZ4M8Q3T9X2B4N7K1R0YAV";
const exampleTime = "2026-11-20T15:36:00.000Z";

/** A JSON schema of an object that always has all of its fields. */
export function shown(description: string, fields: Readonly<Record<string, Field>>): Field {
  return { type: "object", description, required: Object.keys(fields), properties: fields };
}

export const shownText = (description: string, example: string): Field => ({ type: "string", description, example });
export const shownCount = (description: string, example: number): Field => ({ type: "integer", description, example });
export const shownTime = (description: string): Field => ({
  type: "string",
  format: "date-time",
  description,
  example: exampleTime,
});
export const orNull = (field: Field): Field => ({ ...field, nullable: true });
export const listOf = (items: Field, description: string): Field => ({ type: "array", description, items });
/** A schema under its name in `components`. */
export const named = (name: string): Field => ({ $ref: `#/components/schemas/${name}` });

const trackingCode = shownText("The message's identifier for you.", exampleTrackingCode);
const status: Field = { type: "string", enum: publicStatuses, description: "The public status.", example: "sent" };
const clientReference = orNull(shownText("Your own reference.", "order-1042"));
const sender = shownText("The sender.", "982000123");
const recipient = shownText("The recipient as E.164.", "+989121234567");
const partCount = shownCount("Parts that the network will carry.", 1);
const encoding: Field = {
  type: "string",
  enum: messageEncodings,
  description: "`Latin`: GSM 03.38. `Persian`: UCS-2 with Arabic script. `Unicode`: any other UCS-2.",
  example: "Persian",
};
const measured = {
  encoding,
  characterCount: shownCount("Unicode code points of the text. Not a base for costs.", 25),
  partCount,
};
const sendResultFields = {
  trackingCode,
  status: { ...status, enum: ["queued"], example: "queued" },
  ...measured,
  submittedAt: shownTime("When the message was accepted."),
  duplicate: {
    type: "boolean",
    description: "True when this Idempotency-Key had been registered before and nothing new was created.",
    example: false,
  },
};

export const schemas: Readonly<Record<string, Field>> = {
  SendResult: shown("What was accepted.", sendResultFields),
  ScheduledSendResult: shown("What was accepted, and when it will be sent.", {
    ...sendResultFields,
    sendAt: shownTime("When the message will be sent."),
  }),
  MessageRecord: shown("A message and what became of it.", {
    trackingCode,
    clientReference,
    sender,
    recipient,
    message: shownText("The text.", "سلام! سفارش شما ارسال شد."),
    ...measured,
    status,
    error: orNull(
      shown("Why the message failed; null unless its status is failed.", {
        code: { type: "string", enum: messageErrorCodes, description: "A stable code.", example: "expired" },
        message: shownText("The same for a person.", "The network could not deliver the message."),
      }),
    ),
    submittedAt: shownTime("When the message was accepted."),
    updatedAt: shownTime("When its status changed last."),
    sendAt: orNull(shownTime("When it was to be sent; null for at once.")),
    sentAt: orNull(shownTime("When it was handed over; null until then.")),
    deliveredAt: orNull(shownTime("When its delivery was confirmed; null until then.")),
    history: listOf(named("HistoryEntry"), "The public steps, oldest first."),
  }),
  HistoryEntry: shown("One public step.", {
    status,
    note: shownText("The step for a person.", "Handed over to the network."),
    changedAt: shownTime("When the step was taken."),
  }),
  StatusSummary: shown("A message in short.", {
    trackingCode,
    clientReference,
    sender,
    recipient,
    status,
    partCount,
    submittedAt: shownTime("When the message was accepted."),
    updatedAt: shownTime("When its status changed last."),
  }),
  CancelResult: shown("A cancelled message.", {
    trackingCode,
    status: { ...status, enum: ["cancelled"], example: "cancelled" },
    cancelledAt: shownTime("When it was cancelled."),
  }),
  Sender: shown("A sender of the account.", {
    sender,
    active: { type: "boolean", description: "Whether it can be used for sending.", example: true },
  }),
  Error: {
    type: "object",
    description: "Why a request was refused.",
    required: ["code", "message", "correlationId"],
    properties: {
      code: {
        type: "string",
        enum: Object.keys(apiErrors),
        description: "A stable code.",
        example: "validation_failed",
      },
      message: shownText("The same for a person.", apiErrors.validation_failed.meaning),
      correlationId: shownText("The value of X-Correlation-Id.", "7f0d2f52-1b0c-4f0e-9f2e-0d8b4a0f3c11"),
      errors: listOf(named("FieldError"), "What is wrong with each field; only with `validation_failed`."),
    },
  },
  FieldError: shown("What is wrong with one field.", {
    field: shownText("The field's path.", "messages[3].recipient"),
    code: { type: "string", enum: fieldCodes, description: "A stable code.", example: "invalid_phone_number" },
    message: shownText("The same for a person.", "Must be a mobile number, such as +989121234567."),
  }),
};

export const trackingCodeParameter: ParameterNotes = {
  name: "trackingCode",
  in: "path",
  description: "The message's tracking code. Another account's is as unknown as one that never existed.",
  schema: { type: "string", minLength: 26, maxLength: 26 },
  example: exampleTrackingCode,
};

const locationHeader = { Location: "Path of the message: /v1/messages/{trackingCode}." };
const mismatchHeader = {
  "Idempotency-Payload-Mismatch": "`true` when the first request under the key had another payload.",
};
const accepted = "Accepted: the message is stored and will be sent. It is not delivered yet.";
const replayed = "The Idempotency-Key had been registered: the first result again, with `duplicate` true.";

function sendAnswers(schema: object, isOne: boolean): Answers {
  return {
    202: { description: accepted, schema, ...(isOne ? { headers: locationHeader } : {}) },
    200: { description: replayed, schema, headers: mismatchHeader },
  };
}

export const sendOneAnswers = sendAnswers(named("SendResult"), true);
export const sendScheduledAnswers = sendAnswers(named("ScheduledSendResult"), true);
export const sendManyAnswers = sendAnswers(listOf(named("SendResult"), "One result an item, in their order."), false);
export const messageAnswers: Answers = { 200: { description: "The message.", schema: named("MessageRecord") } };
export const cancelAnswers: Answers = { 200: { description: "Cancelled.", schema: named("CancelResult") } };
export const statusAnswers: Answers = {
  200: {
    description: "The messages that were found, in the order of the request.",
    schema: listOf(named("StatusSummary"), "The messages that were found."),
  },
};
export const senderAnswers: Answers = {
  200: { description: "The senders.", schema: listOf(named("Sender"), "The account's senders.") },
};
