/** How far ahead a message may be scheduled (contract, "POST /v1/messages/scheduled"): milliseconds, inclusive. */

export const sendAheadMsMin = 30_000;
export const sendAheadMsMax = 30 * 24 * 3_600_000;
