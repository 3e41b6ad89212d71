/** How far ahead a message may be scheduled (contract, "POST /v1/messages/scheduled"). */

export const sendWindow = { secondsMin: 30, daysMax: 30 };
const aheadMsMin = sendWindow.secondsMin * 1_000;
const aheadMsMax = sendWindow.daysMax * 24 * 3_600_000;

/** As used in messages. */
export const sendWindowText = `${sendWindow.secondsMin} seconds to ${sendWindow.daysMax} days`;

/** Epoch milliseconds; both ends of the window are inclusive. */
export function isInSendWindow(sendAt: number, now: number): boolean {
  const aheadMs = sendAt - now;
  return aheadMs >= aheadMsMin && aheadMs <= aheadMsMax;
}
