/** Lists of the operator API a part at a time, and searched; the whole lists stay as they were. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { type ConsoleProcess, startConsole } from "../support/console.ts";

let server: ConsoleProcess;
beforeEach(async () => {
  server = await startConsole();
  const { api } = server;
  for (const [index, name] of ["Clinic", "Bank", "Şişli"].entries()) {
    await api.accounts.post({ name });
    const account = `acc_${index + 1}`;
    for (let number = 1; number <= 4; number += 1) {
      await api.groups.post({ account, code: `g-${number}`, name: `Group ${number}` });
      await api.patterns.post({ account, code: `p-${number}`, name: `Pattern ${number}`, text: `Code ۱${number} علی` });
    }
  }
  await api.accounts({ id: "acc_2" }).senders.post({ sender: "30009999" });
});
afterEach(() => server.stop());

test("a part of a list has its rows, how many the search found, and how many there are", async () => {
  const { lists, groups } = server.api;
  const whole = (await groups.get({ query: {} })).data ?? [];
  expect(whole).toHaveLength(12);
  const parts = [];
  for (let offset = 0; offset < 12; offset += 5) {
    const { data } = await lists.groups.get({ query: { limit: 5, offset } });
    expect([data?.offset, data?.found, data?.total]).toEqual([offset, 12, 12]);
    parts.push(...(data?.rows ?? []));
  }
  expect(parts.map(({ accountName: _, ...group }) => group)).toEqual(whole);
  expect(parts[4]?.accountName).toBe("Bank");
  const behind = await lists.groups.get({ query: { limit: 5, offset: 1_000 } });
  expect([behind.data?.offset, behind.data?.rows.length]).toEqual([10, 2]);
  const own = await lists.groups.get({ query: { account: "acc_2", query: "GROUP 3" } });
  expect([own.data?.rows.map(({ account, code }) => [account, code]), own.data?.found, own.data?.total]).toEqual([
    [["acc_2", "g-3"]],
    1,
    4,
  ]);
});

test("accounts are found by id, name and sender, patterns by their text, in either language's letters", async () => {
  const { lists } = server.api;
  const names = async (query: string) =>
    (await lists.accounts.get({ query: { query } })).data?.rows.map(({ name, senders }) => [name, ...senders]);
  expect(await names("acc_1")).toEqual([["Clinic"]]);
  expect(await names("bANK")).toEqual([["Bank", "30009999"]]);
  expect(await names("۳۰۰۰۹۹")).toEqual([["Bank", "30009999"]]);
  expect(await names("nobody")).toEqual([]);
  const patterns = await lists.patterns.get({ query: { query: "13 علي", limit: 2 } });
  expect([patterns.data?.rows.map(({ code }) => code), patterns.data?.found]).toEqual([["p-3", "p-3"], 3]);
});

test("what waits for approval is told oldest first, without groups that have no members", async () => {
  const { data } = await server.api.lists.approvals.get({ query: { limit: 3 } });
  expect([data?.rows.map(({ kind, code, accountName }) => [kind, code, accountName]), data?.total]).toEqual([
    [
      ["pattern", "p-1", "Clinic"],
      ["pattern", "p-2", "Clinic"],
      ["pattern", "p-3", "Clinic"],
    ],
    12,
  ]);
});

test("keys that authenticate come first; those that end soon are told apart", async () => {
  const { keys, lists } = server.api;
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  for (const [name, days] of [
    ["gone", 3],
    ["soon", 13],
    ["late", 15],
  ] as const) {
    await keys.post({ account: "acc_1", name, expiresAt: inDays(days) });
  }
  await keys.post({ account: "acc_2", name: "other" });
  await keys({ id: "key_1" }).revoke.post({});
  const names = async (query: { due?: boolean; account?: string }) =>
    (await lists.keys.get({ query })).data?.rows.map(({ name }) => name);
  expect(await names({})).toEqual(["soon", "late", "other", "gone"]);
  expect(await names({ account: "acc_1", due: true })).toEqual(["soon"]);
  expect(await names({ due: false })).toEqual(["late", "other", "gone"]);
  expect((await keys({ id: "key_2" }).get()).data).toMatchObject({ id: "key_2", name: "soon", account: "acc_1" });
  expect((await keys({ id: "key_9" }).get()).status).toBe(404);
});

test("an account is told without its keys and senders where that is asked for", async () => {
  await server.api.keys.post({ account: "acc_2", name: "backend" });
  const account = server.api.accounts({ id: "acc_2" });
  const { data: whole } = await account.get();
  expect([whole?.keys.length, whole?.senders.length]).toEqual([1, 1]);
  const { data: head } = await account.get({ query: { listed: false } });
  expect(head).toEqual({ ...whole, keys: [], senders: [] } as typeof head);
});

test("a limit or an offset that is none is refused", async () => {
  for (const query of [{ limit: 0 }, { limit: 501 }, { offset: -1 }]) {
    const { status } = await server.api.lists.groups.get({ query });
    expect([query, status]).toEqual([query, 400]);
  }
});
