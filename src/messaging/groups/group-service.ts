/** What an operator does with approved groups, and what a customer sees of them. Changes are on disk when a promise resolves. */
import { OperatorError } from "../../domain/operator-error.ts";
import { background } from "../../platform/background.ts";
import type { Logger } from "../../platform/log.ts";
import type { ApprovalRow } from "../../store/approvals.ts";
import type { GroupRow, MemberListRow } from "../../store/groups.ts";
import type { Store, Tables } from "../../store/store.ts";
import { type CodeReference, onlyOne } from "../code-reference.ts";
import { type ImportDeps, type ImportedList, type ImportObserver, importMembers } from "./import-members.ts";

/** A group with its lists. */
export interface GroupView {
  group: GroupRow;
  approved: MemberListRow | null;
  /** Waits for its approval; the approved list sends until then. */
  draft: MemberListRow | null;
}

/** Contract, "Approved group", with the time in epoch milliseconds. */
export interface UsableGroup {
  code: string;
  name: string;
  recipientCount: number;
  approvedAt: number | null;
}

export interface GroupServiceDeps extends ImportDeps {
  store: Store;
  log: Logger;
}

/** Members removed in one transaction. */
const sliceMembers = 1_000;

export type GroupService = ReturnType<typeof groupService>;

/** Throws OperatorError; rejects with StoreUnavailable when the disk refuses. */
export function groupService(parts: GroupServiceDeps) {
  const { store, clock, readers, log } = parts;
  const aside = background(log);
  let tidying = false;
  let stopped = false;

  function viewOf(tables: Tables, group: GroupRow): GroupView {
    const { groups } = tables;
    return { group, approved: groups.list(group.approvedListId), draft: groups.list(group.draftListId) };
  }

  const found = (tables: Tables, reference: CodeReference) =>
    onlyOne(tables.groups.byCode(reference.code), reference, "group");

  function change(reference: CodeReference, to: (tables: Tables, group: GroupRow) => Partial<GroupRow>) {
    return store.write((tables) => {
      const group = found(tables, reference);
      const changed = tables.groups.update(group.id, { ...to(tables, group), updatedAt: clock.now() });
      return viewOf(tables, changed ?? group);
    });
  }

  function record(
    tables: Tables,
    group: GroupRow,
    action: ApprovalRow["action"],
    by: string,
    memberCount: number,
  ): void {
    const decision = { action, decidedBy: by, decidedAt: clock.now(), memberCount };
    tables.approvals.insert({ subject: "group", subjectId: group.id, ...decision });
  }

  /** Removes, slice by slice, lists that no group names and nobody reads. */
  async function removeLooseLists(): Promise<void> {
    for (const listId of store.tables.groups.looseLists().filter((id) => !readers.isRead(id))) {
      let empty = false;
      while (!empty && !stopped) {
        empty = await store.write((tables) => tables.groupMembers.removeSlice(listId, sliceMembers));
      }
      if (empty) await store.write((tables) => tables.groups.removeList(listId));
    }
  }

  function tidy(): void {
    if (tidying || stopped) return;
    tidying = true;
    aside.run("remove old lists of members", () =>
      removeLooseLists().finally(() => {
        tidying = false;
      }),
    );
  }
  readers.onFreed(tidy);

  return {
    create(accountId: number, code: string, name: string): Promise<GroupView> {
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
    },

    /**
     * Makes the file's members the group's draft, in place of an earlier draft; the approved list sends on unchanged.
     * Null when something in the file is wrong: the observer was told, and nothing has changed.
     */
    async import(
      reference: CodeReference,
      source: AsyncIterable<Uint8Array>,
      observer: ImportObserver,
    ): Promise<ImportedList | null> {
      const { id } = found(store.tables, reference);
      return importMembers(parts, id, source, observer, ({ listId, memberCount }) =>
        store.write((tables) => {
          tables.groups.updateList(listId, { memberCount });
          tables.groups.update(id, { draftListId: listId, updatedAt: clock.now() });
        }),
      );
    },

    /** The draft becomes the list that sends; a suspended group without a draft sends again. `by`: who decides. */
    async approve(reference: CodeReference, by: string): Promise<GroupView> {
      const view = await change(reference, (tables, group) => {
        const list = tables.groups.list(group.draftListId ?? group.approvedListId);
        if (list === null || (group.draftListId === null && group.status === "approved")) {
          throw new OperatorError("nothing_to_approve");
        }
        tables.groups.updateList(list.id, { approvedAt: clock.now(), approvedBy: by });
        record(tables, group, "approved", by, list.memberCount);
        return { status: "approved", approvedListId: list.id, draftListId: null };
      });
      tidy();
      return view;
    },

    /** Nothing is sent to it until it is approved again. Suspending a suspended group changes nothing. */
    suspend: (reference: CodeReference, by: string): Promise<GroupView> =>
      change(reference, (tables, group) => {
        if (group.status === "suspended") return {};
        record(tables, group, "suspended", by, tables.groups.list(group.approvedListId)?.memberCount ?? 0);
        return { status: "suspended" };
      }),

    list: (accountId?: number): GroupView[] =>
      (accountId === undefined ? store.tables.groups.all() : store.tables.groups.ofAccount(accountId)).map((group) =>
        viewOf(store.tables, group),
      ),

    /** With all that was ever decided about it, oldest first. */
    show(reference: CodeReference): GroupView & { decisions: ApprovalRow[] } {
      const group = found(store.tables, reference);
      return { ...viewOf(store.tables, group), decisions: store.tables.approvals.of("group", group.id) };
    },

    /** What the account may send to, by code. */
    usable: (accountId: number): UsableGroup[] =>
      store.tables.groups
        .ofAccount(accountId)
        .filter(({ status }) => status === "approved")
        .map((group) => {
          const list = store.tables.groups.list(group.approvedListId);
          const { code, name } = group;
          return { code, name, recipientCount: list?.memberCount ?? 0, approvedAt: list?.approvedAt ?? null };
        }),

    /** Removes what a crash or a change left of lists, in the background. */
    tidy,

    /** Resolves once nothing is being removed. */
    settled: aside.settled,

    /** Removes nothing more; the next start goes on. */
    stop(): void {
      stopped = true;
    },
  };
}
