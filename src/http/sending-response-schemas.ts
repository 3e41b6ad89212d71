/** What the reference says of the answers about groups, patterns and one-time passwords. */
import type { AnswerNotes, ParameterNotes } from "./operation.ts";
import {
  exampleTrackingCode,
  listOf,
  orNull,
  sendManyAnswers,
  shown,
  shownCount,
  shownText,
  shownTime,
} from "./response-schemas.ts";

type Answers = Readonly<Record<number, AnswerNotes>>;

export const exampleChallengeId = "5c2b7c7e-3a7d-4a43-9a1e-6a9f0c7d2b11";

export const groupCodeParameter: ParameterNotes = {
  name: "groupCode",
  in: "path",
  description: "A code from GET /v1/approved-groups.",
  schema: { type: "string" },
  example: "spring-offer",
};

export const patternCodeParameter: ParameterNotes = {
  name: "patternCode",
  in: "path",
  description: "A code from GET /v1/patterns.",
  schema: { type: "string" },
  example: "order-ready",
};

export const challengeIdParameter: ParameterNotes = {
  name: "challengeId",
  in: "path",
  description: "The challenge's id. Another account's is as unknown as one that never existed.",
  schema: { type: "string", format: "uuid" },
  example: exampleChallengeId,
};

const approvedAt = orNull(shownTime("When it was approved; null where that was not recorded."));

const group = shown("A group that the account may send to.", {
  code: shownText("Stable; it stands in the path of a send.", "spring-offer"),
  name: shownText("The name to show.", "Spring offer"),
  recipientCount: shownCount("Approved recipients.", 1250),
  approvedAt,
});

export const groupAnswers: Answers = {
  200: { description: "The groups.", schema: listOf(group, "The approved groups, by code.") },
};

/** The same as of a batch, one result a member. */
export const groupSendAnswers: Answers = Object.fromEntries(
  Object.entries(sendManyAnswers).map(([status, notes]) => [
    status,
    { ...notes, schema: { ...notes.schema, description: "One result a member, in the group's order." } },
  ]),
);

const pattern = shown("An approved text with variables.", {
  code: shownText("Stable; it stands in the path of a send.", "order-ready"),
  name: shownText("The name to show.", "Order ready"),
  text: shownText("The text, its variables in double braces.", "Dear {{name}}, your order is ready."),
  variables: listOf(
    shown("One variable.", {
      name: shownText("Its name.", "name"),
      maxLength: shownCount("The most characters of its value.", 30),
    }),
    "The variables, in the order of their first use.",
  ),
  sender: orNull(shownText("The sender unless the request names one; null for the account's default.", "982000123")),
  isActive: { type: "boolean", description: "False while it is suspended and cannot be used.", example: true },
  approvedAt,
});

export const patternAnswers: Answers = {
  200: { description: "The patterns.", schema: listOf(pattern, "Every pattern that was approved, by code.") },
};

const challenge = shown("A code on its way to its recipient.", {
  challengeId: { ...shownText("The challenge's id.", exampleChallengeId), format: "uuid" },
  trackingCode: shownText("The tracking code of the message that carries the code.", exampleTrackingCode),
  status: { type: "string", enum: ["pending"], description: "It waits for its code.", example: "pending" },
  expiresAt: shownTime("Until when the code is taken."),
  resendAvailableAt: shownTime("From when another code may be sent to this recipient."),
  attemptsRemaining: shownCount("Answers that it takes.", 5),
  duplicate: {
    type: "boolean",
    description: "True when the Idempotency-Key had been registered before.",
    example: false,
  },
});

export const challengeAnswers: Answers = {
  202: { description: "The code is on its way.", schema: challenge },
  200: { description: "The Idempotency-Key had been registered: the same challenge again.", schema: challenge },
};

export const verifyAnswers: Answers = {
  200: {
    description: "The code was judged. A wrong one leaves the challenge pending, also the fifth, which locks it.",
    schema: shown("A judged code.", {
      challengeId: { ...shownText("The challenge's id.", exampleChallengeId), format: "uuid" },
      status: {
        type: "string",
        enum: ["verified", "pending"],
        description: "Whether the code was right.",
        example: "verified",
      },
      verifiedAt: orNull(shownTime("When the right code came; null until then.")),
      attemptsRemaining: shownCount("Answers that it still takes.", 4),
    }),
  },
};
