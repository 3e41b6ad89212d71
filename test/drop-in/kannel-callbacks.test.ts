/** Delivery reports as Kannel makes them, on the URL that came with the message, with Kannel itself beside it. */
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DropInServer } from "../support/drop-in-server.ts";
import { startKannel } from "../support/kannel.ts";
import { eventually } from "../support/peyk-process.ts";
import { type ReportReceiver, reportReceiver } from "../support/report-receiver.ts";
import { Smsc } from "../support/smsc.ts";

// Processes and sockets on a busy machine.
setDefaultTimeout(60_000);

const open: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.stop();
});

async function serverWith(receiver: ReportReceiver, more: object = {}, env = {}): Promise<DropInServer> {
  const shop = {
    kind: "kannel",
    name: "shop",
    password: "password-of-shop",
    callbackOrigins: [receiver.origin],
  } as const;
  const server = await DropInServer.start([{ ...shop, ...more }], env);
  open.push(server);
  return server;
}

function receiving(...answers: Parameters<typeof reportReceiver>): ReportReceiver {
  const receiver = reportReceiver(...answers);
  open.push(receiver);
  return receiver;
}

async function sendsms(base: string, fields: Record<string, string>): Promise<string> {
  const query = new URLSearchParams({
    username: "shop",
    password: "password-of-shop",
    from: "30001234",
    to: "09121234567",
    text: "hello",
    ...fields,
  });
  const answer = await fetch(`${base}?${query}`);
  return `${answer.status} ${await answer.text()}`;
}

const accepted = "202 0: Accepted for delivery";
const letters = [..."dpPqQtTIFincCmMO"];
const template = letters.map((letter) => `${letter}=%${letter}`).join("&");

/** What differs between two reports, in shape only. */
const shaped = (target: string) =>
  target
    .replace(/[?&]I=[0-9a-f-]{36}/, "&I=uuid")
    .replace(/&t=\d{4}-\d\d-\d\d\+\d\d:\d\d:\d\d/, "&t=time")
    .replace(/&T=\d{10}/, "&T=epoch")
    .replace(/&F=[^&]*/, "&F=id")
    .replace(/&i=[^&]*/, "&i=smsc");

test("a callback fills in its escapes as Kannel does, and reports hand-over and delivery", async () => {
  const [ours, theirs] = [receiving(), receiving()];
  const server = await serverWith(ours);
  const smsc = await Smsc.start({ receipts: { when: "after" } });
  open.push(smsc);
  const kannel = await startKannel({
    smscPort: smsc.port,
    username: "shop",
    password: "password-of-shop",
    logLevel: 3,
  });
  open.push(kannel);
  await eventually(() => smsc.binds.length === 1);
  const fields = {
    "dlr-mask": "31",
    account: "sales & co",
    binfo: "b-1",
    "meta-data": "?smpp?x=1",
    text: "سلام",
    charset: "UTF-8",
    coding: "2",
  };
  const to = (receiver: ReportReceiver) => ({ ...fields, "dlr-url": `${receiver.origin}/r?${template}&x=%x&z=100%25` });
  expect(await sendsms(`${server.url}/cgi-bin/sendsms`, to(ours))).toBe(accepted);
  expect(await sendsms(kannel.sendsmsUrl, to(theirs))).toBe(accepted);
  const reports = async (receiver: ReportReceiver) =>
    (await receiver.until(2)).map(({ method, target, body }) => `${method} ${shaped(target)} ${body}`).toSorted();
  expect(await reports(ours)).toEqual(await reports(theirs));
});

test("a callback returns account, binary information and meta-data, which Kannel loses, and Peyk's codes", async () => {
  const receiver = receiving();
  const server = await serverWith(receiver);
  const fields = { account: "sales & co", binfo: "b-1", "meta-data": "?smpp?x=1" };
  const url = `${receiver.origin}/r?o=%o&B=%B&D=%D&F=%F&i=%i&A=%A&R=%R`;
  expect(await sendsms(`${server.url}/cgi-bin/sendsms`, { ...fields, "dlr-mask": "8", "dlr-url": url })).toBe(accepted);
  const [{ trackingCode } = { trackingCode: "" }] = server.messages();
  const encoded = encodeURIComponent(url);
  const [call] = await receiver.until(1);
  expect(call?.target).toBe(`/r?o=sales+%26+co&B=b-1&D=%3Fsmpp%3Fx%3D1&F=${trackingCode}&i=peyk&A=ACK%2F&R=${encoded}`);
});

test("a long Persian text to two recipients has two reports each, told apart by %p", async () => {
  const receiver = receiving();
  const server = await serverWith(receiver);
  const fields = {
    to: "09121234567 09121234568",
    text: "سلام ".repeat(40),
    "dlr-mask": "9",
    "dlr-url": `${receiver.origin}/r?p=%p&d=%d`,
  };
  expect(await sendsms(`${server.url}/cgi-bin/sendsms`, fields)).toBe(accepted);
  expect(server.messages().map(({ partCount, encoding }) => [partCount, encoding])).toEqual([
    [3, "Persian"],
    [3, "Persian"],
  ]);
  const targets = (await receiver.until(4)).map(({ target }) => target);
  expect(targets.toSorted()).toEqual([
    "/r?p=09121234567&d=1",
    "/r?p=09121234567&d=8",
    "/r?p=09121234568&d=1",
    "/r?p=09121234568&d=8",
  ]);
  // In order for one message.
  const ofFirst = targets.filter((target) => target.includes("4567"));
  expect(ofFirst).toEqual(["/r?p=09121234567&d=8", "/r?p=09121234567&d=1"]);
});

test("a URL whose spelling leads to an internal address is refused, and nothing is accepted", async () => {
  const receiver = receiving();
  const server = await serverWith(receiver, { callbackOrigins: [receiver.origin] });
  const base = `${server.url}/cgi-bin/sendsms`;
  const refused = [
    "http://169.254.169.254/r",
    "http://[fe80::1]/r",
    "https://10.0.0.1/r",
    "https://127.0.0.1/r",
    "https://[fd00::1]/r",
    "http://reports.example.com/r",
    "http://127.0.0.1:1/r",
    "https://localhost/r",
    "https://reports.example.com:8443/r",
    "https://user@reports.example.com/r",
    `${receiver.origin.replace("http://", "http://user@")}/r`,
    `${receiver.origin}/r#fragment`,
    "https://metadata.google.internal/",
  ];
  for (const url of refused)
    expect([url, await sendsms(base, { "dlr-mask": "1", "dlr-url": url })]).toEqual([
      url,
      "400 DLR-URL field misformed, rejected",
    ]);
  expect(server.messages()).toEqual([]);
  // Without a mask nothing is called, as in Kannel.
  expect(await sendsms(base, { "dlr-url": "http://reports.example.com/r" })).toBe(accepted);
});

test("each attempt checks the address: a denied one is refused even if its name is listed", async () => {
  const receiver = receiving();
  const server = await serverWith(
    receiver,
    { callbackOrigins: [receiver.origin.replace("127.0.0.1", "localhost")] },
    { PEYK_WEBHOOKS_DENY_CIDRS: "127.0.0.0/8,::1" },
  );
  // An address in the origin itself is refused where it is listed.
  const listed = server.operate("PATCH", "/credentials/cred_1", { callbackOrigins: [receiver.origin] });
  await expect(listed).rejects.toThrow("webhooks.deny_cidrs");
  const fields = { "dlr-mask": "1", "dlr-url": `${receiver.origin.replace("127.0.0.1", "localhost")}/r` };
  expect(await sendsms(`${server.url}/cgi-bin/sendsms`, fields)).toBe(accepted);
  await eventually(async () => {
    const failures = (await attemptsOf(server)).map(({ url, failures }) => `${url} ${failures}`);
    return failures.length === 1 && failures.every((one) => one.endsWith(" address_refused"));
  });
});

test("a redirect is not followed, and the report is retried", async () => {
  const other = receiving();
  const receiver = receiving(() => Response.redirect(`${other.origin}/inside`, 302));
  const server = await serverWith(receiver);
  await sendsms(`${server.url}/cgi-bin/sendsms`, { "dlr-mask": "1", "dlr-url": `${receiver.origin}/r` });
  await receiver.until(1);
  await eventually(async () => (await attemptsOf(server)).some(({ failures }) => failures === "status"));
  expect(other.calls).toEqual([]);
});

test("the URL is stored sealed, appears on no webhook page, and is deleted with its message", async () => {
  const receiver = receiving();
  const server = await serverWith(receiver);
  const secret = "token-of-the-url";
  await sendsms(`${server.url}/cgi-bin/sendsms`, { "dlr-mask": "1", "dlr-url": `${receiver.origin}/r?t=${secret}` });
  await receiver.until(1);
  const own = await fetch(`${server.running.url}/v1/webhooks`, { headers: { "X-API-Key": server.apiKey } });
  expect(await own.json()).toEqual([]);
  expect(server.count("message_callback")).toBe(1);
  await server.operate("POST", "/recipients/erase", { number: "+989121234567" });
  expect(server.count("message_callback")).toBe(0);
  await server.halt();
  for (const file of readdirSync(server.folder)) {
    const path = join(server.folder, file);
    if (/^peyk\.db/.test(file)) expect(readFileSync(path).includes(secret)).toBe(false);
  }
});

async function attemptsOf(server: DropInServer): Promise<{ url: string; failures: string }[]> {
  const { rows } = await server.operate<{ rows: { id: string; url: string }[] }>("GET", "/webhooks");
  const found = [];
  for (const { id, url } of rows) {
    const deliveries = await server.operate<{ attempts: { outcome: string }[] }[]>("GET", `/webhooks/${id}/deliveries`);
    found.push({
      url,
      failures: deliveries.flatMap(({ attempts }) => attempts.map(({ outcome }) => outcome)).join(" "),
    });
  }
  return found;
}
