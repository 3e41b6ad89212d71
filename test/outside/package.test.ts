/** piuparts installs the package on a bare Debian, removes and purges it, and tells what it left. */
import { afterAll, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { debianPackage } from "../../scripts/debian-package.ts";
import { run } from "../support/outside-programs.ts";
import { peykCommand } from "../support/peyk-process.ts";
import { programAt } from "../support/programs.ts";
import { temporaryFolder } from "../support/test-server.ts";

const [program = "", ...more] = peykCommand;
const piuparts = more.length === 0 && process.getuid?.() === 0 ? programAt("piuparts") : null;
const mirror = process.env.TEST_DEBIAN_MIRROR ?? "http://deb.debian.org/debian";
const folder = temporaryFolder();
afterAll(() => folder.remove());

const flags = [
  // There is no earlier version in the mirror.
  "--no-upgrade-test",
  // It comes with the package, and leaves folders of its own.
  "--fake-essential-packages=systemd",
  "--no-eatmydata",
  "--distribution=bookworm",
  `--mirror=${mirror} main`,
];

/** Its errors; null if the mirror cannot be reached. */
async function errorsOf(file: string): Promise<string[] | null> {
  const base = join(folder.path, "base.tar.gz");
  const kept = existsSync(base) ? `--basetgz=${base}` : `--save=${base}`;
  const { code, text } = await run([piuparts ?? "", ...flags, kept, `--tmpdir=${folder.path}`, file]);
  if (!existsSync(base)) return null;
  const errors = text.split("\n").filter((line) => / ERROR: (WARN|FAIL)/.test(line) || line.includes("not owned"));
  return code === 0 ? errors : [...errors, `ended with ${code}`];
}

/** The same package, whose last script leaves a file; it ends before its last line. */
async function careless(file: string): Promise<string> {
  const tree = join(folder.path, "careless");
  await run(["dpkg-deb", "--raw-extract", file, tree]);
  const script = join(tree, "DEBIAN", "postrm");
  writeFileSync(script, readFileSync(script, "utf8").replace("\n", "\ntouch /etc/peyk-was-here\n"));
  const made = join(folder.path, "careless.deb");
  await run(["dpkg-deb", "--root-owner-group", "-Znone", "--build", tree, made]);
  return made;
}

test.skipIf(piuparts === null)(
  "a purged package leaves nothing, and one that leaves a file is found (wants piuparts, as root, and a mirror)",
  async () => {
    const madeAt = new Date("2026-11-01T00:00:00Z");
    const made = { architecture: "amd64", program, version: "0.1.0", madeAt, folder: folder.path } as const;
    const file = await debianPackage({ ...made, compression: "none" });
    const errors = await errorsOf(file);
    if (errors === null) {
      console.log(`skipped  ${mirror} cannot be reached`);
      return;
    }
    expect(errors).toEqual([]);
    expect(await errorsOf(await careless(file))).toContainEqual(expect.stringContaining("/etc/peyk-was-here"));
  },
  1_800_000,
);
