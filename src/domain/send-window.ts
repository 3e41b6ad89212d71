/** How far ahead a message may be scheduled (contract, "POST /v1/messages/scheduled"). */

const aheadMsMin = 30_000;
const aheadMsMax = 30 * 24 * 3_600_000;

/** As it stands in messages. */
export const sendWindowText = "30 seconds to 30 days";

/** Epoch milliseconds; both ends of the window count. */
export function isInSendWindow(sendAt: number, now: number): boolean {
  const aheadMs = sendAt - now;
  return aheadMs >= aheadMsMin && aheadMs <= aheadMsMax;
}
