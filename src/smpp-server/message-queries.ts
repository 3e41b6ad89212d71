/** query_sm and cancel_sm: customers query or cancel a message by the id that any of its segments was answered with. */
import { ApiError } from "../domain/api-error.ts";
import { messageErrorCodes } from "../domain/message.ts";
import { absoluteTime } from "../domain/smpp-time.ts";
import { isFinal } from "../domain/status.ts";
import { isTrackingCode } from "../domain/tracking-code.ts";
import type { CredentialOwner } from "../messaging/directory/credential-directory.ts";
import type { Canceller } from "../messaging/messages/cancel.ts";
import type { TrafficRules } from "../messaging/rules/traffic-rules.ts";
import type { MessageRow } from "../store/messages.ts";
import type { SmppSubmitRow } from "../store/smpp-submits.ts";
import type { Store } from "../store/store.ts";
import type { QueriedState } from "./answer-frames.ts";
import { customerStatus } from "./customer-status.ts";
import { RequestRefused } from "./field-reader.ts";
import { messageState, messageStateOf } from "./message-states.ts";
import type { OverdueSegments } from "./overdue-segments.ts";

export interface MessageQueryDeps {
  store: Store;
  canceller: Canceller;
  rules: TrafficRules;
  overdue: OverdueSegments;
}

/** What an id refers to: a message, or a segment of one that is incomplete. */
type Found = { message: MessageRow } | { submit: SmppSubmitRow };

export class MessageQueries {
  constructor(private readonly deps: MessageQueryDeps) {}

  /** Throws RequestRefused. */
  query(owner: CredentialOwner, id: string): QueriedState {
    const found = this.#find(owner, id);
    if (found === null) throw unknownId();
    if ("submit" in found)
      return { id, finalDate: "", state: found.submit.endState ?? messageState.enroute, errorCode: 0 };
    const { message } = found;
    const state = messageStateOf(message);
    const finalDate = isFinal(message.state) && message.finalAt !== null ? absoluteTime(message.finalAt) : "";
    const errorCode = message.errorCode === null ? 0 : messageErrorCodes.indexOf(message.errorCode) + 1;
    return { id, finalDate, state, errorCode };
  }

  /** Cancelling a second time is not an error. Rejects with RequestRefused or StoreUnavailable. */
  async cancel(owner: CredentialOwner, id: string): Promise<void> {
    // Without an id it would cancel all messages to a number, and nobody could say which.
    if (id === "") throw new RequestRefused(customerStatus.cancelFailed, "cancel_sm without a message_id");
    const found = this.#find(owner, id);
    if (found === null) throw unknownId();
    if ("submit" in found) return this.#cancelSegments(found.submit, owner.account.id);
    try {
      await this.deps.canceller.cancel(owner.account.id, found.message.trackingCode);
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      throw reason.code === "message_not_cancellable"
        ? new RequestRefused(customerStatus.cancelFailed, "it was handed over already")
        : unknownId();
    }
  }

  async #cancelSegments({ id, endState }: SmppSubmitRow, accountId: number): Promise<void> {
    if (endState === messageState.deleted) return;
    const isEnded = await this.deps.overdue.cancel(id, accountId);
    if (!isEnded) throw new RequestRefused(customerStatus.cancelFailed, "its time is over");
  }

  /** Null for an unknown id, and for one of another credential or account. */
  #find({ account, credential }: CredentialOwner, id: string): Found | null {
    const { messages, smppSubmits } = this.deps.store.tables;
    const submit = id === "" ? null : smppSubmits.byCode(id);
    if (submit !== null) {
      if (submit.credentialId !== credential.id) return null;
      if (submit.messageId === null) return { submit };
      const message = messages.byId(submit.messageId);
      return message === null ? null : { message };
    }
    const message = isTrackingCode(id) ? messages.byCode(account.id, id) : null;
    if (message === null) return null;
    const isOwn = smppSubmits.ofMessage(message.id).some(({ credentialId }) => credentialId === credential.id);
    return isOwn ? { message } : null;
  }
}

const unknownId = () => new RequestRefused(customerStatus.invalidMessageId, "no message of this credential has the id");
