/** oasdiff compares the served reference with that of the last release: nothing that clients use may be gone. */
import { afterAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { breakingChanges, lastReference, oasdiff, servedReference } from "../../scripts/api-changes.ts";
import { temporaryFolder } from "../support/test-server.ts";

const program = await oasdiff();
const folder = temporaryFolder();
afterAll(() => folder.remove());

test.skipIf(program === null)(
  "nothing in the public API breaks clients of the last release, and a removed operation is found (wants go)",
  async () => {
    const [before, after] = [await lastReference(folder.path), await servedReference(folder.path, "now")];
    expect(await breakingChanges(program ?? "", before, after)).toEqual([]);
    const reference: { paths: Record<string, unknown> } = JSON.parse(readFileSync(after, "utf8"));
    delete reference.paths["/v1/messages/batch"];
    const changed = join(folder.path, "changed.json");
    writeFileSync(changed, JSON.stringify(reference));
    const found = await breakingChanges(program ?? "", before, changed);
    expect(found).toEqual([expect.stringContaining("POST /v1/messages/batch")]);
  },
  300_000,
);
