/**
 * Submits the messages of one request by the rules of the API: they are stored, or refused for a reason that protocols
 * can report.
 */
import { trafficClasses } from "../domain/credential.ts";
import { dropInLimits } from "../domain/drop-in-credential.ts";
import { messageClasses } from "../domain/message.ts";
import { isOwnCode } from "../domain/otp.ts";
import type { CredentialOwner } from "../messaging/directory/credential-directory.ts";
import type { Acceptor, AlsoStore, Caller, Draft, SendResult } from "../messaging/messages/accept.ts";
import { type RecipientRules, readDraft, readRecipient, referenceProblem } from "../messaging/messages/draft.ts";
import type { StagedRepeats } from "../messaging/messages/staged-acceptance.ts";
import type { OwnCodes } from "../messaging/otp/own-codes.ts";
import type { Moment } from "../platform/booking-clock.ts";
import type { Clock } from "../platform/clock.ts";
import type { KeyedHash } from "../platform/keyed-hash.ts";
import type { Logger } from "../platform/log.ts";
import { LoopTurns } from "../platform/loop-turns.ts";
import { RatePerSecond } from "../platform/rate-per-second.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import type { Tables } from "../store/store.ts";
import { dropInOptions } from "./credential-options.ts";
import type { DropInCustomers } from "./customers.ts";
import { type KeyedRequest, KeyedRequests } from "./keyed-requests.ts";
import { type DropInRefusal, draftRefusal, refuse, refusedByApi } from "./refusal.ts";

/** One message of a request. */
export interface SubmitMessage {
  /** Null or empty: the account's default. */
  sender: string | null;
  /** In any spelling. */
  recipient: string;
  text: string;
  clientReference?: string | null;
  /** Epoch milliseconds; null for immediately. */
  sendAt?: number | null;
  /** How long it may wait for its hand-over, at most as long as the settings say; null for that default. */
  validityMs?: number | null;
  /** 0 to 3, among the account's waiting messages. */
  priority?: number;
}

export interface SubmitRequest {
  owner: CredentialOwner;
  /** When the request was read: a request has one time, for all that is decided about it. */
  moment: Moment;
  /** All of them are accepted, or none. */
  messages: readonly SubmitMessage[];
  /** Its messages are bulk, whatever traffic class the credential has. */
  isCampaign?: boolean;
  /** Null: each request is new. See `requestKeyOf`. */
  key: { value: string } | null;
  /** Stores what belongs to the messages, in their transaction; not called for a repeat. */
  alsoStore?: AlsoStore;
  /**
   * Why `alsoStore` would refuse, as of now, unless the request repeats another. A refusal within the transaction makes
   * the rest of its group run again.
   */
  refusedNow?(): DropInRefusal | null;
}

/** A one-time password that the customer generated. */
export interface CodeRequest extends Pick<SubmitRequest, "owner" | "moment" | "key" | "alsoStore"> {
  sender: string | null;
  recipient: string;
  /** 4 to 10 digits or letters. */
  code: string;
  /** Null: the text from the settings. */
  patternCode?: string | null;
  clientReference?: string | null;
}

export interface Submitted {
  /** In the order of the messages. */
  results: readonly SendResult[];
  duplicate: boolean;
}

export interface DropInSubmitterDeps {
  acceptor: Acceptor;
  ownCodes: Pick<OwnCodes, "send">;
  customers: DropInCustomers;
  directory: { sender(accountId: number, sender: string): { active: boolean } | null };
  tables: Tables;
  clock: Clock;
  recipientRules(accountId: number): RecipientRules;
  hash: KeyedHash;
  log: Logger;
  mismatch: "replay" | "reject";
}

const unkeyedRequest = (name: string): StagedRepeats => ({ name, registered: () => null, store() {} });

/** Numbers parsed in one turn of the event loop: below 1 ms for domestic ones, 4 ms for foreign ones. */
const numbersPerTurn = 125;
/** Requests of so many take turns, by account: a program may send any number of them at once. */
const manyMessages = 25;
/** How long to wait before writing again after the disk refused. */
const retryAfterSeconds = 2;

type SendPermission = "messages:send" | "groups:send" | "otp:send";

export class DropInSubmitter {
  readonly #deps: DropInSubmitterDeps;
  readonly #keyed: KeyedRequests;
  readonly #turns = new LoopTurns();
  #unkeyed = 0;
  readonly #rates = new Map<number, RatePerSecond>();

  constructor(deps: DropInSubmitterDeps) {
    this.#deps = deps;
    this.#keyed = new KeyedRequests(deps);
  }

  /** Resolves once the messages are on disk. A rejection is a defect. */
  async submit(request: SubmitRequest): Promise<Submitted | DropInRefusal> {
    return this.told(request.owner, await this.#submitted(request));
  }

  /** One-time passwords: in their own lane, sealed on disk, redacted once sent. Otherwise like `submit`. */
  async submitCode(request: CodeRequest): Promise<Submitted | DropInRefusal> {
    return this.told(request.owner, await this.#submittedCode(request));
  }

  /** The price and parts of a message. Nothing is stored or counted. */
  quote(
    owner: CredentialOwner,
    moment: Moment,
    message: SubmitMessage,
  ): { price: number; partCount: number } | DropInRefusal {
    const { acceptor, recipientRules } = this.#deps;
    const draft = this.#draftOf(owner, message, recipientRules(owner.account.id), moment.at);
    if ("refused" in draft) return draft;
    const caller = { accountId: owner.account.id, apiKeyId: owner.key.id, ...moment };
    try {
      // With remarks the rules only report: nothing is applied.
      const { price, partCount } = acceptor.rowOf(caller, draft, []);
      return { price: price ?? 0, partCount };
    } catch (reason) {
      return this.refusedBy(reason);
    }
  }

  /** Counts and logs an outcome, including those that a protocol found itself. */
  told<Outcome extends Submitted | DropInRefusal>(owner: CredentialOwner, outcome: Outcome): Outcome {
    const { customers } = this.#deps;
    if ("refused" in outcome) customers.refused(owner, outcome.refused, outcome.words);
    else customers.accepted(owner, outcome.results.length);
    return outcome;
  }

  async #submitted(request: SubmitRequest): Promise<Submitted | DropInRefusal> {
    const { owner, moment, messages } = request;
    const refused = this.mayAsk(owner, "messages:send", messages.length);
    if (refused !== null) return refused;
    const payload = () =>
      messages.map(({ sender, recipient, text, clientReference = null }) => [sender, recipient, text, clientReference]);
    const keyed = request.key === null ? null : this.#keyedOf(owner, payload(), request.key.value, moment);
    const drafts = await this.#draftsOf(request);
    if ("refused" in drafts) return this.#replayOr(drafts, keyed);
    const refusedNow = request.refusedNow?.() ?? null;
    if (refusedNow !== null) return this.#replayOr(refusedNow, keyed);
    return this.#accept(request, keyed, drafts);
  }

  async #submittedCode(request: CodeRequest): Promise<Submitted | DropInRefusal> {
    const { owner, moment, sender, recipient: given, code } = request;
    const { patternCode = null, clientReference = null, alsoStore } = request;
    const refused = this.mayAsk(owner, "otp:send", 1);
    if (refused !== null) return refused;
    const keyed =
      request.key === null
        ? null
        : this.#keyedOf(owner, [[sender, given, code, patternCode, clientReference]], request.key.value, moment);
    const recipient = readRecipient(recipientSpellings(given), this.#deps.recipientRules(owner.account.id));
    if (typeof recipient !== "string") return this.#replayOr(draftRefusal(recipient.problem), keyed);
    const wrong = codeProblem(code) ?? badReference(clientReference);
    if (wrong !== null) return this.#replayOr(wrong, keyed);
    const caller = { accountId: owner.account.id, apiKeyId: owner.key.id, ...moment };
    const input = { sender: sender === "" ? null : sender, recipient, code, patternCode, clientReference };
    try {
      const { results, duplicate } = await this.#deps.ownCodes.send(
        caller,
        keyed?.finder ?? null,
        input,
        (tables, messageId) => {
          keyed?.store(tables, messageId);
          alsoStore?.(tables, messageId);
        },
      );
      return { results, duplicate };
    } catch (reason) {
      return this.#replayOr(this.refusedBy(reason), keyed);
    }
  }

  /**
   * A request to a group as GroupSender takes it, or why it is refused. Counts as one message of the rate per second.
   */
  groupRequest(
    { owner, moment, key }: Pick<SubmitRequest, "owner" | "moment" | "key">,
    payload: readonly (string | null)[],
  ): { caller: Caller; request: StagedRepeats } | DropInRefusal {
    const refused = this.mayAsk(owner, "groups:send", 1);
    if (refused !== null) return refused;
    const { account, credential } = owner;
    const caller = { accountId: account.id, apiKeyId: owner.key.id, ...moment };
    this.#unkeyed += 1;
    if (key === null) return { caller, request: unkeyedRequest(`credential ${credential.id} new ${this.#unkeyed}`) };
    const options = dropInOptions(credential);
    const input = { credentialId: credential.id, options, payload: JSON.stringify(payload), now: moment.at };
    return { caller, request: this.#keyed.staged({ ...input, key: key.value }) };
  }

  /** Counts messages that were accepted elsewhere. */
  accepted(owner: CredentialOwner, messageCount: number): void {
    this.#deps.customers.accepted(owner, messageCount);
  }

  /** The account and the key's permission. */
  mayUse({ account, key }: CredentialOwner, permission: SendPermission): DropInRefusal | null {
    if (account.status === "suspended") return refuse("account_suspended", "The account is suspended.");
    if (key.permissions.has(permission)) return null;
    return refuse("permission_denied", `The key lacks the permission ${permission}.`);
  }

  /** Checks that need no message: the account, the key's permission, the messages per second. */
  mayAsk(owner: CredentialOwner, permission: SendPermission, messageCount: number): DropInRefusal | null {
    const refused = this.mayUse(owner, permission);
    if (refused !== null) return refused;
    const { credential } = owner;
    if (messageCount > dropInLimits.messagesMax)
      return refuse("too_many_messages", `A request may have at most ${dropInLimits.messagesMax} messages.`);
    const rate = this.#rates.get(credential.id) ?? new RatePerSecond(this.#deps.clock);
    this.#rates.set(credential.id, rate);
    const waitMs = rate.waitMs(credential.ratePerSecond, Math.max(messageCount, 1));
    if (waitMs === 0) return null;
    const words = `The credential may send ${credential.ratePerSecond} messages a second.`;
    return refuse("rate_exceeded", words, Math.ceil(waitMs / 1_000));
  }

  #keyedOf(
    { credential }: CredentialOwner,
    payload: readonly (readonly (string | null)[])[],
    key: string,
    { at }: Moment,
  ): KeyedRequest {
    return this.#keyed.of({
      credentialId: credential.id,
      options: dropInOptions(credential),
      key,
      payload: JSON.stringify(payload),
      messageCount: payload.length,
      now: at,
    });
  }

  async #draftsOf(request: SubmitRequest): Promise<Draft[] | DropInRefusal> {
    const { owner, moment, messages, isCampaign = false } = request;
    if (messages.length === 0) return noRecipient;
    const rules = this.#deps.recipientRules(owner.account.id);
    const drafts: Draft[] = [];
    for (const [index, message] of messages.entries()) {
      if (messages.length >= manyMessages && index % numbersPerTurn === 0) await this.#turns.next(owner.account.id);
      const draft = this.#draftOf(owner, message, rules, moment.at);
      if ("refused" in draft) return draft;
      drafts.push(isCampaign ? { ...draft, class: messageClasses.bulk } : draft);
    }
    return drafts;
  }

  #draftOf(owner: CredentialOwner, message: SubmitMessage, rules: RecipientRules, at: number): Draft | DropInRefusal {
    const { account, credential } = owner;
    const isSender = (spelling: string) => this.#deps.directory.sender(account.id, spelling)?.active === true;
    const given = {
      ...message,
      sender: senderSpellings(message.sender),
      recipient: recipientSpellings(message.recipient),
      class: trafficClasses[credential.traffic],
    };
    const draft = readDraft(given, { ...rules, at, isSender, defaultSender: account.defaultSender });
    return "problems" in draft ? draftRefusal(draft.problems[0]) : draft;
  }

  async #accept(
    { owner, moment, alsoStore }: SubmitRequest,
    keyed: KeyedRequest | null,
    drafts: readonly Draft[],
  ): Promise<Submitted | DropInRefusal> {
    const caller = { accountId: owner.account.id, apiKeyId: owner.key.id, ...moment };
    try {
      const { results, duplicate } = await this.#deps.acceptor.accept(
        caller,
        keyed?.finder ?? null,
        drafts,
        keyed === null && alsoStore === undefined
          ? undefined
          : (tables, firstMessageId) => {
              keyed?.store(tables, firstMessageId);
              alsoStore?.(tables, firstMessageId);
            },
      );
      return { results, duplicate };
    } catch (reason) {
      return this.refusedBy(reason);
    }
  }

  /** The refusal for an error thrown by acceptance; a defect is logged. */
  refusedBy(reason: unknown): DropInRefusal {
    if (reason instanceof StoreUnavailable)
      return refuse("unavailable", "The service cannot store anything right now.", retryAfterSeconds);
    const refused = refusedByApi(reason);
    if (refused !== null) return refused;
    this.#deps.log.error({ err: reason }, "A request to the drop-in listener failed by a defect");
    return refuse("defect", "A defect of the service.");
  }

  /** A known key gets its earlier answer, whatever has happened since to what the request names. */
  #replayOr(refused: DropInRefusal, keyed: KeyedRequest | null): Submitted | DropInRefusal {
    try {
      const known = keyed?.finder.replayed(this.#deps.tables) ?? null;
      return known === null ? refused : { results: known.results, duplicate: true };
    } catch (reason) {
      return this.refusedBy(reason);
    }
  }
}

/** International numbers come with or without their plus. */
function senderSpellings(given: string | null): string[] {
  if (given === null || given === "") return [];
  const bare = given.replace(/^\+/, "");
  return [given, bare, `+${bare}`];
}

/** International numbers often come without their plus, which a query turns into a space. */
const recipientSpellings = (given: string) => (/^[1-9]/.test(given) ? [given, `+${given}`] : [given]);

const noRecipient = refuse("recipient_missing", "The request names no recipient.");

function codeProblem(code: string): DropInRefusal | null {
  if (isOwnCode(code)) return null;
  return refuse("text_not_clean", "A one-time password has 4 to 10 digits or letters.");
}

function badReference(reference: string | null): DropInRefusal | null {
  const problem = referenceProblem(reference);
  return problem === null ? null : draftRefusal(problem);
}
