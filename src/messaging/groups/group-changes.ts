/**
 * Adds single numbers to groups and removes them: after the transaction that asks for it, and only while nothing is sent
 * to the group's lists or imported, because a reader counts on the positions of members.
 */
import type { Background } from "../../platform/background.ts";
import { inNextTurn } from "../../platform/next-turn.ts";
import type { GroupChangeRow } from "../../store/inbound-rules.ts";
import type { Store, Tables } from "../../store/store.ts";
import type { ListReaders } from "./list-readers.ts";

export interface GroupChangesDeps {
  store: Store;
  background: Background;
  readers: ListReaders;
  membersMax: number;
}

export class GroupChanges {
  readonly #deps: GroupChangesDeps;

  constructor(deps: GroupChangesDeps) {
    this.#deps = deps;
    deps.readers.onFreed(() => this.wake());
  }

  /** Call inside a transaction; takes the place of what was still to be done about the number. */
  record(row: GroupChangeRow): void {
    this.#deps.store.tables.inboundRules.changeGroup(row);
    inNextTurn(() => this.wake());
  }

  /** Does what can be done now. */
  wake(): void {
    const { store, background } = this.#deps;
    if (store.tables.inboundRules.groupChanges().length === 0) return;
    background.run("change groups", () => store.write((tables) => this.#apply(tables)));
  }

  #apply(tables: Tables): void {
    for (const change of tables.inboundRules.groupChanges()) {
      const group = tables.groups.byId(change.groupId);
      const lists = [group?.approvedListId, group?.draftListId].flatMap((id) => tables.groups.list(id ?? null) ?? []);
      if (lists.some(({ id }) => this.#deps.readers.isRead(id))) continue;
      for (const { id, memberCount } of lists) {
        const position = tables.groupMembers.positionOf(id, change.recipient);
        if (!change.joins && position !== null) tables.recipientData.eraseMember(id, position);
        if (!change.joins || position !== null || memberCount >= this.#deps.membersMax) continue;
        const names = { firstName: null, lastName: null, fullName: null };
        tables.groupMembers.insert(id, memberCount, { recipient: change.recipient, ...names });
        tables.groups.updateList(id, { memberCount: memberCount + 1 });
      }
      tables.inboundRules.groupChanged(change);
    }
  }
}
