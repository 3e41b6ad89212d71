/** Submits what a mail says to its recipients, each of whom gets it once. */
import { defaultMail, mailLimits, mailMessage } from "../../domain/mail-text.ts";
import type { CredentialOwner } from "../../messaging/directory/credential-directory.ts";
import type { BookingClock } from "../../platform/booking-clock.ts";
import type { Logger } from "../../platform/log.ts";
import { StoreUnavailable } from "../../store/group-commit.ts";
import type { AnswerGate } from "../../store/replication.ts";
import type { Tables } from "../../store/store.ts";
import { dropInOptions } from "../credential-options.ts";
import type { DropInCustomers } from "../customers.ts";
import type { KeyedRequest, KeyedRequests } from "../keyed-requests.ts";
import type { DropInRefusal } from "../refusal.ts";
import type { DropInSubmitter } from "../submitter.ts";
import { type MailRefusal, mailRefusalOf, mailReplies } from "./answers.ts";
import { type ReadMail, readMail } from "./mail.ts";
import type { MailOctets } from "./mail-octets.ts";

export interface MailsDeps {
  customers: Pick<DropInCustomers, "refused">;
  submitter: DropInSubmitter;
  keyed: KeyedRequests;
  tables: Tables;
  bookingClock: Pick<BookingClock, "moment">;
  log: Logger;
  /** Null without a cluster. */
  answerGate?: AnswerGate | null;
}

export interface TakenMail {
  words: string;
  /** Nothing new was sent. */
  isRepeat: boolean;
}

export class Mails {
  readonly #deps: MailsDeps;
  /** Mails with a Message-ID that are being stored: its repeats wait for it. */
  readonly #storing = new Map<string, Promise<unknown>>();

  constructor(deps: MailsDeps) {
    this.#deps = deps;
  }

  /** Resolves once its messages are on disk. `recipients`: the parts of their addresses before the @. */
  async take(owner: CredentialOwner, octets: MailOctets, recipients: string[]): Promise<TakenMail | MailRefusal> {
    const gate = this.#deps.answerGate ?? null;
    const taken = this.#taken(owner, octets, recipients);
    if (gate === null) return taken;
    try {
      const outcome = await gate.within(taken);
      await gate.pass();
      return outcome;
    } catch (reason) {
      if (reason instanceof StoreUnavailable) return mailReplies.unavailable;
      throw reason;
    }
  }

  async #taken(owner: CredentialOwner, octets: MailOctets, recipients: string[]): Promise<TakenMail | MailRefusal> {
    const mail = await this.#read(octets);
    const numbers = this.#numbersOf(owner, recipients);
    if ("reply" in mail) return this.#told(owner, mail);
    if ("reply" in numbers) return this.#told(owner, numbers);
    const sent = await this.#inOrder(owner, mail, () => this.#submit(owner, mail, numbers));
    if ("reply" in sent) return sent;
    const { attachmentCount } = mail;
    const credential = owner.credential.id;
    if (attachmentCount > 0 || octets.count > octets.kept.length)
      this.#deps.log.info({ credential, attachmentCount, octets: octets.count }, "attachments of a mail were dropped");
    return sent;
  }

  async #read({ count, hasBareLineEnd, kept }: MailOctets): Promise<ReadMail | MailRefusal> {
    if (count > mailLimits.octetsMax) return mailReplies.tooLarge;
    return hasBareLineEnd ? mailReplies.bareLineEnd : readMail(kept);
  }

  /** Each once. */
  #numbersOf(owner: CredentialOwner, spellings: string[]): string[] | MailRefusal {
    const numbers = new Set<string>();
    for (const spelling of spellings) {
      const number = this.#deps.submitter.recipient(owner, spelling);
      if (typeof number !== "string") return mailRefusalOf(number);
      numbers.add(number);
    }
    return [...numbers];
  }

  #told(owner: CredentialOwner, refusal: MailRefusal): MailRefusal {
    this.#deps.customers.refused(owner, refusal.cause, refusal.words);
    return refusal;
  }

  /** One after the other for one Message-ID of a credential: what the first stored is then known to the next. */
  async #inOrder<Outcome>(
    { credential }: CredentialOwner,
    { messageId }: ReadMail,
    work: () => Promise<Outcome>,
  ): Promise<Outcome> {
    if (messageId === null) return work();
    const name = `${credential.id} ${messageId}`;
    const own = (this.#storing.get(name) ?? Promise.resolve()).then(work, work);
    this.#storing.set(name, own);
    try {
      return await own;
    } finally {
      if (this.#storing.get(name) === own) this.#storing.delete(name);
    }
  }

  async #submit(owner: CredentialOwner, mail: ReadMail, numbers: string[]): Promise<TakenMail | MailRefusal> {
    const { submitter, bookingClock } = this.#deps;
    const { sender, mailText, parts } = dropInOptions(owner.credential);
    const text = mailMessage(mailText ?? defaultMail.template, mail, parts);
    const moment = bookingClock.moment();
    const unsent = this.#unsent(owner, mail.messageId, text, numbers, moment.at);
    if ("refused" in unsent) return mailRefusalOf(submitter.told(owner, unsent));
    if (unsent.numbers.length === 0) return { words: "It was sent before.", isRepeat: true };
    const messages = unsent.numbers.map((recipient) => ({ sender, recipient, text }));
    const submitted = await submitter.submit({
      owner,
      moment,
      messages,
      key: null,
      alsoStore: (tables, firstMessageId) => {
        for (const [index, key] of unsent.keys.entries()) key.store(tables, firstMessageId + index);
      },
    });
    if ("refused" in submitted) return mailRefusalOf(submitted);
    const codes = submitted.results.map(({ trackingCode }) => trackingCode);
    return { words: `On disk: ${codes.slice(0, 3).join(" ")}${codes.length > 3 ? " ..." : ""}`, isRepeat: false };
  }

  /** Those who have not got a mail of this id, each with the key that says so later. Without an id, all. */
  #unsent(
    { credential }: CredentialOwner,
    messageId: string | null,
    text: string,
    numbers: string[],
    now: number,
  ): { numbers: string[]; keys: KeyedRequest[] } | DropInRefusal {
    const { keyed, tables, submitter } = this.#deps;
    if (messageId === null) return { numbers, keys: [] };
    const options = dropInOptions(credential);
    const keys = numbers.map((number) => {
      const key = `mail ${number} ${messageId}`;
      return keyed.of({ credentialId: credential.id, options, key, payload: text, messageCount: 1, now });
    });
    try {
      const isNew = keys.map(({ finder }) => finder.replayed(tables) === null);
      return { numbers: numbers.filter((_, at) => isNew[at]), keys: keys.filter((_, at) => isNew[at]) };
    } catch (reason) {
      return submitter.refusedBy(reason);
    }
  }
}
