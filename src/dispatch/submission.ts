/** Hands a claimed message to its provider; a sealed text is opened only for the provider. */
import { messageClasses } from "../domain/message.ts";
import { codeIn } from "../domain/otp.ts";
import { mapWords, type Reason } from "../domain/reason.ts";
import { visibleText } from "../domain/sealed-text.ts";
import { errorMessage } from "../platform/error-code.ts";
import type { Provider, Submission, SubmitOutcome } from "../providers/provider.ts";
import type { MessageRow } from "../store/messages.ts";

/** Opens the text of a one-time password, which is stored sealed. Throws if it cannot be opened. */
export type OpenText = (message: MessageRow) => string;

/** What a submission needs besides the message's row. */
export interface SubmissionDeps {
  openText: OpenText;
  templateIdOf(messageId: number): string | null;
  tlvsOf(messageId: number): Uint8Array | null;
}

type Extras = Pick<Submission, "templateId" | "tlvs" | "code">;

export function submitMessage(provider: Provider, message: MessageRow, deps: SubmissionDeps): Promise<SubmitOutcome> {
  const more: Extras = {
    templateId: provider.needsTemplateId === true ? deps.templateIdOf(message.id) : null,
    tlvs: provider.passedTags === undefined ? null : deps.tlvsOf(message.id),
  };
  if (message.class === messageClasses.otp) return submitSealed(provider, message, more, deps.openText);
  return provider.submit(submissionOf(message, message.text, more));
}

async function submitSealed(
  provider: Provider,
  message: MessageRow,
  more: Extras,
  openText: OpenText,
): Promise<SubmitOutcome> {
  let text: string;
  try {
    text = openText(message);
  } catch (reason) {
    const words = errorMessage(reason);
    return { kind: "rejected", error: "internal", reason: { code: "text_unreadable", words } };
  }
  const code = provider.needsCode === true ? { code: codeIn(text, visibleText(message.text)) } : {};
  const outcome = await provider.submit(submissionOf(message, text, { ...more, ...code }));
  return outcome.kind === "accepted" ? outcome : { ...outcome, reason: withoutSecrets(outcome.reason, text, message) };
}

const wordPattern = /[\p{L}\p{Nd}]{4,}/gu;

/** Some carriers repeat the refused text in their answer: what is masked in the record is masked there too. */
function withoutSecrets(reason: Reason, text: string, message: MessageRow): Reason {
  const shown = new Set(visibleText(message.text).match(wordPattern));
  const secrets = (text.match(wordPattern) ?? []).filter((word) => !shown.has(word));
  return mapWords(reason, (words) =>
    secrets.reduce((masked, word) => masked.replaceAll(word, "*".repeat(word.length)), words),
  );
}

function submissionOf(message: MessageRow, text: string, more: Extras): Submission {
  const { id, accountId, trackingCode, sender, recipient, encoding, partCount, validUntil, attempts } = message;
  return {
    messageId: id,
    accountId,
    trackingCode,
    ...more,
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
