/** Sends one text to one or more numbers for a person: without an API key, and once per idempotency key. */
import { payloadHash } from "../../domain/idempotency.ts";
import { messageClasses } from "../../domain/message.ts";
import type { Moment } from "../../platform/booking-clock.ts";
import { nextTurn } from "../../platform/next-turn.ts";
import type { Store } from "../../store/store.ts";
import { Demand } from "../rules/traffic-rules.ts";
import { type Caller, type Draft, type IdempotentRequest, noApiKey } from "./accept.ts";
import { joining } from "./joined-campaign.ts";
import { StagedAcceptor, type StagedAcceptorDeps } from "./staged-acceptance.ts";

/** A text that has passed validation. */
export interface TextToSend {
  accountId: number;
  /** One of the account's senders. */
  sender: string;
  /** E.164, distinct, at least one. */
  recipients: readonly string[];
  text: string;
  clientReference: string | null;
  /** Epoch milliseconds, or null to send at once. */
  sendAt: number | null;
}

export interface SentText {
  messageCount: number;
  /** For the first recipient's message. */
  firstTrackingCode: string;
  /** It was already sent under this key; nothing new was created. */
  duplicate: boolean;
}

export interface TextSenderDeps extends StagedAcceptorDeps {
  store: Store;
}

/** The number stored in one transaction, the same as a batch of the public API. */
const atOnceMax = 500;
/** Messages priced per turn of the event loop: about 1 ms. */
const slicePriced = 250;

export class TextSender {
  readonly #staged: StagedAcceptor;

  constructor(private readonly deps: TextSenderDeps) {
    this.#staged = new StagedAcceptor(deps);
  }

  /**
   * The total price at that time, in the currency's smallest unit; null if nothing is charged. Nothing is stored or
   * counted.
   */
  async priceOf(sending: TextToSend, moment: Moment): Promise<number | null> {
    const caller: Caller = { accountId: sending.accountId, apiKeyId: noApiKey, ...moment };
    let price: number | null = null;
    for (const [index, recipient] of sending.recipients.entries()) {
      if (index > 0 && index % slicePriced === 0) await nextTurn();
      // With remarks the rules only answer a query.
      const row = this.deps.acceptor.rowOf(caller, draftOf(sending, recipient), []);
      if (row.price != null) price = (price ?? 0) + row.price;
    }
    return price;
  }

  /**
   * Accepts a message for each recipient, all or none; `moment`: that of the request. Throws `sender_not_permitted`,
   * `idempotency_key_conflict`, and the refusals of the traffic rules; rejects with StoreUnavailable when the disk
   * refuses.
   */
  async send(idempotencyKey: string, sending: TextToSend, moment: Moment): Promise<SentText> {
    const { accountId } = sending;
    const caller: Caller = { accountId, apiKeyId: noApiKey, ...moment };
    const request: IdempotentRequest = {
      key: idempotencyKey,
      operation: `send of account ${accountId}`,
      payloadHash: payloadHash(sending),
    };
    const { recipients } = sending;
    if (recipients.length <= atOnceMax) return this.#accept(caller, request, sending);
    const known = this.deps.acceptor.registered(this.deps.store.tables, caller, request);
    return known === null ? this.#stage(caller, request, sending) : this.#sent(known, true);
  }

  async #accept(caller: Caller, request: IdempotentRequest, sending: TextToSend): Promise<SentText> {
    const drafts = sending.recipients.map((recipient) => draftOf(sending, recipient));
    const inCampaign = joining(caller, drafts.length, { kind: "list" });
    const { results, duplicate } = await this.deps.acceptor.accept(caller, request, drafts, inCampaign);
    return { messageCount: results.length, firstTrackingCode: results[0]?.trackingCode ?? "", duplicate };
  }

  async #stage(caller: Caller, request: IdempotentRequest, sending: TextToSend): Promise<SentText> {
    const { recipients } = sending;
    this.deps.acceptor.rules.check(caller, Demand.ofMessages(recipients.length));
    const accepted = await this.#staged.accept(
      caller,
      request,
      recipients.length,
      (position, count) => recipients.slice(position, position + count).map((recipient) => draftOf(sending, recipient)),
      joining(caller, recipients.length, { kind: "list" }),
    );
    return this.#sent(accepted, accepted.duplicate);
  }

  #sent(
    { firstMessageId, messageCount }: { firstMessageId: number; messageCount: number },
    duplicate: boolean,
  ): SentText {
    const [first] = this.deps.store.tables.messages.run(firstMessageId, 1);
    return { messageCount, firstTrackingCode: first?.trackingCode ?? "", duplicate };
  }
}

function draftOf(sending: TextToSend, recipient: string): Draft {
  const { sender, text, clientReference, sendAt, recipients } = sending;
  const isSingle = recipients.length === 1 && sendAt === null;
  const messageClass = isSingle ? messageClasses.single : messageClasses.bulk;
  return { sender, recipient, text, clientReference, class: messageClass, sendAt };
}
