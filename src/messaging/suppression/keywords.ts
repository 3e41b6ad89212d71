/**
 * Keywords in inbound texts: STOP adds a number to the account's suppression list, START removes it, in the transaction
 * of the text.
 */

import { type KeywordAction, keywordReader, suppressedNumber } from "../../domain/suppression.ts";
import type { Logger } from "../../platform/log.ts";
import type { AvailableInbound } from "../../store/inbound.ts";
import type { Store } from "../../store/store.ts";
import type { AutomaticMessages } from "../messages/automatic-messages.ts";

export interface KeywordSettings {
  stopWords: readonly string[];
  startWords: readonly string[];
  /** The confirmation texts; empty for none. */
  stopReply: string;
  startReply: string;
}

export interface KeywordDeps {
  store: Store;
  log: Logger;
  automatic: Pick<AutomaticMessages, "send">;
  settings: KeywordSettings;
}

export class Keywords {
  readonly #deps: KeywordDeps;
  /** Which of the keywords a text is; null for any other text. */
  readonly actionOf: ReturnType<typeof keywordReader>;

  constructor(deps: KeywordDeps) {
    this.#deps = deps;
    this.actionOf = keywordReader(deps.settings.stopWords, deps.settings.startWords);
  }

  /** Call inside the transaction that makes the text available to its account. True for a keyword. */
  readonly received = (text: AvailableInbound): boolean => {
    const action = this.actionOf(text.message);
    if (action === null) return false;
    const recipient = suppressedNumber(text.sender);
    if (recipient !== null) this.#change(text, action, recipient);
    return true;
  };

  #change(text: AvailableInbound, action: KeywordAction, recipient: number): void {
    const { tables } = this.#deps.store;
    const { accountId, receiver, receivedAt } = text;
    if (action === "start") {
      if (tables.suppression.remove(accountId, recipient) !== null) this.#reply(text, this.#deps.settings.startReply);
      return;
    }
    const list = { accountId, source: "keyword" as const, detail: receiver, addedAt: receivedAt };
    const addition = tables.suppression.add(list, recipient);
    if (addition === null) return;
    const confirmation = this.#reply(text, this.#deps.settings.stopReply);
    if (confirmation !== null) tables.suppression.setConfirmation(addition, confirmation);
  }

  /**
   * Only a change of the list is confirmed, so that two machines never answer each other endlessly. Returns the
   * message's id.
   */
  #reply(
    { accountId, receiver: line, sender: recipient, trackingCode }: AvailableInbound,
    text: string,
  ): number | null {
    if (text === "") return null;
    const sent = this.#deps.automatic.send({ accountId, line, recipient, text });
    if (typeof sent === "number") return sent;
    this.#deps.log.warn({ inbound: trackingCode, reason: sent.refused }, "a keyword is not confirmed");
    return null;
  }
}
