/** Bodies and queries that a stranger may send to the drop-in listener: none holds the event loop. */
import { setDefaultTimeout, test } from "bun:test";
import { DropInServer } from "../support/drop-in-server.ts";
import { expectNoHold } from "../support/longest-turn.ts";

// A server on a busy machine.
setDefaultTimeout(60_000);

const user = "username=shop&password=password-of-shop";
const rest = "from=30001234&to=09121234567";

test("none of it holds the event loop for 50 ms", async () => {
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
