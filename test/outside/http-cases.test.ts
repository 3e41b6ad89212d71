/**
 * What the suites of other parsers (h1spec, llhttp) try on a server, restated: requests in pieces, with wrong framing, wrong headers and
 * hidden second requests, at every HTTP listener, on a path without a body and on one that reads it.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { freePorts } from "../support/free-ports.ts";
import { PeykProcess } from "../support/peyk-process.ts";
import { type RawConnection, rawConnection } from "../support/raw-http.ts";
import { temporaryFolder } from "../support/test-server.ts";

const waitMs = 400;
const firstAnswerMsMax = 20_000;
const folder = temporaryFolder();
let peyk: PeykProcess;

const form = "Content-Type: application/x-www-form-urlencoded";
/** Of a browser on that page: any other is refused before its body is read. */
const browser = [form, "Origin: http://HOST", "Sec-Fetch-Site: same-origin"];
/** By listener: a path that needs no body, and one that reads it, with what it takes. */
const listeners: Record<Listener, { port: number; get: string; post: string; headers: string[]; body: string }> = {
  api: { port: 0, get: "/healthz", post: "/v1/messages", headers: [], body: "" },
  console: { port: 0, get: "/sign-in", post: "/sign-in", headers: browser, body: "email=a&password=b" },
  portal: { port: 0, get: "/sign-in", post: "/sign-in", headers: browser, body: "email=a&password=b" },
  "drop-in": { port: 0, get: "/cgi-bin/sendsms", post: "/cgi-bin/sendsms", headers: [form], body: "" },
};
const names = ["api", "console", "portal", "drop-in"] as const;
type Listener = (typeof names)[number];

beforeAll(async () => {
  const [portal = 0, dropIn = 0] = await freePorts(2);
  peyk = await PeykProcess.start({
    folder: folder.path,
    env: { PEYK_PORTAL_LISTEN: `127.0.0.1:${portal}`, PEYK_DROP_IN_LISTEN: `127.0.0.1:${dropIn}` },
  });
  const portOf = (url: string) => Number(new URL(url).port);
  for (const [name, port] of [
    ["api", portOf(peyk.url)],
    ["console", portOf(peyk.consoleUrl)],
    ["portal", portal],
    ["drop-in", dropIn],
  ] as const)
    listeners[name].port = port;
  const { id } = await peyk.operate("POST", "/accounts", { name: "Customer" });
  const { id: key, apiKey } = await peyk.operate("POST", "/keys", { account: id, name: "key", rate: 1_000_000 });
  await peyk.operate("POST", `/accounts/${id}/senders`, { sender: "30001234" });
  await peyk.operate("POST", "/credentials", {
    key,
    kind: "kannel",
    name: "shop",
    password: "password-of-shop",
    traffic: "single",
  });
  const message = { sender: "30001234", recipient: "09121234500", message: "once" };
  const { api } = listeners;
  api.headers = ["Content-Type: application/json", `X-API-Key: ${apiKey}`, "Idempotency-Key: KEY"];
  api.body = JSON.stringify(message);
  listeners["drop-in"].body = "username=shop&password=password-of-shop&from=30001234&to=09121234567&text=once";
}, 180_000);
afterAll(async () => {
  await peyk?.stop();
  folder.remove();
});

/**
 * `waits`: nothing is answered yet. `usual`: as an ordinary request on that path. `refused`: by 4xx or 5xx, or by the end of the
 * connection. `once`: whatever it is, only one answer comes. Nothing is ever answered twice unless it is `listed`.
 */
type Expected = "waits" | "usual" | "refused" | "once";

interface Case {
  title: string;
  expected: Expected;
  request(to: { path: string; host: string; headers: readonly string[]; body: string }): string;
}

const crlf = (...lines: readonly string[]) => lines.map((line) => `${line}\r\n`).join("");
/** Marks a request hidden in another: its answer would be a 404 of its own. */
const hidden = crlf("GET /hidden HTTP/1.1", "Host: a", "");

const partial = [
  "G",
  "GET ",
  "GET PATH",
  "GET PATH ",
  "GET PATH HTTP",
  "GET PATH HTTP/1.1",
  "GET PATH HTTP/1.1\r",
  "GET PATH HTTP/1.1\r\n",
  "GET PATH HTTP/1.1\r\nHo",
  "GET PATH HTTP/1.1\r\nHost:",
  "GET PATH HTTP/1.1\r\nHost: HOST",
  "GET PATH HTTP/1.1\r\nHost: HOST\r",
  "GET PATH HTTP/1.1\r\nHost: HOST\r\n",
  "GET PATH HTTP/1.1\r\nHost: HOST\r\n\r",
];

const get = (title: string, expected: Expected, ...lines: readonly string[]): Case => ({
  title,
  expected,
  request: ({ path, host }) => crlf(...lines.map((line) => line.replace("PATH", path).replace("HOST", host)), ""),
});

const cases: readonly Case[] = [
  ...partial.map(
    (text): Case => ({
      title: `${JSON.stringify(text)} alone`,
      expected: "waits",
      request: ({ path, host }) => text.replace("PATH", path).replace("HOST", host),
    }),
  ),
  get("an ordinary request", "usual", "GET PATH HTTP/1.1", "Host: HOST"),
  get("header names in any case, and tabs", "usual", "GET PATH HTTP/1.1", "hOsT:\tHOST", "empty:"),
  get("an empty header value", "usual", "GET PATH HTTP/1.1", "Host: HOST", "X-Empty: "),
  get("no version", "refused", "GET PATH", "Host: HOST"),
  get("a version that there is not", "refused", "GET PATH HTTP/9.9", "Host: HOST"),
  get("another protocol", "refused", "GET PATH ICY/1.0", "Host: HOST"),
  get("a protocol that ends with HTTP", "refused", "GET PATH XHTTP/1.1", "Host: HOST"),
  get("no host", "refused", "GET PATH HTTP/1.1", "Accept: */*"),
  get("two hosts", "refused", "GET PATH HTTP/1.1", "Host: HOST", "Host: b"),
  get("a header name with brackets", "refused", "GET PATH HTTP/1.1", "Host: HOST", "X-Odd[]: 1"),
  get("a header name with an at sign", "refused", "GET PATH HTTP/1.1", "Host: HOST", "Fo@: 1"),
  get("a header name with a control character", "refused", "GET PATH HTTP/1.1", "Host: HOST", "Fo\x01o: 1"),
  get("a header without a name", "refused", "GET PATH HTTP/1.1", "Host: HOST", ": 1"),
  get("a space before the colon", "refused", "GET PATH HTTP/1.1", "Host: HOST", "Content-Length : 3"),
  get("a control character in a value", "refused", "GET PATH HTTP/1.1", "Host: HOST", "X-Bell: a\x07"),
  get("a zero in a value", "refused", "GET PATH HTTP/1.1", "Host: HOST", "X-Zero: a\0b"),
  get("a folded header", "refused", "GET PATH HTTP/1.1", "Host: HOST", "X-Long: HOST", " Content-Length: 40"),
  get("a space before the first header", "refused", "GET PATH HTTP/1.1", " Host: HOST"),
  get("a carriage return alone between headers", "refused", "GET PATH HTTP/1.1", "Host: HOST", "X: 1\rY: 2"),
  get("words before the method", "refused", "words GET PATH HTTP/1.1", "Host: HOST"),
  get("a negative length", "refused", "GET PATH HTTP/1.1", "Host: HOST", "Content-Length: -5"),
  get("a length that is no number", "refused", "GET PATH HTTP/1.1", "Host: HOST", "Content-Length: abc"),
  get("a length of thirty digits", "refused", "GET PATH HTTP/1.1", "Host: HOST", `Content-Length: ${"9".repeat(30)}`),
];

const post = (
  title: string,
  expected: Expected,
  framing: readonly string[],
  bodyOf: (body: string) => string,
): Case => ({
  title,
  expected,
  request: ({ path, host, headers, body }) => {
    const lines = framing.map((line) => line.replace("LENGTH", String(body.length)));
    return crlf(`POST ${path} HTTP/1.1`, `Host: ${host}`, ...headers, ...lines, "") + bodyOf(body);
  },
});

const chunked = "Transfer-Encoding: chunked";
const length = "Content-Length: LENGTH";
const hex = (text: string) => text.length.toString(16);
const end = "0\r\n\r\n";
const same = (body: string) => body;
/** One chunk, whose size and end are as given. */
const chunk =
  (size: (body: string) => string, after = "\r\n", last = end) =>
  (body: string) =>
    `${size(body)}\r\n${body}${after}${last}`;
const right = chunk(hex);

const bodies: readonly Case[] = [
  post("a body with its length", "usual", [length], same),
  post("a body in a chunk", "usual", [chunked], right),
  post(
    "a body in chunks of one octet",
    "usual",
    [chunked],
    (body) => [...body].map((one) => `1\r\n${one}\r\n`).join("") + end,
  ),
  post(
    "a size in capitals, after zeros",
    "usual",
    [chunked],
    chunk((body) => `000${hex(body).toUpperCase()}`),
  ),
  post("a last chunk of several zeros", "usual", [chunked], chunk(hex, "\r\n", "000\r\n\r\n")),
  post(
    "a chunk with an extension",
    "usual",
    [chunked],
    chunk((body) => `${hex(body)};a=b`),
  ),
  post("a body that is not whole yet", "waits", [length], (body) => body.slice(0, -1)),
  post("a chunk that is not whole yet", "waits", [chunked], (body) => right(body).slice(0, 10)),
  post("chunks without their end", "waits", [chunked], chunk(hex, "\r\n", "")),
  post("two lengths", "refused", [length, "Content-Length: 1"], same),
  post("two lengths in one header", "refused", [`${length}, 1`], same),
  post("a length with a plus", "refused", ["Content-Length: +LENGTH"], same),
  post("a length in hexadecimal", "refused", ["Content-Length: 0xLENGTH"], same),
  post("a length with a space in it", "refused", ["Content-Length: 1 LENGTH"], same),
  post("a length and chunks", "refused", [length, chunked], right),
  post("chunks and a length, in any case", "refused", ["tRaNsFeR-eNcOdInG: chunked", "cOnTeNt-LeNgTh: LENGTH"], right),
  post("an encoding that there is not", "refused", ["Transfer-Encoding: pigeons"], same),
  post("an encoding that there is not, and a length", "refused", ["Transfer-Encoding: pigeons", length], same),
  post("no encoding in its header, and a length", "refused", ["Transfer-Encoding:", length], same),
  post("chunks that are not the last encoding", "refused", ["Transfer-Encoding: chunked, gzip"], right),
  post("chunks twice", "refused", ["Transfer-Encoding: chunked, chunked"], right),
  post("a word that begins like chunked", "refused", ["Transfer-Encoding: chunkedx"], right),
  post(
    "a size that is no number",
    "refused",
    [chunked],
    chunk(() => "x"),
  ),
  post(
    "a negative size",
    "refused",
    [chunked],
    chunk((body) => `-${hex(body)}`),
  ),
  post(
    "a size with 0x",
    "refused",
    [chunked],
    chunk((body) => `0x${hex(body)}`),
  ),
  post(
    "a size of twenty digits",
    "refused",
    [chunked],
    chunk(() => "F".repeat(20)),
  ),
  post(
    "a space in place of an extension",
    "refused",
    [chunked],
    chunk((body) => `${hex(body)} x`),
  ),
  post(
    "a chunk longer than its size",
    "refused",
    [chunked],
    chunk((body) => (body.length - 1).toString(16)),
  ),
  post("a chunk that ends with a line feed alone", "refused", [chunked], chunk(hex, "\n")),
  post("a line feed alone in a header, before chunks", "refused", [`X: x\n${chunked}`], right),
  post("a request hidden in a body", "once", [`Content-Length: ${hidden.length}`], () => hidden),
  post("a request hidden behind a length and chunks", "once", ["Content-Length: 5", chunked], () => end + hidden),
  post("a request hidden behind an unknown encoding", "once", ["Transfer-Encoding: xchunked"], () => end + hidden),
  post("a request hidden behind two lengths", "once", ["Content-Length: 0", "Content-Length: 40"], () => hidden),
  post(
    "a request hidden in an extension",
    "once",
    [chunked],
    chunk((body) => `${hex(body)};\n${hidden}`),
  ),
];

/** By title, at all listeners: what is known of Bun 1.4.5, and why it does no harm. */
const listed: Readonly<Record<string, string>> = {
  "two hosts": "Bun takes the first. The API answers all hosts alike, and the console and the portal only their own.",
};

const statusesIn = (connection: RawConnection) =>
  [...connection.received().matchAll(/HTTP\/1\.[01] (\d{3})/g)].map(([, status]) => Number(status));

interface Told {
  statuses: number[];
  isClosed: boolean;
}

/** All answers until the end of the connection, or of a while after the request, or after the first answer if there must be one. */
async function answersTo(port: number, request: string, isAnswered: boolean): Promise<Told> {
  const connection = await rawConnection(port);
  connection.write(request);
  const until = async (isDone: () => boolean, forMs: number) => {
    const endsAt = performance.now() + forMs;
    while (!connection.isClosed() && !isDone() && performance.now() < endsAt) await Bun.sleep(5);
  };
  if (isAnswered) await until(() => statusesIn(connection).length > 0, firstAnswerMsMax);
  await until(() => false, waitMs);
  const told = { statuses: statusesIn(connection), isClosed: connection.isClosed() };
  connection.end();
  return told;
}

function judged({ expected }: Pick<Case, "expected">, usual: number, told: Told, wantsLength = false): boolean {
  const [first, second, ...more] = told.statuses;
  // A body in chunks is refused unread there. Bun answers again if the chunks are wrong, and ends the connection: no proxy sends such.
  if (wantsLength && first === 411) return (second ?? 400) === 400 && more.length === 0;
  if (second !== undefined) return false;
  if (expected === "waits") return first === undefined && !told.isClosed;
  if (expected === "usual") return first === usual;
  if (expected === "once") return first !== undefined || told.isClosed;
  return first === undefined ? told.isClosed : first >= 400;
}

function requestOf(one: Case, listener: Listener, kind: "get" | "post"): string {
  const { port, headers, body, [kind]: path } = listeners[listener];
  const host = `127.0.0.1:${port}`;
  const keyed = headers.map((line) => line.replace("KEY", crypto.randomUUID()).replace("HOST", host));
  return one.request({ path, host, headers: keyed, body });
}

for (const listener of names)
  for (const [kind, all, plain] of [
    ["get", cases, cases[partial.length]],
    ["post", bodies, bodies[0]],
  ] as const)
    test(`the listener ${listener} takes no request for another, on a path for ${kind}`, async () => {
      if (plain === undefined) throw new Error("There are no cases");
      const { port } = listeners[listener];
      const wantsLength = kind === "post" && (listener === "console" || listener === "portal");
      const [usual = 0] = (await answersTo(port, requestOf(plain, listener, kind), true)).statuses;
      expect(usual).toBeGreaterThan(0);
      const wrong = await Promise.all(
        all.map(async (one) => {
          const told = await answersTo(
            port,
            requestOf(one, listener, kind),
            one.expected === "usual" || one.expected === "once",
          );
          const isRight = judged(one, usual, told, wantsLength) || one.title in listed;
          return isRight
            ? []
            : [`${one.title}: ${one.expected}, ${told.statuses} ${told.isClosed ? "closed" : "open"}, usual ${usual}`];
        }),
      );
      expect(wrong.flat()).toEqual([]);
    }, 180_000);

test("a wrong expectation is found", async () => {
  const { port } = listeners.api;
  const told = await answersTo(port, crlf(`GET ${listeners.api.get} HTTP/1.1`, "Host: a", ""), true);
  expect(told.statuses).toEqual([200]);
  expect(judged({ expected: "refused" }, 200, told)).toBe(false);
  expect(judged({ expected: "usual" }, 200, { ...told, statuses: [200, 404] })).toBe(false);
});
