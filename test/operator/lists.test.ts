/** Lists of the operator API in parts, and searched; the complete lists are unchanged. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { type ConsoleProcess, startConsole } from "../support/console.ts";
import { replyOf } from "../support/reply.ts";

let server: ConsoleProcess;
beforeEach(async () => {
  server = await startConsole();
  const { api } = server;
  for (const [index, name] of ["Clinic", "Bank", "Şişli"].entries()) {
    await api("POST /accounts", { name });
    const account = `acc_${index + 1}`;
    for (let number = 1; number <= 4; number += 1) {
      await api("POST /groups", { account, code: `g-${number}`, name: `Group ${number}` });
      await api("POST /patterns", {
        account,
        code: `p-${number}`,
        name: `Pattern ${number}`,
        text: `Code ۱${number} علی`,
      });
    }
  }
  await api("POST /accounts/:id/senders", { id: "acc_2", sender: "30009999" });
});
afterEach(() => server.stop());

test("a part of a list has its rows, the number found, and the total", async () => {
  const { api } = server;
  const { rows: whole } = await api("GET /groups");
  expect(whole).toHaveLength(12);
  const parts = [];
  for (let offset = 0; offset < 12; offset += 5) {
    const part = await api("GET /groups", { limit: 5, offset });
    expect([part.offset, part.found, part.total]).toEqual([offset, 12, 12]);
    parts.push(...part.rows);
  }
  expect(parts).toEqual(whole);
  expect(parts[4]?.accountName).toBe("Bank");
  const behind = await api("GET /groups", { limit: 5, offset: 1_000 });
  expect([behind.offset, behind.rows.length]).toEqual([10, 2]);
  const own = await api("GET /groups", { account: "acc_2", query: "GROUP 3" });
  expect([own.rows.map(({ account, code }) => [account, code]), own.found, own.total]).toEqual([
    [["acc_2", "g-3"]],
    1,
    4,
  ]);
});

test("accounts are found by id, name and sender, and patterns by their text, in either language's letters", async () => {
  const { api } = server;
  const names = async (query: string) =>
    (await api("GET /accounts", { query })).rows.map(({ name, senders }) => [name, ...senders]);
  expect(await names("acc_1")).toEqual([["Clinic"]]);
  expect(await names("bANK")).toEqual([["Bank", "30009999"]]);
  expect(await names("۳۰۰۰۹۹")).toEqual([["Bank", "30009999"]]);
  expect(await names("nobody")).toEqual([]);
  const patterns = await api("GET /patterns", { query: "13 علي", limit: 2 });
  expect([patterns.rows.map(({ code }) => code), patterns.found]).toEqual([["p-3", "p-3"], 3]);
});

test("approvals are listed oldest first, without groups that have no members", async () => {
  const { data } = await replyOf(server.api("GET /approvals", { limit: 3 }));
  expect([data?.rows.map(({ kind, code, accountName }) => [kind, code, accountName]), data?.total]).toEqual([
    [
      ["pattern", "p-1", "Clinic"],
      ["pattern", "p-2", "Clinic"],
      ["pattern", "p-3", "Clinic"],
    ],
    12,
  ]);
});

test("valid keys come first, and those about to expire are marked", async () => {
  const { api } = server;
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  for (const [name, days] of [
    ["gone", 3],
    ["soon", 13],
    ["late", 15],
  ] as const) {
    await api("POST /keys", { account: "acc_1", name, expiresAt: inDays(days) });
  }
  await api("POST /keys", { account: "acc_2", name: "other" });
  await api("POST /keys/:id/revoke", { id: "key_1" });
  const names = async (query: { due?: boolean; account?: string }) =>
    (await api("GET /keys", { limit: 50, ...query })).rows.map(({ name }) => name);
  expect(await names({})).toEqual(["soon", "late", "other", "gone"]);
  expect(await names({ account: "acc_1", due: true })).toEqual(["soon"]);
  expect(await names({ due: false })).toEqual(["late", "other", "gone"]);
  expect(await api("GET /keys/:id", { id: "key_2" })).toMatchObject({ id: "key_2", name: "soon", account: "acc_1" });
  expect((await replyOf(api("GET /keys/:id", { id: "key_9" }))).status).toBe(404);
});

test("an account is shown without its keys and senders on request", async () => {
  await server.api("POST /keys", { account: "acc_2", name: "backend" });
  const whole = await server.api("GET /accounts/:id", { id: "acc_2" });
  expect([whole.keys.length, whole.senders.length]).toEqual([1, 1]);
  const head = await server.api("GET /accounts/:id", { id: "acc_2", listed: false });
  expect(head).toEqual({ ...whole, keys: [], senders: [] });
});

test("an invalid limit or offset is refused", async () => {
  for (const query of [{ limit: 0 }, { limit: 501 }, { offset: -1 }]) {
    const { status } = await replyOf(server.api("GET /groups", query));
    expect([query, status]).toEqual([query, 400]);
  }
});
