/** Ids that were given to somebody, or are held in memory, are never reused for another row. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { getTableColumns, getTableName, isTable } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { forgetOldInbound } from "../../src/inbound/inbound.ts";
import { forgetOld } from "../../src/messaging/messages/retention.ts";
import { openDatabase } from "../../src/store/database.ts";
import { migrations } from "../../src/store/migrations.ts";
import * as schema from "../../src/store/schema.ts";
import { openStore } from "../../src/store/store.ts";
import { until } from "../support/manual-clock.ts";
import { createTestServer, temporaryFolder } from "../support/test-server.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const dayMs = 24 * 3_600_000;

/** Tables with ids but without AUTOINCREMENT, and why none of theirs is reused or matters. */
const othersByReason: Readonly<Record<string, string>> = {
  message: "the newest stays",
  event: "the newest stays",
  delivery: "the newest stays",
  request: "counted in memory, from what the index has merged",
  inbound: "counted beside the positions",
  orphan_receipt: "used inside of one transaction alone",
  timeline: "used inside of one transaction alone",
  search_run: "used inside of one transaction alone",
  search_page: "used inside of one transaction alone",
  smpp_submit: "the newest stays",
  key_lot: "its blocks go before it does, and nothing else names it",
  key_block: "numbered by its lot",
  approval: "no row is ever removed",
  approved_group: "no row is ever removed",
  pattern: "no row is ever removed",
  price_list: "no row is ever removed",
};

test("every table that gives ids counts them itself, or is known not to reuse one, and the schema agrees", () => {
  const { database, close } = openDatabase(folder.path, 1_000);
  const made = database
    .query<{ name: string; sql: string }, []>("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
    .all();
  const counting = made.filter(({ sql }) => sql.includes("AUTOINCREMENT")).map(({ name }) => name);
  close();
  const giving = made.filter(({ sql }) => /^\s*id INTEGER PRIMARY KEY/m.test(sql)).map(({ name }) => name);
  expect(giving.filter((name) => !counting.includes(name)).sort()).toEqual(Object.keys(othersByReason).sort());
  const declared = Object.values(schema)
    .filter((one) => isTable(one))
    .filter((table) => {
      const columns: SQLiteColumn[] = Object.values(getTableColumns(table));
      return columns.some((column) => "autoIncrement" in column && column.autoIncrement === true);
    });
  expect(declared.map((table): string => getTableName(table)).sort()).toEqual(counting.sort());
});

test("a session that starts after the newest has ended gets another id", async () => {
  const store = openStore({ folder: folder.path, now: 1 });
  const begin = (token: string) =>
    store.write(({ sessions }) => {
      const row = { tokenHash: Buffer.from(token), userId: 1, isConfirmed: true, address: "", createdAt: 1, seenAt: 1 };
      return sessions.insert(row).id;
    });
  await store.write(({ users }) => users.insert({ name: "sara", role: "owner", accountId: null, createdAt: 1 }));
  const first = await begin("a");
  await store.write(({ sessions }) => sessions.removeOf(1));
  expect(await begin("b")).toBeGreaterThan(first);
  store.close();
});

test("a message that arrives after all were deleted gets another id, and is found by its number", async () => {
  const server = await createTestServer();
  await server.start();
  const idOf = (code: string) => server.store.tables.messages.byCodeAnywhere(code)?.id ?? 0;
  const sent = async () => {
    const code = await server.send({ text: "a secret word", clientReference: "order 7" });
    await server.clock.advance(1_000);
    await until(() => server.statusOf(code) === "delivered");
    return code;
  };
  const [older, newest] = [await sent(), await sent()];
  const newestId = idOf(newest);
  server.clock.jump(91 * dayMs);
  const days = { messageDays: 90, idempotencyDays: 30, rollupDays: 730 };
  expect(await forgetOld(server.store, server.clock.now(), days)).toBe(1);
  expect(server.store.tables.messages.byCodeAnywhere(older)).toBeNull();
  // Its row keeps the id, and nothing about the message or its recipient.
  expect(server.store.tables.messages.byCodeAnywhere(newest)).toMatchObject({
    text: "",
    recipient: "",
    clientReference: null,
  });
  expect(server.store.tables.parts.ofMessage(newestId)).toEqual([]);
  expect(await forgetOld(server.store, server.clock.now(), days)).toBe(0);
  const next = await sent();
  expect(idOf(next)).toBe(newestId + 1);
  expect(await forgetOld(server.store, server.clock.now(), days)).toBe(1);
  expect(server.store.tables.messages.byCodeAnywhere(newest)).toBeNull();
  await server.stop();
});

test("an inbound message that arrives after all were deleted gets another id", async () => {
  const store = openStore({ folder: folder.path, now: 1 });
  const receive = (trackingCode: string, receivedAt: number) =>
    store.write(({ inbound }) => {
      const row = { routeId: 1, sender: "+989120000010", receiver: "30001", text: "hello", octets: null, partCount: 1 };
      return inbound.insert({ ...row, trackingCode, partsReceived: 1, receivedAt });
    });
  const first = await receive("IN1", 1);
  expect(await forgetOldInbound(store, 91 * dayMs, 0, 90)).toBe(1);
  expect(await receive("IN2", 91 * dayMs)).toBeGreaterThan(first);
  store.close();
});

/** Fills every column of a table with a value that its declaration accepts. */
function fill(database: Database, table: string): void {
  const columns = database
    .query<{ name: string; type: string }, [string]>("SELECT name, type FROM pragma_table_info(?)")
    .all(table);
  const chosen: Record<string, string | number> = {
    status: "active",
    suppression_scope: "all",
    role: "owner",
    kind: "smpp",
    source: "keyword",
    outcome: "done",
    language: "fa",
    theme: "dark",
    is_confirmed: 1,
  };
  for (const id of [3, 7]) {
    const values = columns.map(({ name, type }) => {
      if (name === "id") return id;
      if (name === "account_id" && table === "console_user") return null;
      if (name.endsWith("_id") && type === "INTEGER") return 7;
      if (name in chosen) return chosen[name] ?? null;
      if (name.startsWith("is_") || name.startsWith("has_") || /^(enabled|active|quiet_singles)$/.test(name)) return 1;
      return type === "BLOB" ? Buffer.from(`${name} ${id}`) : type === "TEXT" ? `${name} ${id}` : id * 100;
    });
    database.run(`INSERT INTO ${table} VALUES (${values.map(() => "?").join(", ")})`, values);
  }
}

test("an upgrade to counted ids keeps every row, column and index", () => {
  const before = migrations.findIndex(({ name }) => name === "ids_come_once");
  openDatabase(folder.path, 1_000, migrations.slice(0, before)).close();
  const database = new Database(join(folder.path, "peyk.db"), { strict: true });
  const tables = Object.values(schema)
    .filter((one) => isTable(one))
    .map((table): string => getTableName(table));
  const counting = tables.filter((name) => {
    const made = migrations[before]?.sql.includes(`CREATE TABLE next_${name} (`);
    if (made) fill(database, name);
    return made;
  });
  expect(counting.length).toBeGreaterThan(10);
  database.run("INSERT INTO approved_group VALUES (7, 7, 'code', 'name', 'draft', 7, NULL, 1, 1)");
  database.run("INSERT INTO inbound_counter VALUES (7, 4)");
  const told = (from: Database) => ({
    rows: counting.map((name) => from.query(`SELECT * FROM ${name} ORDER BY id`).all()),
    columns: counting.map((name) => from.query("SELECT * FROM pragma_table_info(?)").all(name)),
    references: counting.map((name) => from.query("SELECT * FROM pragma_foreign_key_list(?)").all(name)),
    indexes: counting.map((name) =>
      from.query('SELECT name, "unique", partial FROM pragma_index_list(?) ORDER BY name').all(name),
    ),
  });
  const kept = told(database);
  database.close();
  const upgraded = openDatabase(folder.path, 1_000, migrations.slice(0, before + 1));
  expect(told(upgraded.database)).toEqual(kept);
  expect(upgraded.database.query("PRAGMA foreign_key_check").all()).toEqual([]);
  upgraded.database.run("DELETE FROM session");
  upgraded.database.run("INSERT INTO session VALUES (NULL, x'00', 7, 1, '', 1, 1)");
  expect(upgraded.database.query("SELECT id FROM session").get()).toEqual({ id: 8 });
  upgraded.close();
});
