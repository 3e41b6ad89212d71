import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SocketTaken, serveSocket } from "../../src/operator/socket.ts";
import { temporaryFolder } from "../support/test-server.ts";

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder.path, "peyk.sock");
});
afterEach(() => folder.remove());

const hello = () => new Response("hello");
const ask = async () => (await fetch("http://localhost/", { unix: path })).text();

describe("the operator's socket", () => {
  test("is accessible to its owner only, whatever the umask, and is removed when the server stops", async () => {
    const umaskBefore = process.umask(0);
    const socket = await serveSocket(path, hello);
    expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
    expect(process.umask(umaskBefore)).toBe(0);
    expect(await ask()).toBe("hello");
    await socket.stop();
    expect(existsSync(path)).toBe(false);
  });

  test("of a dead process is replaced", async () => {
    const program = `Bun.serve({ unix: ${JSON.stringify(path)}, fetch: () => new Response("old") }); process.kill(process.pid, "SIGKILL");`;
    await Bun.spawn([process.execPath, "-e", program]).exited;
    expect(existsSync(path)).toBe(true);
    const socket = await serveSocket(path, hello);
    expect(await ask()).toBe("hello");
    await socket.stop();
  });

  test("of a running process is kept", async () => {
    const first = await serveSocket(path, hello);
    await expect(serveSocket(path, () => new Response("second"))).rejects.toThrow(/Another peyk process serves on/);
    expect(await ask()).toBe("hello");
    await first.stop();
  });

  test("never replaces another file", async () => {
    writeFileSync(path, "precious");
    await expect(serveSocket(path, hello)).rejects.toBeInstanceOf(SocketTaken);
    expect(await Bun.file(path).text()).toBe("precious");
  });

  test("works at a path longer than the system's 107 bytes", async () => {
    const deep = join(folder.path, "d".repeat(100));
    mkdirSync(deep);
    path = join(deep, "peyk.sock");
    const socket = await serveSocket(path, hello);
    expect(await ask()).toBe("hello");
    expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
    await socket.stop();
  });

  test("answers requests in flight before it stops", async () => {
    const gate = Promise.withResolvers<void>();
    const socket = await serveSocket(path, async () => {
      await gate.promise;
      return new Response("late");
    });
    const answer = ask();
    await Bun.sleep(20);
    const stopped = socket.stop();
    gate.resolve();
    expect(await answer).toBe("late");
    await stopped;
  });

  test("in a read-only folder fails with the system's reason", async () => {
    if (process.getuid?.() === 0) return;
    chmodSync(folder.path, 0o500);
    await expect(serveSocket(path, hello)).rejects.toThrow(/EACCES/);
  });
});
