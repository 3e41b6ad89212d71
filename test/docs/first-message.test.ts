import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PeykProcess, peykCommand } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

const page = readFileSync(join(import.meta.dir, "..", "..", "docs", "first-message.md"), "utf8");
const folder = temporaryFolder();
let peyk: PeykProcess;

beforeAll(async () => {
  mkdirSync(join(folder.path, "bin"));
  const [program = "", ...rest] = peykCommand;
  if (rest.length === 0) symlinkSync(program, join(folder.path, "bin", "peyk"));
  else
    writeFileSync(join(folder.path, "bin", "peyk"), `#!/bin/sh\nexec ${peykCommand.join(" ")} "$@"\n`, { mode: 0o755 });
  peyk = await PeykProcess.start({ folder: join(folder.path, "data") });
});
afterAll(async () => {
  await peyk.stop();
  folder.remove();
});

test("the commands of the page First message work when pasted, one block after the other", async () => {
  const blocks = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, commands = ""]) => commands);
  const [start, ...others] = blocks;
  expect(start).toContain("peyk serve");
  expect(others).toHaveLength(3);
  const script = ["set -eu", ...others].join("\n").replaceAll("127.0.0.1:8080", new URL(peyk.url).host);
  const shell = Bun.spawn(["sh", "-c", script], {
    cwd: folder.path,
    env: { ...process.env, PATH: `${folder.path}/bin:${process.env.PATH}`, PEYK_DATA_DIR: join(folder.path, "data") },
    stdout: "pipe",
    stderr: "pipe",
  });
  const out = await new Response(shell.stdout).text();
  expect({ code: await shell.exited, err: await new Response(shell.stderr).text() }).toMatchObject({ code: 0 });
  expect(out).toContain("HTTP/1.1 202 Accepted");
  const [, code = ""] = /"trackingCode":"([^"]+)"/.exec(out) ?? [];
  expect(out).toMatch(new RegExp(`Tracking code +${code}`));
  expect(out.match(/"recipient":"\+989121234500"/g)).toHaveLength(1);
  expect(statSync(join(folder.path, "key.json")).mode & 0o077).toBe(0);
}, 180_000);
