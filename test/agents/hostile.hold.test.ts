/** What a program with a token may send: hostile octets are refused, hold the event loop for nobody, and a flood is its own user's. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type ConsoleProcess, signedInAs, startConsole } from "../support/console.ts";
import { expectNoHold } from "../support/longest-turn.ts";

// A service on a busy machine.
setDefaultTimeout(60_000);

let service: ConsoleProcess;
beforeAll(async () => {
  service = await startConsole(() => ({}));
});
afterAll(() => service.stop());

const expiresAt = new Date(Date.now() + 86_400_000).toISOString();

async function tokenOf(user: string): Promise<string> {
  await signedInAs(service, "owner", { name: user });
  return (await service.api("POST /tokens", { user, name: "agent", expiresAt })).token;
}

function post(token: string, path: string, body: string | Uint8Array<ArrayBuffer>): Promise<Response> {
  const accept = "application/json, text/event-stream";
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json", Accept: accept };
  return fetch(service.consoleUrl + path, { method: "POST", headers, body });
}

const filled = (piece: string, octets: number) => piece.repeat(Math.ceil(octets / piece.length)).slice(0, octets);
const call = (params: string, id = "1") => `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`;

const hostile = (octets: number): (string | Uint8Array<ArrayBuffer>)[] => [
  "",
  "\ufeff{}",
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
  filled("[", octets),
  filled('{"a":', octets),
  `{"a":"${filled("\\ud800", octets - 100)}"}`,
  `{${filled('"a":1,', octets - 100)}"b":1}`,
  `[${filled("1e999,", octets - 100)}1]`,
  '{"__proto__":{"name":"x"},"constructor":{"prototype":{}}}',
  call("null"),
  call('{"name":"send_message"}'),
  call('{"name":"__proto__","arguments":{"toString":1}}'),
  call(`{"name":"search_messages","arguments":{"text":"${filled("%_*", octets - 200)}"}}`),
  call(`{"name":"send_message","arguments":{"recipients":[${filled("1,", octets - 200)}1]}}`),
  call('{"name":"list_accounts","arguments":{}}', filled("9", 300)),
  `{"jsonrpc":"2.0","id":1,"method":"${filled("a", octets - 100)}"}`,
  '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
  '{"jsonrpc":"2.0","result":{},"id":1}',
];

test("hostile octets are refused in words, without a defect, and do not block the event loop for 50 ms", async () => {
  const token = await tokenOf("omid");
  const paths = { "/mcp": 250 * 1024, "/api/messages": 1_000_000, "/api/accounts": 1_000_000 };
  for (const [path, octets] of Object.entries(paths)) {
    await post(token, path, "{}").then((answer) => answer.text());
    for (const body of hostile(octets)) {
      const what = `${path} with ${body.slice(0, 110)}…`;
      let [status, text] = [0, ""];
      await expectNoHold(
        async () => {
          const answer = await post(token, path, body);
          [status, text] = [answer.status, await answer.text()];
        },
        { what },
      );
      expect([what, status >= 500, /internal|defect|stack/i.test(text)]).toEqual([what, false, false]);
    }
  }
  expect(await service.api("GET /messages", {})).toMatchObject({ messages: [] });
  expect(await service.api("GET /accounts", {})).toMatchObject({ rows: [] });
});

test("a flood by one user's token waits or is answered with 429, and another's requests are all served", async () => {
  const [loud, quiet] = [await tokenOf("loud"), await tokenOf("quiet")];
  const statuses = new Map<number, number>();
  let isFlooding = true;
  const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const flooding = Array.from({ length: 16 }, async () => {
    while (isFlooding) {
      const answer = await post(loud, "/mcp", list);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      await answer.text();
    }
  });
  const served: number[] = [];
  const startedAt = performance.now();
  while ((statuses.get(429) ?? 0) < 8 || (statuses.get(200) ?? 0) < 70 || served.length < 50) {
    const answer = await post(quiet, "/mcp", list);
    served.push(answer.status);
    await answer.text();
  }
  isFlooding = false;
  const seconds = (performance.now() - startedAt) / 1_000;
  await Promise.all(flooding);
  expect(new Set(served)).toEqual(new Set([200]));
  // Each takes a millisecond at the least: a quarter of a second at once, and then a twentieth of the time.
  expect(statuses.get(200)).toBeLessThanOrEqual(250 + 8 + seconds * 50);
});
