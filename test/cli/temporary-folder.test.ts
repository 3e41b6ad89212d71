import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/test-server.ts";

const script = `
  import { writeFileSync } from "node:fs";
  import { inTemporaryFolder } from ${JSON.stringify(join(import.meta.dir, "../../src/cli/temporary-folder.ts"))};
  setInterval(() => {}, 1_000);
  await inTemporaryFolder("peyk-", ["SIGHUP", "SIGINT", "SIGTERM"], (folder) => {
    writeFileSync(folder + "/secret.key", "");
    console.log("ready");
    return new Promise(() => {});
  });`;

test.each([
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)(
  "a command ended by %s leaves no temporary folder, and exits with the code of that signal",
  async (signal, code) => {
    const area = temporaryFolder();
    const env = { PATH: process.env.PATH, TMPDIR: area.path };
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit", env });
    await child.stdout.getReader().read();
    expect(readdirSync(area.path)).toHaveLength(1);
    child.kill(signal);
    expect(await child.exited).toBe(code);
    expect(readdirSync(area.path)).toEqual([]);
    area.remove();
  },
);
