/** The Send result as the contract writes it, and what every sending operation has in common. */

import type { Acceptance, SendResult } from "../messaging/messages/accept.ts";
import { isoTime } from "../platform/clock.ts";
import type { OperationAnswer } from "./operation.ts";

/** Contract, "Send result"; a scheduled message also tells its `sendAt`. */
export function sendResultBody(result: SendResult): object {
  const { trackingCode, status, encoding, characterCount, partCount, submittedAt, sendAt, duplicate } = result;
  const body = {
    trackingCode,
    status,
    encoding,
    characterCount,
    partCount,
    submittedAt: isoTime(submittedAt),
    duplicate,
  };
  return sendAt === null ? body : { ...body, sendAt: isoTime(sendAt) };
}

/** 202 for what was created, 200 for what had been. */
const statusOf = ({ duplicate }: Acceptance) => (duplicate ? 200 : 202);

export function oneAccepted(acceptance: Acceptance): OperationAnswer {
  const [result] = acceptance.results;
  if (result === undefined) throw new Error("An acceptance of one message holds none");
  const { trackingCode } = result;
  const answer: OperationAnswer = {
    status: statusOf(acceptance),
    body: sendResultBody(result),
    payloadMismatch: acceptance.payloadMismatch,
    trackingCode,
  };
  if (!acceptance.duplicate) answer.location = `/v1/messages/${trackingCode}`;
  return answer;
}

export function manyAccepted(acceptance: Acceptance): OperationAnswer {
  const { results, payloadMismatch } = acceptance;
  return { status: statusOf(acceptance), body: results.map(sendResultBody), payloadMismatch };
}
