/** Bodies and queries that a stranger may send to the drop-in listener: none holds the event loop. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { DropInServer } from "../support/drop-in-server.ts";
import { expectNoHold } from "../support/longest-turn.ts";

// A server on a busy machine.
setDefaultTimeout(60_000);

const user = "username=shop&password=password-of-shop";
const rest = "from=30001234&to=09121234567";

test("large bodies of any protocol do not block the event loop for 50 ms", async () => {
  const seeds = [
    { kind: "kannel", name: "shop", password: "password-of-shop" },
    { kind: "jasmin", name: "shop", password: "password-of-shop" },
  ] as const;
  const server = await DropInServer.start(seeds);
  const form = (path: string, body: string, type = "application/x-www-form-urlencoded") =>
    fetch(`${server.url}${path}`, { method: "POST", headers: { "Content-Type": type }, body }).then((answer) =>
      answer.text(),
    );
  const fields = "a&".repeat(60_000);
  const abroad = Array.from({ length: 500 }, (_, index) => `%2B4915112${String(100_000 + index)}`).join("+");
  const bodies: [string, string, string?][] = [
    ["/cgi-bin/sendsms", `${user}&${rest}&text=${"%".repeat(100_000)}`],
    ["/cgi-bin/sendsms", `${user}&from=30001234&text=x&to=${abroad}`],
    ["/cgi-bin/sendsms", fields],
    ["/send", "a&".repeat(500_000)],
    ["/send", `{"a":${"[".repeat(500_000)}`, "application/json"],
    ["/send", `{${'"a":1,'.repeat(150_000)}"b":1}`, "application/json"],
    ["/send", `${user}&${rest}&content=${"+".repeat(1_000_000)}`],
    ["/send", `${user}&${rest}&content=${"+".repeat(120_000)}`],
    ["/send", `{"username":"shop","content":"${"a".repeat(1_000_000)}"}`, "application/json"],
  ];
  for (const [path, body, type] of bodies)
    await expectNoHold(() => form(path, body, type), { what: `${path} with ${body.slice(0, 20)}…` });
  await server.stop();
});

test("a batch and long callback values do not block the event loop for 50 ms", async () => {
  const seeds = [
    { kind: "kannel", name: "shop", password: "password-of-shop" },
    { kind: "jasmin", name: "shop", password: "password-of-shop" },
  ] as const;
  const server = await DropInServer.start(seeds);
  const numbers = Array.from({ length: 500 }, (_, index) => `0912${String(1_000_000 + index)}`);
  const long = "a".repeat(900_000);
  const short = numbers.map((to) => ({ to }));
  const batch = (object: object) => ["/secure/sendbatch", JSON.stringify(object), "application/json"] as const;
  const text = (body: string) => ["/cgi-bin/sendsms", body, "application/x-www-form-urlencoded"] as const;
  const report = `dlr-mask=31&dlr-url=https://example.com/${"a".repeat(2_000)}`;
  const ones = Array.from({ length: 20_000 }, (_, index) => String(index)).join("+");
  const requests = [
    batch({ messages: [{ to: numbers }], globals: { content: long } }),
    batch({ messages: [{ to: numbers }], globals: { content: "x", tags: long } }),
    batch({ messages: [{ to: numbers, content: "x", tags: long.slice(0, 800_000) }] }),
    batch({ messages: [{ to: numbers }], globals: { content: "x", "dlr-url": `https://example.com/${long}` } }),
    batch({ messages: short, globals: { from: "1", "hex-content": "06".repeat(8_000), tags: "a".repeat(3_000) } }),
    batch({ messages: Array(5_000).fill({ to: [] }), globals: Object.fromEntries(short.map(({ to }) => [to, 1])) }),
    batch({ messages: short, globals: { content: "x", from: "1", "dlr-url": "https://example.com/dlr" } }),
    text(`${user}&from=30001234&text=x&${report}&to=${ones}`),
    text(`${user}&from=1&text=x&${report}&meta-data=${"a".repeat(100_000)}&to=${numbers.join("+")}`),
    text(`${user}&from=1&text=x&${report}&to=${numbers.join("+")}`),
  ];
  const authorization = `Basic ${btoa("shop:password-of-shop")}`;
  const post = ([path, body, type]: (typeof requests)[number]) => {
    const headers = { "Content-Type": type, Authorization: authorization };
    return fetch(`${server.url}${path}`, { method: "POST", headers, body }).then((answer) => answer.text());
  };
  for (const request of requests)
    await expectNoHold(() => post(request), { what: `${request[0]} with …${request[1].slice(-60)}` });
  expect(server.messages()).toEqual([]);
  // Accepted ones, too; only acceptance is measured.
  await server.operate("POST", "/routes/simulator/disable");
  const accepted = [
    batch({ messages: short, globals: { from: "30001234", content: "x", "dlr-url": "https://example.com/dlr" } }),
    text(`${user}&from=30001234&text=x&${report}&meta-data=${"a".repeat(5_000)}&to=${numbers.join("+")}`),
  ];
  for (const request of accepted) await expectNoHold(() => post(request), { what: `500 messages by ${request[0]}` });
  expect(server.messages().length).toBeGreaterThanOrEqual(1_000);
  await server.stop();
});
