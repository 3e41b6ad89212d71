/** `--password-file` of a credential: the password is what stands in the file, spaces within it included, or is refused. */
import { afterEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCli } from "../support/cli.ts";
import { DropInServer } from "../support/drop-in-server.ts";

let server: DropInServer;
afterEach(() => server.stop());

let made = 0;
async function create(content: string, kind: "kannel" | "jasmin" = "kannel") {
  const path = join(server.folder, "shop.password");
  writeFileSync(path, content);
  const name = `shop${made++}`;
  const what = ["--key", server.keyId, "--kind", kind, "--traffic", "single", "--username", name];
  const run = await runCli([
    ...["credential", "create", ...what, "--password-file", path],
    ...["--socket", server.running.socketPath],
  ]);
  return { ...run, name };
}

async function statusOf(name: string, password: string): Promise<number> {
  const fields = { username: name, password, from: "30001234", to: "09121234567", text: "x" };
  return (await fetch(`${server.url}/cgi-bin/sendsms?${new URLSearchParams(fields)}`)).status;
}

test("a password file keeps all spaces within the password and drops the line ending", async () => {
  server = await DropInServer.start([]);
  for (const end of ["", "\n", "\r\n"]) {
    const { code, out, name } = await create(`correct  horse battery${end}`);
    expect([code, out.includes("correct  horse battery")]).toEqual([0, true]);
    expect(await statusOf(name, "correct  horse battery")).toBe(202);
    expect(await statusOf(name, "correcthorsebattery")).toBe(403);
  }
  const jasmin = await create("correct horse battery\n", "jasmin");
  expect(jasmin.code).toBe(0);
});

test("a password that begins or ends with a space, or has two lines, is refused with the reason", async () => {
  server = await DropInServer.start([]);
  for (const [content, why] of [
    [" correct horse battery\n", "begins or ends with a space"],
    ["correct horse battery \n", "begins or ends with a space"],
    ["correct horse\nbattery staple\n", "has more than one line"],
    ["correct horse battery\n\n", "has more than one line"],
    ["\n", "is empty"],
    ["correct\thorse battery\n", "printable ASCII"],
    ["رمز یک فروشگاه تازه\n", "printable ASCII"],
  ]) {
    const { code, err } = await create(content ?? "");
    expect([code, err]).toEqual([1, expect.stringContaining(why ?? "")]);
  }
});
