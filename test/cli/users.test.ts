/** `peyk user …` against a running operator API. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { runCli } from "../support/cli.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  await server.call("POST", "/accounts", { name: "Clinic" });
});
afterEach(() => server.close());

const peyk = (...argv: string[]) => runCli(["user", ...argv, "--data-dir", server.folder]);

async function json(...argv: string[]) {
  const run = await peyk(...argv, "--json");
  expect(run).toMatchObject({ code: 0, err: "" });
  return JSON.parse(run.out);
}

test("the first owner's setup link is machine-readable, and expires with the first password", async () => {
  const { setup, ...owner } = await json("setup-link");
  expect(owner).toEqual({
    name: "owner",
    role: "owner",
    account: null,
    status: "invited",
    ways: [],
    secondFactor: false,
    createdAt: "2026-01-05T12:00:00.000Z",
  });
  const path = `/setup/${setup.token}`;
  const url = `http://127.0.0.1:2${path}`;
  expect(setup).toEqual({ token: setup.token, path, url, expiresAt: "2026-01-05T13:00:00.000Z" });
  expect(setup.token).toMatch(/^[\w-]{43}$/);
  await server.users.setPassword(setup.token, "seven blue kettles");
  const again = await peyk("setup-link");
  expect(again).toMatchObject({ code: 1, out: "" });
  expect(again.err).toContain("peyk user reset NAME");
});

test("peyk user adds users with a role, lists them without secrets, disables and resets them", async () => {
  expect((await peyk("list")).out).toBe("There are no users. The first owner: peyk user setup-link\n");
  await json("add", "clinic", "--role", "customer", "--account", "acc_1");
  const { setup } = await json("add", "sara", "--role", "owner");
  await server.users.setPassword(setup.token, "seven blue kettles");
  expect(await json("list")).toMatchObject([
    { name: "clinic", role: "customer", account: "acc_1", status: "invited" },
    { name: "sara", role: "owner", account: null, status: "active" },
  ]);
  expect((await peyk("list")).out).not.toContain("argon2");
  expect((await peyk("disable", "clinic")).out).toBe("User clinic is disabled.\n");
  expect((await json("list"))[0]).toMatchObject({ status: "disabled" });
  const reset = await peyk("reset", "clinic");
  expect(reset.out).toContain("good once, until 2026-01-05 13:00:00Z:\n  /setup/");
  expect((await json("list"))[0]).toMatchObject({ status: "invited" });
});

test("peyk user refuses an invalid request with the reason", async () => {
  const refusal = async (...argv: string[]) => {
    const { code, err } = await peyk(...argv, "--json");
    return code === 1 ? JSON.parse(err).code : code;
  };
  expect(await refusal("add", "Sara", "--role", "owner")).toBe("invalid");
  expect(await refusal("add", "sara", "--role", "king")).toBe(2);
  expect(await refusal("add", "clinic", "--role", "customer")).toBe("invalid");
  expect(await refusal("add", "clinic", "--role", "customer", "--account", "acc_9")).toBe("account_not_found");
  await json("add", "sara", "--role", "owner");
  expect(await refusal("add", "sara", "--role", "support")).toBe("user_exists");
  expect(await refusal("disable", "sara")).toBe("last_owner");
  expect(await refusal("reset", "nobody")).toBe("user_not_found");
});
