/** GET /v1/messages/{trackingCode}, POST …/cancel, POST /v1/messages/status: querying and cancelling messages. */
import { ApiError } from "../domain/api-error.ts";
import { historyOf, publicErrorOf, publicStatusOf } from "../domain/status.ts";
import { isTrackingCode } from "../domain/tracking-code.ts";
import type { Canceller } from "../messaging/messages/cancel.ts";
import type { Tracker } from "../messaging/messages/track.ts";
import { isoTime } from "../platform/clock.ts";
import type { MessageRow } from "../store/messages.ts";
import { statusBody } from "./message-fields.ts";
import * as responses from "./message-responses.ts";
import { bodyOperation, type Call, type Operation, operation } from "./operation.ts";

/** `sandbox`: test keys can be issued, and the reference says so. */
export function trackingOperations(tracker: Tracker, canceller: Canceller, sandbox: boolean): Operation[] {
  return [
    operation({
      method: "GET",
      path: "/v1/messages/:trackingCode",
      tag: "Messages",
      operationId: "getMessage",
      summary: "Track one message",
      description: "The message as it stands now, with the public steps that it took.",
      permission: "messages:read",
      parameters: [responses.trackingCodeParameter],
      responses: sandbox ? responses.sandboxMessageResponses : responses.messageResponses,
      errors: ["message_not_found"],
      handle(call) {
        const trackingCode = trackingCodeOf(call);
        return { status: 200, body: messageBody(tracker.record(call.caller.accountId, trackingCode)), trackingCode };
      },
    }),

    bodyOperation({
      method: "POST",
      path: "/v1/messages/status",
      tag: "Messages",
      operationId: "getMessageStatuses",
      summary: "Status of several messages",
      description: "Only messages of the account that exist, in the order of the request, repeats removed.",
      permission: "messages:read",
      body: statusBody,
      responses: responses.statusResponses,
      errors: [],
      handle({ caller }, { trackingCodes }) {
        const rows = tracker.records(caller.accountId, trackingCodes.filter(isTrackingCode));
        return { status: 200, body: rows.map(summaryBody) };
      },
    }),

    operation({
      method: "POST",
      path: "/v1/messages/:trackingCode/cancel",
      tag: "Messages",
      operationId: "cancelMessage",
      summary: "Cancel a queued message",
      description:
        "Works until the message is handed over to a route. Cancelling a cancelled message gives the first result again.",
      permission: "messages:send",
      parameters: [responses.trackingCodeParameter],
      responses: responses.cancelResponses,
      errors: ["message_not_found", "message_not_cancellable"],
      async handle(call) {
        const { trackingCode, status, cancelledAt } = await canceller.cancel(
          call.caller.accountId,
          trackingCodeOf(call),
        );
        return { status: 200, body: { trackingCode, status, cancelledAt: isoTime(cancelledAt) }, trackingCode };
      },
    }),
  ];
}

function trackingCodeOf({ params }: Call): string {
  const { trackingCode = "" } = params;
  if (!isTrackingCode(trackingCode)) throw new ApiError("message_not_found");
  return trackingCode;
}

const timeOrNull = (epochMs: number | null) => (epochMs === null ? null : isoTime(epochMs));

/** Contract, "Message record". */
function messageBody(row: MessageRow): responses.MessageRecordBody & { isTest?: true } {
  return {
    ...(row.isTest === 1 && { isTest: true }),
    trackingCode: row.trackingCode,
    clientReference: row.clientReference,
    sender: row.sender,
    recipient: row.recipient,
    message: row.text,
    encoding: row.encoding,
    characterCount: row.characterCount,
    partCount: row.partCount,
    status: publicStatusOf(row.state),
    error: publicErrorOf(row),
    submittedAt: isoTime(row.submittedAt),
    updatedAt: isoTime(row.updatedAt),
    sendAt: timeOrNull(row.sendAt),
    sentAt: timeOrNull(row.sentAt),
    deliveredAt: row.state === "delivered" ? timeOrNull(row.finalAt) : null,
    history: historyOf(row).map(({ status, note, changedAt }) => ({ status, note, changedAt: isoTime(changedAt) })),
  };
}

/** Contract, "Status summary record". */
function summaryBody(row: MessageRow): responses.StatusSummaryBody {
  const { trackingCode, clientReference, sender, recipient, partCount } = row;
  return {
    trackingCode,
    clientReference,
    sender,
    recipient,
    status: publicStatusOf(row.state),
    partCount,
    submittedAt: isoTime(row.submittedAt),
    updatedAt: isoTime(row.updatedAt),
  };
}
