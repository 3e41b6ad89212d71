/** The files of clients/ that are generated from openapi.json are up to date. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generatedFiles, generatedFolders } from "../../scripts/clients.ts";

const root = join(import.meta.dir, "..", "..");

test("generated types and operations match the reference; if this fails: bun run clients", async () => {
  const files = await generatedFiles();
  for (const [path, text] of files) expect(readFileSync(join(root, path), "utf8")).toBe(text);
  for (const folder of generatedFolders) {
    const names = readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
    expect(names.filter((name) => !files.has(name))).toEqual([]);
  }
});
