/** The commands of the README work when a newcomer pastes them, and work twice. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const readme = readFileSync(join(import.meta.dir, "..", "..", "README.md"), "utf8");
const commands = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, block = ""]) => block).join("\n");

test("each file that a README command reads was created by an earlier one", () => {
  const read = [...commands.matchAll(/--(?:csv|file) (\S+)/g)].map(({ 1: name = "", index }) => ({ name, index }));
  expect(read.map(({ name }) => name)).toContain("members.csv");
  const missing = read.filter(({ name, index }) => !commands.slice(0, index).includes(`> ${name}\n`));
  expect(missing).toEqual([]);
});

test("the README's first message is a new one each time it is sent", () => {
  const [first = ""] = commands.match(/curl \S+\/v1\/messages (?:.*\\\n)*/) ?? [];
  expect(first).toMatch(/-H "Idempotency-Key: \$\(date [^)]*\)"/);
});
