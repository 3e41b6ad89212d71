/** A search in SQLite finds what a scan of all rows finds, in either language's letters and digits. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { partOfList } from "../../src/domain/list-part.ts";
import type { Store } from "../../src/store/store.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { openMigratedStore } from "../support/migrated-store.ts";
import { temporaryFolder } from "../support/test-server.ts";

const now = new ManualClock().now();
const alphabet = [..."aAbB19۱٩یيکكşŞßéÉ*?[]^-% '\"\\"];
const words = fc.array(fc.constantFrom(...alphabet), { minLength: 1, maxLength: 5 }).map((letters) => letters.join(""));
const samples = fc.sample(words, { numRuns: 400, seed: 7 });
const accounts = ["Clinic", "بانک ملي", "Şişli"];

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
beforeAll(async () => {
  folder = temporaryFolder();
  store = openMigratedStore({ folder: folder.path, now });
  await store.write((tables) => {
    for (const name of accounts) tables.accounts.insert({ name, status: "active", createdAt: now });
    for (const [index, name] of samples.entries()) {
      const accountId = 1 + (index % accounts.length);
      const made = { code: `c-${samples.length - index}`, name, createdAt: now - index, updatedAt: now };
      const none = { approvedAt: null, approvedBy: null, sender: null, templateId: null, variables: [] };
      const status = index % 2 === 0 ? ("draft" as const) : ("approved" as const);
      tables.patterns.insert({ accountId, ...made, ...none, text: `text ${name}`, status });
      const lists = { approvedListId: null, draftListId: null };
      const group = tables.groups.insert({ accountId, ...made, ...lists, status: "draft" });
      const members = { memberCount: index % 3, createdAt: now - 2 * index, approvedAt: null, approvedBy: null };
      const list = tables.groups.insertList({ groupId: group.id, ...members });
      tables.groups.update(group.id, { draftListId: list.id });
    }
  });
});
afterAll(() => {
  store.close();
  folder.remove();
});

const ranges = fc.record({
  query: fc.oneof(fc.constant(""), words, fc.constantFrom(...accounts, "c-1", "TEXT")),
  limit: fc.integer({ min: 1, max: 50 }),
  offset: fc.integer({ min: 0, max: 500 }),
});
const anAccount = fc.option(fc.integer({ min: 1, max: accounts.length }), { nil: undefined });
const nameOf = (accountId: number) => accounts[accountId - 1] ?? "";

test("parts of lists of groups and patterns match a full read", async () => {
  const { groups, patterns } = store.tables;
  await fc.assert(
    fc.asyncProperty(ranges, anAccount, async (range, accountId) => {
      const allGroups = accountId === undefined ? groups.all() : groups.ofAccount(accountId);
      expect(await groups.part(range, accountId)).toEqual(
        partOfList(allGroups, range, (one) => `${one.code} ${one.name} ${nameOf(one.accountId)}`),
      );
      const allPatterns = accountId === undefined ? patterns.all() : patterns.ofAccount(accountId);
      expect(await patterns.part(range, accountId)).toEqual(
        partOfList(allPatterns, range, (one) => `${one.code} ${one.name} ${nameOf(one.accountId)} ${one.text}`),
      );
    }),
    { numRuns: 300 },
  );
});

test("parts of the list of approvals match a full read, the longest waiting first", async () => {
  const { approvals, groups, patterns } = store.tables;
  const lists = new Map(groups.all().map(({ id, draftListId }) => [id, groups.list(draftListId)]));
  const ofGroups = groups.all().map((one) => {
    const list = lists.get(one.id);
    return { ...one, kind: "group", text: "", since: list?.createdAt ?? 0, recipientCount: list?.memberCount ?? 0 };
  });
  const drafts = patterns.all().filter(({ status }) => status === "draft");
  const ofPatterns = drafts.map((one) => ({ ...one, kind: "pattern", since: one.createdAt, recipientCount: 0 }));
  const all = [...ofGroups.filter(({ recipientCount }) => recipientCount > 0), ...ofPatterns]
    .map(({ kind, id, accountId, code, name, text, recipientCount, since }) => {
      return { kind, id, accountId, accountName: nameOf(accountId), code, name, text, recipientCount, since };
    })
    .toSorted((a, b) => a.since - b.since || a.kind.localeCompare(b.kind) || a.id - b.id);
  expect(all).toHaveLength(approvals.countWaiting());
  await fc.assert(
    fc.asyncProperty(ranges, async (range) => {
      const expected = partOfList(all, range, (one) => `${one.code} ${one.name} ${one.accountName} ${one.text}`);
      expect((await approvals.waiting(range)) as unknown).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});
