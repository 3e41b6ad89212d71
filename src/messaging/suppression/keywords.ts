/**
 * Keywords in inbound texts: STOP adds a number to the account's suppression list, START removes it, in the transaction
 * of the text.
 */

import { ApiError } from "../../domain/api-error.ts";
import { messageClasses } from "../../domain/message.ts";
import { keywordReader, suppressedNumber } from "../../domain/suppression.ts";
import type { BookingClock } from "../../platform/booking-clock.ts";
import type { Logger } from "../../platform/log.ts";
import { inNextTurn } from "../../platform/next-turn.ts";
import type { AvailableInbound } from "../../store/inbound.ts";
import type { NewMessage } from "../../store/messages.ts";
import type { Store } from "../../store/store.ts";
import type { Account } from "../directory/directory.ts";
import { type Acceptor, type QueuedMessage, queuedOf } from "../messages/accept.ts";

export interface KeywordSettings {
  stopWords: readonly string[];
  startWords: readonly string[];
  /** The confirmation texts; empty for none. */
  stopReply: string;
  startReply: string;
}

export interface KeywordDeps {
  store: Store;
  bookingClock: Pick<BookingClock, "moment">;
  log: Logger;
  directory: {
    account(id: number): Pick<Account, "status" | "defaultSender"> | null;
    sender(accountId: number, sender: string): { active: boolean } | null;
  };
  acceptor: Pick<Acceptor, "rowOf" | "rules">;
  /** Called with a confirmation once it is on disk. */
  accepted(waiting: readonly QueuedMessage[]): void;
  settings: KeywordSettings;
}

export class Keywords {
  readonly #deps: KeywordDeps;
  readonly #actionOf: ReturnType<typeof keywordReader>;

  constructor(deps: KeywordDeps) {
    this.#deps = deps;
    this.#actionOf = keywordReader(deps.settings.stopWords, deps.settings.startWords);
  }

  /** Call inside the transaction that makes the text available to its account. */
  readonly received = (text: AvailableInbound): void => {
    const action = this.#actionOf(text.message);
    const recipient = suppressedNumber(text.sender);
    if (action === null || recipient === null) return;
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
  };

  /**
   * Only a change of the list is confirmed, so that two machines never answer each other endlessly. Returns the
   * message's id.
   */
  #reply(text: AvailableInbound, reply: string): number | null {
    const row = reply === "" ? null : this.#rowOf(text, reply);
    if (row === null) return null;
    const { tables } = this.#deps.store;
    const id = tables.messages.insert(row);
    inNextTurn(() => this.#tellQueue(row, id));
    return id;
  }

  /** Runs after the commit. If the transaction was rolled back, the id may belong to another message by then. */
  #tellQueue(row: NewMessage, id: number): void {
    if (this.#deps.store.tables.messages.byId(id)?.trackingCode === row.trackingCode) {
      this.#deps.accepted([queuedOf(row, id)]);
    }
  }

  /** The confirmation as the account would send it; null if it cannot. */
  #rowOf({ accountId, sender: recipient, receiver, trackingCode }: AvailableInbound, text: string): NewMessage | null {
    const { directory, acceptor, log, store, bookingClock } = this.#deps;
    const account = directory.account(accountId);
    const candidates = [receiver, account?.defaultSender ?? ""];
    const sender = candidates.find((name) => directory.sender(accountId, name)?.active === true);
    if (account?.status !== "active" || sender === undefined) return null;
    const payer = { accountId, apiKeyId: 0, ...bookingClock.moment() };
    const draft = { sender, recipient, text, clientReference: null, class: messageClasses.single, sendAt: null };
    try {
      const row = { ...acceptor.rowOf(payer, draft), apiKeyId: null };
      acceptor.rules.reserve(store.tables, payer, acceptor.rules.demandOf([row]));
      store.tables.targetShares.take(row);
      return row;
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      log.warn({ inbound: trackingCode, reason: reason.code }, "a keyword is not confirmed");
      return null;
    }
  }
}
