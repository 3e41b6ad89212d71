/** Who sends in a test, and when. */
import type { Caller } from "../../src/messaging/messages/accept.ts";

/** `at`: epoch milliseconds, the time of the request. */
export const callerAt = (at: number, accountId = 1, apiKeyId = accountId): Caller => ({
  accountId,
  apiKeyId,
  at,
  bookedAt: at,
});
