/** What a person at a terminal sees: colours, grouped help, and one sentence for one thing. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { runCli } from "../support/cli.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";
import { eventually } from "../support/peyk-process.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
});
afterEach(() => server.close());

const csi = "\u001b[";

test("status and doctor are coloured at a terminal, and say the same without colours", async () => {
  for (const command of ["status", "doctor"]) {
    const run = (outIsTerminal: boolean, env: Record<string, string> = {}, ...more: string[]) =>
      runCli([command, "--data-dir", server.folder, ...more], { outIsTerminal, env });
    const lines = (text: string) => stripVTControlCharacters(text).split("\n").length;
    // On a busy machine a condition may begin or end between two of them.
    await eventually(async () => {
      const [shown, piped] = [await run(true), await run(false)];
      expect(shown.out).toContain(csi);
      expect(piped.out).not.toContain(csi);
      return lines(shown.out) === lines(piped.out);
    });
    expect((await run(true, { NO_COLOR: "1" })).out).not.toContain(csi);
    expect((await run(true, { NO_COLOR: "" })).out).toContain(csi);
    expect((await run(true, { TERM: "dumb" })).out).not.toContain(csi);
    expect((await run(true, {}, "--json")).out).not.toContain(csi);
  }
});

test("a state is coloured where states stand, and a column keeps its width", async () => {
  await runCli(["route", "add", "up", "--kind", "simulator", "--data-dir", server.folder]);
  const { out } = await runCli(["status", "--data-dir", server.folder], { outIsTerminal: true });
  const line = out.split("\n").find((one) => one.startsWith("up ")) ?? "";
  expect(line).toContain(`simulator  ${csi}`);
  const head = stripVTControlCharacters(out)
    .split("\n")
    .find((one) => one.startsWith("ROUTE"));
  expect(stripVTControlCharacters(line).indexOf("simulator")).toBe(head?.indexOf("KIND") ?? -1);
});

test("status counts the credentials that work", async () => {
  const run = (...argv: string[]) => runCli([...argv, "--data-dir", server.folder]);
  await run("account", "create", "--name", "Clinic");
  await run("key", "create", "--account", "acc_1", "--name", "till");
  for (const name of ["one", "two"]) {
    const made = await run(
      "credential",
      "create",
      "--key",
      "key_1",
      "--kind",
      "kannel",
      "--name",
      name,
      "--traffic",
      "single",
    );
    expect(made.err).toBe("");
  }
  await run("credential", "revoke", "cred_1");
  expect((await run("status")).out).toMatch(/^Credentials +1 active$/m);
  expect(JSON.parse((await run("status", "--json")).out)).toMatchObject({ credentials: 1 });
});

test("the commands stand in groups, each once", async () => {
  const { out } = await runCli(["--help"]);
  const groups = [...out.matchAll(/^([A-Z][^\n:]*):$/gm)].map(([, name]) => name);
  expect(groups.slice(0, 5)).toEqual(["Options", "The service", "Customers", "Carriers", "Messages"]);
  expect(groups).not.toContain("Commands");
  const commands = [...out.matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name]) => name);
  expect(commands.length).toBeGreaterThan(40);
  expect(new Set(commands).size).toBe(commands.length);
});

test("help of a command is found by all its words", async () => {
  const { out, code } = await runCli(["help", "account", "create"]);
  expect(out).toStartWith("Usage: peyk account create ");
  expect(code).toBe(0);
  expect((await runCli(["help", "account"])).out).toStartWith("Usage: peyk account ");
});

test("with --json a wrong call is told as JSON, and still exits with 2", async () => {
  const wrong = async (...argv: string[]) => {
    const { code, out, err } = await runCli([...argv, "--json", "--data-dir", server.folder]);
    expect([code, out]).toEqual([2, ""]);
    return JSON.parse(err);
  };
  expect(await wrong("account", "craete")).toMatchObject({ code: "usage", problems: [] });
  expect((await wrong("account", "craete")).message).toContain("Did you mean create?");
  expect((await wrong("account", "create")).message).toBe("required option '--name <name>' not specified");
  expect((await wrong("account", "list", "--limit", "none")).message).toContain("--limit");
  const asText = await runCli(["account", "create", "--data-dir", server.folder]);
  expect(asText).toMatchObject({ code: 2, err: "peyk: error: required option '--name <name>' not specified\n" });
});

test("doctor checks the service of the settings file that it was given", async () => {
  const config = join(server.folder, "other.toml");
  writeFileSync(config, `data_dir = "${server.folder}"\nconsole_listen = "127.0.0.1:9181"\n`);
  const { out } = await runCli(["doctor", "--json", "--config", config]);
  const said = (check: string) => JSON.parse(out).find((one: { check: string }) => one.check === check);
  expect(said("documentation").says).toBe("http://127.0.0.1:9181/help/troubleshooting");
  expect(said("service")).toMatchObject({ grade: "ok" });
});
