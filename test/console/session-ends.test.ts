/** What ends with a session, immediately: the clock of these tests is stopped. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ConsoleProcess, FormClient, goodPassword, signedInAs, startConsole } from "../support/console.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { rawConnection } from "../support/raw-http.ts";
import { replyOf } from "../support/reply.ts";

const clock = new ManualClock();
let server: ConsoleProcess;
beforeAll(async () => {
  server = await startConsole(undefined, { clock });
});
afterAll(async () => {
  let isStopped = false;
  const stopped = server.stop().then(() => {
    isStopped = true;
  });
  // A stop waits for timed work.
  while (!isStopped) await clock.advance(1_000);
  await stopped;
});

/** An open page of a user, and everything that its stream sends until it ends. */
async function watched(name: string) {
  const client = await signedInAs(server, "operator", { name });
  const stream = await client.get("/now/live", { Accept: "text/event-stream" });
  expect(stream.headers.get("Content-Type")).toBe("text/event-stream");
  return { client, text: stream.text() };
}

async function signedInAgain(name: string): Promise<FormClient> {
  const client = new FormClient(server.consoleUrl);
  await client.post("/sign-in", { user: name, password: goodPassword, to: "/" });
  return client;
}

test("a HEAD request for a stream leaves none open", async () => {
  const client = await signedInAs(server, "operator", { name: "heady" });
  for (let count = 0; count < 20; count += 1) {
    const head = await client.head("/now/live");
    expect([head.status, head.headers.get("Content-Type")]).toEqual([200, "text/event-stream"]);
  }
  const stream = await client.get("/now/live", { Accept: "text/event-stream" });
  expect(stream.status).toBe(200);
  await stream.body?.cancel();
});

test("a form in flight when its session ends does nothing", async () => {
  const owner = await signedInAs(server, "owner", { name: "slow" });
  const { host, port } = new URL(server.consoleUrl);
  const connection = await rawConnection(Number(port));
  const [form, cookie] = ["name=planted&role=owner", [...owner.cookies].map((pair) => pair.join("=")).join("; ")];
  const head = [
    "POST /users HTTP/1.1",
    `Host: ${host}`,
    `Origin: ${server.consoleUrl}`,
    `Cookie: ${cookie}`,
    "Content-Type: application/x-www-form-urlencoded",
    `Content-Length: ${form.length}`,
  ];
  connection.write(`${head.join("\r\n")}\r\n\r\n${form.slice(0, 5)}`);
  // The next connection is answered after the first request has started.
  expect((await owner.get("/users")).status).toBe(200);
  await server.api("POST /users/:name/reset", { name: "slow" });
  connection.write(form.slice(5));
  const answer = await connection.answer();
  connection.end();
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/sign-in"]);
  const { rows } = await server.api("GET /users", {});
  expect(rows.map(({ name }) => name)).not.toContain("planted");
});

test("a download is cut off with its session", async () => {
  const account = await server.api("POST /accounts", { name: "Many" });
  await server.api("POST /accounts/:id/senders", { id: account.id, sender: "30001" });
  const client = await signedInAs(server, "support", { name: "copier" });
  const recipients = Array.from({ length: 20_000 }, (_, index) => `0912${1_000_000 + index}`);
  const sendAt = new Date(clock.now() + 86_400_000).toISOString();
  const text = "x".repeat(900);
  await server.api("POST /messages", {
    account: account.id,
    sender: "30001",
    recipients,
    message: text,
    sendAt,
    idempotencyKey: "many",
  });
  const download = await client.get("/messages.csv");
  const reader = download.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await client.post("/sign-out");
  const rest = async () => {
    let bytes = 0;
    for (;;) {
      const piece = await reader?.read();
      if (piece === undefined || piece.done) return bytes;
      bytes += piece.value.length;
    }
  };
  await expect(rest()).rejects.toThrow();
});

test("an open page receives nothing more once its session has ended", async () => {
  const change = { current: goodPassword, password: "eight green kettles", again: "eight green kettles" };
  const ends: Record<string, (client: FormClient, name: string) => Promise<unknown>> = {
    signed: (client) => client.post("/sign-out"),
    replaced: (client, name) => client.post("/sign-in", { user: name, password: goodPassword, to: "/" }),
    reset: (_, name) => replyOf(server.api("POST /users/:name/reset", { name })),
    disabled: (_, name) => replyOf(server.api("POST /users/:name/disable", { name })),
    changed: async (_, name) => (await signedInAgain(name)).post("/settings/password", change),
    ended: async (_, name) => {
      const other = await signedInAgain(name);
      const [path = ""] = /\/settings\/sessions\/\d+\/end/.exec(await (await other.get("/settings")).text()) ?? [];
      return other.post(path);
    },
  };
  for (const [name, end] of Object.entries(ends)) {
    const { client, text } = await watched(name);
    await end(client, name);
    expect(await text).toStartWith(": still here");
  }
});
