/** Two hundred requests to `/cgi-bin/sendsms`, including odd ones, for Kannel's smsbox and for ours. */

/** One request, octet for octet. */
export interface KannelRequest {
  name: string;
  octets: Buffer;
}

const user = "username=shop&password=password-of-shop";
const to = "to=09121234567";
const from = "from=30001234";
const whole = `${user}&${to}&${from}`;

const latin1 = (text: string) => Buffer.from(text, "latin1");

function request(
  name: string,
  target: string,
  { method = "GET", headers = "", body = latin1(""), version = "1.1" } = {},
): KannelRequest {
  const length = body.length > 0 || method === "POST" ? `Content-Length: ${body.length}\r\n` : "";
  const head = `${method} ${target} HTTP/${version}\r\nHost: sms\r\nConnection: close\r\n${headers}${length}\r\n`;
  return { name, octets: Buffer.concat([latin1(head), body]) };
}

const path = "/cgi-bin/sendsms";
const get = (name: string, query: string) => request(name, `${path}?${query}`);

/** With valid credentials, sender, receiver and text. */
const good = (fields: string) => get(fields, `${whole}&text=hello&${fields}`);
const each = (name: string, values: readonly (string | number)[]) => values.map((value) => good(`${name}=${value}`));

const utf16 = (text: string) =>
  [...Buffer.from(text, "utf16le").swap16()].map((octet) => `%${octet.toString(16).padStart(2, "0")}`).join("");

const signIns = [
  get("plain", `${whole}&text=hello`),
  get("short names of both", `user=shop&pass=password-of-shop&${to}&${from}&text=hello`),
  get("long name, short password", `username=shop&pass=password-of-shop&${to}&${from}&text=hello`),
  get("both names, the long one wrong", `username=x&user=shop&password=password-of-shop&${to}&${from}&text=hello`),
  get("both passwords, the long one wrong", `username=shop&password=x&pass=password-of-shop&${to}&${from}&text=hello`),
  get("both names, the long one right", `username=shop&user=x&password=password-of-shop&${to}&${from}&text=hello`),
  get("wrong password", `username=shop&password=wrong&${to}&${from}&text=hello`),
  get("unknown user", `username=nobody&password=password-of-shop&${to}&${from}&text=hello`),
  get("no user", `password=password-of-shop&${to}&${from}&text=hello`),
  get("no password", `username=shop&${to}&${from}&text=hello`),
  get("nothing", ""),
  get("user in capitals", `username=SHOP&password=password-of-shop&${to}&${from}&text=hello`),
  get("field names in capitals", `USERNAME=shop&PASSWORD=password-of-shop&${to}&${from}&text=hello`),
  get("password with a space behind", `username=shop&password=password-of-shop+&${to}&${from}&text=hello`),
  get("percent-encoded password", `username=shop&password=%70assword-of-shop&${to}&${from}&text=hello`),
  get("percent-encoded field name", `%75sername=shop&password=password-of-shop&${to}&${from}&text=hello`),
  get("user twice, the first right", `username=shop&username=x&password=password-of-shop&${to}&${from}&text=hello`),
  get("user twice, the first wrong", `username=x&username=shop&password=password-of-shop&${to}&${from}&text=hello`),
  get("wrong password, and no receiver", "username=shop&password=wrong"),
  request("basic authentication", `${path}?${to}&${from}&text=hello`, {
    headers: `Authorization: Basic ${btoa("shop:password-of-shop")}\r\n`,
  }),
];

const receivers = [
  get("no to", `${user}&${from}&text=hello`),
  get("empty to", `${user}&to=&${from}&text=hello`),
  get("to of spaces", `${user}&to=++&${from}&text=hello`),
  get("to without value", `${user}&to&${from}&text=hello`),
  get("no to and no from", `${user}&text=hello`),
  ...[
    "09121234567",
    "9121234567",
    "989121234567",
    "%2B989121234567",
    "+989121234567",
    "00989121234567",
    "0912-123-4567",
    "%2B98-912-1234567",
    "09121234567+09121234568",
    "09121234567++09121234568",
    "+09121234567+",
    "09121234567+09121234567",
    "09121234567%0a09121234568",
    "09121234567%0909121234568",
    "09121234567,09121234568",
    "09121234567;09121234568",
    "0912123456x",
    "abc",
    "09121234567+abc",
    "abc+def",
    "12",
    "%DB%B0%DB%B9%DB%B1%DB%B2%DB%B1%DB%B2%DB%B3%DB%B4%DB%B5%DB%B6%DB%B7",
    "0912123%004567",
    "(0912)1234567",
    "0912.123.4567",
    "+1-202-555-0123",
  ].map((value) => get(`to=${value}`, `${user}&to=${value}&${from}&text=hello`)),
  get("to twice", `${user}&to=09121234567&to=09121234568&${from}&text=hello`),
  get("500 receivers", `${user}&${from}&text=hello&to=${numbers(500)}`),
  get("501 receivers", `${user}&${from}&text=hello&to=${numbers(501)}`),
];

function numbers(count: number): string {
  return Array.from({ length: count }, (_, index) => `0912${String(1_000_000 + index)}`).join("+");
}

const senders = [
  get("no from", `${user}&${to}&text=hello`),
  get("empty from", `${user}&${to}&from=&text=hello`),
  get("from with a plus", `${user}&${to}&from=%2B30001234&text=hello`),
  get("from twice", `${user}&${to}&from=30001234&from=1&text=hello`),
];

const texts = [
  get("no text", whole),
  get("empty text", `${whole}&text=`),
  get("text without value", `${whole}&text`),
  ...[
    "hello+world",
    "hello%20world",
    "hello world%21".replace(" ", "+"),
    "100%25",
    "100%",
    "50%+off",
    "%zz",
    "%4",
    "a%00b",
    "a%07b",
    "line%0aline",
    "line%0d%0aline",
    "tab%09tab",
    "a=b",
    "a%26b",
    "a;b",
    "a?b",
    "a/b",
    "%7B%7D%5B%5D%5C%7E%5E%7C",
    "%E2%82%AC",
    "%C3%A9",
    "%E9",
    "%C3",
    "%F0%9F%99%82",
    "%EF%BF%BD",
    "%ED%A0%80",
    "%D8%B3%D9%84%D8%A7%D9%85",
    "%D8%B3%D9%84%D8%A7%D9%85&coding=0",
    "%D8%B3%D9%84%D8%A7%D9%85&charset=UTF-8",
    "%D8%B3%D9%84%D8%A7%D9%85&charset=utf-8&coding=2",
    "%D8%B3%D9%84%D8%A7%D9%85&charset=UTF8&coding=2",
    "%D8%B3%D9%84%D8%A7%D9%85&coding=2",
    "%E9&charset=ISO-8859-1",
    "%E9&charset=latin1",
    "%E9&charset=WINDOWS-1252&coding=0",
    "%E3%E1%C7%E3&charset=windows-1256&coding=2",
    "hello&charset=no-such-charset",
    "hello&charset=",
    "hello&charset=UTF-16BE",
    "h&charset=UTF-16BE",
    "%E9&charset=UTF-8",
    "%E9&charset=UTF-8&coding=2",
    "abc&coding=2",
    "ab&coding=2",
    `${utf16("سلام")}&coding=2`,
    `${utf16("سلام 🙂")}&coding=2`,
    `${utf16("سلام")}&coding=2&charset=UTF-16BE`,
    `${utf16("سلام")}&coding=2&charset=UCS-2`,
    "%D8%3D&coding=2",
    `${"a".repeat(160)}`,
    `${"a".repeat(161)}`,
    `${"a".repeat(460)}`,
    `${"a".repeat(2_000)}`,
    `${"a".repeat(2_001)}`,
    `${utf16("س".repeat(201))}&coding=2`,
  ].map((value) => get(`text=${value.slice(0, 60)}(${value.length})`, `${whole}&text=${value}`)),
  get("text twice", `${whole}&text=one&text=two`),
];

const fields = [
  ...each("coding", ["", -2, -1, 0, 1, 2, 3, 8, "abc", "2x", "0x2", "+2", "99999999999"]),
  ...each("charset", ["UTF-8", "utf-8"]),
  ...each("mclass", [-2, -1, 0, 1, 3, 4, "abc", ""]),
  ...each("mwi", [-2, -1, 0, 7, 8, ""]),
  ...each("compress", [-2, 0, 1, 2]),
  ...each("pid", [-2, 0, 255, 256]),
  ...each("rpi", [-2, 0, 2, 3]),
  ...each("alt-dcs", [-2, -1, 0, 1, 2, ""]),
  ...each("priority", [-2, -1, 0, 3, 4, "abc"]),
  ...each("validity", [-2, -1, 0, 1, 60, "abc", ""]),
  ...each("deferred", [-2, -1, 0, 1, 60, "abc"]),
  good("validity=10&deferred=5"),
  good("validity=5&deferred=10"),
  ...each("dlr-mask", [-2, -1, 0, 1, 31, 63, 64, "abc", ""]),
  ...each("dlrmask", [31]),
  ...each("dlr-url", [
    "",
    "http%3A%2F%2Freports.example.com%2Fr",
    "https%3A%2F%2Freports.example.com%2Fr%3Fs%3D%25d",
    "nonsense",
    "ftp%3A%2F%2Fx.example.com%2F",
  ]),
  good("dlr-mask=31&dlr-url=https%3A%2F%2Freports.example.com%2Fr%3Fs%3D%25d%26t%3D%25T"),
  good("dlr-mask=31&dlr-url="),
  good("dlrmask=31&dlrurl=https%3A%2F%2Freports.example.com%2Fr"),
  ...each("udh", ["", "%06%05%04%0B%84%23%F0", "%05%00%03%01%02%01", "%06%05", "abc"]),
  ...each("smsc", ["peer", "unknown"]),
  ...each("account", ["sales", "a".repeat(200)]),
  ...each("binfo", ["b-1"]),
  ...each("meta-data", ["%3Fsmpp%3Fservice_type%3DX", "nonsense"]),
  ...each("unknown-field", ["1"]),
  good("&&"),
  good("=x"),
  good("a[b]=c"),
];

const form = "Content-Type: application/x-www-form-urlencoded\r\n";
const kannelHeaders =
  "X-Kannel-Username: shop\r\nX-Kannel-Password: password-of-shop\r\nX-Kannel-From: 30001234\r\nX-Kannel-To: 09121234567\r\n";
const plain = `Content-Type: text/plain\r\n${kannelHeaders}`;
const post = (name: string, headers: string, body: string, target = path) =>
  request(name, target, { method: "POST", headers, body: latin1(body) });

const posts = [
  post("form", form, `${whole}&text=hello`),
  post("form, credentials in the query", form, `${to}&${from}&text=hello`, `${path}?${user}`),
  post("empty form", form, "", `${path}?${whole}&text=hello`),
  post("json", "Content-Type: application/json\r\n", "{}"),
  post("no content type", "", "hello"),
  post("text/plain", plain, "hello"),
  post(
    "text/plain, Persian in UTF-8",
    plain.replace("text/plain", "text/plain; charset=utf-8"),
    "\xd8\xb3\xd9\x84\xd8\xa7\xd9\x85",
  ),
  post(
    "text/plain, coding 2 in UTF-8",
    `${plain.replace("text/plain", "text/plain; charset=utf-8")}X-Kannel-Coding: 2\r\n`,
    "\xd8\xb3",
  ),
  post("text/plain without receiver", plain.replace(/X-Kannel-To[^\n]*\n/, ""), "hello"),
  post("text/plain with an empty receiver", plain.replace("09121234567", ""), "hello"),
  post("text/plain without sender", plain.replace(/X-Kannel-From[^\n]*\n/, ""), "hello"),
  post("text/plain with a wrong password", plain.replace("password-of", "wrong"), "hello"),
  post(
    "text/plain, credentials in the query",
    plain.replace(/X-Kannel-(Username|Password)[^\n]*\n/g, ""),
    "hello",
    `${path}?${user}`,
  ),
  post("text/plain, DLR-Mask 64", `${plain}X-Kannel-DLR-Mask: 64\r\n`, "hello"),
  post("text/plain, Coding 9", `${plain}X-Kannel-Coding: 9\r\n`, "hello"),
  post("octet-stream", plain.replace("text/plain", "application/octet-stream"), "hello"),
  post("text/plain, empty body", plain, ""),
];

const targets = [
  request("no query", path),
  request("slash behind", `${path}/?${whole}&text=hello`),
  request("capitals", `/cgi-bin/SENDSMS?${whole}&text=hello`),
  request("sendota", `/cgi-bin/sendota?${whole}&text=hello`),
  request("other program", "/cgi-bin/other"),
  request("absolute form", `http://sms${path}?${whole}&text=hello`),
  request("HTTP/1.0", `${path}?${whole}&text=hello`, { version: "1.0" }),
  request("PUT without body", `${path}?${whole}&text=hello`, { method: "PUT" }),
  request("DELETE", `${path}?${whole}&text=hello`, { method: "DELETE" }),
  request("raw Latin-1 in the query", `${path}?${whole}&text=caf\xe9`),
  request("raw UTF-8 in the query", `${path}?${whole}&text=caf\xc3\xa9`),
  request("percent-encoded path", `/cgi-bin/%73endsms?${whole}&text=hello`),
];

export const kannelRequests: readonly KannelRequest[] = [
  ...signIns,
  ...receivers,
  ...senders,
  ...texts,
  ...fields,
  ...posts,
  ...targets,
];
