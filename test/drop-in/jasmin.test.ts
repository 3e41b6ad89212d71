/** Jasmin's HTTP and REST APIs: its forms and answers octet for octet, texts by coding, receipts until `ACK/Jasmin`. */
import { afterEach, expect, test } from "bun:test";
import { DropInServer } from "../support/drop-in-server.ts";
import { eventually } from "../support/peyk-process.ts";
import { reportReceiver } from "../support/report-receiver.ts";

const open: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.stop();
});

async function start(more: object = {}): Promise<DropInServer> {
  const server = await DropInServer.start([{ kind: "jasmin", name: "foo", password: "password-of-foo", ...more }]);
  open.push(server);
  return server;
}

const good = { username: "foo", password: "password-of-foo", from: "30001234", to: "09121234567", content: "hello" };
type Fields = Record<string, string>;

const told = async (answer: Response) =>
  `${answer.status} ${answer.headers.get("content-type")} ${await answer.text()}`;
const get = async (server: DropInServer, path: string, fields: Fields) =>
  told(await fetch(`${server.url}${path}?${new URLSearchParams(fields)}`));
const form = async (server: DropInServer, fields: Fields) =>
  told(await fetch(`${server.url}/send`, { method: "POST", body: new URLSearchParams(fields) }));
const json = async (server: DropInServer, path: string, body: unknown, user = "foo:password-of-foo") =>
  told(
    await fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Basic ${btoa(user)}` },
      body: typeof body === "string" ? body : JSON.stringify(body),
    }),
  );

test("the Jasmin protocol accepts GET, a form and JSON, and answers with the tracking code", async () => {
  const server = await start();
  const answers = [
    await get(server, "/send", good),
    await form(server, good),
    await json(server, "/send", { ...good, priority: 1 }),
    await get(server, "/send", { ...good, to: "+989121234567", dlr: "no" }),
  ];
  const codes = server.messages().map(({ trackingCode }) => trackingCode);
  expect(answers).toEqual(codes.map((code) => `200 text/plain Success "${code}"`));
  expect(server.messages().map(({ text, recipient }) => `${recipient} ${text}`)).toEqual(
    Array.from({ length: 4 }, () => "+989121234567 hello"),
  );
  expect(await get(server, "/ping", {})).toBe("200 text/html Jasmin/PONG");
});

test("the Jasmin protocol reads texts by coding, UTF-16 octets and hexadecimal, and refuses binary", async () => {
  const server = await start();
  const persian = "سلام دنیا 🙂";
  const octets = Buffer.from(persian, "utf16le").swap16();
  const percent = [...octets].map((octet) => `%${octet.toString(16).padStart(2, "0")}`).join("");
  const { content: _, ...rest } = good;
  const base = new URLSearchParams(rest).toString();
  for (const query of [
    `content=${encodeURIComponent(persian)}`,
    `content=${percent}&coding=8`,
    `hex-content=${octets.toString("hex")}&coding=8`,
    "hex-content=68656c6c6f0a1b65",
    "content=%e9&coding=3",
  ])
    expect(await told(await fetch(`${server.url}/send?${base}&${query}`))).toStartWith("200");
  expect(await json(server, "/send", { ...good, content: persian, coding: 8 })).toStartWith("200");
  expect(server.messages().map(({ text }) => text)).toEqual([persian, persian, persian, "hello\n€", "é", persian]);
  for (const query of [
    "content=abc&coding=8",
    "content=x&coding=2",
    "content=x&coding=4",
    "content=%ff",
    "hex-content=xyz",
  ])
    expect(await told(await fetch(`${server.url}/send?${base}&${query}`))).toStartWith('400 text/plain Error "');
  expect(server.messages()).toHaveLength(6);
});

test("the Jasmin protocol refuses arguments that are not UTF-8, and keeps malformed escapes", async () => {
  const server = await start({ callbackOrigins: ["http://10.0.0.5:8000"], requestKey: { from: "form", name: "tags" } });
  const base = new URLSearchParams(good).toString();
  const send = async (more: string, method: "GET" | "POST") => {
    const query = `${base}&${more}`;
    const body = new TextEncoder().encode(query);
    const type = { "Content-Type": "application/x-www-form-urlencoded" };
    const [path, init] = method === "GET" ? [`/send?${query}`, {}] : ["/send", { method, body, headers: type }];
    return told(await fetch(`${server.url}${path}`, init));
  };
  const url = "dlr=yes&dlr-level=1&dlr-url=http://10.0.0.5:8000/";
  for (const method of ["GET", "POST"] as const)
    for (const [name, more] of [
      ["dlr-url", `${url}%E9`],
      ["tags", "tags=%E9"],
      ["custom_tlvs", "custom_tlvs=%FF"],
    ])
      expect(await send(more ?? "", method)).toBe(
        `400 text/plain Error "Argument [${name}] has an invalid value: its octets are no UTF-8."`,
      );
  expect(server.messages()).toEqual([]);
  expect(await send("", "GET")).toStartWith("200");
  const { content: _, ...rest } = good;
  const plain = await fetch(`${server.url}/send?${new URLSearchParams(rest)}&content=50%25+of+100%+%zz+%4`);
  expect(plain.status).toBe(200);
  expect(server.messages().map(({ text }) => text)).toEqual(["hello", "50% of 100% %zz %4"]);
});

test("the Jasmin protocol refuses in Jasmin's words and order", async () => {
  const server = await start();
  const wrong = async (change: Fields, without: readonly string[] = []) => {
    const fields = Object.entries({ ...good, ...change }).filter(([name]) => !without.includes(name));
    return get(server, "/send", Object.fromEntries(fields));
  };
  const error = (status: number, words: string) => `${status} text/plain Error "${words}"`;
  expect(await wrong({}, ["to"])).toBe(error(400, "Mandatory argument [to] is not found."));
  expect(await wrong({}, ["username"])).toBe(error(400, "Mandatory argument [username] is not found."));
  expect(await wrong({ to: "abc" })).toBe(error(400, "Argument [to] has an invalid value: [abc]."));
  expect(await wrong({ colour: "red" })).toBe(error(400, "Argument [colour] is unknown."));
  expect(await wrong({ coding: "11" })).toBe(error(400, "Argument [coding] has an invalid value: [11]."));
  expect(await wrong({ priority: "4" })).toBe(error(400, "Argument [priority] has an invalid value: [4]."));
  expect(await wrong({ dlr: "maybe" })).toBe(error(400, "Argument [dlr] has an invalid value: [maybe]."));
  expect(await wrong({ "dlr-url": "ftp://x" })).toBe(error(400, "Argument [dlr-url] has an invalid value: [ftp://x]."));
  expect(await wrong({}, ["content"])).toBe(error(400, "content or hex-content not present."));
  expect(await wrong({ "hex-content": "00" })).toBe(
    error(400, "content and hex-content cannot be used both in same request."),
  );
  expect(await wrong({ password: "wrong" })).toBe(error(403, "Authentication failure for username:foo"));
  expect(await wrong({ from: "40009999" })).toBe(
    error(400, "Value filter failed for user [foo] (source_address filter mismatch)."),
  );
  expect(await wrong({ to: "12" })).toBe(
    error(400, "Value filter failed for user [foo] (destination_addr filter mismatch)."),
  );
  expect(await wrong({ "dlr-url": "http://10.0.0.5/r" })).toBe(error(400, "Argument [dlr-url] has an invalid value."));
  expect(server.messages()).toEqual([]);
});

test("the Jasmin protocol schedules by sdt, limits by validity-period, and reports rate and balance", async () => {
  const server = await start();
  await get(server, "/send", { ...good, sdt: "000000001000000R", "validity-period": "5" });
  const [message] = server.messages();
  const { submittedAt = 0, sendAt = 0, validUntil = 0 } = message ?? {};
  expect((sendAt ?? 0) - submittedAt).toBe(10 * 60_000);
  expect(validUntil - (sendAt ?? 0)).toBe(5 * 60_000);
  const { from: _, ...asked } = good;
  expect(await get(server, "/rate", { ...asked, from: "30001234", content: "س".repeat(200) })).toBe(
    '200 application/json {"unit_rate": 0, "submit_sm_count": 3}',
  );
  const user = { username: "foo", password: "password-of-foo" };
  expect(await get(server, "/balance", user)).toBe('200 application/json {"balance": "ND", "sms_count": "ND"}');
  expect(await get(server, "/balance", { ...user, password: "x" })).toBe(
    '403 application/json "Authentication failure for username:foo"',
  );
});

test("the Jasmin protocol reports rate and balance only to users who may send, and not to suspended accounts", async () => {
  const server = await start();
  const user = { username: "foo", password: "password-of-foo" };
  const secure = async (path: string) =>
    told(await fetch(`${server.url}${path}`, { headers: { Authorization: `Basic ${btoa("foo:password-of-foo")}` } }));
  const asked = async () => [
    await get(server, "/balance", user),
    await get(server, "/rate", { ...user, to: "09121234567", from: "30001234" }),
    await secure("/secure/balance"),
    await secure("/secure/rate?to=09121234567&from=30001234&content=hi"),
  ];
  const refused = ["balance", "rate"].map((what) => `Authorization failed for user [foo] (Cannot check ${what}).`);
  const refusals = [
    ...refused.map((words) => `400 application/json "${words}"`),
    ...refused.map((words) => `400 application/json {"message": "${words}"}`),
  ];
  expect((await asked()).map((answer) => answer.slice(0, 3))).toEqual(["200", "200", "200", "200"]);
  await server.operate("PATCH", `/keys/${server.keyId}`, { permissions: ["messages:read"] });
  expect(await asked()).toEqual(refusals);
  await server.operate("PATCH", `/keys/${server.keyId}`, { permissions: ["messages:send"] });
  expect((await asked()).map((answer) => answer.slice(0, 3))).toEqual(["200", "200", "200", "200"]);
  await server.operate("POST", `/accounts/${server.accountId}/suspend`, {});
  expect(await asked()).toEqual(refusals);
});

test("the Jasmin protocol refuses messages above the rate as exceeded throughput", async () => {
  const server = await start({ rate: 1 });
  expect(await get(server, "/send", good)).toStartWith("200");
  expect(await get(server, "/send", good)).toBe('403 text/plain Error "User throughput exceeded"');
});

test("the Jasmin protocol serves REST with basic authentication and underscores, and accepts a batch whole or not at all", async () => {
  const server = await start();
  const message = { to: "09121234567", from: "30001234", content: "hello" };
  const sent = await json(server, "/secure/send", { ...message, dlr_level: 1, validity_period: 60 });
  const [first] = server.messages();
  expect(sent).toBe(`200 application/json {"data": "Success \\"${first?.trackingCode}"}`);
  expect(await json(server, "/secure/send", message, "foo:wrong")).toBe(
    '403 application/json {"message": "Error \\"Authentication failure for username:foo"}',
  );
  expect(await told(await fetch(`${server.url}/secure/send`, { method: "POST", body: "{}" }))).toStartWith("401");
  expect(await json(server, "/secure/send", "{")).toStartWith("412 application/json");
  const batch = {
    globals: { from: "30001234", content: "سلام" },
    messages: [{ to: ["09121234568", "09121234569"] }, message],
  };
  expect(await json(server, "/secure/sendbatch", batch)).toMatch(
    /^200 application\/json \{"data": \{"batchId": "[0-9a-f-]{36}", "messageCount": 3\}\}$/,
  );
  expect(
    server
      .messages()
      .slice(1)
      .map(({ text }) => text),
  ).toEqual(["سلام", "سلام", "hello"]);
  const bad = { ...batch, messages: [...batch.messages, { to: "12" }] };
  expect(await json(server, "/secure/sendbatch", bad)).toBe(
    '400 application/json {"message": "Error \\"Value filter failed for user [foo] (destination_addr filter mismatch)."}',
  );
  expect(server.messages()).toHaveLength(4);
  const get = async (path: string) =>
    told(await fetch(`${server.url}${path}`, { headers: { Authorization: `Basic ${btoa("foo:password-of-foo")}` } }));
  expect(await get("/secure/balance")).toBe('200 application/json {"data": {"balance": "ND", "sms_count": "ND"}}');
  expect(await get("/secure/rate?to=09121234567&from=30001234&content=hi")).toBe(
    '200 application/json {"data": {"unit_rate": 0, "submit_sm_count": 1}}',
  );
});

test("the Jasmin protocol posts level 3 receipts as forms in order, and repeats one that is not acknowledged", async () => {
  const receiver = reportReceiver((call) => new Response(call === 1 ? "ok" : " ACK/Jasmin\n"));
  open.push(receiver);
  const server = await start({ callbackOrigins: [receiver.origin] });
  const answer = await form(server, { ...good, "dlr-url": `${receiver.origin}/dlr?t=1`, "dlr-level": "3" });
  const code = /"(.*)"/.exec(answer)?.[1] ?? "";
  await receiver.until(1);
  const [webhook] = (await server.operate<{ rows: { id: string }[] }>("GET", "/webhooks")).rows;
  const path = `/webhooks/${webhook?.id}`;
  const outcomes = async () => {
    const deliveries = await server.operate<{ attempts: { outcome: string }[] }[]>("GET", `${path}/deliveries`);
    return deliveries.flatMap(({ attempts }) => attempts.map(({ outcome }) => outcome));
  };
  await eventually(async () => (await outcomes()).includes("not_acknowledged"));
  // An operator need not wait for the schedule: the delivered status follows.
  await server.operate("POST", `/webhooks/${webhook?.id}/replay`, { since: new Date(0).toISOString() });
  await receiver.until(3);
  const [first, second, third] = receiver.calls.map(({ method, target, body, contentType }) => ({
    sent: `${method} ${target} ${contentType}`,
    form: Object.fromEntries(new URLSearchParams(body)),
  }));
  expect(first?.sent).toBe("POST /dlr?t=1 application/x-www-form-urlencoded");
  expect(second?.form).toEqual(first?.form ?? {});
  expect(first?.form).toEqual({ id: code, level: "1", message_status: "ESME_ROK", connector: "peyk" });
  expect(third?.form).toMatchObject({
    id: code,
    level: "2",
    message_status: "DELIVRD",
    connector: "peyk",
    id_smsc: code,
    sub: "001",
    dlvrd: "001",
    err: "000",
    text: "",
  });
  expect(third?.form.donedate).toMatch(/^\d{10}$/);
});

test("the Jasmin protocol sends a GET receipt with its arguments in the query, and treats dlr-url alone as level 1", async () => {
  const receiver = reportReceiver(() => new Response("ACK/Jasmin"));
  open.push(receiver);
  const server = await start({ callbackOrigins: [receiver.origin] });
  await get(server, "/send", { ...good, "dlr-url": `${receiver.origin}/dlr`, "dlr-method": "get" });
  const [call] = await receiver.until(1);
  const [message] = server.messages();
  expect(`${call?.method} ${call?.target}`).toBe(
    `GET /dlr?id=${message?.trackingCode}&level=1&message_status=ESME_ROK&connector=peyk`,
  );
});
