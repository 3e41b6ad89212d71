/** What the service reports about itself, and the copies of its database, over the socket. */

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
});
afterEach(() => server.close());

interface Copies {
  makingSince: string | null;
  failure: string | null;
  copies: { name: string; kind: string; bytes: number; check: { state: string; words: string } | null }[];
}

/** Polls until it is true. */
async function copiesOnce(holds: (copies: Copies) => boolean): Promise<Copies> {
  for (;;) {
    const { body } = await server.call("GET", "/backups");
    const copies = body as Copies;
    if (holds(copies)) return copies;
    await Bun.sleep(50);
  }
}

async function made(): Promise<string> {
  expect((await server.call("POST", "/backups")).status).toBe(200);
  const { copies, failure } = await copiesOnce(({ makingSince }) => makingSince === null);
  expect(failure).toBeNull();
  return copies[0]?.name ?? "";
}

const download = (name: string) =>
  fetch(`http://localhost/backups/${name}/download`, { method: "POST", unix: server.socketPath });

describe("a backup on request", () => {
  test("is made beside the service, listed, verified and downloaded, and the audit names who downloaded it", async () => {
    const asked = await server.call("POST", "/backups");
    expect(asked).toMatchObject({ status: 200, body: { makingSince: expect.any(String) } });
    expect(await server.call("POST", "/backups")).toMatchObject({ status: 409, body: { code: "backup_busy" } });
    const { copies } = await copiesOnce(({ makingSince }) => makingSince === null);
    expect(copies).toMatchObject([{ kind: "requested", check: null }]);
    const name = copies[0]?.name ?? "";

    await server.call("POST", `/backups/${name}/check`);
    const checked = await copiesOnce((found) => found.copies[0]?.check?.state !== "running");
    expect(checked.copies[0]?.check).toMatchObject({ state: "whole" });

    const file = join(server.folder, "fetched.db");
    await Bun.write(file, await (await download(name)).arrayBuffer());
    const fetched = new Database(file, { readonly: true });
    expect(fetched.query("SELECT count(*) AS routes FROM route").get()).toEqual({ routes: 1 });
    fetched.close();
    const { body } = await server.call("GET", "/audit?action=backup.download");
    expect(body).toMatchObject({ entries: [{ target: name, outcome: "done" }] });
  });

  test("is reported as unusable if its bytes are not those written", async () => {
    const name = await made();
    const path = join(server.folder, "backups", name);
    const bytes = new Uint8Array(await Bun.file(path).arrayBuffer());
    bytes.fill(7, 5_000, 5_100);
    await Bun.write(path, bytes);
    await server.call("POST", `/backups/${name}/check`);
    const { copies } = await copiesOnce((found) => found.copies[0]?.check?.state !== "running");
    expect(copies[0]?.check).toMatchObject({ state: "unusable", words: expect.stringContaining("damaged") });
    expect(Object.keys(copies[0]?.check ?? {}).sort()).toEqual(["at", "code", "state", "values", "words"]);
    expect(copies[0]?.check).toMatchObject({ values: { file: path } });
  });

  test("has a name chosen by Peyk, so that no other file of the folder can be reached", async () => {
    for (const name of ["peyk.db", "..%2Fsecret.key", "%2Fetc%2Fpasswd", "peyk-20260105T120000Z.db"]) {
      expect((await download(name)).status).toBe(404);
    }
  });
});

describe("the settings of the running service", () => {
  test("are shown with their origins, and possible secrets or personal addresses only as set", async () => {
    Object.assign(server.settings.alerts, {
      webhookUrl: "https://hooks.example.com/T0/secret",
      mailTo: ["ops@example.com"],
    });
    const { body } = await server.call("GET", "/settings");
    expect(body).toMatchObject({
      file: null,
      settings: expect.arrayContaining([
        { key: "default_region", value: "IR", origin: "default", from: { source: "default" } },
        { key: "alerts.webhook_url", value: "(set)", origin: "default", from: { source: "default" } },
        { key: "alerts.mail_to", value: "(set)", origin: "default", from: { source: "default" } },
        { key: "alerts.smtp_user", value: "", origin: "default", from: { source: "default" } },
      ]),
    });
  });

  test("are part of the diagnostics with findings and state, without any phone or sender number", async () => {
    await server.call("POST", "/accounts", { name: "Clinic" });
    await server.call("POST", "/accounts/acc_1/senders", { sender: "30001234" });
    await server.call("POST", "/routes", { name: "line-30001234", kind: "simulator", options: {} });
    const { body } = await server.call("GET", "/diagnostics");
    const text = JSON.stringify(body);
    expect(text).not.toContain("30001234");
    expect(text).toContain("line-[number]");
    expect(body).toMatchObject({
      machine: { bun: Bun.version },
      status: { version: "0.0.0-test", warnings: [expect.stringContaining("NOTHING IS REALLY SENT")] },
      findings: expect.arrayContaining([expect.objectContaining({ check: "disk" })]),
      settings: { settings: expect.arrayContaining([expect.objectContaining({ key: "log.level" })]) },
    });
  });
});
