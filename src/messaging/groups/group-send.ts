/** Sending to an approved group: one text for all members, or one for each where it names them. */

import { ApiError, invalid } from "../../domain/api-error.ts";
import { type Countries, isInCountries } from "../../domain/country.ts";
import { messageClasses } from "../../domain/message.ts";
import { textLengthMax } from "../../domain/pattern.ts";
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
import { nextTurn } from "../../platform/next-turn.ts";
import type { MemberListRow } from "../../store/groups.ts";
import type { Store } from "../../store/store.ts";
import { type AccountDirectory, chooseSender } from "../directory/sender-choice.ts";
import type { SendingCountries } from "../directory/sending-countries.ts";
import { type Caller, type Draft, type IdempotentRequest, type SendResult, sendResult } from "../messages/accept.ts";
import { type StagedAcceptance, StagedAcceptor, type StagedAcceptorDeps } from "../messages/staged-acceptance.ts";
import { Demand } from "../rules/traffic-rules.ts";
import type { ListReaders } from "./list-readers.ts";

export interface GroupMessage {
  sender?: string | null;
  message: string;
  clientReference?: string | null;
}

/** An accepted group send. Its results may be too many for memory: see `results`. */
export type GroupAcceptance = StagedAcceptance;

export interface GroupSendDeps extends StagedAcceptorDeps {
  store: Store;
  readers: ListReaders;
  directory: AccountDirectory;
  countries: Pick<SendingCountries, "of">;
  /** For the spelling of `{{mobile}}`. */
  defaultRegion: string;
}

/** Members looked at in one turn of the event loop: about 2 ms. */
const sliceMembers = 500;
/** Results read in one turn: about 8 ms. While the queue begins to send them, a turn comes round slowly. */
const sliceResults = 2_000;

const ignored = () => {};

/** What each member gets. */
interface GroupContent {
  sender: string;
  template: Template;
  clientReference: string | null;
}

export class GroupSender {
  readonly #deps: GroupSendDeps;
  readonly #staged: StagedAcceptor;
  /** Requests in progress by their key: a second one waits and gets the result of the first. */
  readonly #inProgress = new Map<string, Promise<GroupAcceptance>>();

  constructor(deps: GroupSendDeps) {
    this.#deps = deps;
    this.#staged = new StagedAcceptor(deps);
  }

  /** The acceptance under this key if there is one. Throws `idempotency_key_conflict` when it stands for something else. */
  replay(caller: Caller, request: IdempotentRequest): GroupAcceptance | null {
    const { acceptor, store } = this.#deps;
    const known = acceptor.registered(store.tables, caller, request);
    return known === null ? null : { ...known, duplicate: true };
  }

  /**
   * Accepts one message for each member of the group's approved list, all or none.
   * Throws `unknown_variable`, `validation_failed`, `sender_not_permitted`, `group_not_found`, `group_not_sendable`,
   * `personalisation_unavailable`, `idempotency_key_conflict`; rejects with StoreUnavailable when the disk refuses.
   */
  async send(
    caller: Caller,
    request: IdempotentRequest,
    groupCode: string,
    { sender: given, message, clientReference = null }: GroupMessage,
  ): Promise<GroupAcceptance> {
    const name = `${caller.apiKeyId} ${request.key}`;
    for (let first = this.#inProgress.get(name); first !== undefined; first = this.#inProgress.get(name)) {
      // Its failure is reported to its own caller; this one may then succeed.
      await first.then(ignored, ignored);
    }
    const known = this.replay(caller, request);
    if (known !== null) return known;
    const template = personalised(message);
    const sender = chooseSender(this.#deps.directory, caller.accountId, given);
    const list = this.#sendableList(caller.accountId, groupCode);
    const sending = this.#deps.readers.reading(list.id, () =>
      this.#create(caller, request, list, { sender, template, clientReference }),
    );
    this.#inProgress.set(name, sending);
    return sending.finally(() => this.#inProgress.delete(name));
  }

  /** The Send results of an acceptance in member order, slice by slice: 50,000 of them are 10 MB. */
  async *results({ firstMessageId, messageCount, duplicate }: GroupAcceptance): AsyncGenerator<SendResult[]> {
    const { messages } = this.#deps.store.tables;
    for (let read = 0; read < messageCount; read += sliceResults) {
      const slice = messages.run(firstMessageId + read, Math.min(sliceResults, messageCount - read));
      yield slice.map((row) => sendResult(row, duplicate));
      await nextTurn();
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
    request: IdempotentRequest,
    list: MemberListRow,
    content: GroupContent,
  ): Promise<GroupAcceptance> {
    const { acceptor, countries } = this.#deps;
    acceptor.rules.check(caller, Demand.ofMessages(list.memberCount));
    await this.#checkMembers(list, content.template, countries.of(caller.accountId));
    return this.#staged.accept(caller, request, list.memberCount, (position, count) =>
      this.#draftsOf(list, content, position, count),
    );
  }

  /** Every member may be sent to and has a value for every variable, and no text is too long. Throws; nothing is stored yet. */
  async #checkMembers(list: MemberListRow, template: Template, countries: Countries): Promise<void> {
    if (template.variables.length === 0 && countries === null) return;
    const { groupMembers } = this.#deps.store.tables;
    let abroad = 0;
    let lacking = 0;
    let tooLong = 0;
    for (let position = 0; position < list.memberCount; position += sliceMembers) {
      for (const member of groupMembers.slice(list.id, position, sliceMembers)) {
        if (!isInCountries(member.recipient, countries)) abroad += 1;
        // The national spelling is never the longer one, and reading a number costs ten times the rest.
        const values = memberValues(template, member, (recipient) => recipient);
        if (missingVariables(template, values).length > 0) lacking += 1;
        else if (isTooLong(renderTemplate(template, values)) && isTooLong(this.#textFor(template, member)))
          tooLong += 1;
      }
      await nextTurn();
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
  return text.length > textLengthMax && codePointLength(text) > textLengthMax;
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
  const message = `Has more than ${textLengthMax} characters with the values of ${members} members in place.`;
  return invalid([{ field: "message", code: "too_long", message }]);
}
