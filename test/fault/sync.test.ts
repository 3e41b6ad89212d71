/** A sync that fails: every request in flight is refused, the process ends without another write, and the next start has everything. */
import { afterEach, beforeEach, expect } from "bun:test";
import { PeykProcess } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { testWith } from "../support/wants.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

testWith("strace")(
  "an I/O error at a sync ends the process after every request in flight was refused",
  async () => {
    const before = await PeykProcess.start({ folder: folder.path });
    const customer = await before.customer();
    await before.stop();
    const inject = ["-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:error=EIO:when=40+"];
    const peyk = await PeykProcess.start({
      folder: folder.path,
      prefix: ["strace", "-f", "-qq", "-o", "/dev/null", ...inject],
    });
    const accepted = new Map<string, string>();
    const refused: number[] = [];
    const client = async (name: number) => {
      for (let count = 0; refused.length === 0; count += 1) {
        const key = `key-${name}-${count}`;
        const { status, body } = await peyk.send(customer, { key });
        if (status === 202) accepted.set(key, body.trackingCode ?? "");
        else refused.push(status);
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, name) => client(name)));
    expect(new Set(refused)).toEqual(new Set([503]));
    expect(accepted.size).toBeGreaterThan(0);
    expect(await peyk.exited).toBe(1);
    expect(peyk.log).toContain("the disk failed at a sync");
    const after = await PeykProcess.start({ folder: folder.path });
    for (const [key, code] of accepted) {
      const { status, body } = await after.send(customer, { key });
      expect({ key, status, code: body.trackingCode }).toEqual({ key, status: 200, code });
    }
    expect(await after.stop()).toBe(0);
  },
  { timeout: 60_000 },
);
