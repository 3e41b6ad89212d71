/** A stranger's build of a commit equals the released one, octet for octet. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "../../scripts/build.ts";
import { copySources } from "../support/builds.ts";

const root = join(import.meta.dir, "../..");
let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "peyk-builds-"));
});
afterAll(() => rmSync(place, { recursive: true }));

/** A build of these sources with separately installed packages. */
async function builtIn(folder: string, commit: { hash: string; date: string } | null): Promise<string> {
  mkdirSync(folder, { recursive: true });
  copySources(folder);
  for (const name of ["bun.lock", "bunfig.toml"]) cpSync(join(root, name), join(folder, name));
  const install = [process.execPath, "install", "--frozen-lockfile", "--silent"];
  expect(await Bun.spawn(install, { cwd: folder, stdout: "ignore", stderr: "inherit" }).exited).toBe(0);
  return build({ sources: folder, outfile: join(folder, "dist", "peyk"), commit });
}

describe("two builds of one commit in two folders", () => {
  const commit = { hash: "0123456789abcdef0123456789abcdef01234567", date: "2026-11-20T15:36:00.000Z" };
  let binaries: string[];
  beforeAll(async () => {
    const folders = [join(place, "one"), join(place, "deeper", "folder", "two")];
    binaries = [];
    for (const folder of folders) binaries.push(await builtIn(folder, commit));
  });

  test("are identical byte for byte, and contain no path of their build machine", () => {
    const [one, other] = binaries.map((binary) => readFileSync(binary));
    if (one === undefined || other === undefined) throw new Error("both were built");
    expect(Buffer.compare(one, other)).toBe(0);
    expect(one.includes(place)).toBe(false);
    expect(one.includes(root)).toBe(false);
  });

  test("show their commit and its date", async () => {
    const said = Bun.spawn([binaries[0] ?? "", "version", "--json"], { stdout: "pipe" });
    expect(await new Response(said.stdout).json()).toMatchObject({ commit: commit.hash, commitDate: commit.date });
  });
});
