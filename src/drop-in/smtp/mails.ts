/** Submits what a mail says to its recipients, each of whom gets it once. */
import { defaultMail, mailMessage } from "../../domain/mail-text.ts";
import type { CredentialOwner } from "../../messaging/directory/credential-directory.ts";
import type { BookingClock } from "../../platform/booking-clock.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log.ts";
import type { Tables } from "../../store/store.ts";
import { dropInOptions } from "../credential-options.ts";
import type { DropInCustomers } from "../customers.ts";
import type { KeyedRequests } from "../keyed-requests.ts";
import type { DropInSubmitter } from "../submitter.ts";
import { type MailRefusal, mailRefusalOf } from "./answers.ts";
import { type MailOctets, type ReadMail, readMail } from "./mail.ts";

export interface MailsDeps {
  customers: Pick<DropInCustomers, "refused">;
  submitter: DropInSubmitter;
  keyed: KeyedRequests;
  tables: Tables;
  bookingClock: Pick<BookingClock, "moment">;
  clock: Pick<Clock, "monotonic">;
  log: Logger;
}

export interface TakenMail {
  words: string;
  /** Nothing new was sent. */
  isRepeat: boolean;
}

export class Mails {
  readonly #deps: MailsDeps;
  /** Mails with a Message-ID that are being stored: what the first stored is then known to its repeats. */
  readonly #storing = new Map<string, Promise<unknown>>();

  constructor(deps: MailsDeps) {
    this.#deps = deps;
  }

  /** Resolves once its messages are on disk. `recipients`: E.164. `tellRead`: how long reading the mail took. */
  async take(
    owner: CredentialOwner,
    octets: MailOctets,
    recipients: string[],
    tellRead: (ms: number) => void,
  ): Promise<TakenMail | MailRefusal> {
    const { customers, log, clock } = this.#deps;
    const startedMs = clock.monotonic();
    const mail = await readMail(octets);
    tellRead(clock.monotonic() - startedMs);
    if ("reply" in mail) {
      customers.refused(owner, mail.cause, mail.words);
      return mail;
    }
    const name = `${owner.credential.id} ${mail.messageId}`;
    const submit = () => this.#submit(owner, mail, recipients);
    const before = mail.messageId === null ? undefined : this.#storing.get(name);
    const storing = before === undefined ? submit() : before.then(submit, submit);
    if (mail.messageId !== null) this.#storing.set(name, storing);
    const taken = await storing.finally(() => {
      if (this.#storing.get(name) === storing) this.#storing.delete(name);
    });
    const { attachmentCount } = mail;
    if (!("reply" in taken) && (attachmentCount > 0 || octets.count > octets.kept.length))
      log.info(
        { credential: owner.credential.id, attachmentCount, octets: octets.count },
        "attachments of a mail were dropped",
      );
    return taken;
  }

  async #submit(owner: CredentialOwner, mail: ReadMail, recipients: string[]): Promise<TakenMail | MailRefusal> {
    const { submitter, bookingClock, keyed, tables } = this.#deps;
    const options = dropInOptions(owner.credential);
    const text = mailMessage(options.mailText ?? defaultMail.template, mail, options.parts);
    const moment = bookingClock.moment();
    const all = recipients.map((recipient) => {
      const key = `mail ${recipient} ${mail.messageId}`;
      const input = { credentialId: owner.credential.id, options, key, payload: text, messageCount: 1, moment };
      return { recipient, keyed: mail.messageId === null ? null : keyed.of(input) };
    });
    try {
      const unsent = all.filter((one) => (one.keyed?.finder.replayed(tables) ?? null) === null);
      if (unsent.length === 0) return { words: "It was sent before.", isRepeat: true };
      const submitted = await submitter.submit({
        owner,
        moment,
        messages: unsent.map(({ recipient }) => ({ sender: options.sender, recipient, text })),
        key: null,
        alsoStore: (stored, firstMessageId) => {
          for (const [index, one] of unsent.entries()) one.keyed?.store(stored, firstMessageId + index);
        },
      });
      if ("refused" in submitted) return mailRefusalOf(submitted);
      const codes = submitted.results.map(({ trackingCode }) => trackingCode);
      return { words: `On disk: ${codes.slice(0, 3).join(" ")}${codes.length > 3 ? " ..." : ""}`, isRepeat: false };
    } catch (reason) {
      return mailRefusalOf(submitter.told(owner, submitter.refusedBy(reason)));
    }
  }
}
