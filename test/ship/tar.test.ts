/** GNU tar reads our archives, up to the limits of the format. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tarOf } from "../../scripts/image/tar.ts";
import { must } from "../../scripts/must.ts";

const madeAt = new Date("2026-11-01T12:34:56Z");
let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "peyk-tar-"));
});
afterAll(() => rmSync(place, { recursive: true }));

async function listed(archive: Uint8Array): Promise<string[]> {
  const file = join(place, "a.tar");
  writeFileSync(file, archive);
  const zone = { TZ: "UTC" };
  return (await must(["tar", "--full-time", "--numeric-owner", "-tvf", file], place, zone)).trimEnd().split("\n");
}

test("modes, owners, times, links, folders and contents are read as they were written", async () => {
  const content = Buffer.from("سلام\n");
  const archive = tarOf(
    [
      { path: "tmp", mode: 0o1777 },
      { path: "data/file", mode: 0o640, owner: 65_532, content },
      { path: "data/empty", mode: 0o644, content: new Uint8Array() },
      { path: "link", mode: 0o777, link: "data/file" },
    ],
    madeAt,
  );
  expect(archive.length % 512).toBe(0);
  expect((await listed(archive)).map((line) => line.replaceAll(/ +/g, " "))).toEqual([
    "drwxrwxrwt 0/0 0 2026-11-01 12:34:56 tmp/",
    "-rw-r----- 65532/65532 9 2026-11-01 12:34:56 data/file",
    "-rw-r--r-- 0/0 0 2026-11-01 12:34:56 data/empty",
    "lrwxrwxrwx 0/0 0 2026-11-01 12:34:56 link -> data/file",
  ]);
  expect(await must(["tar", "-xOf", join(place, "a.tar"), "data/file"], place)).toBe("سلام\n");
});

test("paths of 100 bytes, and of 255 with a slash in the right place, are accepted, and longer ones refused", async () => {
  const of = (path: string) => tarOf([{ path, mode: 0o644, content: Buffer.from("x") }], madeAt);
  const longest = `${"a".repeat(155)}/${"b".repeat(99)}`;
  for (const path of ["a".repeat(99), "a".repeat(100), `${"a".repeat(100)}/b`, longest, `${longest}b`]) {
    expect((await listed(of(path)))[0]).toEndWith(` ${path}`);
  }
  for (const path of ["a".repeat(101), `a/${"b".repeat(101)}`, `a${longest}`, `${longest}bb`]) {
    expect(() => of(path)).toThrow("too long for this archive");
  }
  expect(() => tarOf([{ path: "l", mode: 0o777, link: "x".repeat(101) }], madeAt)).toThrow("too long");
});
