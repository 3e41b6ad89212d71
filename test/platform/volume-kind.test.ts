import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { machineFindings } from "../../src/cli/doctor-machine.ts";
import { volumeKindOf } from "../../src/platform/volume-kind.ts";
import { ThinVolume, whyNoThinVolume } from "../fault/thin-volume.ts";
import { temporaryFolder } from "../support/test-server.ts";

let sys: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  sys = temporaryFolder();
});
afterEach(() => sys.remove());

/** Devices 254:N as /sys shows them, each with its files; `on` names those below. */
function devices(of: Record<string, { files?: Record<string, string>; on?: readonly string[] }>): string {
  for (const [name, { files = {}, on = [] }] of Object.entries(of)) {
    const folder = join(sys.path, "devices", name);
    mkdirSync(join(folder, "slaves"), { recursive: true });
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    for (const below of on) symlinkSync(join(sys.path, "devices", below), join(folder, "slaves", below));
  }
  const block = join(sys.path, "block");
  mkdirSync(block);
  for (const [index, name] of Object.keys(of).entries())
    symlinkSync(join(sys.path, "devices", name), join(block, `254:${index}`));
  return block;
}

const deviceOf = (minor: number) => (254 << 8) | minor;

test("a plain disk, an encrypted loop device, its partition and a thin volume are told apart", () => {
  const block = devices({
    sda: {},
    loop0: { files: { "loop/backing_file": "/srv/disk.img\n" } },
    "loop0/loop0p1": {},
    "dm-0": { files: { "dm/uuid": "CRYPT-LUKS2-1\n" }, on: ["loop0"] },
    "dm-1": { files: { "dm/uuid": "LVM-abc-tpool\n" }, on: ["sda"] },
    "dm-2": { files: { "dm/uuid": "LVM-abc\n" }, on: ["dm-1"] },
    "dm-3": { files: { "dm/uuid": "LVM-def\n" }, on: ["sda"] },
  });
  const kinds = [0, 1, 2, 3, 4, 5, 6, 99].map((minor) => volumeKindOf("/", deviceOf(minor), block));
  expect(kinds).toEqual([null, "loop", "loop", "loop", "thin", "thin", null, null]);
});

test.skipIf(whyNoThinVolume() !== null)(
  "the loop device of a mounted file is found, and the doctor warns of it",
  async () => {
    using volume = new ThinVolume();
    expect(volumeKindOf(volume.path)).toBe("loop");
    expect(await machineFindings(volume.path, null)).toContainEqual(
      expect.objectContaining({ check: "volume", grade: "warn", says: expect.stringContaining("loop device") }),
    );
  },
);
