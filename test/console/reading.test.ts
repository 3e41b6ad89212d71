/** Reading changes nothing: every page is opened, and the database is the same afterwards. */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Role } from "../../src/domain/roles.ts";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { declaredPages } from "../support/declared-pages.ts";

let server: ConsoleProcess;
beforeAll(async () => {
  server = await startConsole(() => ({ portalListen: "127.0.0.1:0" }));
  await server.api("POST /accounts", { name: "Clinic" });
  await server.api("POST /accounts/:id/senders", { id: "acc_1", sender: "30001" });
  await server.api("POST /keys", { account: "acc_1", name: "backend" });
  await server.api("POST /groups", { account: "acc_1", code: "vip", name: "VIP" });
});
afterAll(() => server.stop());

/** Values for the parameters of paths. */
const known: Readonly<Record<string, string>> = {
  id: "acc_1",
  name: "owner",
  code: "vip",
  token: "none",
  route: "simulator",
};

/** Every row of every table, except what changes by itself: when a session was last used, and which time is trusted. */
function rowsOf(folder: string): Record<string, unknown[]> {
  using database = new Database(join(folder, "peyk.db"), { readonly: true });
  const tables = database.query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const still = tables.filter(({ name }) => !["session", "wall_clock"].includes(name));
  return Object.fromEntries(still.map(({ name }) => [name, database.query(`SELECT * FROM "${name}"`).all()]));
}

/** Only the table is needed here: none of it is called. */
const declared = declaredPages().filter(({ method, path }) => method === "GET" && !path.endsWith("/live"));

test("opening a page changes nothing, and none fails", async () => {
  const clients: [Role, FormClient][] = [
    ["owner", await signedInAs(server, "owner")],
    ["customer", await signedInAs(server, "customer", { account: "acc_1", url: server.portalUrl ?? "" })],
  ];
  const before = rowsOf(server.folder);
  const failed: string[] = [];
  for (const { path } of declared) {
    const real = path.replaceAll(/:(\w+)/g, (_, name: string) => known[name] ?? "x1");
    for (const [role, client] of clients) {
      const { status } = await client.get(real);
      if (status >= 500) failed.push(`${role} ${real}: ${status}`);
    }
  }
  expect(failed).toEqual([]);
  expect(rowsOf(server.folder)).toEqual(before);
});
