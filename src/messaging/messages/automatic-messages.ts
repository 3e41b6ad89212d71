/**
 * Messages that the service sends for an account because a text came from a phone: accepted in the transaction of that
 * text, with price, quota and rules like any other.
 */
import { ApiError, type ApiErrorCode } from "../../domain/api-error.ts";
import { messageClasses } from "../../domain/message.ts";
import type { BookingClock } from "../../platform/booking-clock.ts";
import { inNextTurn } from "../../platform/next-turn.ts";
import type { NewMessage } from "../../store/messages.ts";
import type { Store } from "../../store/store.ts";
import type { Account } from "../directory/directory.ts";
import { type Acceptor, noApiKey, type QueuedMessage, queuedOf } from "./accept.ts";

export interface AutomaticMessagesDeps {
  store: Store;
  bookingClock: Pick<BookingClock, "moment">;
  directory: {
    account(id: number): Pick<Account, "status" | "defaultSender"> | null;
    sender(accountId: number, sender: string): { active: boolean } | null;
  };
  acceptor: Pick<Acceptor, "rowOf" | "rules">;
  /** Called with a message once it is on disk. */
  accepted(waiting: readonly QueuedMessage[]): void;
}

/** `line`: what it is sent under if the account may, and otherwise under the account's default sender. */
export interface AutomaticMessage {
  accountId: number;
  line: string;
  /** E.164. */
  recipient: string;
  text: string;
}

/** Why the account cannot send it. */
export interface NotSent {
  refused: ApiErrorCode;
}

export class AutomaticMessages {
  readonly #deps: AutomaticMessagesDeps;

  constructor(deps: AutomaticMessagesDeps) {
    this.#deps = deps;
  }

  /** As it would be accepted now. Nothing is stored or counted. */
  preview(message: AutomaticMessage): NewMessage | NotSent {
    const { rules } = this.#deps.acceptor;
    return refusable(() => {
      const { payer, row } = this.#rowOf(message, true);
      rules.check(payer, rules.demandOf([row]));
      return row;
    });
  }

  /** Call inside the transaction of the text. Returns the message's id. */
  send(message: AutomaticMessage): number | NotSent {
    const { store, acceptor } = this.#deps;
    return refusable(() => {
      const { payer, row } = this.#rowOf(message, false);
      acceptor.rules.reserve(store.tables, payer, acceptor.rules.demandOf([row]));
      store.tables.targetShares.take(row);
      const id = store.tables.messages.insert(row);
      inNextTurn(() => this.#tellQueue(row, id));
      return id;
    });
  }

  #rowOf({ accountId, line, recipient, text }: AutomaticMessage, isQuery: boolean) {
    const { directory, acceptor, bookingClock } = this.#deps;
    const account = directory.account(accountId);
    if (account?.status !== "active") throw new ApiError("account_suspended");
    const candidates = [line, account.defaultSender ?? ""];
    const sender = candidates.find((name) => directory.sender(accountId, name)?.active === true) ?? line;
    const payer = { accountId, apiKeyId: noApiKey, ...bookingClock.moment() };
    const draft = { sender, recipient, text, clientReference: null, class: messageClasses.single, sendAt: null };
    // With remarks the rules only answer a query.
    return { payer, row: { ...acceptor.rowOf(payer, draft, isQuery ? [] : undefined), apiKeyId: null } };
  }

  /** Runs after the commit. If the transaction was rolled back, the id may belong to another message by then. */
  #tellQueue(row: NewMessage, id: number): void {
    if (this.#deps.store.tables.messages.byId(id)?.trackingCode === row.trackingCode)
      this.#deps.accepted([queuedOf(row, id)]);
  }
}

function refusable<T>(work: () => T): T | NotSent {
  try {
    return work();
  } catch (reason) {
    if (!(reason instanceof ApiError)) throw reason;
    return { refused: reason.code };
  }
}
