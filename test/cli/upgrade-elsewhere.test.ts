import { expect, test } from "bun:test";
import { packagedText, systemFiles } from "../../src/cli/system-files.ts";
import { otherWay } from "../../src/cli/upgrade.ts";

test("the installer does not replace a binary from a package or an image, and says how to upgrade it", () => {
  expect(otherWay("/usr/local/bin/peyk", true)).toBeNull();
  for (const program of ["/usr/lib/peyk/peyk", "/usr/lib/peyk/peyk.previous"]) {
    expect(otherWay(program, true)).toContain("apt update && apt upgrade");
  }
  expect(otherWay("/usr/bin/peyk", false)).toContain("pull the new image");
});

test("the package's unit differs from the installer's only in the path of the program", () => {
  const unit = systemFiles["peyk.service"] ?? "";
  const changed = packagedText(unit)
    .split("\n")
    .filter((line, index) => line !== unit.split("\n")[index]);
  expect(changed).toEqual([
    "ExecStart=/usr/bin/peyk serve",
    "ExecReload=/usr/bin/peyk system reload",
    "ExecPaths=/usr/lib/peyk",
  ]);
});
