/** What ends with a session, at once and without the passing of time: the clock of these tests stands still. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ConsoleProcess, FormClient, goodPassword, signedInAs, startConsole } from "../support/console.ts";
import { ManualClock } from "../support/manual-clock.ts";
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
  // A stop waits for what has its time.
  while (!isStopped) await clock.advance(1_000);
  await stopped;
});

/** An open page of a user, and everything that its stream says until it has ended. */
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

test("a question for a stream's headers alone leaves none open", async () => {
  const client = await signedInAs(server, "operator", { name: "heady" });
  for (let count = 0; count < 20; count += 1) {
    const head = await client.head("/now/live");
    expect([head.status, head.headers.get("Content-Type")]).toEqual([200, "text/event-stream"]);
  }
  const stream = await client.get("/now/live", { Accept: "text/event-stream" });
  expect(stream.status).toBe(200);
  await stream.body?.cancel();
});

test("an open page is told nothing more once its session has ended", async () => {
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
