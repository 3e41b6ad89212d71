/** A claimed message as a provider is handed it. */
import type { Submission } from "../providers/provider.ts";
import type { MessageRow } from "../store/messages.ts";

/** `text` is the message's own, or what its sealed text opened to. */
export function submissionOf(message: MessageRow, text: string): Submission {
  const { id, trackingCode, sender, recipient, encoding, partCount, validUntil, attempts } = message;
  return {
    messageId: id,
    trackingCode,
    sender,
    recipient,
    text,
    encoding,
    partCount,
    class: message.class,
    validUntil,
    attempt: attempts,
  };
}
