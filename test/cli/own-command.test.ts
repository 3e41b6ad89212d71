import { expect, test } from "bun:test";
import { ownCommand } from "../../src/cli/demo.ts";

const started = { execPath: "/opt/bun", main: "/peyk/src/main.ts", npmExecPath: undefined, isBunOnPath: true };

test("what the demo prints can be run on a machine that has only Node", () => {
  const npmExecPath = "/usr/lib/node_modules/npm/bin/npm-cli.js";
  expect(ownCommand({ ...started, npmExecPath })).toBe(`npx -y bun@${Bun.version} /peyk/src/main.ts`);
});

test("it names Bun where it is on the PATH, its file where it is not, and the binary by its own", () => {
  expect(ownCommand({ ...started, npmExecPath: "/root/.bun/bin/bun" })).toBe("bun /peyk/src/main.ts");
  expect(ownCommand({ ...started, isBunOnPath: false })).toBe("/opt/bun /peyk/src/main.ts");
  expect(ownCommand({ ...started, execPath: "/usr/local/bin/peyk", main: "/$bunfs/root/peyk" })).toBe(
    "/usr/local/bin/peyk",
  );
});
