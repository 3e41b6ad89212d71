/** Accepts the submits of customers by the rules of the API: the answer leaves once the message is on disk. */
import type { SmppCredentialOptions } from "../domain/credential.ts";
import type { CredentialOwner } from "../messaging/directory/credential-directory.ts";
import {
  type Acceptance,
  type Acceptor,
  type Draft,
  type RepeatFinder,
  sendResult,
} from "../messaging/messages/accept.ts";
import type { BookingClock, Moment } from "../platform/booking-clock.ts";
import type { AnswerGate } from "../store/replication.ts";
import type { SmppSubmitRow } from "../store/smpp-submits.ts";
import type { Store, Tables } from "../store/store.ts";
import type { ReceivedSubmit } from "./customer-requests.ts";
import type { DecimalIds } from "./decimal-ids.ts";
import { RequestRefused } from "./field-reader.ts";
import type { Segments } from "./segments.ts";
import { type SubmitRules, submitDraft } from "./submit-draft.ts";
import type { RepeatKey, SubmitRepeats } from "./submit-repeats.ts";

export interface SubmitServiceDeps extends Omit<SubmitRules, "now"> {
  store: Pick<Store, "tables">;
  answerGate?: Pick<AnswerGate, "pass"> | null;
  acceptor: Acceptor;
  bookingClock: Pick<BookingClock, "moment">;
  decimalIds: DecimalIds;
  segments: Segments;
  repeats: SubmitRepeats;
}

/** The answer to a submit; `submitId` is the id of its row. */
export interface SubmitAnswer {
  id: string;
  submitId: number;
}

export class SubmitService {
  constructor(private readonly deps: SubmitServiceDeps) {}

  /** Throws or rejects with RequestRefused, ApiError or StoreUnavailable. `submit` is read before this returns. */
  submit(owner: CredentialOwner, options: SmppCredentialOptions, submit: ReceivedSubmit): Promise<SubmitAnswer> {
    const { bookingClock, segments, repeats } = this.deps;
    const moment = bookingClock.moment();
    const { draft, position } = submitDraft(owner, submit, options, { ...this.deps, now: moment.at });
    const repeat = repeats.keyOf(owner.credential.id, options.repeats, submit, position?.part ?? 0);
    if (draft instanceof RequestRefused) {
      if (repeat === null) throw draft;
      return this.#firstOr(draft, repeat, owner.credential.id, moment);
    }
    if (position === null) return this.#whole(owner, moment, options, submit, draft, repeat);
    const { registeredDelivery, passedTlvs } = submit;
    const segment = { draft, position, content: Buffer.from(submit.content), registeredDelivery, repeat, passedTlvs };
    return segments.take(owner, moment, options.messageIds === "decimal", segment);
  }

  /** A repeat gets the first id, even if what was valid then is not now. */
  async #firstOr(
    refusal: RequestRefused,
    repeat: RepeatKey,
    credentialId: number,
    moment: Moment,
  ): Promise<SubmitAnswer> {
    const { store, answerGate } = this.deps;
    const finder = this.#finder(repeat, credentialId, moment);
    const [result] = finder.replayed(store.tables)?.results ?? [];
    await answerGate?.pass();
    const { found } = finder;
    const id = found?.code ?? result?.trackingCode;
    if (found === null || id === undefined) throw refusal;
    return { id, submitId: found.id };
  }

  async #whole(
    { credential, key, account }: CredentialOwner,
    moment: Moment,
    { messageIds }: SmppCredentialOptions,
    { registeredDelivery, passedTlvs }: ReceivedSubmit,
    draft: Draft,
    repeat: RepeatKey | null,
  ): Promise<SubmitAnswer> {
    const { acceptor, decimalIds } = this.deps;
    const code = messageIds === "decimal" ? decimalIds.next() : null;
    const finder = repeat === null ? null : this.#finder(repeat, credential.id, moment);
    let submitId = 0;
    const { results, duplicate } = await acceptor.accept(
      { accountId: account.id, apiKeyId: key.id, ...moment },
      finder,
      [draft],
      (tables, messageId) => {
        if (passedTlvs !== null) tables.messageTlvs.insert(messageId, passedTlvs);
        submitId = tables.smppSubmits.append({
          credentialId: credential.id,
          messageId,
          code,
          registeredDelivery,
          repeatKey: repeat?.key ?? null,
          payloadHash: repeat?.payload ?? null,
          createdAt: moment.at,
        });
      },
    );
    const [result] = results;
    if (result === undefined) throw new Error("A submit was accepted without a result");
    if (!duplicate) return { id: code ?? result.trackingCode, submitId };
    const first = finder?.found ?? null;
    if (first === null) throw new Error("A submit was accepted as a repeat of none");
    return { id: first.code ?? result.trackingCode, submitId: first.id };
  }

  #finder(repeat: RepeatKey, credentialId: number, moment: Moment): RepeatFinder & { found: SmppSubmitRow | null } {
    const { repeats } = this.deps;
    return {
      found: null,
      replayed(tables: Tables): Acceptance | null {
        this.found = repeats.find(tables, repeat, credentialId, moment);
        const messageId = this.found?.messageId ?? null;
        const [message] = messageId === null ? [] : tables.messages.run(messageId, 1);
        if (message === undefined) return null;
        return { results: [sendResult(message, true)], duplicate: true, payloadMismatch: false };
      },
    };
  }
}
