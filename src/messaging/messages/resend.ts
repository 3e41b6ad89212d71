/** Resends failed messages for the operator, as new messages: a final message stays final. */
import { ApiError } from "../../domain/api-error.ts";
import { isInCountries } from "../../domain/country.ts";
import { messageClasses } from "../../domain/message.ts";
import { OperatorError, type OperatorErrorCode, refusalText } from "../../domain/operator-error.ts";
import type { BookingClock, Moment } from "../../platform/booking-clock.ts";
import type { MessageRow, NewMessage } from "../../store/messages.ts";
import type { Store, Tables } from "../../store/store.ts";
import type { Directory } from "../directory/directory.ts";
import type { SendingCountries } from "../directory/sending-countries.ts";
import type { Remark } from "../rules/traffic-rules.ts";
import { type Acceptor, type QueuedMessage, queuedOf } from "./accept.ts";

export interface ResendDeps {
  store: Store;
  bookingClock: Pick<BookingClock, "moment">;
  directory: Pick<Directory, "isSuspended">;
  acceptor: Pick<Acceptor, "rowOf" | "rules">;
  countries: Pick<SendingCountries, "of">;
  /** Called with messages once they are on disk. */
  accepted(waiting: readonly QueuedMessage[]): void;
}

export interface ResendOptions {
  /** Includes messages that were already resent. */
  again: boolean;
  /** Checks only; stores nothing. */
  dryRun: boolean;
}

/** The code of the new message, or the reason there is none; both null for a dry run that would succeed. */
export interface ResendResult {
  trackingCode: string;
  resentAs: string | null;
  /** The price of the new message, in the currency's smallest unit; null where nothing is charged, or it is refused. */
  price: number | null;
  refused: { code: OperatorErrorCode; message: string } | null;
}

export class Resender {
  constructor(private readonly deps: ResendDeps) {}

  /** One result per code, in order. Rejects with StoreUnavailable when the disk refuses. */
  resend(trackingCodes: readonly string[], options: ResendOptions): Promise<ResendResult[]> {
    const moment = this.deps.bookingClock.moment();
    return Promise.all(trackingCodes.map((trackingCode) => this.#resendOne(trackingCode, moment, options)));
  }

  async #resendOne(trackingCode: string, moment: Moment, options: ResendOptions): Promise<ResendResult> {
    try {
      const { tables } = this.deps.store;
      const old = tables.messages.byCodeAnywhere(trackingCode);
      if (old === null) throw new OperatorError("message_not_found");
      assertResendable(tables, old, options);
      const row = this.#rowOf(old, moment, options.dryRun ? [] : undefined);
      if (options.dryRun) return { trackingCode, resentAs: null, price: row.price ?? null, refused: null };
      await this.#store(old, row, moment, options);
      return { trackingCode, resentAs: row.trackingCode, price: row.price ?? null, refused: null };
    } catch (reason) {
      if (!(reason instanceof OperatorError)) throw reason;
      return {
        trackingCode,
        resentAs: null,
        price: null,
        refused: { code: reason.code, message: refusalText(reason) },
      };
    }
  }

  /** The new message, checked as if newly requested. Throws OperatorError. */
  #rowOf(old: MessageRow, moment: Moment, remarks?: Remark[]): NewMessage {
    const { directory, acceptor, countries } = this.deps;
    const { accountId, sender, recipient, text, clientReference, apiKeyId } = old;
    if (directory.isSuspended(accountId))
      throw new OperatorError("not_resendable", { code: "account_suspended", values: {} });
    if (!isInCountries(recipient, countries.of(accountId))) {
      throw new OperatorError("not_resendable", { code: "country_not_allowed", values: {} });
    }
    const draft = { sender, recipient, text, clientReference, class: old.class, sendAt: null };
    try {
      return { ...acceptor.rowOf({ accountId, apiKeyId: apiKeyId ?? 0, ...moment }, draft, remarks), apiKeyId };
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      throw new OperatorError("not_resendable", { code: "sender_inactive", values: { sender } });
    }
  }

  /** Throws OperatorError. */
  #reserve(tables: Tables, row: NewMessage, moment: Moment): void {
    try {
      const { rules } = this.deps.acceptor;
      const payer = { accountId: row.accountId, apiKeyId: row.apiKeyId ?? 0, ...moment };
      rules.reserve(tables, payer, rules.demandOf([row]));
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      throw new OperatorError("not_resendable", { code: "public_refusal", values: { message: reason.message } });
    }
  }

  async #store(old: MessageRow, row: NewMessage, moment: Moment, options: ResendOptions): Promise<void> {
    const id = await this.deps.store.write((tables) => {
      // Checked again: only one of several concurrent requests may pass.
      assertResendable(tables, old, options);
      this.#reserve(tables, row, moment);
      tables.targetShares.take(row);
      const resent = tables.messages.insert(row);
      tables.messages.setResentOf(resent, old.id);
      tables.messageTemplates.copy(old.id, resent);
      tables.messageTlvs.copy(old.id, resent);
      const entry = { at: moment.at, kind: "resent", routeId: null };
      const { trackingCode } = row;
      tables.timeline.add(old.id, { ...entry, reason: { code: "resent_as", trackingCode } });
      tables.timeline.add(resent, { ...entry, reason: { code: "resend_of", trackingCode: old.trackingCode } });
      return resent;
    });
    this.deps.accepted([queuedOf(row, id)]);
  }
}

/** Throws `not_resendable`, `resent_already`. */
function assertResendable(tables: Tables, old: MessageRow, { again }: ResendOptions): void {
  if (old.class === messageClasses.otp) {
    throw new OperatorError("not_resendable", { code: "otp_again", values: {} });
  }
  if (old.state !== "failed") throw new OperatorError("not_resendable");
  if (old.text === "" || old.recipient === "") {
    throw new OperatorError("not_resendable", { code: "content_removed", values: {} });
  }
  if (again) return;
  const reasons = tables.timeline.ofMessage(old.id).map(({ reason }) => reason);
  const before = reasons.findLast(({ code }) => code === "resent_as");
  if (before?.code === "resent_as") {
    throw new OperatorError("resent_already", { code: "resent_as", values: { trackingCode: before.trackingCode } });
  }
}
