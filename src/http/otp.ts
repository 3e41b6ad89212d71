/** /v1/otp: one-time passwords. Peyk generates and verifies them, or sends the customer's own. */
import { Type } from "@sinclair/typebox";
import { type ApiErrorCode, invalid } from "../domain/api-error.ts";
import { endUserHeader, isOwnCode } from "../domain/otp.ts";
import type { ChallengeResult } from "../messaging/otp/otp-challenges.ts";
import type { OtpService } from "../messaging/otp/otp-service.ts";
import { isoTime } from "../platform/clock.ts";
import { problemsOf } from "./body-problems.ts";
import { integerField, recipientOf, textField, textMatchingField, textOrNullField } from "./fields.ts";
import { clientReferenceField, optionalSenderField, recipientField } from "./message-fields.ts";
import { exampleTrackingCode, mismatchHeader, sendOneResponses } from "./message-responses.ts";
import { bodyOperation, idempotentOperation, type Operation, type ParameterDeclaration } from "./operation.ts";
import type { AnswerTo } from "./operation-answer.ts";
import { choiceOf, countOf, flagOf, objectOf, orNull, textOf, timeOf, uuidOf } from "./response-fields.ts";
import { oneAccepted } from "./send-result.ts";

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
    isRepeat: true,
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

const codeLengthDefault = 6;
const ttlSecondsDefault = 300;

const sharedFields = {
  sender: optionalSenderField,
  recipient: recipientField,
  patternCode: Type.Optional(
    textOrNullField({
      lengthMin: 1,
      lengthMax: 63,
      description: "A pattern whose only variable is `{{code}}`; without one the service's own text is sent.",
      example: "login-code",
    }),
  ),
  clientReference: clientReferenceField,
};

const challengeBody = Type.Object({
  ...sharedFields,
  codeLength: Type.Optional(
    integerField({ minimum: 4, maximum: 10, description: "Digits of the code; 6 by default.", example: 6 }),
  ),
  ttlSeconds: Type.Optional(
    integerField({
      minimum: 60,
      maximum: 900,
      description: "How long the code is valid; 300 by default.",
      example: 300,
    }),
  ),
});

const codeBody = Type.Object({
  ...sharedFields,
  code: textMatchingField({
    lengthMin: 4,
    lengthMax: 10,
    test: isOwnCode,
    message: "Must have letters and digits only.",
    description: "Your code: 4 to 10 letters or digits.",
    example: "48213",
  }),
});

const verifyBody = Type.Object({
  code: textField({
    lengthMin: 1,
    lengthMax: 64,
    description: "The code as it was typed. Persian and Arabic digits are read, spaces and dashes ignored.",
    example: "482133",
  }),
});

const endUserParameter: ParameterDeclaration = {
  name: endUserHeader,
  in: "header",
  description:
    "The IP address of the end user who asked for the code. Where the operator has set how many numbers may have codes " +
    "for one address in 24 hours, more are refused with `otp_rate_limited`, and what is no address with " +
    "`validation_failed`; elsewhere it is not read. It does not count among what makes a repeat another request.",
  schema: { type: "string", maxLength: 64 },
  example: "203.0.113.7",
};
const endUserIn = ({ headers }: Request) => ({ endUserAddress: headers.get(endUserHeader) });

const shared = { tag: "One-time passwords", permission: "otp:send" } as const;
const sendingErrors: readonly ApiErrorCode[] = [
  "sender_not_permitted",
  "pattern_not_found",
  "pattern_not_sendable",
  "otp_rate_limited",
];
const limitsSentence =
  "At most one code a minute, five an hour and ten a day go to one recipient, unless the operator has set other limits.";

export function otpOperations({ challenges, codes }: Pick<OtpService, "challenges" | "codes">): Operation[] {
  return [
    idempotentOperation({
      ...shared,
      method: "POST",
      path: "/v1/otp/challenges",
      operationId: "createOtpChallenge",
      summary: "Send a code and remember its hash",
      description: `A new challenge ends the one before to the same recipient. ${limitsSentence}`,
      parameters: [endUserParameter],
      body: challengeBody,
      responses: challengeResponses,
      errors: [...sendingErrors, "otp_challenge_not_found"],
      replay({ caller, idempotency }) {
        const known = challenges.replay(caller, idempotency);
        return known === null ? null : challengeAnswer(known);
      },
      async handle({ caller, idempotency, rules, request }, body) {
        const recipient = recipientOf(body.recipient, rules);
        if (recipient === null) throw invalid(problemsOf(challengeBody, body, rules));
        const { codeLength = codeLengthDefault, ttlSeconds = ttlSecondsDefault } = body;
        const input = { ...body, ...endUserIn(request), recipient, codeLength, ttlSeconds };
        return challengeAnswer(await challenges.send(caller, idempotency, input));
      },
    }),

    bodyOperation({
      ...shared,
      method: "POST",
      path: "/v1/otp/challenges/:challengeId/verify",
      operationId: "verifyOtpChallenge",
      summary: "Verify a code",
      description: "Every attempt counts, and the fifth wrong one locks the challenge.",
      parameters: [challengeIdParameter],
      body: verifyBody,
      responses: verifyResponses,
      errors: ["otp_challenge_not_found", "otp_challenge_expired", "otp_challenge_locked", "otp_challenge_used"],
      async handle({ caller, params }, { code }) {
        const { verifiedAt, ...result } = await challenges.verify(caller.accountId, params.challengeId ?? "", code);
        return { status: 200, body: { ...result, verifiedAt: verifiedAt === null ? null : isoTime(verifiedAt) } };
      },
    }),

    idempotentOperation({
      ...shared,
      method: "POST",
      path: "/v1/otp/codes",
      operationId: "sendOtpCode",
      summary: "Send a code of your own",
      description: `You made the code and compare it yourself; in records it is masked. ${limitsSentence}`,
      parameters: [endUserParameter],
      body: codeBody,
      responses: sendOneResponses,
      errors: sendingErrors,
      replay({ caller, idempotency }) {
        const known = codes.replay(caller, idempotency);
        return known === null ? null : oneAccepted(known);
      },
      async handle({ caller, idempotency, rules, request }, body) {
        const recipient = recipientOf(body.recipient, rules);
        if (recipient === null) throw invalid(problemsOf(codeBody, body, rules));
        return oneAccepted(await codes.send(caller, idempotency, { ...body, ...endUserIn(request), recipient }));
      },
    }),
  ];
}

function challengeAnswer({ payloadMismatch, ...challenge }: ChallengeResult): AnswerTo<typeof challengeResponses> {
  const { expiresAt, resendAvailableAt, trackingCode } = challenge;
  const body = { ...challenge, expiresAt: isoTime(expiresAt), resendAvailableAt: isoTime(resendAvailableAt) };
  return { status: challenge.duplicate ? 200 : 202, body, payloadMismatch, trackingCode };
}
