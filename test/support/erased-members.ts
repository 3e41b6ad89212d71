/**
 * A store with members that were moved between pages and erased: copies of them remain in free space until it is wiped.
 */
import { nextTurn } from "../../src/platform/next-turn.ts";
import type { Store } from "../../src/store/store.ts";
import { ManualClock } from "./manual-clock.ts";

const now = new ManualClock().now();

/** Contained in the members that are erased. */
export const erasedName = "Farrokhzad";
export const memberAt = (index: number, firstName: string) => {
  const recipient = `+98912${1_000_000 + index}`;
  return { recipient, firstName, lastName: "x".repeat(40 + (index % 50)), fullName: null };
};

/** Inserts members in random order, so that pages are split repeatedly; then removes each one with the name. */
export async function moveAndErase(store: Store, count: number): Promise<number> {
  const listId = await store.write(({ accounts, groups }) => {
    const { id: accountId } = accounts.insert({ name: "Clinic", status: "active", createdAt: now });
    const lists = { approvedListId: null, draftListId: null };
    const times = { createdAt: now, updatedAt: now };
    const group = groups.insert({ accountId, code: "g", name: "G", status: "draft", ...lists, ...times });
    const list = { groupId: group.id, memberCount: 0, createdAt: now, approvedAt: null, approvedBy: null };
    return groups.insertList(list).id;
  });
  for (let from = 0; from < count; from += 500) {
    await store.write(({ groupMembers }) => {
      for (let index = from; index < from + 500; index += 1) {
        const position = (index * 7_919) % count;
        groupMembers.insert(listId, position, memberAt(position, position % 3 === 0 ? erasedName : "Ali"));
      }
    });
  }
  for (let end = count; end > 0; end -= 500) {
    await store.write(({ recipientData }) => {
      for (let position = end - 1; position >= end - 500; position -= 1) {
        if (position % 3 === 0) recipientData.eraseMember(listId, position);
      }
    });
  }
  return listId;
}

/** Overwrites the free space of the whole file. */
export async function wipe(store: Store): Promise<void> {
  for (let page: number | null = 1; page !== null; ) {
    const next = store.wipeFreeSpace(page);
    if (next === "busy" || next === "unknown") throw new Error(`The log is ${next}`);
    page = next;
    await nextTurn();
  }
}
