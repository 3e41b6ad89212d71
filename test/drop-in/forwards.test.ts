/** Texts and statuses are forwarded to programs as Kannel and Jasmin do, or by a template, once each and until accepted. */
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DropInServer } from "../support/drop-in-server.ts";
import { type ReportReceiver, reportReceiver } from "../support/report-receiver.ts";

setDefaultTimeout(60_000);

const open: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.stop();
});

function receiving(...answers: Parameters<typeof reportReceiver>): ReportReceiver {
  const receiver = reportReceiver(...answers);
  open.push(receiver);
  return receiver;
}

const line = "+989120000001";

async function serverWith(receiver: ReportReceiver, forward: object | null, more: object = {}): Promise<DropInServer> {
  const shop = {
    kind: "kannel",
    name: "shop",
    password: "password-of-shop",
    callbackOrigins: [receiver.origin],
  } as const;
  const server = await DropInServer.start([{ ...shop, ...more }]);
  open.push(server);
  await server.operate("POST", "/lines", { number: line, account: server.accountId });
  await server.operate("PUT", `/lines/${encodeURIComponent(line)}/credential`, { credential: "cred_1" });
  if (forward !== null) await server.operate("PUT", "/credentials/cred_1/forward", { forward });
  return server;
}

const receive = (server: DropInServer, message: string) =>
  server.operate("POST", "/inbound/simulate", { from: "+989121234567", to: line, message });

describe("an inbound text", () => {
  test("is sent to the program that the line's rule names, once, although the line has another credential", async () => {
    const receiver = receiving();
    const url = `${receiver.origin}/in?text=%b&by=%k`;
    const server = await serverWith(receiver, { preset: "kannel", inbound: { url } });
    const path = `/lines/${encodeURIComponent(line)}`;
    await server.operate("POST", `${path}/rules`, { words: ["order"], credential: "cred_1" });
    await receive(server, "order while it is the line's own");
    await server.operate("PUT", `${path}/credential`, { credential: null });
    await receive(server, "nothing takes this");
    await receive(server, "Order by the rule");
    const calls = await receiver.until(2);
    expect(calls.map(({ target }) => new URL(target, receiver.origin).searchParams.get("by"))).toEqual([
      "order",
      "Order",
    ]);
  });

  test("is forwarded by an intake to an origin of its own, which a new template and another change keep", async () => {
    const receiver = receiving();
    const origins = { callbackOrigins: [receiver.origin] };
    const template = { preset: "json", sender: "30001234" };
    const server = await serverWith(receiver, null, { kind: "intake", name: "crm", template, ...origins });
    const dropIn = async () => (await server.operate<{ dropIn: object }>("GET", "/credentials/cred_1")).dropIn;
    await server.operate("PUT", "/credentials/cred_1/template", { template: { ...template, sender: "30005678" } });
    expect(await dropIn()).toMatchObject(origins);
    const url = `${receiver.origin}/in`;
    const forward = { inbound: { request: { method: "POST", url, body: { json: { text: "{{text}}" } } } } };
    await server.operate("PUT", "/credentials/cred_1/forward", { forward });
    await receive(server, "سلام");
    expect(JSON.parse((await receiver.until(1))[0]?.body ?? "")).toEqual({ text: "سلام" });
    await server.operate("PATCH", "/credentials/cred_1", { callbackOrigins: [] });
    expect(await dropIn()).toMatchObject({ callbackOrigins: [] });
    const tried = await server.operate("POST", "/intakes/crm/test", { body: '{"to":"09121234567","text":"x"}' });
    expect(tried).toMatchObject({ messages: [{ sender: "30005678" }] });
    await expect(server.operate("PUT", "/credentials/cred_1/forward", { forward })).rejects.toThrow("callback");
  });

  test("is sent to Kannel's get-url with its escapes filled in", async () => {
    const receiver = receiving();
    const url = `${receiver.origin}/in?from=%p&to=%P&text=%b&first=%k&rest=%r&at=%T&by=%i&x=%x&z=100%%&token=t-1`;
    const server = await serverWith(receiver, { preset: "kannel", inbound: { url } });
    await receive(server, "سلام دنیا & بقیه");
    const [call] = await receiver.until(1);
    const query = new URL(call?.target ?? "", receiver.origin).searchParams;
    expect([call?.method, Object.fromEntries(query)]).toEqual([
      "GET",
      {
        from: "+989121234567",
        to: line,
        text: "سلام دنیا & بقیه",
        first: "سلام",
        rest: "دنیا & بقیه",
        at: expect.stringMatching(/^\d{10}$/),
        by: "peyk",
        x: "%x",
        z: "100%",
        token: "t-1",
      },
    ]);
  });

  test("is posted to Kannel's post-url as the body, and repeated until accepted", async () => {
    const receiver = receiving(
      (call) => new Response("", { status: call === 1 ? 503 : 200, headers: { "Retry-After": "1" } }),
    );
    const server = await serverWith(receiver, {
      preset: "kannel",
      inbound: { url: `${receiver.origin}/in`, method: "POST" },
    });
    await receive(server, "سلام");
    const calls = await receiver.until(2);
    expect(calls.map(({ method, body }) => `${method} ${body}`)).toEqual(["POST سلام", "POST سلام"]);
  });

  test("is posted as Jasmin's form, and counts as accepted only with ACK/Jasmin", async () => {
    const receiver = receiving((call) => new Response(call === 1 ? "ok" : "ACK/Jasmin\n"));
    const server = await serverWith(receiver, { preset: "jasmin", inbound: { url: `${receiver.origin}/mo` } });
    await receive(server, "سلام");
    const [first] = await receiver.until(1);
    expect(Object.fromEntries(new URLSearchParams(first?.body))).toEqual({
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      from: "+989121234567",
      to: line,
      "origin-connector": "peyk",
      priority: "0",
      coding: "8",
      content: "سلام",
      binary: Buffer.from("سلام", "utf16le").swap16().toString("hex"),
    });
    const again = await receiver.until(2);
    expect(again[1]?.body).toBe(first?.body ?? "");
  });

  test("stays with the account if its credential forwards nothing, lost its permission, or was revoked", async () => {
    const receiver = receiving();
    const forward = { preset: "kannel", inbound: { url: `${receiver.origin}/in?text=%b` } };
    const server = await serverWith(receiver, null);
    await receive(server, "none");
    await server.operate("PUT", "/credentials/cred_1/forward", { forward });
    await server.operate("PATCH", `/keys/${server.keyId}`, { permissions: ["messages:send"] });
    await receive(server, "not allowed");
    await server.operate("PATCH", `/keys/${server.keyId}`, { permissions: ["messages:send", "inbound:read"] });
    await receive(server, "allowed");
    const [call] = await receiver.until(1);
    expect(call?.target).toBe("/in?text=allowed");
    await server.operate("PUT", "/credentials/cred_1/forward", { forward: null });
    await receive(server, "off");
    expect(receiver.calls.length).toBe(1);
  });
});

test("each status of the key's messages is sent by a template, also after a restart, and the URL is stored sealed", async () => {
  const receiver = receiving();
  const request = {
    url: `${receiver.origin}/status?token=a-private-token`,
    body: { json: { code: "{{id}}", to: "{{recipientDigits}}", status: "{{status}}", ref: "{{clientReference}}" } },
  };
  const server = await serverWith(receiver, { status: { request } });
  await server.halt();
  await server.startAgain();
  const query = new URLSearchParams({
    username: "shop",
    password: "password-of-shop",
    from: "30001234",
    to: "09120000000",
    text: "hi",
  });
  expect((await fetch(`${server.url}/cgi-bin/sendsms?${query}`)).status).toBe(202);
  const calls = await receiver.until(3);
  const code = server.messages()[0]?.trackingCode;
  const told = calls.map(({ body }) => JSON.parse(body));
  expect(told.map(({ status }) => status)).toEqual(["processing", "sent", "delivered"]);
  expect(told[0]).toEqual({ code, to: "989120000000", status: "processing", ref: "" });
  for (const file of readdirSync(server.folder).filter((name) => name.startsWith("peyk.db")))
    expect(readFileSync(join(server.folder, file)).includes("a-private-token")).toBe(false);
});

test("forwarding continues while the listener is off", async () => {
  const receiver = receiving();
  const forward = { preset: "kannel", inbound: { url: `${receiver.origin}/in?text=%b` } };
  const server = await serverWith(receiver, forward);
  await server.halt();
  await server.startAgain({ PEYK_DROP_IN_LISTEN: "" });
  await receive(server, "still");
  expect((await receiver.until(1)).map(({ method, target }) => `${method} ${target}`)).toEqual(["GET /in?text=still"]);
});

test("a forward file is checked when saved: its keys, placeholders and destination", async () => {
  const receiver = receiving();
  const server = await serverWith(receiver, null);
  const put = (forward: object) => server.operate("PUT", "/credentials/cred_1/forward", { forward });
  const get = (url: string) => ({ inbound: { request: { url } } });
  await expect(put({})).rejects.toThrow("forward.inbound");
  await expect(put(get(`${receiver.origin}/?x={{password}}`))).rejects.toThrow("forward.inbound.request.url");
  await expect(put(get("http://10.0.0.9/"))).rejects.toThrow("forward.inbound.url");
  await expect(put(get("https://hooks.example.com:8443/"))).rejects.toThrow("forward.inbound.url");
  await expect(put({ inbound: { request: { url: `${receiver.origin}/`, method: "PUT" } } })).rejects.toThrow("method");
  for (const name of ["text", "firstWord", "rest"]) {
    const request = { url: "https://hooks.example.com/in", headers: { "X-Text": `{{${name}}}` } };
    await expect(put({ inbound: { request } })).rejects.toThrow("forward.inbound.request.headers.X-Text");
  }
  const status = {
    request: { url: "https://hooks.example.com/in", headers: { "X-Reference": "{{clientReference}}" } },
  };
  await expect(put({ status })).rejects.toThrow("forward.status.request.headers.X-Reference");
  await put({
    ...get("https://hooks.example.com/in?t={{text}}"),
    status: { request: { ...status.request, headers: { "X-Id": "{{id}}" } } },
  });
});
