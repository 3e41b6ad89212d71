/** The answers about messages: Send results, records, status summaries and cancellations. */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { messageEncodings, messageErrorCodes, publicStatuses } from "../domain/message.ts";
import type { ParameterDeclaration } from "./operation.ts";
import { choiceOf, countOf, flagOf, listOf, objectOf, orNull, textOf, timeOf } from "./response-fields.ts";

export const exampleTrackingCode = "01KAGZ4M8Q3T9X2B4N7K1R0YAV";

const trackingCode = textOf("The message's identifier for you.", exampleTrackingCode);
const status = choiceOf(publicStatuses, "The public status.", "sent");
const clientReference = orNull(textOf("Your own reference.", "order-1042"));
const sender = textOf("The sender.", "982000123");
const recipient = textOf("The recipient as E.164.", "+989121234567");
const partCount = countOf("Parts that the network will carry.", 1);
const submittedAt = timeOf("When the message was accepted.");
const updatedAt = timeOf("When its status changed last.");
const measured = {
  encoding: choiceOf(
    messageEncodings,
    "`Latin`: GSM 03.38. `Persian`: UCS-2 with Arabic script. `Unicode`: any other UCS-2.",
    "Persian",
  ),
  characterCount: countOf("Unicode code points of the text. Not a base for costs.", 25),
  partCount,
};
const sendResultFields = {
  trackingCode,
  status: choiceOf(["queued"], "The public status.", "queued"),
  ...measured,
  submittedAt,
  duplicate: flagOf("True when this Idempotency-Key had been registered before and nothing new was created.", false),
};

/** Contract, "Send result". */
const sendResult = objectOf("What was accepted.", sendResultFields, "SendResult");
export type SendResultBody = Static<typeof sendResult>;

/** Of a request that may have `Peyk-Campaign`. */
const campaignSendResult = objectOf(
  "What was accepted, and its campaign.",
  {
    ...sendResultFields,
    campaign: Type.Optional(
      textOf("The name that its request had in `Peyk-Campaign`; left out where it had none.", "yalda-1405"),
    ),
  },
  "CampaignSendResult",
);
export type CampaignSendResultBody = Static<typeof campaignSendResult>;

const scheduledSendResult = objectOf(
  "What was accepted, and when it will be sent.",
  { ...sendResultFields, sendAt: timeOf("When the message will be sent.") },
  "ScheduledSendResult",
);
export type ScheduledSendResultBody = Static<typeof scheduledSendResult>;

const historyEntry = objectOf(
  "One public step.",
  {
    status,
    note: textOf("The step in words.", "Handed over to the network."),
    changedAt: timeOf("When the step was taken."),
  },
  "HistoryEntry",
);

const failure = objectOf(
  "Why the message failed; null unless its status is failed.",
  {
    code: choiceOf(messageErrorCodes, "A stable code.", "expired"),
    message: textOf("The same in words.", "The network could not deliver the message."),
  },
  "MessageError",
);

const messageRecordFields = {
  trackingCode,
  clientReference,
  sender,
  recipient,
  message: textOf("The text.", "سلام! سفارش شما ارسال شد."),
  ...measured,
  status,
  error: orNull(failure),
  submittedAt,
  updatedAt,
  sendAt: orNull(timeOf("When it was to be sent; null for at once.")),
  sentAt: orNull(timeOf("When it was handed over; null until then.")),
  deliveredAt: orNull(timeOf("When its delivery was confirmed; null until then.")),
  history: listOf(historyEntry, "The public steps, oldest first."),
};

/** Contract, "Message record". */
const messageRecord = objectOf("A message with its public history.", messageRecordFields, "MessageRecord");
/** The same, for a service that issues test keys. */
const sandboxMessageRecord = objectOf(
  "A message with its public history.",
  {
    ...messageRecordFields,
    isTest: Type.Optional(flagOf("True for a message of a test key; left out for any other.", true)),
  },
  "MessageRecord",
);
export type MessageRecordBody = Static<typeof messageRecord>;

/** Contract, "Status summary record". */
const statusSummary = objectOf(
  "A message in short.",
  { trackingCode, clientReference, sender, recipient, status, partCount, submittedAt, updatedAt },
  "StatusSummary",
);
export type StatusSummaryBody = Static<typeof statusSummary>;

/** Contract, "Cancel result". */
const cancelResult = objectOf(
  "A cancelled message.",
  {
    trackingCode,
    status: choiceOf(["cancelled"], "The public status.", "cancelled"),
    cancelledAt: timeOf("When it was cancelled."),
  },
  "CancelResult",
);

export const trackingCodeParameter: ParameterDeclaration = {
  name: "trackingCode",
  in: "path",
  description: "The message's tracking code. Another account's is as unknown as one that never existed.",
  schema: { type: "string", minLength: 26, maxLength: 26 },
  example: exampleTrackingCode,
};

const locationHeader = { Location: "Path of the message: /v1/messages/{trackingCode}." };
export const mismatchHeader = {
  "Idempotency-Payload-Mismatch": "`true` when the first request under the key had another payload.",
};
const accepted = "Accepted: the message is stored and will be sent. It is not delivered yet.";
const replayed = "The Idempotency-Key had been registered: the first result again, with `duplicate` true.";

function oneMessage<Body extends TSchema>(body: Body) {
  return {
    202: { description: accepted, body, headers: locationHeader },
    200: { description: replayed, body, isRepeat: true, headers: mismatchHeader },
  };
}

export const sendOneResponses = oneMessage(sendResult);
export const sendLaterResponses = oneMessage(scheduledSendResult);

/** `order`: which result belongs to which message. */
export function sendManyResponses(order: string) {
  const body = listOf(campaignSendResult, order);
  return {
    202: { description: accepted, body },
    200: { description: replayed, body, isRepeat: true, headers: mismatchHeader },
  };
}

export const sendBatchResponses = sendManyResponses("One result an item, in their order.");

export const messageResponses = { 200: { description: "The message.", body: messageRecord } };
export const sandboxMessageResponses = { 200: { description: "The message.", body: sandboxMessageRecord } };
export const statusResponses = {
  200: {
    description: "The messages that were found, in the order of the request.",
    body: listOf(statusSummary, "The messages that were found."),
  },
};
export const cancelResponses = { 200: { description: "Cancelled.", body: cancelResult } };
