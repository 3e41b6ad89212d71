/** Sends to an approved group: one text for all members, or a personalised one for each. */

import { ApiError, invalid } from "../../domain/api-error.ts";
import { type Countries, isInCountries } from "../../domain/country.ts";
import { messageClasses, messageLimits } from "../../domain/message.ts";
import { type Member, memberValues, memberVariables } from "../../domain/personalisation.ts";
import { nationalNumber } from "../../domain/phone-number.ts";
import {
  missingVariables,
  parseTemplate,
  renderTemplate,
  type Template,
  unknownVariables,
} from "../../domain/template.ts";
import { codePointLength } from "../../domain/text.ts";
import type { MemberListRow } from "../../store/groups.ts";
import type { Store } from "../../store/store.ts";
import { type AccountDirectory, chooseSender } from "../directory/sender-choice.ts";
import type { SendingCountries } from "../directory/sending-countries.ts";
import { type Caller, type Draft, type SendResult, sendResult } from "../messages/accept.ts";
import { joining } from "../messages/joined-campaign.ts";
import {
  type StagedAcceptance,
  StagedAcceptor,
  type StagedAcceptorDeps,
  type StagedRequest,
} from "../messages/staged-acceptance.ts";
import { Demand } from "../rules/traffic-rules.ts";
import type { ListReaders } from "./list-readers.ts";

export interface GroupMessage {
  sender?: string | null;
  message: string;
  clientReference?: string | null;
  /** The campaign it joins. */
  campaign?: string | null;
  /** The text has no variables, whatever braces it contains. */
  isLiteral?: boolean;
}

/** An accepted group send. Its results may not fit in memory: see `results`. */
export type GroupAcceptance = StagedAcceptance;

export interface GroupSendDeps extends StagedAcceptorDeps {
  store: Store;
  readers: ListReaders;
  directory: AccountDirectory;
  countries: Pick<SendingCountries, "of">;
  /** For the spelling of `{{mobile}}`. */
  defaultRegion: string;
}

/** Members processed in one turn of an account: about 2 ms. */
const sliceMembers = 500;
/** Results read in one: about 8 ms. Turns are rare once the queue starts sending them. */
const sliceResults = 2_000;

const ignored = () => {};

/** The text for each member, and what it belongs to. */
interface GroupContent {
  sender: string;
  template: Template;
  clientReference: string | null;
  campaign: string | null;
  groupCode: string;
}

export class GroupSender {
  readonly #deps: GroupSendDeps;
  readonly #staged: StagedAcceptor;
  /** Requests in progress by key: a second one waits for the first and gets its result. */
  readonly #inProgress = new Map<string, Promise<GroupAcceptance>>();

  constructor(deps: GroupSendDeps) {
    this.#deps = deps;
    this.#staged = new StagedAcceptor(deps);
  }

  /** The acceptance under this key, if any. Throws `idempotency_key_conflict` if the key stands for something else. */
  replay(caller: Caller, request: StagedRequest): GroupAcceptance | null {
    const known = this.#staged.registered(this.#deps.store.tables, caller, request);
    return known === null ? null : { ...known, duplicate: true };
  }

  /**
   * Accepts one message for each member of the group's approved list, all or none.
   * Throws `unknown_variable`, `validation_failed`, `sender_not_permitted`, `group_not_found`, `group_not_sendable`,
   * `personalisation_unavailable`, `idempotency_key_conflict`; rejects with StoreUnavailable when the disk refuses.
   */
  async send(
    caller: Caller,
    request: StagedRequest,
    groupCode: string,
    { sender: given, message, clientReference = null, campaign = null, isLiteral = false }: GroupMessage,
  ): Promise<GroupAcceptance> {
    const name = `${caller.apiKeyId} ${"store" in request ? request.name : request.key}`;
    for (let first = this.#inProgress.get(name); first !== undefined; first = this.#inProgress.get(name)) {
      // Its failure is reported to its own caller; this request may then succeed.
      await first.then(ignored, ignored);
    }
    const known = this.replay(caller, request);
    if (known !== null) return known;
    const template = isLiteral ? { text: message, segments: [message], variables: [] } : personalised(message);
    const sender = chooseSender(this.#deps.directory, caller.accountId, given);
    const list = this.#sendableList(caller.accountId, groupCode);
    const sending = this.#deps.readers.reading(list.id, () =>
      this.#create(caller, request, list, { sender, template, clientReference, campaign, groupCode }),
    );
    this.#inProgress.set(name, sending);
    return sending.finally(() => this.#inProgress.delete(name));
  }

  /** The name of the campaign that the acceptance joined; null if it has none. */
  campaignName({ firstMessageId }: GroupAcceptance): string | null {
    return this.#deps.store.tables.campaigns.nameOfRun(firstMessageId);
  }

  /** The Send results of an acceptance in member order, in slices: 50,000 of them are 10 MB. */
  async *results(
    { firstMessageId, messageCount, duplicate }: GroupAcceptance,
    accountId: number,
  ): AsyncGenerator<SendResult[]> {
    const { store, turns } = this.#deps;
    const { messages } = store.tables;
    for (let read = 0; read < messageCount; read += sliceResults) {
      await turns.next(accountId);
      const slice = messages.run(firstMessageId + read, Math.min(sliceResults, messageCount - read));
      yield slice.map((row) => sendResult(row, duplicate));
    }
  }

  #sendableList(accountId: number, groupCode: string): MemberListRow {
    const { groups } = this.#deps.store.tables;
    const group = groups.byAccountAndCode(accountId, groupCode);
    if (group === null) throw new ApiError("group_not_found");
    const list = group.status === "approved" ? groups.list(group.approvedListId) : null;
    if (list === null || list.memberCount === 0) throw new ApiError("group_not_sendable");
    return list;
  }

  async #create(
    caller: Caller,
    request: StagedRequest,
    list: MemberListRow,
    content: GroupContent,
  ): Promise<GroupAcceptance> {
    const { acceptor, countries } = this.#deps;
    acceptor.rules.check(caller, Demand.ofMessages(list.memberCount));
    await this.#checkMembers(list, content.template, countries.of(caller.accountId), caller.accountId);
    const { campaign: name, groupCode } = content;
    return this.#staged.accept(
      caller,
      request,
      list.memberCount,
      (position, count) => this.#draftsOf(list, content, position, count),
      joining(caller, list.memberCount, { kind: "group", name, groupCode }),
    );
  }

  /**
   * Throws unless every member may be sent to and has a value for every variable, and no text is too long. Nothing is
   * stored yet.
   */
  async #checkMembers(list: MemberListRow, template: Template, countries: Countries, accountId: number): Promise<void> {
    if (template.variables.length === 0 && countries === null) return;
    const { store, turns } = this.#deps;
    const { groupMembers } = store.tables;
    let abroad = 0;
    let lacking = 0;
    let tooLong = 0;
    for (let position = 0; position < list.memberCount; position += sliceMembers) {
      await turns.next(accountId);
      for (const member of groupMembers.slice(list.id, position, sliceMembers)) {
        if (!isInCountries(member.recipient, countries)) abroad += 1;
        // The national form is never longer, and parsing a number costs ten times the rest.
        const values = memberValues(template, member, (recipient) => recipient);
        if (missingVariables(template, values).length > 0) lacking += 1;
        else if (isTooLong(renderTemplate(template, values)) && isTooLong(this.#textFor(template, member)))
          tooLong += 1;
      }
    }
    if (abroad > 0) throw notAllowed(abroad, list.memberCount);
    if (lacking > 0) throw lackingValues(lacking, list.memberCount, template);
    if (tooLong > 0) throw textTooLong(tooLong);
  }

  #draftsOf(list: MemberListRow, content: GroupContent, position: number, count: number): Draft[] {
    const { sender, template, clientReference } = content;
    return this.#deps.store.tables.groupMembers.slice(list.id, position, count).map((member) => ({
      sender,
      recipient: member.recipient,
      text: this.#textFor(template, member),
      clientReference,
      class: messageClasses.bulk,
      sendAt: null,
    }));
  }

  #textFor(template: Template, member: Member): string {
    if (template.variables.length === 0) return template.text;
    const spellMobile = (recipient: string) => nationalNumber(recipient, this.#deps.defaultRegion);
    return renderTemplate(template, memberValues(template, member, spellMobile));
  }
}

/** Throws `unknown_variable`. */
function personalised(message: string): Template {
  const template = parseTemplate(message);
  const unknown = unknownVariables(template, memberVariables);
  if (unknown.length === 0) return template;
  const names = unknown.map((name) => `{{${name.slice(0, 60)}}}`).join(", ");
  const known = memberVariables.map((name) => `{{${name}}}`).join(", ");
  throw new ApiError("unknown_variable", { message: `The text uses ${names}; a group knows ${known}.` });
}

function isTooLong(text: string): boolean {
  return text.length > messageLimits.textMax && codePointLength(text) > messageLimits.textMax;
}

function lackingValues(lacking: number, of: number, template: Template): ApiError {
  const names = template.variables.map((name) => `{{${name}}}`).join(", ");
  const message = `${lacking} of ${of} members lack a value for a variable of the text (${names}).`;
  return new ApiError("personalisation_unavailable", { message });
}

function notAllowed(abroad: number, of: number): ApiError {
  const message = `${abroad} of ${of} members have numbers of countries that the account may not send to.`;
  return invalid([{ field: "recipient", code: "out_of_range", message }]);
}

function textTooLong(members: number): ApiError {
  const message = `Has more than ${messageLimits.textMax} characters with the values of ${members} members in place.`;
  return invalid([{ field: "message", code: "too_long", message }]);
}
