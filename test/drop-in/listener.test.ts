/** The drop-in listener: where it may listen, who may connect, and what it logs about them. */
import { afterEach, expect, test } from "bun:test";
import { Writable } from "node:stream";
import pino from "pino";
import { loadSettings } from "../../src/config/settings.ts";
import { DropInServer } from "../support/drop-in-server.ts";

let server: DropInServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

const problemsOf = (env: Record<string, string>) => {
  const loaded = loadSettings({ flags: {}, env, readFile: () => null });
  return loaded.ok ? [] : loaded.problems.map(({ key }) => key);
};

test("plain HTTP beyond this machine must be allowed explicitly or have a certificate", () => {
  const everywhere = { PEYK_DROP_IN_LISTEN: "0.0.0.0:13013" };
  expect(problemsOf(everywhere)).toEqual(["drop_in.listen"]);
  expect(problemsOf({ PEYK_DROP_IN_LISTEN: "sms.example.com:13013" })).toEqual(["drop_in.listen"]);
  for (const address of ["127.0.0.1:13013", "127.9.9.9:1", "[::1]:13013", "localhost:13013"])
    expect(problemsOf({ PEYK_DROP_IN_LISTEN: address })).toEqual([]);
  expect(problemsOf({ ...everywhere, PEYK_DROP_IN_ALLOW_PLAIN: "true" })).toEqual([]);
  expect(problemsOf({ ...everywhere, PEYK_TLS_CERT_FILE: "/c", PEYK_TLS_KEY_FILE: "/k" })).toEqual([]);
  expect(problemsOf({ PEYK_DROP_IN_LISTEN: "127.0.0.1:8080" })).toEqual(["drop_in.listen"]);
});

const query = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const good = { username: "shop", password: "password-of-shop", from: "30001234", to: "09121234567", text: "hello" };
const sendsms = (fields: Record<string, string>) => fetch(`${server?.url}/cgi-bin/sendsms?${query(fields)}`);

test("Kannel's XML is refused in words, and none of it is read", async () => {
  server = await DropInServer.start();
  const xml =
    "<?xml version='1.0'?><message><submit><da><number>09121234567</number></da><ud>hello</ud></submit></message>";
  const headers = { "content-type": "text/xml; charset=utf-8" };
  const answer = await fetch(`${server.url}/cgi-bin/sendsms`, { method: "POST", body: xml, headers });
  const said = "Invalid content-type: text/xml is not served, use the query or a form";
  expect([answer.status, await answer.text()]).toEqual([400, said]);
  expect(server.messages()).toEqual([]);
});

test("a Kannel client's message is accepted and on disk, and other paths are not found", async () => {
  server = await DropInServer.start();
  const answer = await sendsms(good);
  expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
    202,
    "text/html",
    "0: Accepted for delivery",
  ]);
  expect(server.messages()).toMatchObject([{ recipient: "+989121234567", text: "hello", class: 1 }]);
  expect((await fetch(`${server.url}/`)).status).toBe(404);
  const unknown = await fetch(`${server.url}/cgi-bin/other`);
  expect([unknown.status, await unknown.text()]).toEqual([404, "Unknown request."]);
});

test("wrong passwords get equal answers and count with SMPP's, and never block a right one", async () => {
  server = await DropInServer.start(undefined, { PEYK_SMPP_SERVER_FAILED_BINDS_PER_MINUTE: "3" });
  for (const wrong of [
    { password: "x" },
    { username: "nobody" },
    { password: "" },
    { password: "y" },
    { password: "z" },
  ]) {
    const answer = await sendsms({ ...good, ...wrong });
    expect([answer.status, await answer.text()]).toEqual([403, "Authorization failed for sendsms"]);
  }
  expect((await sendsms(good)).status).toBe(202);
});

test("a credential ends with its key, keeps to its addresses, and needs addresses for a short password", async () => {
  server = await DropInServer.start([]);
  const short = { kind: "kannel", name: "short", password: "secret" } as const;
  await expect(server.addCredential(short)).rejects.toThrow("less than 12 characters");
  await expect(server.addCredential({ kind: "kannel", name: "x", password: "long enough! " })).rejects.toThrow(
    "invalid",
  );
  await server.operate("PATCH", `/keys/${server.keyId}`, { allowFrom: ["127.0.0.1"] });
  await server.addCredential(short);
  const asShort = { ...good, username: "short", password: "secret" };
  expect((await sendsms(asShort)).status).toBe(202);
  await server.operate("PATCH", `/keys/${server.keyId}`, { allowFrom: [] });
  expect((await sendsms(asShort)).status).toBe(403);
  await server.operate("PATCH", `/keys/${server.keyId}`, { allowFrom: ["10.0.0.0/8"] });
  expect((await sendsms(asShort)).status).toBe(403);
  await server.operate("PATCH", `/keys/${server.keyId}`, { allowFrom: ["127.0.0.0/8"] });
  expect((await sendsms(asShort)).status).toBe(202);
  await server.operate("POST", `/keys/${server.keyId}/revoke`);
  expect((await sendsms(asShort)).status).toBe(403);
});

test("path, query and password never reach the log", async () => {
  let log = "";
  const sink = new Writable({
    write(chunk, _, done) {
      log += chunk;
      done();
    },
  });
  server = await DropInServer.start(undefined, {}, { log: pino({ level: "trace" }, sink) });
  await sendsms({ ...good, text: "a-private-text" });
  await sendsms({ ...good, text: "a-private-text", to: "12" });
  await sendsms({ ...good, password: "a-private-guess" });
  await sendsms({ ...good, username: "a-private-name" });
  expect(log).toContain("recipient_invalid");
  expect(log).toContain("name or secret is wrong");
  for (const hidden of ["a-private", "9121234567", "password-of-shop", "cgi-bin", "username="])
    expect(log).not.toContain(hidden);
});

test("messages a second are limited per credential", async () => {
  server = await DropInServer.start([{ kind: "kannel", name: "shop", password: "password-of-shop", rate: 2 }]);
  const statuses = [];
  for (let sent = 0; sent < 3; sent += 1) statuses.push((await sendsms(good)).status);
  expect(statuses).toEqual([202, 202, 503]);
  const refused = await sendsms(good);
  expect([refused.headers.get("retry-after"), await refused.text()]).toEqual([
    "1",
    "Temporal failure, try again later.",
  ]);
});
