/** Sends with a pattern: an approved text whose variables the customer fills in. */

import { ApiError, type FieldProblem, invalid } from "../../domain/api-error.ts";
import { messageClasses, messageLimits } from "../../domain/message.ts";
import { valueProblems } from "../../domain/pattern.ts";
import { parseTemplate, renderTemplate } from "../../domain/template.ts";
import { codePointLength } from "../../domain/text.ts";
import type { PatternRow } from "../../store/patterns.ts";
import type { Store } from "../../store/store.ts";
import { type AccountDirectory, chooseSender } from "../directory/sender-choice.ts";
import type { Acceptance, Acceptor, Caller, IdempotentRequest } from "../messages/accept.ts";

export interface PatternMessage {
  sender?: string | null;
  /** E.164. */
  recipient: string;
  variables: Readonly<Record<string, unknown>>;
  clientReference?: string | null;
}

export interface PatternSendDeps {
  store: Store;
  acceptor: Acceptor;
  directory: AccountDirectory;
}

export type PatternSender = ReturnType<typeof patternSender>;

export function patternSender({ store, acceptor, directory }: PatternSendDeps) {
  function sendable(accountId: number, code: string): PatternRow {
    const pattern = store.tables.patterns.byAccountAndCode(accountId, code);
    if (pattern === null) throw new ApiError("pattern_not_found");
    if (pattern.status !== "approved") throw new ApiError("pattern_not_sendable");
    return pattern;
  }

  return {
    /** The result under this key, if any. Throws `idempotency_key_conflict` if the key stands for something else. */
    replay: (caller: Caller, request: IdempotentRequest) => acceptor.replay(caller, request),

    /** The account's pattern if it may be used now. Throws `pattern_not_found`, `pattern_not_sendable`. */
    sendable,

    /** The patterns the account may use, or could before they were suspended, by code: everything ever approved. */
    listed: (accountId: number): PatternRow[] =>
      store.tables.patterns.ofAccount(accountId).filter(({ approvedAt }) => approvedAt !== null),

    /**
     * Accepts one message. Throws `pattern_not_found`, `pattern_not_sendable`, `validation_failed`,
     * `sender_not_permitted`, `idempotency_key_conflict`; rejects with StoreUnavailable when the disk refuses.
     */
    async send(
      caller: Caller,
      request: IdempotentRequest,
      patternCode: string,
      { sender: given, recipient, variables, clientReference = null }: PatternMessage,
    ): Promise<Acceptance> {
      const pattern = sendable(caller.accountId, patternCode);
      const text = filledIn(pattern, variables);
      const sender = chooseSender(directory, caller.accountId, given, pattern.sender);
      const draft = { sender, recipient, text, clientReference, class: messageClasses.single, sendAt: null };
      if (pattern.templateId === null) return acceptor.accept(caller, request, [draft]);
      return acceptor.accept(caller, request, [draft], (tables, messageId) =>
        tables.messageTemplates.insert(messageId, pattern.id),
      );
    },
  };
}

/** Throws `validation_failed`. */
function filledIn(pattern: PatternRow, values: Readonly<Record<string, unknown>>): string {
  const problems = valueProblems(pattern.variables, values);
  if (problems.length > 0) throw invalid(problems);
  const texts = Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const text = renderTemplate(parseTemplate(pattern.text), Object.fromEntries(texts));
  if (codePointLength(text) > messageLimits.textMax) throw invalid([textTooLong]);
  return text;
}

const textTooLong: FieldProblem = {
  field: "variables",
  code: "too_long",
  message: `The text has more than ${messageLimits.textMax} characters with these values in place.`,
};
