/** A full or failing disk: no request is answered "accepted", reading continues, and Peyk recovers without help. */
import { afterEach, beforeEach, expect } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, PeykProcess, type SendAnswer } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { testWith } from "../support/wants.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

function fill(path: string): void {
  const block = new Uint8Array(64 * 1024);
  for (let index = 0; ; index += 1) {
    try {
      writeFileSync(join(path, `filler-${index}`), block);
    } catch {
      return;
    }
  }
}

function clear(path: string): void {
  for (let index = 0; index < 1_000; index += 1) rmSync(join(path, `filler-${index}`), { force: true });
}

function expectRefusal({ status, body, headers }: SendAnswer): void {
  expect({ status, code: body.code, retryAfter: headers.get("retry-after") !== null }).toEqual({
    status: 503,
    code: "service_unavailable",
    retryAfter: true,
  });
}

testWith("root", "a mount namespace")(
  "a full disk answers 503, reads continue, and the service recovers once there is space",
  async () => {
    expect(Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", folder.path]).exitCode).toBe(0);
    const peyk = await PeykProcess.start({ folder: folder.path });
    try {
      const customer = await peyk.customer();
      const first = await peyk.send(customer);
      await eventually(async () => (await peyk.statusOf(customer, first.body.trackingCode ?? "")) === "delivered");
      fill(folder.path);
      let refused: SendAnswer | null = null;
      await eventually(async () => {
        const answers = await Promise.all(
          Array.from({ length: 50 }, () => peyk.send(customer, { message: "x".repeat(1_500) })),
        );
        refused = answers.find(({ status }) => status !== 202) ?? null;
        return refused !== null;
      });
      if (refused === null) throw new Error("Nothing was refused");
      expectRefusal(refused);
      expect((await fetch(`${peyk.url}/readyz`)).status).toBe(503);
      expect(await peyk.statusOf(customer, first.body.trackingCode ?? "")).toBe("delivered");
      clear(folder.path);
      await eventually(async () => (await peyk.send(customer)).status === 202);
      expect((await fetch(`${peyk.url}/readyz`)).status).toBe(200);
      const after = await peyk.send(customer);
      await eventually(
        async () => (await peyk.statusOf(customer, after.body.trackingCode ?? "")) === "delivered",
        180_000,
      );
    } finally {
      await peyk.stop();
      Bun.spawnSync(["umount", folder.path]);
    }
  },
  { timeout: 60_000 },
);

testWith("root", "a mount namespace")(
  "a start on a full disk says so, and one on a read-only disk names the folder",
  async () => {
    expect(Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", folder.path]).exitCode).toBe(0);
    try {
      expect(await (await PeykProcess.start({ folder: folder.path })).stop()).toBe(0);
      fill(folder.path);
      await expect(PeykProcess.start({ folder: folder.path })).rejects.toThrow(/There is no disk space left in/);
      clear(folder.path);
      expect(Bun.spawnSync(["mount", "-o", "remount,ro", folder.path]).exitCode).toBe(0);
      await expect(PeykProcess.start({ folder: folder.path })).rejects.toThrow(/read-only|may not (?:use|open)/);
      expect(Bun.spawnSync(["mount", "-o", "remount,rw", folder.path]).exitCode).toBe(0);
      expect(await (await PeykProcess.start({ folder: folder.path })).stop()).toBe(0);
    } finally {
      Bun.spawnSync(["umount", folder.path]);
    }
  },
  { timeout: 60_000 },
);

testWith("strace")(
  "a disk that fails at times stores nothing that was refused and everything that was accepted",
  async () => {
    const before = await PeykProcess.start({ folder: folder.path });
    const customer = await before.customer();
    await before.stop();
    const inject = ["-e", "trace=pwrite64", "-e", "inject=pwrite64:error=EIO:when=60+37"];
    const peyk = await PeykProcess.start({
      folder: folder.path,
      prefix: ["strace", "-f", "-qq", "-o", "/dev/null", ...inject],
    });
    const keys = Array.from({ length: 300 }, (_, index) => `key-${index}`);
    const codes = new Map<string, string>();
    let refused = 0;
    for (const key of keys) {
      const answer = await peyk.send(customer, { key });
      if (answer.status === 202) codes.set(key, answer.body.trackingCode ?? "");
      else {
        expectRefusal(answer);
        refused += 1;
      }
    }
    await peyk.kill();
    expect(refused).toBeGreaterThan(0);
    const after = await PeykProcess.start({ folder: folder.path });
    for (const key of keys) {
      const { status, body } = await after.send(customer, { key });
      const known = codes.get(key);
      if (known !== undefined)
        expect({ key, status, code: body.trackingCode }).toEqual({ key, status: 200, code: known });
    }
    expect(await after.stop()).toBe(0);
  },
  { timeout: 60_000 },
);
