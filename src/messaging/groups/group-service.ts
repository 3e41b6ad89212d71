/** Operator actions on approved groups, and the groups a customer sees. Changes are on disk when a promise resolves. */
import type { ListRange, PartOfList } from "../../domain/list-part.ts";
import { OperatorError } from "../../domain/operator-error.ts";
import { type Background, background } from "../../platform/background.ts";
import type { Logger } from "../../platform/log.ts";
import type { ApprovalRow } from "../../store/approvals.ts";
import type { GroupRow, MemberListRow } from "../../store/groups.ts";
import type { Store, Tables } from "../../store/store.ts";
import { type CodeReference, onlyOne } from "../code-reference.ts";
import { type ImportDeps, type ImportedList, type ImportObserver, importMembers } from "./import-members.ts";
import { type ImportPreviewDeps, type MemberFilePreview, previewImport } from "./import-preview.ts";
import type { CsvLayout } from "./member-csv.ts";
import { everyLine, type FileReading } from "./wrong-lines.ts";

/** A group with its lists. */
export interface GroupView {
  group: GroupRow;
  approved: MemberListRow | null;
  /** Awaits approval; until then the approved list is used for sending. */
  draft: MemberListRow | null;
}

/** Contract, "Approved group", with the time in epoch milliseconds. */
export interface UsableGroup {
  code: string;
  name: string;
  recipientCount: number;
  approvedAt: number | null;
}

export interface GroupServiceDeps extends ImportDeps, ImportPreviewDeps {
  store: Store;
  log: Logger;
}

/** Members removed per transaction. */
const sliceMembers = 1_000;
/** A statement takes a limited number of values. */
const listsAtOnce = 1_000;

/** Throws OperatorError; rejects with StoreUnavailable when the disk refuses. */
export class GroupService {
  readonly #deps: GroupServiceDeps;
  readonly #background: Background;
  #isTidying = false;
  #stopped = false;

  constructor(deps: GroupServiceDeps) {
    this.#deps = deps;
    this.#background = background(deps.log);
    deps.readers.onFreed(() => this.tidy());
  }

  create(accountId: number, code: string, name: string): Promise<GroupView> {
    const { store, clock } = this.#deps;
    return store.write((tables) => {
      if (tables.accounts.byId(accountId) === null) throw new OperatorError("account_not_found");
      if (tables.groups.byAccountAndCode(accountId, code) !== null) throw new OperatorError("group_exists");
      const now = clock.now();
      const lists = { approvedListId: null, draftListId: null };
      const row = { accountId, code, name, status: "draft" as const, ...lists, createdAt: now, updatedAt: now };
      const group = tables.groups.insert(row);
      const empty = { groupId: group.id, memberCount: 0, createdAt: now, approvedAt: null, approvedBy: null };
      const draftListId = tables.groups.insertList(empty).id;
      return viewOf(tables, tables.groups.update(group.id, { draftListId }) ?? group);
    });
  }

  /**
   * Makes the file's members the group's draft, replacing an earlier draft; the approved list stays in use. Null if
   * the file has more wrong lines than may be left out: the observer has been told, and nothing has changed.
   */
  async import(
    reference: CodeReference,
    source: AsyncIterable<Uint8Array>,
    observer: ImportObserver,
    reading: FileReading = everyLine,
  ): Promise<ImportedList | null> {
    const { store, clock } = this.#deps;
    const { id } = groupOf(store.tables, reference);
    return importMembers(this.#deps, id, { source, ...reading }, observer, ({ listId, memberCount }) =>
      store.write((tables) => {
        tables.groups.updateList(listId, { memberCount });
        tables.groups.update(id, { draftListId: listId, updatedAt: clock.now() });
      }),
    );
  }

  /** Maximum number of members in a list. */
  get membersMax(): number {
    return this.#deps.membersMax;
  }

  /** What an import of the file would find. */
  preview(file: Uint8Array, layout: CsvLayout | null, signal: AbortSignal): Promise<MemberFilePreview> {
    return previewImport(this.#deps, file, layout, signal);
  }

  /** Makes the draft the list in use; a suspended group without a draft becomes active again. `by`: who decides. */
  async approve(reference: CodeReference, by: string): Promise<GroupView> {
    const view = await this.#change(reference, (tables, group) => {
      const list = tables.groups.list(group.draftListId ?? group.approvedListId);
      if (list === null || (group.draftListId === null && group.status === "approved")) {
        throw new OperatorError("nothing_to_approve");
      }
      tables.groups.updateList(list.id, { approvedAt: this.#deps.clock.now(), approvedBy: by });
      this.#record(tables, group, "approved", by, list.memberCount);
      return { status: "approved", approvedListId: list.id, draftListId: null };
    });
    this.tidy();
    return view;
  }

  /** Nothing can be sent to it until it is approved again. Suspending a suspended group changes nothing. */
  suspend(reference: CodeReference, by: string): Promise<GroupView> {
    return this.#change(reference, (tables, group) => {
      if (group.status === "suspended") return {};
      this.#record(tables, group, "suspended", by, tables.groups.list(group.approvedListId)?.memberCount ?? 0);
      return { status: "suspended" };
    });
  }

  list(accountId?: number): GroupView[] {
    const { groups } = this.#deps.store.tables;
    return this.#views(accountId === undefined ? groups.all() : groups.ofAccount(accountId));
  }

  async part(range: ListRange, accountId?: number): Promise<PartOfList<GroupView>> {
    const part = await this.#deps.store.tables.groups.part(range, accountId);
    return { ...part, rows: this.#views(part.rows) };
  }

  #views(found: readonly GroupRow[]): GroupView[] {
    const listOf = this.#listsOf(found);
    return found.map((group) => ({
      group,
      approved: listOf(group.approvedListId),
      draft: listOf(group.draftListId),
    }));
  }

  /** One query per list took half a second with three thousand groups. */
  #listsOf(found: readonly GroupRow[]): (id: number | null) => MemberListRow | null {
    const { groups } = this.#deps.store.tables;
    const ids = found
      .flatMap(({ approvedListId, draftListId }) => [approvedListId, draftListId])
      .filter((id) => id !== null);
    const lists = new Map<number, MemberListRow>();
    for (let from = 0; from < ids.length; from += listsAtOnce) {
      for (const list of groups.lists(ids.slice(from, from + listsAtOnce))) lists.set(list.id, list);
    }
    return (id) => (id === null ? null : (lists.get(id) ?? null));
  }

  /** With every decision ever made about it, oldest first. */
  show(reference: CodeReference): GroupView & { decisions: ApprovalRow[] } {
    const { tables } = this.#deps.store;
    const group = groupOf(tables, reference);
    return { ...viewOf(tables, group), decisions: tables.approvals.of("group", group.id) };
  }

  /** The groups the account may send to, by code. */
  usable(accountId: number): UsableGroup[] {
    const { groups } = this.#deps.store.tables;
    const approved = groups.ofAccount(accountId).filter(({ status }) => status === "approved");
    return approved.map(({ code, name, approvedListId }) => {
      const list = groups.list(approvedListId);
      return { code, name, recipientCount: list?.memberCount ?? 0, approvedAt: list?.approvedAt ?? null };
    });
  }

  /** Removes, in the background, lists that a crash or a change left without a group. */
  tidy(): void {
    if (this.#isTidying || this.#stopped) return;
    this.#isTidying = true;
    this.#background.run("remove old lists of members", () =>
      this.#removeLooseLists().finally(() => {
        this.#isTidying = false;
      }),
    );
  }

  /** Resolves once no removal is running. */
  settled(): Promise<void> {
    return this.#background.settled();
  }

  /** Stops removing; the next start resumes it. */
  stop(): void {
    this.#stopped = true;
  }

  #change(reference: CodeReference, to: (tables: Tables, group: GroupRow) => Partial<GroupRow>): Promise<GroupView> {
    const { store, clock } = this.#deps;
    return store.write((tables) => {
      const group = groupOf(tables, reference);
      const changed = tables.groups.update(group.id, { ...to(tables, group), updatedAt: clock.now() });
      return viewOf(tables, changed ?? group);
    });
  }

  #record(tables: Tables, group: GroupRow, action: ApprovalRow["action"], by: string, memberCount: number): void {
    const decision = { action, decidedBy: by, decidedAt: this.#deps.clock.now(), memberCount };
    tables.approvals.insert({ subject: "group", subjectId: group.id, ...decision });
  }

  /** Removes, slice by slice, lists that no group refers to and no reader holds. */
  async #removeLooseLists(): Promise<void> {
    const { store, readers } = this.#deps;
    for (const listId of store.tables.groups.looseLists().filter((id) => !readers.isRead(id))) {
      let isEmpty = false;
      while (!isEmpty && !this.#stopped) {
        isEmpty = await store.write((tables) => tables.groupMembers.removeSlice(listId, sliceMembers));
      }
      if (isEmpty) await store.write((tables) => tables.groups.removeList(listId));
    }
  }
}

function viewOf({ groups }: Tables, group: GroupRow): GroupView {
  return { group, approved: groups.list(group.approvedListId), draft: groups.list(group.draftListId) };
}

function groupOf(tables: Tables, reference: CodeReference): GroupRow {
  return onlyOne(tables.groups.byCode(reference.code), reference, "group");
}
