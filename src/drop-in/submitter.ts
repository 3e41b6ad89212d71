/**
 * Submits the messages of one request by the rules of the API: they are stored, or refused for a reason that protocols
 * can report.
 */
import { trafficClasses } from "../domain/credential.ts";
import { dropInLimits } from "../domain/drop-in-credential.ts";
import { messageClasses } from "../domain/message.ts";
import { isOwnCode } from "../domain/otp.ts";
import type { CredentialOwner } from "../messaging/directory/credential-directory.ts";
import type {
  Acceptance,
  Acceptor,
  AlsoStore,
  Caller,
  Draft,
  RepeatFinder,
  SendResult,
} from "../messaging/messages/accept.ts";
import { type RecipientRules, readDraft, readRecipient, referenceProblem } from "../messaging/messages/draft.ts";
import type { StagedRepeats } from "../messaging/messages/staged-acceptance.ts";
import type { OwnCodeRequest, OwnCodes } from "../messaging/otp/own-codes.ts";
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
import { type DropInRefusal, draftRefusal, refuse, refusedByApi, tooManyMessages } from "./refusal.ts";

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

/** What a request has, whatever it sends. */
type SentRequest = Pick<SubmitRequest, "owner" | "moment" | "key" | "alsoStore">;

/** A one-time password that the customer generated. */
export interface CodeRequest extends SentRequest {
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

const callerOf = ({ owner, moment }: Pick<SentRequest, "owner" | "moment">): Caller => ({
  accountId: owner.account.id,
  apiKeyId: owner.key.id,
  ...moment,
});

const keyInput = ({ owner: { credential }, moment }: SentRequest, key: string, payload: readonly unknown[]) => ({
  credentialId: credential.id,
  options: dropInOptions(credential),
  key,
  payload: JSON.stringify(payload),
  moment,
});

const unkeyedRequest = (name: string): StagedRepeats => ({ name, registered: () => null, store() {} });

/** Numbers parsed in one turn of the event loop: below 1 ms for domestic ones, 4 ms for foreign ones. */
const numbersPerTurn = 125;
/** Requests of so many take turns, by account: a program may send any number of them at once. */
const manyMessages = 25;
/** How long to wait before writing again after the disk refused. */
const retryAfterSeconds = 2;

type SendPermission = "messages:send" | "groups:send" | "otp:send";

export class DropInSubmitter {
  readonly #keyed: KeyedRequests;
  readonly #turns = new LoopTurns();
  #unkeyed = 0;
  readonly #rates = new Map<number, RatePerSecond>();

  constructor(private readonly deps: DropInSubmitterDeps) {
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

  /** Counts and logs an outcome, including those that a protocol found itself. */
  told<Outcome extends Submitted | DropInRefusal>(owner: CredentialOwner, outcome: Outcome): Outcome {
    const { customers } = this.deps;
    if ("refused" in outcome) customers.refused(owner, outcome.refused, outcome.words);
    else customers.accepted(owner, outcome.results.length);
    return outcome;
  }

  async #submitted(request: SubmitRequest): Promise<Submitted | DropInRefusal> {
    const { owner, messages } = request;
    const refused = this.mayAsk(owner, "messages:send", messages.length);
    if (refused !== null) return refused;
    const keyed = this.#keyedOf(request, () =>
      messages.map(({ sender, recipient, text, clientReference = null }) => [sender, recipient, text, clientReference]),
    );
    const drafts = await this.#draftsOf(request);
    if ("refused" in drafts) return this.#replayOr(drafts, keyed);
    const refusedNow = request.refusedNow?.() ?? null;
    if (refusedNow !== null) return this.#replayOr(refusedNow, keyed);
    const { acceptor } = this.deps;
    return this.#stored(request, keyed, (caller, finder, also) => acceptor.accept(caller, finder, drafts, also));
  }

  async #submittedCode(request: CodeRequest): Promise<Submitted | DropInRefusal> {
    const { owner, sender, recipient, code, patternCode = null, clientReference = null } = request;
    const refused = this.mayAsk(owner, "otp:send", 1);
    if (refused !== null) return refused;
    const keyed = this.#keyedOf(request, () => [[sender, recipient, code, patternCode, clientReference]]);
    const { ownCodes, recipientRules } = this.deps;
    const input = readCode(request, recipientRules(owner.account.id));
    if ("refused" in input) return this.#replayOr(input, keyed);
    const outcome = await this.#stored(request, keyed, (caller, finder, also) =>
      ownCodes.send(caller, finder, input, also),
    );
    return "refused" in outcome ? this.#replayOr(outcome, keyed) : outcome;
  }

  /**
   * A request to a group as GroupSender takes it, or why it is refused. Counts as one message of the rate per second.
   */
  groupRequest(
    request: SentRequest,
    payload: readonly (string | null)[],
  ): { caller: Caller; request: StagedRepeats } | DropInRefusal {
    const { owner, key } = request;
    const refused = this.mayAsk(owner, "groups:send", 1);
    if (refused !== null) return refused;
    this.#unkeyed += 1;
    const repeats =
      key === null
        ? unkeyedRequest(`credential ${owner.credential.id} new ${this.#unkeyed}`)
        : this.#keyed.staged(keyInput(request, key.value, payload));
    return { caller: callerOf(request), request: repeats };
  }

  /** The price and parts of a message. Nothing is stored or counted. */
  quote(
    owner: CredentialOwner,
    moment: Moment,
    message: SubmitMessage,
  ): { price: number; partCount: number } | DropInRefusal {
    const { acceptor, recipientRules } = this.deps;
    const draft = this.#draftOf(owner, message, recipientRules(owner.account.id), moment.at);
    if ("refused" in draft) return draft;
    try {
      // With remarks the rules only report: nothing is applied.
      const { price, partCount } = acceptor.rowOf(callerOf({ owner, moment }), draft, []);
      return { price: price ?? 0, partCount };
    } catch (reason) {
      return this.refusedBy(reason);
    }
  }

  /** The E.164 of a recipient, or why it cannot be sent to. */
  recipient({ account }: CredentialOwner, spelling: string): string | DropInRefusal {
    const recipient = readRecipient(recipientSpellings(spelling), this.deps.recipientRules(account.id));
    return typeof recipient === "string" ? recipient : draftRefusal(recipient.problem);
  }

  /** Counts messages that were accepted elsewhere. */
  accepted(owner: CredentialOwner, messageCount: number): void {
    this.deps.customers.accepted(owner, messageCount);
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
    if (messageCount > dropInLimits.messagesMax) return refuse("too_many_messages", tooManyMessages);
    const rate = this.#rates.get(credential.id) ?? new RatePerSecond(this.deps.clock);
    this.#rates.set(credential.id, rate);
    const waitMs = rate.waitMs(credential.ratePerSecond, Math.max(messageCount, 1));
    if (waitMs === 0) return null;
    const words = `The credential may send ${credential.ratePerSecond} messages a second.`;
    return refuse("rate_exceeded", words, Math.ceil(waitMs / 1_000));
  }

  /** `payload`: of each message, what repeats have in common. */
  #keyedOf(request: SentRequest, payload: () => (string | null)[][]): KeyedRequest | null {
    if (request.key === null) return null;
    const messages = payload();
    return this.#keyed.of({ ...keyInput(request, request.key.value, messages), messageCount: messages.length });
  }

  async #draftsOf(request: SubmitRequest): Promise<Draft[] | DropInRefusal> {
    const { owner, moment, messages, isCampaign = false } = request;
    if (messages.length === 0) return noRecipient;
    const rules = this.deps.recipientRules(owner.account.id);
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
    const isSender = (spelling: string) => this.deps.directory.sender(account.id, spelling)?.active === true;
    const given = {
      ...message,
      sender: senderSpellings(message.sender),
      recipient: recipientSpellings(message.recipient),
      class: trafficClasses[credential.traffic],
    };
    const draft = readDraft(given, { ...rules, at, isSender, defaultSender: account.defaultSender });
    return "problems" in draft ? draftRefusal(draft.problems[0]) : draft;
  }

  async #stored(
    request: SentRequest,
    keyed: KeyedRequest | null,
    store: (caller: Caller, finder: RepeatFinder | null, also: AlsoStore) => Promise<Acceptance>,
  ): Promise<Submitted | DropInRefusal> {
    try {
      return await store(callerOf(request), keyed?.finder ?? null, (tables, firstMessageId) => {
        keyed?.store(tables, firstMessageId);
        request.alsoStore?.(tables, firstMessageId);
      });
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
    this.deps.log.error({ err: reason }, "A request to the drop-in listener failed by a defect");
    return refuse("defect", "A defect of the service.");
  }

  /** A known key gets its earlier answer, whatever has happened since to what the request names. */
  #replayOr(refused: DropInRefusal, keyed: KeyedRequest | null): Submitted | DropInRefusal {
    try {
      const known = keyed?.finder.replayed(this.deps.tables) ?? null;
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

function readCode(given: CodeRequest, rules: RecipientRules): OwnCodeRequest | DropInRefusal {
  const { code, patternCode = null, clientReference = null } = given;
  const recipient = readRecipient(recipientSpellings(given.recipient), rules);
  if (typeof recipient !== "string") return draftRefusal(recipient.problem);
  if (!isOwnCode(code)) return refuse("text_not_clean", "A one-time password has 4 to 10 digits or letters.");
  const problem = referenceProblem(clientReference);
  if (problem !== null) return draftRefusal(problem);
  return { sender: given.sender === "" ? null : given.sender, recipient, code, patternCode, clientReference };
}
