import { expect, test } from "bun:test";
import { ownCommand } from "../../src/cli/demo.ts";

const started = { execPath: "/opt/bun", main: "/peyk/src/main.ts", npmExecPath: undefined, isBunOnPath: true };

test("the command that the demo prints runs on a machine that has only Node", () => {
  const npmExecPath = "/usr/lib/node_modules/npm/bin/npm-cli.js";
  expect(ownCommand({ ...started, npmExecPath })).toBe(`npx -y bun@${Bun.version} /peyk/src/main.ts`);
});

test("the command names Bun when it is on the PATH, else Bun's file, and the binary by its own path", () => {
  expect(ownCommand({ ...started, npmExecPath: "/root/.bun/bin/bun" })).toBe("bun /peyk/src/main.ts");
  expect(ownCommand({ ...started, isBunOnPath: false })).toBe("/opt/bun /peyk/src/main.ts");
  expect(ownCommand({ ...started, execPath: "/usr/local/bin/peyk", main: "/$bunfs/root/peyk" })).toBe(
    "/usr/local/bin/peyk",
  );
});
