/** The content of the Debian package, without a machine to install it on. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "../../scripts/build.ts";
import { debianPackage } from "../../scripts/debian-package.ts";
import { withBasePackages } from "../../scripts/image/base-packages.ts";
import { must } from "../../scripts/must.ts";
import { exampleFile } from "../../src/config/example.ts";
import { PeykProcess, peykCommand } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { testWith } from "../support/wants.ts";

const slow = 240_000;
let place: string;
let program: string;
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), "peyk-package-"));
  program = await build({ target: "bun-linux-x64-baseline", outfile: join(place, "peyk") });
}, slow);
afterAll(() => rmSync(place, { recursive: true }));

const packageOf = (folder: string, compression: "gzip" | "none") => {
  mkdirSync(join(place, folder), { recursive: true });
  return debianPackage({
    architecture: "amd64",
    program,
    version: "0.1.0",
    madeAt: new Date("2026-11-01T00:00:00Z"),
    folder: join(place, folder),
    compression,
  });
};

test(
  "two packages of one build are identical",
  async () => {
    const [one, other] = [await packageOf("one", "none"), await packageOf("other", "none")];
    expect(Buffer.compare(readFileSync(one), readFileSync(other))).toBe(0);
  },
  slow,
);

testWith("lintian")(
  "lintian finds nothing in the package",
  async () => {
    const options = ["--no-cfg", "--allow-root", "--fail-on", "error,warning"];
    const file = await packageOf("tidy", "gzip");
    expect(await must(["lintian", ...options, file], place, { TMPDIR: place })).toBe("");
  },
  slow,
);

test("a roll-back keeps the database of a cluster's member, and restores the old one of any other", async () => {
  const installer = readFileSync(join(import.meta.dir, "../../install.sh"), "utf8");
  const functions = /^is_member\(\)[^\n]*\n[\s\S]*?^put_back_data\(\) \{[\s\S]*?^\}$/m.exec(installer)?.[0] ?? "";
  const asking = /^ask\(\)[^\n]*$/m.exec(installer)?.[0] ?? "";
  const lookedUp = /^ {2}(if is_member; then .*; fi)$/m.exec(installer)?.[1] ?? "";
  const wrapper = join(place, "program");
  const command = peykCommand.map((word) => `'${word}'`).join(" ");
  writeFileSync(wrapper, `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
  const steps = `restore_data() { echo restored; }; ${lookedUp}; put_back_data && echo "$kept_data"`;
  const said = async (settings: string) => {
    writeFileSync(join(place, "peyk.toml"), settings);
    const names = `settings=${join(place, "peyk.toml")}\nstate=${place}\nstaged=${wrapper}`;
    return must(["sh", "-euc", `${names}\n${asking}\n${functions}\n${steps}`], place);
  };
  expect(await said(exampleFile())).toBe("restored\nthe database of before\n");
  expect(await said('[cluster]\nnode = "a"\nengine_file = "/etc/peyk/engine"\n')).toBe(
    "the database as it is, since this is a member of a cluster\n",
  );
  writeFileSync(join(place, "peyk.cluster"), "");
  expect(await said(exampleFile())).toStartWith("the database as it is");
});

testWith("qemu-aarch64-static")(
  "the arm64 build serves, sends and stops, with the image's libraries",
  async () => {
    const foreign = await build({ target: "bun-linux-arm64", outfile: join(place, "peyk-arm64") });
    const libraries = join(place, "arm64");
    mkdirSync(libraries);
    await withBasePackages("arm64", (base) => must(["cp", "-a", `${base}/.`, libraries], place));
    const command = ["qemu-aarch64-static", "-L", libraries, foreign];
    const folder = temporaryFolder();
    const peyk = await PeykProcess.start({ folder: folder.path, command, startsWithinMs: slow / 2 });
    const customer = await peyk.customer();
    const { status, body } = await peyk.send(customer, { recipient: "09120000000" });
    expect({ status, sent: body.status }).toEqual({ status: 202, sent: "queued" });
    expect(await must([...command, "status", "--data-dir", folder.path], place)).toMatch(/State +ready/);
    expect(await peyk.stop()).toBe(0);
    folder.remove();
  },
  slow,
);
