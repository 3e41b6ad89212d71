/** The Send result as the contract defines it, and the answers with one or many of them. */

import type { Acceptance, SendResult } from "../messaging/messages/accept.ts";
import { isoTime } from "../platform/clock.ts";
import type {
  CampaignSendResultBody,
  ScheduledSendResultBody,
  SendResultBody,
  sendBatchResponses,
  sendLaterResponses,
  sendOneResponses,
} from "./message-responses.ts";
import type { AnswerTo } from "./operation-answer.ts";

export function sendResultBody(result: SendResult): SendResultBody {
  const { trackingCode, status, encoding, characterCount, partCount, submittedAt, duplicate } = result;
  return {
    trackingCode,
    status,
    encoding,
    characterCount,
    partCount,
    submittedAt: isoTime(submittedAt),
    duplicate,
  };
}

/** Adds the campaign's name if there is one. */
export function inCampaign(campaign: string | null): (result: SendResult) => CampaignSendResultBody {
  return campaign === null ? sendResultBody : (result) => ({ ...sendResultBody(result), campaign });
}

/** A scheduled message also has its `sendAt`. */
function scheduledResultBody(result: SendResult): ScheduledSendResultBody {
  if (result.sendAt === null) throw new Error("A scheduled message has no time to be sent at");
  return { ...sendResultBody(result), sendAt: isoTime(result.sendAt) };
}

/** 202 for a new acceptance, 200 for a replayed one. */
const statusOf = ({ duplicate }: Acceptance): 200 | 202 => (duplicate ? 200 : 202);

function acceptedOne<Body>(acceptance: Acceptance, bodyOf: (result: SendResult) => Body) {
  const [result] = acceptance.results;
  if (result === undefined) throw new Error("An acceptance of one message holds none");
  const { trackingCode } = result;
  return {
    status: statusOf(acceptance),
    body: bodyOf(result),
    payloadMismatch: acceptance.payloadMismatch,
    trackingCode,
    location: acceptance.duplicate ? undefined : `/v1/messages/${trackingCode}`,
  };
}

export function oneAccepted(acceptance: Acceptance): AnswerTo<typeof sendOneResponses> {
  return acceptedOne(acceptance, sendResultBody);
}

export function laterAccepted(acceptance: Acceptance): AnswerTo<typeof sendLaterResponses> {
  return acceptedOne(acceptance, scheduledResultBody);
}

export function manyAccepted(acceptance: Acceptance): AnswerTo<typeof sendBatchResponses> {
  const { results, payloadMismatch, campaign } = acceptance;
  return { status: statusOf(acceptance), body: results.map(inCampaign(campaign?.() ?? null)), payloadMismatch };
}
