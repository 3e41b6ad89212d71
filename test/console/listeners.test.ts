/** The two listeners of the console: who may sign in where, under which names, with which certificate, and what monitoring gets. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAuthority } from "../support/certificates.ts";
import { type ConsoleProcess, FormClient, goodPassword, signedInAs, startConsole } from "../support/console.ts";
import { replyOf } from "../support/reply.ts";
import { temporaryFolder } from "../support/test-server.ts";

const files = temporaryFolder();
const certFile = join(files.path, "console.crt");
const keyFile = join(files.path, "console.key");
const authority = createAuthority();

function writeCertificate(name: string): void {
  const { cert, key } = authority.issue({ names: [`DNS:${name}`, "IP:127.0.0.1"] });
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
}

let server: ConsoleProcess;
let portalUrl: string;
beforeAll(async () => {
  server = await startConsole((defaults) => ({
    portalListen: "127.0.0.1:0",
    console: { ...defaults.console, url: "https://console.example" },
    metrics: { allowFrom: ["127.0.0.1"], hosts: ["Peyk.lan."] },
  }));
  portalUrl = server.portalUrl ?? "";
  await server.api("POST /accounts", { name: "Clinic" });
});
afterAll(async () => {
  await server.stop();
  files.remove();
});

test("customers sign in at the portal only, and staff at the console only", async () => {
  const account = { name: "clinic", account: "acc_1", url: portalUrl };
  const customer = await signedInAs(server, "customer", account);
  expect((await customer.get("/menu")).status).toBe(200);
  await signedInAs(server, "support");
  const into = async (url: string, user: string) =>
    (await new FormClient(url).post("/sign-in", { user, password: goodPassword, to: "/" })).status;
  expect(await into(portalUrl, "clinic")).toBe(303);
  expect(await into(server.consoleUrl, "clinic")).toBe(422);
  expect(await into(portalUrl, "support")).toBe(422);
  // A session of one listener is not valid at the other.
  const stray = new FormClient(server.consoleUrl);
  stray.cookies.set("peyk_console", customer.cookies.get("peyk_portal") ?? "");
  expect((await stray.get("/menu")).status).toBe(303);
});

test("a setup link works at its own listener only, and names that listener", async () => {
  const { data } = await replyOf(server.api("POST /users", { name: "bank", role: "customer", account: "acc_1" }));
  expect(data?.setup.url).toBe(portalUrl + data?.setup.path);
  expect((await new FormClient(server.consoleUrl).get(data?.setup.path ?? "")).status).toBe(410);
  expect((await new FormClient(portalUrl).get(data?.setup.path ?? "")).status).toBe(200);
});

test("each listener serves its own name, and loopback names at any port", async () => {
  const statusOf = async (url: string, host: string) =>
    (await fetch(`${url}/sign-in`, { headers: { Host: host }, redirect: "manual" })).status;
  for (const host of ["console.example", "localhost", "localhost:4000", "127.0.0.1:1", "[::1]:8081"]) {
    expect({ host, status: await statusOf(server.consoleUrl, host) }).toEqual({ host, status: 200 });
  }
  for (const host of [
    "evil.example",
    "console.example.evil",
    "console.example:8081",
    "localhost.evil",
    "192.0.2.1",
    "localhost:99999",
    "127.999.0.1",
    "",
  ]) {
    expect({ host, status: await statusOf(server.consoleUrl, host) }).toEqual({ host, status: 421 });
  }
  expect(await statusOf(portalUrl, "console.example")).toBe(421);
});

test("the session cookie is marked secure behind a proxy with TLS", async () => {
  await signedInAs(server, "support", { name: "tess" });
  const headers = { Host: "console.example", Origin: "https://console.example" };
  const answer = await new FormClient(server.consoleUrl).post(
    "/sign-in",
    { user: "tess", password: goodPassword, to: "/" },
    headers,
  );
  expect([answer.status, answer.headers.getSetCookie().join()]).toEqual([303, expect.stringMatching(/; Secure$/)]);
});

test("the console alone serves metrics and readiness, under its own names, and metrics to allowed addresses only", async () => {
  const ask = async (url: string, path: string, headers: Record<string, string> = {}) =>
    (await fetch(url + path, { headers, redirect: "manual" })).status;
  // A foreign name may resolve to the console's address, and its page would read the answer.
  for (const Host of ["evil.example", "evil.example:8081", "localhost.evil.example", "127.0.0.1.evil.example"]) {
    for (const path of ["/metrics", "/readyz"]) {
      expect({ Host, path, status: await ask(server.consoleUrl, path, { Host }) }).toEqual({ Host, path, status: 421 });
    }
    expect(await ask(server.consoleUrl, "/healthz", { Host })).toBe(200);
  }
  for (const Host of [
    "PEYK.lan:9",
    "peyk.lan.",
    "localhost:1",
    "192.0.2.7:8081",
    "[2001:db8::1]",
    "console.example:8081",
  ]) {
    for (const path of ["/metrics", "/readyz"]) {
      expect({ Host, path, status: await ask(server.consoleUrl, path, { Host }) }).toEqual({ Host, path, status: 200 });
    }
  }
  // Forwarded by a proxy that is not configured, it could come from anywhere.
  expect(await ask(server.consoleUrl, "/metrics", { "X-Forwarded-For": "127.0.0.1" })).toBe(403);
  expect(await ask(portalUrl, "/metrics")).toBe(303);
  const guarded = await startConsole(({ metrics }) => ({ metrics: { ...metrics, allowFrom: ["192.0.2.1"] } }));
  expect(await ask(guarded.consoleUrl, "/metrics")).toBe(403);
  expect(await ask(guarded.consoleUrl, "/readyz")).toBe(200);
  await guarded.stop();
});

test("the console speaks TLS with a certificate of its own, which a reload renews", async () => {
  writeCertificate("first.example");
  const own = await startConsole((defaults) => ({ console: { ...defaults.console, tls: { certFile, keyFile } } }));
  const statusBy = (name: string) =>
    fetch(`${own.consoleUrl}/sign-in`, {
      headers: { Host: "localhost", Connection: "close" },
      tls: { ca: authority.cert, serverName: name },
    }).then(
      ({ status }) => status,
      () => "refused",
    );
  expect([await statusBy("first.example"), await statusBy("second.example")]).toEqual([200, "refused"]);
  writeCertificate("second.example");
  expect(own.reload().refused).toBeNull();
  expect([await statusBy("second.example"), await statusBy("first.example")]).toEqual([200, "refused"]);
  writeFileSync(certFile, "nothing");
  expect(own.reload().refused).toContain("console.tls.cert_file");
  expect(await statusBy("second.example")).toBe(200);
  await own.stop();
});
