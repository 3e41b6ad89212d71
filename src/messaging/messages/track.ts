/** Tracking: the state of a message as its account may see it. */
import { ApiError } from "../../domain/api-error.ts";
import { visibleText } from "../../domain/sealed-text.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { Store } from "../../store/store.ts";

export type Tracker = ReturnType<typeof tracker>;

export function tracker(store: Store) {
  return {
    /**
     * The code of a one-time password is masked. Throws `message_not_found`, including for another account's message.
     */
    record(accountId: number, trackingCode: string): MessageRow {
      const message = store.tables.messages.byCode(accountId, trackingCode);
      if (message === null) throw new ApiError("message_not_found");
      return { ...message, text: visibleText(message.text) };
    },

    /** The account's messages among these codes, in the same order, without repeats. */
    records(accountId: number, trackingCodes: readonly string[]): MessageRow[] {
      return [...new Set(trackingCodes)].flatMap((code) => store.tables.messages.byCode(accountId, code) ?? []);
    },
  };
}
