/** The sender of a request in a test, and its time. */
import type { Caller } from "../../src/messaging/messages/accept.ts";

/** `at`: epoch milliseconds, the time of the request. */
export const callerAt = (at: number, accountId = 1, apiKeyId = accountId): Caller => ({
  accountId,
  apiKeyId,
  at,
  bookedAt: at,
});
