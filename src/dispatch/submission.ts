/** Hands a claimed message to its provider; a sealed text is opened for the provider alone. */
import { messageClasses } from "../domain/message.ts";
import { visibleText } from "../domain/sealed-text.ts";
import type { Provider, Submission, SubmitOutcome } from "../providers/provider.ts";
import type { MessageRow } from "../store/messages.ts";

/** The whole text of a one-time password, which is stored sealed. Throws where it cannot be opened. */
export type OpenText = (message: MessageRow) => string;

export function submitMessage(provider: Provider, message: MessageRow, openText: OpenText): Promise<SubmitOutcome> {
  if (message.class === messageClasses.otp) return submitSealed(provider, message, openText);
  return provider.submit(submissionOf(message, message.text));
}

async function submitSealed(provider: Provider, message: MessageRow, openText: OpenText): Promise<SubmitOutcome> {
  let text: string;
  try {
    text = openText(message);
  } catch (reason) {
    const detail = reason instanceof Error ? reason.message : String(reason);
    return { kind: "rejected", error: "internal", detail };
  }
  const outcome = await provider.submit(submissionOf(message, text));
  return outcome.kind === "accepted" ? outcome : { ...outcome, detail: withoutSecrets(outcome.detail, text, message) };
}

const words = /[\p{L}\p{Nd}]{4,}/gu;

/** Some carriers answer with the text that they refuse: what is masked in the record is masked there, too. */
function withoutSecrets(detail: string, text: string, message: MessageRow): string {
  const shown = new Set(visibleText(message.text).match(words));
  const secret = (text.match(words) ?? []).filter((word) => !shown.has(word));
  return secret.reduce((masked, word) => masked.replaceAll(word, "*".repeat(word.length)), detail);
}

function submissionOf(message: MessageRow, text: string): Submission {
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
