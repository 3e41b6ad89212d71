/** The answers about one-time passwords: a challenge that was sent, and a code that was verified. */
import { exampleTrackingCode, mismatchHeader } from "./message-responses.ts";
import type { ParameterDeclaration } from "./operation.ts";
import { choiceOf, countOf, flagOf, objectOf, orNull, textOf, timeOf, uuidOf } from "./response-fields.ts";

const exampleChallengeId = "5c2b7c7e-3a7d-4a43-9a1e-6a9f0c7d2b11";
const challengeId = uuidOf("The challenge's id.", exampleChallengeId);

export const challengeIdParameter: ParameterDeclaration = {
  name: "challengeId",
  in: "path",
  description: "The challenge's id. Another account's is as unknown as one that never existed.",
  schema: { type: "string", format: "uuid" },
  example: exampleChallengeId,
};

const challenge = objectOf(
  "A code that was sent to its recipient.",
  {
    challengeId,
    trackingCode: textOf("The tracking code of the message that carries the code.", exampleTrackingCode),
    status: choiceOf(["pending"], "It waits for its code.", "pending"),
    expiresAt: timeOf("Until when the code is taken."),
    resendAvailableAt: timeOf("From when another code may be sent to this recipient."),
    attemptsRemaining: countOf("Attempts that it takes.", 5),
    duplicate: flagOf("True when the Idempotency-Key had been registered before.", false),
  },
  "OtpChallenge",
);

export const challengeResponses = {
  202: { description: "The code will be sent.", body: challenge },
  200: {
    description: "The Idempotency-Key had been registered: the same challenge again.",
    body: challenge,
    headers: mismatchHeader,
  },
};

const verification = objectOf(
  "The result of a verification.",
  {
    challengeId,
    status: choiceOf(["verified", "pending"], "Whether the code was right.", "verified"),
    verifiedAt: orNull(timeOf("When the right code came; null until then.")),
    attemptsRemaining: countOf("Attempts that it still takes.", 4),
  },
  "OtpVerification",
);

export const verifyResponses = {
  200: {
    description: "The code was compared. A wrong one leaves the challenge pending, also the fifth, which locks it.",
    body: verification,
  },
};
