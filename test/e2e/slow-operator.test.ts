/** A slow request of the operator API. In its own file, because it really waits. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { serveSocket } from "../../src/operator/socket.ts";
import { temporaryFolder } from "../support/test-server.ts";

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder.path, "peyk.sock");
});
afterEach(() => folder.remove());

const ask = async () => (await fetch("http://localhost/", { unix: path })).text();

test("the operator's socket answers a request that takes longer than Bun's idle timeout", async () => {
  const idleMsMax = 12_500;
  const socket = await serveSocket(path, async () => {
    await Bun.sleep(idleMsMax);
    return new Response("late");
  });
  expect(await ask()).toBe("late");
  await socket.stop();
}, 180_000);
