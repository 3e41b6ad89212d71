/** Handing over a text that rests sealed: opened for the route alone, and never found again in what the route says of it. */
import { visibleText } from "../domain/sealed-text.ts";
import type { SubmitOutcome } from "../providers/provider.ts";
import type { MessageRow } from "../store/messages.ts";

/** Opens the text and submits it. A text that cannot be opened can never be sent. */
export async function submitSealed(
  message: MessageRow,
  open: (message: MessageRow) => string,
  submit: (text: string) => Promise<SubmitOutcome>,
): Promise<SubmitOutcome> {
  let text: string;
  try {
    text = open(message);
  } catch (reason) {
    const detail = reason instanceof Error ? reason.message : String(reason);
    return { kind: "rejected", error: "internal", detail };
  }
  const outcome = await submit(text);
  return outcome.kind === "accepted" ? outcome : { ...outcome, detail: withoutSecrets(outcome.detail, text, message) };
}

const words = /[\p{L}\p{Nd}]{4,}/gu;

/** Some carriers answer with the text that they refuse: what is masked in the record is masked there, too. */
function withoutSecrets(detail: string, text: string, message: MessageRow): string {
  const shown = new Set(visibleText(message.text).match(words));
  const secret = (text.match(words) ?? []).filter((word) => !shown.has(word));
  return secret.reduce((masked, word) => masked.replaceAll(word, "*".repeat(word.length)), detail);
}
