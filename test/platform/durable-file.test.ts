import { expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyContent, readContent } from "../../src/platform/durable-file.ts";
import { temporaryFolder } from "../support/test-server.ts";

test("a file that has become shorter is read to its end, and is no whole copy", () => {
  const folder = temporaryFolder();
  const [path, copy] = [join(folder.path, "file"), join(folder.path, "copy")];
  writeFileSync(path, "0123456789");
  const [from, to] = [openSync(path, "r"), openSync(copy, "w")];
  let seen = "";
  const take = (chunk: Uint8Array) => {
    seen += Buffer.from(chunk);
  };
  expect([readContent(from, 4, take), seen]).toEqual([4, "0123"]);
  expect([readContent(from, 12, take), seen]).toEqual([10, "01230123456789"]);
  expect(() => copyContent(from, to, 11)).toThrow("the file ended early");
  copyContent(from, to, 10);
  expect(readFileSync(copy, "utf8")).toEndWith("0123456789");
  for (const descriptor of [from, to]) closeSync(descriptor);
  folder.remove();
});
