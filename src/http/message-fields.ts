/** Bodies of the requests that send messages and query their status. */
import { Type } from "@sinclair/typebox";
import { messageLimits } from "../domain/message.ts";
import { sendWindowText } from "../domain/send-window.ts";
import { listField, recipientTextField, sendTimeField, textField, textOrNullField } from "./fields.ts";

const { senderMin, senderMax, textMax, referenceMax } = messageLimits;

export const senderField = textField({
  lengthMin: senderMin,
  lengthMax: senderMax,
  description: "An active sender of the account (see GET /v1/senders).",
  example: "982000123",
});

/** Optional where the pattern or the account has a default sender. */
export const optionalSenderField = Type.Optional(
  textOrNullField({
    lengthMin: senderMin,
    lengthMax: senderMax,
    description: "An active sender of the account; null or left out for the default one.",
    example: "982000123",
  }),
);

export const recipientField = recipientTextField({
  description:
    "Mobile number in any common spelling; Persian and Arabic digits are read. Stored and returned as E.164.",
  example: "+989121234567",
});

export const messageTextLimits = { lengthMin: 1, lengthMax: textMax };

export const messageField = textField({
  ...messageTextLimits,
  description: "The text. One character is one Unicode code point.",
  example: "سلام! سفارش شما ارسال شد.",
});

export const clientReferenceField = Type.Optional(
  textOrNullField({
    lengthMin: 0,
    lengthMax: referenceMax,
    description: "Your own reference; it comes back with the message and its events.",
    example: "order-1042",
  }),
);

export const singleBody = Type.Object({
  sender: senderField,
  recipient: recipientField,
  message: messageField,
  clientReference: clientReferenceField,
});

export const scheduledBody = Type.Object({
  ...singleBody.properties,
  sendAt: sendTimeField({
    description: `When to send: ISO 8601 with an offset or Z, ${sendWindowText} ahead.`,
    example: "2026-11-21T08:00:00Z",
  }),
});

const batchItem = Type.Object(
  {
    recipient: recipientField,
    message: messageField,
    clientReference: clientReferenceField,
  },
  { $id: "BatchMessage" },
);

export const batchMessagesMax = 500;
export const batchBytesMax = 16 * 1024 * 1024;

export const batchBody = Type.Object({
  sender: senderField,
  messages: listField(batchItem, {
    countMin: 1,
    countMax: batchMessagesMax,
    description: "The messages; all of them are accepted or none.",
  }),
});

export const trackingCodesMax = 100;

export const statusBody = Type.Object({
  trackingCodes: listField(
    textField({ lengthMin: 0, lengthMax: 100, description: "A tracking code.", example: "01JCZ5V6M8Q3T9X2B4N7K1R0YA" }),
    {
      countMin: 1,
      countMax: trackingCodesMax,
      description: "Codes of the account's messages; unknown ones are left out.",
    },
  ),
});
