/** What a stranger may send to the drop-in listener: each request gets its protocol's own answer, and delays nobody. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { Writable } from "node:stream";
import pino from "pino";
import { DropInServer } from "../support/drop-in-server.ts";
import { eventually } from "../support/peyk-process.ts";
import { rawConnection } from "../support/raw-http.ts";

// A server on a busy machine.
setDefaultTimeout(60_000);

let server: DropInServer;
let log = "";

beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _, done) {
      log += chunk;
      done();
    },
  });
  const seeds = [
    { kind: "kannel", name: "shop", password: "password-of-shop" },
    { kind: "jasmin", name: "shop", password: "password-of-shop" },
  ] as const;
  server = await DropInServer.start(seeds, {}, { log: pino({ level: "debug" }, sink) });
});
afterAll(() => server.stop());

const user = "username=shop&password=password-of-shop";
const rest = "from=30001234&to=09121234567";

async function raw(head: string, body: string | Uint8Array = ""): Promise<string> {
  const connection = await rawConnection(server.port);
  connection.write(
    `${head}\r\nHost: sms\r\nConnection: close\r\n${body.length > 0 ? `Content-Length: ${body.length}\r\n` : ""}\r\n`,
  );
  if (body.length > 0) connection.write(body);
  const { status, body: answer } = await connection.answer();
  connection.end();
  return `${status} ${answer}`;
}
const kannel = (query: string) => raw(`GET /cgi-bin/sendsms?${query} HTTP/1.1`);
const jasmin = (query: string) => raw(`GET /send?${query} HTTP/1.1`);
const form = (path: string, body: string | Uint8Array, type = "application/x-www-form-urlencoded") =>
  raw(`POST ${path} HTTP/1.1\r\nContent-Type: ${type}`, body);

const misformed = "400 Charset or body misformed, rejected";

test("each hostile request gets its protocol's refusal, and nothing is accepted", async () => {
  const manyFields = Array.from({ length: 10_000 }, (_, index) => `f${index}=1`).join("&");
  const many = Array.from({ length: 5_000 }, (_, index) => `0912${1_000_000 + index}`).join("+");
  const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
  expect(await form("/cgi-bin/sendsms", `${user}&${rest}&text=x&${manyFields}`)).toBe(misformed);
  expect(await form("/cgi-bin/sendsms", `${user}&from=30001234&text=x&to=${many}`)).toStartWith("400 Number(s)");
  expect(await form("/cgi-bin/sendsms", "a".repeat(1024 * 1024))).toBe("413 Charset or body misformed, rejected");
  expect(await form("/cgi-bin/sendsms", "a".repeat(128 * 1024))).toBe("403 Authorization failed for sendsms");
  expect(await kannel(`${user}&${rest}&text=a%00b`)).toBe(misformed);
  expect(await kannel(`${user}&${rest}&text=%D8%3D&coding=2`)).toBe(misformed);
  expect(await kannel(`${user}&${rest}&text=caf\xe9`)).toBe(misformed);
  expect(await kannel(`${user}&${rest}&to=09121234568&text=x`)).toStartWith("400 Number(s)");
  expect(await kannel(`${user}&${rest}&text=x&dlr-mask=1&dlr-url=http://169.254.169.254/`)).toBe(
    "400 DLR-URL field misformed, rejected",
  );
  expect(await kannel(`${user}&${rest}&text=x&dlr-mask=1&dlr-url=https://169.254.169.254/`)).toBe(
    "400 DLR-URL field misformed, rejected",
  );
  expect(await form("/send", `${user}&${rest}&content=x&${manyFields}`)).toBe('400 Error "Too many arguments."');
  expect(await form("/send", deep, "application/json")).toBe(
    '400 Error "The JSON body is nested too deep or too long."',
  );
  expect(await form("/send", "[]", "application/json")).toBe('400 Error "The JSON body is no object."');
  expect(await form("/send", Buffer.from([0xff, 0x7b]), "application/json")).toBe('400 Error "The body is no JSON."');
  expect(await form("/send", "x".repeat(128 * 1024 + 1))).toBe('413 Error "The body cannot be read."');
  expect(await jasmin(`${user}&${rest}&content=caf\xe9`)).toStartWith("400 Error");
  expect(await jasmin(`${user}&${rest}&to=09121234568&content=x`)).toBe('400 Error "Argument [to] is there twice."');
  expect(await jasmin(`${user}&${rest}&content=x&toString=1`)).toBe('400 Error "Argument [toString] is unknown."');
  expect(await jasmin(`${user}&${rest}&content=x&dlr-url=https://169.254.169.254/`)).toBe(
    '400 Error "Argument [dlr-url] has an invalid value."',
  );
  expect(await raw("PUT /send HTTP/1.1")).toStartWith("405");
  expect(await raw("POST /secure/send HTTP/1.1\r\nAuthorization: Basic !!!", "{}")).toStartWith('400 {"message"');
  // What Bun's own parser refuses before any code of ours runs.
  expect(await kannel(`${user}&${rest}&text=${"a".repeat(1024 * 1024)}`)).toStartWith("431");
  expect(server.messages()).toEqual([]);
});

test("a repeated Content-Length allows no larger body", async () => {
  const twice = `Content-Length: ${1024 ** 4}`;
  const head = `POST /send HTTP/1.1\r\nContent-Type: application/json\r\n${twice}\r\n${twice}`;
  expect(await raw(head)).toBe('413 Error "The body cannot be read."');
});

test("Kannel's other fields are UTF-8 or refused, and never stored with replacement characters", async () => {
  const before = server.messages().length;
  const url = "dlr-mask=1&dlr-url=https://example.com/";
  expect(await kannel(`${user}&${rest}&text=x&${url}%E9`)).toBe("400 DLR-URL field misformed, rejected");
  for (const name of ["account", "binfo", "meta-data", "charset"])
    expect([name, await kannel(`${user}&${rest}&text=x&${url}&${name}=%E9`)]).toEqual([name, misformed]);
  expect(await kannel(`${user}&from=%E9&to=09121234567&text=x`)).toBe(misformed);
  expect(await kannel(`${user}&from=30001234&to=%E9&text=x`)).toStartWith("400 Number(s)");
  const fields = { Username: "shop", Password: "password-of-shop", From: "30001234", To: "09121234567" };
  const headers = Object.entries(fields).map(([name, value]) => `\r\nX-Kannel-${name}: ${value}`);
  const typed = `POST /cgi-bin/sendsms HTTP/1.1\r\nContent-Type: text/plain${headers.join("")}`;
  expect(await raw(`${typed}\r\nX-Kannel-Account: \xe9`, "x")).toBe(misformed);
  expect(await raw(typed, Buffer.from([0xe9]))).toBe(misformed);
  expect(server.messages()).toHaveLength(before);
});

test("a percent sign without digits stays itself, and absolute request targets are accepted", async () => {
  expect(await kannel(`${user}&${rest}&text=100%`)).toStartWith("202");
  expect(await raw(`GET http://elsewhere/cgi-bin/sendsms?${user}&${rest}&text=50%zz HTTP/1.1`)).toStartWith("202");
  expect(server.messages().map(({ text }) => text)).toEqual(["100%", "50%zz"]);
});

test("a flood of wrong passwords gets equal refusals and one log line, and a right password still works", async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => kannel(`username=shop&password=wrong&${rest}&text=x`)),
  );
  expect(new Set(answers)).toEqual(new Set(["403 Authorization failed for sendsms"]));
  expect(log.match(/a sign-in was refused/g)).toHaveLength(1);
  expect(await kannel(`${user}&${rest}&text=x`)).toStartWith("202");
});

/** Of as many bodies as fill the budget of one address, all but the last octet. */
async function strangersBodies(octets: number): Promise<() => void> {
  const length = 128 * 1024;
  const connections = await Promise.all(Array.from({ length: 256 }, () => rawConnection(server.port)));
  for (const connection of connections) {
    const type = "Content-Type: application/x-www-form-urlencoded";
    connection.write(`POST /cgi-bin/sendsms HTTP/1.1\r\nHost: sms\r\n${type}\r\nContent-Length: ${length}\r\n\r\n`);
    connection.write("a".repeat(octets));
  }
  return () => connections.forEach((connection) => void connection.end());
}

test("bodies that were announced and never arrive do not keep other bodies out", async () => {
  const end = await strangersBodies(1);
  expect(await form("/cgi-bin/sendsms", `${user}&${rest}&text=${"x".repeat(400)}`)).toStartWith("202");
  expect(await form("/send", `${user}&${rest}&content=${"x".repeat(400)}`)).toStartWith("200");
  end();
});

test("while bodies fill their memory budget, each protocol answers that the client should retry", async () => {
  const end = await strangersBodies(128 * 1024 - 1);
  const padding = "x".repeat(1_000);
  const kannelForm = () => form("/cgi-bin/sendsms", `username=shop&password=wrong&${rest}&text=${padding}`);
  await eventually(async () => (await kannelForm()) === "503 Temporal failure, try again later.");
  expect(await form("/send", `${user}&${rest}&content=${padding}`)).toStartWith('503 Error "Cannot send submit_sm');
  const json = `{"from":"30001234","to":"09121234567","content":"${padding}"}`;
  const authorization = `Authorization: Basic ${btoa("shop:password-of-shop")}`;
  const head = `POST /secure/send HTTP/1.1\r\n${authorization}\r\nContent-Type: application/json`;
  expect(await raw(head, json)).toStartWith("503");
  end();
  await eventually(async () => (await kannelForm()).startsWith("403"));
});

test("the log contains no text, number or password of these requests", () => {
  expect(log).toContain("a drop-in request was refused");
  for (const route of ["kannel sendsms", "jasmin send"])
    expect(log).toContain(`"route":"${route}","address":"127.0.0.1","msg":"a drop-in request could not be read"`);
  for (const hidden of ["0912123", "989121", "password-of-shop", "wrong&", "169.254", "100%", "sendsms?"])
    expect(log).not.toContain(hidden);
});
