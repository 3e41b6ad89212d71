import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Socket } from "bun";
import { nextTurn } from "../../src/platform/next-turn.ts";
import { temporaryFolder } from "../support/test-server.ts";

const folder = temporaryFolder();
const clients: Socket[] = [];
/** The server's reaction to one of them. */
let onHeard: () => void = () => {};
const server = Bun.listen({ unix: join(folder.path, "socket"), socket: { data: () => onHeard() } });

beforeAll(async () => {
  for (let count = 0; count < 2; count += 1) {
    clients.push(await Bun.connect({ unix: join(folder.path, "socket"), socket: { data() {} } }));
  }
});
afterAll(() => {
  for (const client of clients) client.end();
  server.stop(true);
  folder.remove();
});

test("work that waits in one socket's callback lets another socket be served first", async () => {
  const [first, second] = clients;
  const { promise: waited, resolve } = Promise.withResolvers<boolean>();
  let hasSecondSpoken = false;
  onHeard = async () => {
    onHeard = () => {
      hasSecondSpoken = true;
    };
    second?.write("there since before the wait");
    await nextTurn();
    resolve(hasSecondSpoken);
  };
  first?.write("first");
  expect(await waited).toBe(true);
});
