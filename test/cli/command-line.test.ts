import { describe, expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { processIo } from "../../src/cli/io.ts";
import { createProgram } from "../../src/cli/program.ts";
import { rootServeWarning } from "../../src/cli/serve.ts";
import { formatDuration, shortTime } from "../../src/cli/text.ts";
import { timeText } from "../../src/cli/time.ts";
import { durationSeconds } from "../../src/cli/values.ts";
import { exampleFile } from "../../src/config/example.ts";
import { defaultSettings, loadSettings } from "../../src/config/settings.ts";
import { version } from "../../src/platform/version.ts";
import { createAuthority } from "../support/certificates.ts";
import { runCli } from "../support/cli.ts";
import { createOperatorServer } from "../support/operator.ts";
import { peykCommand } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { testWith } from "../support/wants.ts";

type Verb = ReturnType<typeof createProgram>["commands"][number];

function leaves(command: Verb, path: readonly string[]): { path: string[]; command: Verb }[] {
  const here = [...path, command.name()];
  return command.commands.length === 0
    ? [{ path: here, command }]
    : command.commands.flatMap((sub) => leaves(sub, here));
}

const verbs = createProgram(processIo).commands.flatMap((command) => leaves(command, []));

describe("every verb", () => {
  for (const { path, command } of verbs) {
    // They do not ask a running service.
    if (["serve", "demo", "upgrade", "completion", "system"].includes(path[0] ?? "")) continue;
    test(`peyk ${path.join(" ")} has --json, --data-dir, --socket, and help with an example`, async () => {
      const names = command.options.map((option) => option.long);
      expect(names).toEqual(expect.arrayContaining(["--json", "--data-dir", "--socket"]));
      const help = await runCli([...path, "--help"]);
      expect(help).toMatchObject({ code: 0, err: "" });
      expect(help.out).toMatch(new RegExp(`Examples?:\\n  peyk ${path.join(" ")}`));
    });
  }

  test("exists under its documented name", () => {
    const nouns: Record<string, string[]> = {
      account: ["create", "update", "list", "show", "suspend", "resume"],
      key: ["create", "list", "rotate", "revoke"],
      sender: ["add", "list", "activate", "deactivate", "remove"],
      route: ["add", "list", "show", "update", "enable", "disable", "remove"],
      message: ["show", "search"],
      config: ["show", "check"],
    };
    const known = verbs.map(({ path }) => path.join(" "));
    for (const [noun, names] of Object.entries(nouns))
      expect(known).toEqual(expect.arrayContaining(names.map((name) => `${noun} ${name}`)));
    expect(known).toEqual(expect.arrayContaining(["status", "version"]));
  });
});

describe("a misuse of the command line", () => {
  const wrong = [
    [],
    ["account"],
    ["acount", "list"],
    ["account", "crate"],
    ["account", "create"],
    ["account", "create", "--name"],
    ["account", "list", "extra"],
    ["account", "list", "--wrong"],
    ["account", "show"],
    ["sender", "add", "--account", "acc_1"],
    ["route", "add", "--kind", "simulator"],
    ["serve", "extra"],
    ["serve", "--listen", "nowhere"],
    ["serve", "--console-listen", "127.0.0.1:99999"],
  ];
  for (const argv of wrong) {
    test(`peyk ${argv.join(" ")} is refused on stderr and exits 2`, async () => {
      const run = await runCli(argv);
      expect([run.code, run.out]).toEqual([2, ""]);
      expect(run.err.length).toBeGreaterThan(20);
    });
  }

  test("exits 2, but a wrong environment variable or a missing settings file exits 1", async () => {
    const folder = temporaryFolder();
    const argv = ["serve", "--data-dir", folder.path];
    const badEnvironment = await runCli(argv, { env: { PEYK_LISTEN: "nowhere" } });
    expect(badEnvironment).toMatchObject({ code: 1, out: "", err: expect.stringContaining("PEYK_LISTEN") });
    expect((await runCli([...argv, "--config", join(folder.path, "none.toml")])).code).toBe(1);
    folder.remove();
  });

  test("includes arguments that are not UTF-8", async () => {
    const [shell, octets] = ["/bin/sh", "printf '\\332\\341\\355'"];
    const line = `exec "$@" message send --account acc_1 --recipient 09121234500 --message "$(${octets})"`;
    const child = Bun.spawn([shell, "-c", line, shell, ...peykCommand], { stdout: "ignore", stderr: "pipe" });
    expect(await new Response(child.stderr).text()).toMatch(/^peyk: ".+" is not UTF-8\./);
    expect(await child.exited).toBe(2);
  });

  test("is answered with the nearest known word", async () => {
    expect((await runCli(["acount", "list"])).err).toContain("Did you mean account?");
    expect((await runCli(["account", "list", "--jsno"])).err).toContain("Did you mean --json?");
    expect((await runCli(["account", "frobnicate"])).err).toContain("Commands: create, update, list, show, suspend,");
  });
});

describe("without a running service", () => {
  test("a command says that it is not running and how to start it, and exits 1", async () => {
    const folder = temporaryFolder();
    const run = await runCli(["account", "list", "--data-dir", folder.path]);
    expect(run).toMatchObject({ code: 1, out: "" });
    expect(run.err).toContain(`The service is not running: nothing answers at ${folder.path}/peyk.sock`);
    expect(run.err).toContain(`peyk serve --data-dir ${folder.path}`);
    const asJson = await runCli(["account", "list", "--data-dir", folder.path, "--json"]);
    expect(JSON.parse(asJson.err)).toMatchObject({ code: "no_appliance" });
    writeFileSync(join(folder.path, "peyk.sock"), "");
    expect(await runCli(["status", "--data-dir", folder.path])).toMatchObject({
      code: 1,
      err: expect.stringContaining("The service is not running"),
    });
    const long = join(folder.path, "x".repeat(300));
    for (const socket of [
      join(folder.path, "peyk.sock", "below"),
      long,
      join(folder.path, "x".repeat(120), "peyk.sock"),
    ]) {
      expect(await runCli(["status", "--socket", socket])).toMatchObject({
        code: 1,
        err: expect.stringContaining(`nothing answers at ${socket}.`),
      });
    }
    folder.remove();
  });

  test("version works, as a command and as an option", async () => {
    expect((await runCli(["version"])).out).toStartWith(`peyk ${version} (bun ${Bun.version}`);
    expect(JSON.parse((await runCli(["version", "--json"])).out)).toMatchObject({ version });
    expect(await runCli(["--version"])).toMatchObject({ code: 0, out: `${version}\n` });
  });
});

test("a service that closes the connection is reported in Peyk's words, not the library's", async () => {
  const folder = temporaryFolder();
  const socket = join(folder.path, "peyk.sock");
  const listener = Bun.listen({ unix: socket, socket: { data: (connection) => void connection.end() } });
  expect(await runCli(["status", "--data-dir", folder.path])).toEqual({
    code: 1,
    out: "",
    err: `peyk: The service at ${socket} closed the connection before it answered. Its log says more.\n`,
  });
  listener.stop(true);
  folder.remove();
});

test("a service that ends in the middle of an import is reported in Peyk's words", async () => {
  const folder = temporaryFolder();
  const file = join(folder.path, "numbers.csv");
  writeFileSync(file, "mobile\n09121234567\n");
  const line = JSON.stringify({ kind: "progress", lines: 1 });
  const head = "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n";
  const listener = Bun.listen({
    unix: join(folder.path, "peyk.sock"),
    socket: {
      data: (connection) => {
        connection.end(`${head}${(line.length + 1).toString(16)}\r\n${line}\n\r\n`);
      },
    },
  });
  expect(await runCli(["suppression", "import", "--csv", file, "--data-dir", folder.path])).toEqual({
    code: 1,
    out: "",
    err: "peyk: The service closed the connection before the import ended. Run it again; its log says more.\n",
  });
  listener.stop(true);
  folder.remove();
});

describe("the service's socket is found", () => {
  test("by option, environment or settings file", async () => {
    const server = await createOperatorServer();
    const config = join(server.folder, "other.toml");
    writeFileSync(config, `data_dir = "${server.folder}"`);
    const ways: [string[], Record<string, string>][] = [
      [["--socket", server.socketPath], {}],
      [["--socket", server.socketPath, "--data-dir", "/nowhere"], {}],
      [["--data-dir", server.folder], { PEYK_DATA_DIR: "/nowhere" }],
      [[], { PEYK_SOCKET: server.socketPath }],
      [[], { PEYK_DATA_DIR: server.folder }],
      [[], { PEYK_CONFIG: config }],
    ];
    for (const [flags, env] of ways)
      expect(await runCli(["account", "list", "--json", ...flags], { env })).toMatchObject({ code: 0, out: "[]\n" });
    writeFileSync(config, "data_dri = 5");
    expect(await runCli(["account", "list"], { env: { PEYK_CONFIG: config } })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Did you mean data_dir\?\nWith --data-dir DIR or --socket PATH, .* is reached/),
    });
    await server.close();
  });

  test("in a folder that is named, whatever mistake its settings file has", async () => {
    const server = await createOperatorServer();
    writeFileSync(join(server.folder, "peyk.toml"), "listen =");
    const run = await runCli(["account", "list", "--json"], { env: { PEYK_DATA_DIR: server.folder } });
    expect(run).toMatchObject({ code: 0, out: "[]\n" });
    await server.close();
  });

  test("a socket that may not be opened is reported as such", async () => {
    if (process.getuid?.() === 0) return;
    const folder = temporaryFolder();
    const locked = join(folder.path, "locked");
    mkdirSync(locked);
    chmodSync(locked, 0);
    expect(await runCli(["status", "--data-dir", locked])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/You may not open .* Use sudo/),
    });
    chmodSync(locked, 0o700);
    folder.remove();
  });
});

describe("peyk config", () => {
  test("shows every setting with its origin", async () => {
    const env = { PEYK_IDEMPOTENCY_MISMATCH: "reject" };
    const plain = JSON.parse((await runCli(["config", "show", "--json"], { env })).out);
    expect(plain).toMatchObject({
      data_dir: "./data",
      "idempotency.mismatch": "reject",
      "webhooks.trusted_destinations": [],
      "tls.cert_file": null,
    });
    const withOrigin = JSON.parse(
      (await runCli(["config", "show", "--origin", "--json", "--data-dir", "/x"], { env })).out,
    );
    expect(withOrigin).toMatchObject({
      data_dir: { value: "/x", origin: "flag --data-dir" },
      "idempotency.mismatch": { value: "reject", origin: "environment PEYK_IDEMPOTENCY_MISMATCH" },
      "otp.per_day": { value: 10, origin: "default" },
    });
    expect((await runCli(["config", "show", "--origin"], { env })).out).toMatch(
      /idempotency\.mismatch +"reject" +environment PEYK_IDEMPOTENCY_MISMATCH\n/,
    );
  });

  test("checks a file and reports all problems at once", async () => {
    const folder = temporaryFolder();
    const path = join(folder.path, "peyk.toml");
    writeFileSync(path, "[http]\nrequest_per_minute = 5\n[idempotency]\ndays = 0\n");
    const run = await runCli(["config", "check", "--config", path]);
    expect(run).toMatchObject({ code: 1, out: "" });
    expect(run.err.trim().split("\n")).toEqual([
      "peyk: The settings have 2 problems:",
      `${path} line 2: there is no setting http.request_per_minute. Did you mean http.requests_per_minute?`,
      `${path} line 4: idempotency.days must be a whole number from 1 to 3650, not 0.`,
    ]);
    writeFileSync(path, "[http]\nrequests_per_minute = 5\n");
    expect(await runCli(["config", "check", "--data-dir", folder.path])).toMatchObject({
      code: 0,
      out: `The settings are good (${path}).\n`,
    });
    folder.remove();
  });

  test("checks the files named by the settings the way startup would", async () => {
    const folder = temporaryFolder();
    const path = join(folder.path, "peyk.toml");
    const [missing, noCertificate] = [join(folder.path, "missing.pem"), join(folder.path, "no.pem")];
    writeFileSync(noCertificate, "no certificate");
    const tls = `[tls]\ncert_file = "${noCertificate}"\nkey_file = "${noCertificate}"\n`;
    writeFileSync(path, `[webhooks]\nca_file = "${missing}"\n${tls}`);
    const run = await runCli(["config", "check", "--config", path]);
    expect(run).toMatchObject({ code: 1, out: "" });
    expect(run.err).toContain(`tls.cert_file, ${noCertificate}, holds no PEM certificate`);
    expect(run.err).toContain(`webhooks.ca_file, ${missing}, cannot be used`);
    folder.remove();
  });

  testWith("root")("judges these files as the service's user would see them", async () => {
    const folder = temporaryFolder();
    const data = join(folder.path, "data");
    const path = join(folder.path, "peyk.toml");
    const caFile = join(folder.path, "ca.pem");
    const nobody = 65534;
    chmodSync(folder.path, 0o711);
    mkdirSync(data, { mode: 0o700 });
    chownSync(data, nobody, nobody);
    writeFileSync(caFile, createAuthority().cert, { mode: 0o600 });
    writeFileSync(path, `[webhooks]\nca_file = "${caFile}"\n`, { mode: 0o600 });
    const check = () => runCli(["config", "check", "--config", path, "--data-dir", data]);
    const refused = await check();
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toContain(`${path} may not be read by the service's user`);
    expect(refused.err).toContain(`webhooks.ca_file, ${caFile}, cannot be used: EACCES`);
    const doctor = await runCli(["doctor", "--json", "--config", path, "--data-dir", data]);
    expect(doctor.out).toContain(`${path} may not be read by the service's user`);
    for (const file of [path, caFile]) chownSync(file, 0, nobody);
    for (const file of [path, caFile]) chmodSync(file, 0o640);
    expect(await check()).toMatchObject({ code: 0, err: "" });
    // Root goes on as root.
    expect(process.geteuid?.()).toBe(0);
    folder.remove();
  });

  test("prints an example file with every key and its default, valid when uncommented", async () => {
    const { out } = await runCli(["config", "example"]);
    expect(out).toBe(exampleFile());
    const uncommented = out.replaceAll(/^#([a-z_]+ = )/gm, "$1");
    const loaded = loadSettings({ flags: {}, env: {}, configFile: "peyk.toml", readFile: () => uncommented });
    expect(loaded.ok && loaded.settings).toEqual(defaultSettings());
    expect(loaded.ok && [...loaded.origins.values()].every((origin) => origin.source === "file")).toBe(true);
    const commented = loadSettings({ flags: {}, env: {}, configFile: "peyk.toml", readFile: () => out });
    expect(commented.ok && [...commented.origins.values()].every((origin) => origin.source === "default")).toBe(true);
  });
});

describe("option values", () => {
  test("are parsed as durations and times", () => {
    expect(["0", "1s", "2m", "3h", "4d"].map((text) => durationSeconds("--grace", text))).toEqual([
      0, 1, 120, 10_800, 345_600,
    ]);
    expect(timeText("--from", "2028-02-29")).toBe("2028-02-29T00:00:00.000Z");
    expect(timeText("--from", "1405-09-10")).toBe("2026-12-01T00:00:00.000Z");
    expect(timeText("--from", "1405-09-10 08:00+03:30")).toBe("2026-12-01T04:30:00.000Z");
    expect(timeText("--from", "2028-02-29T23:59:60Z".replace(":60", ":59"))).toBe("2028-02-29T23:59:59.000Z");
    for (const wrong of ["2027-02-29", "2027-13-01", "2027-01-01T25:00:00Z", "1700000000"])
      expect(() => timeText("--from", wrong)).toThrow("--from must be a date");
    expect([0, 59, 60, 3_661, 200_000].map(formatDuration)).toEqual(["0 s", "59 s", "1 min", "1 h 1 min", "2 d 7 h"]);
  });
});

describe("a time", () => {
  const now = new Date(2026, 10, 20, 12, 30, 15);
  const parsed = (text: string) => timeText("--from", text, now);
  const local = (...parts: [number, number, number, number?, number?, number?]) => new Date(...parts).toISOString();

  test("is accepted as it is printed, with any offset, and as local time without one", () => {
    expect(parsed("2026-11-20 15:36:00Z")).toBe("2026-11-20T15:36:00.000Z");
    expect(parsed("2026-11-20 15:36+03:30")).toBe("2026-11-20T12:06:00.000Z");
    expect(parsed("2026-11-20T15:36:00.250Z")).toBe("2026-11-20T15:36:00.250Z");
    expect(parsed("2026-11-20 15:36")).toBe(local(2026, 10, 20, 15, 36));
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true }), (date) => {
        const seconds = new Date(Math.floor(date.getTime() / 1000) * 1000).toISOString();
        expect(parsed(shortTime(seconds))).toBe(seconds);
      }),
    );
  });

  test("is today's if only the hour is given, and a day may be a word", () => {
    expect(parsed("16:46")).toBe(local(2026, 10, 20, 16, 46));
    expect(parsed("16:46:05")).toBe(local(2026, 10, 20, 16, 46, 5));
    expect(parsed("today")).toBe(local(2026, 10, 20));
    expect(parsed("yesterday")).toBe(local(2026, 10, 19));
    expect(parsed("yesterday 16:46")).toBe(local(2026, 10, 19, 16, 46));
    expect(parsed("tomorrow 08:00")).toBe(local(2026, 10, 21, 8));
  });

  test("that does not exist is refused", () => {
    for (const wrong of [
      "",
      "2026-11-20T15:36",
      "24:00",
      "16:60",
      "yesterday ",
      "yesterday16:46",
      "2026-02-30 10:00",
      "16:46Z",
      "now",
    ])
      expect(() => parsed(wrong)).toThrow("--from must be a date");
  });
});

test("peyk serve run by root beside an installed service prints a warning", () => {
  const root = { isRoot: true, startedBySystemd: false, installed: true, dataDir: "./data" };
  expect(rootServeWarning(root)).toContain("a second one, with its own data in ./data");
  expect(rootServeWarning({ ...root, dataDir: "/var/lib/peyk/" })).toContain(
    "files that root leaves in /var/lib/peyk/",
  );
  for (const part of [{ isRoot: false }, { startedBySystemd: true }, { installed: false }])
    expect(rootServeWarning({ ...root, ...part })).toBeNull();
});

describe("runCli", () => {
  test("takes argv, and returns exit code, stdout and stderr", async () => {
    const main = join(import.meta.dir, "../../src/main.ts");
    const run = async (...argv: string[]) => {
      const child = Bun.spawn([process.execPath, main, ...argv], {
        stdout: "pipe",
        stderr: "pipe",
        env: { PATH: process.env.PATH },
      });
      const [out, err, code] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ]);
      return { out, err, code };
    };
    expect(await run("version")).toMatchObject({ code: 0, err: "", out: expect.stringContaining(version) });
    expect(await run("nonsense")).toMatchObject({ code: 2, out: "" });
    expect(await run("status", "--data-dir", "/nowhere")).toMatchObject({ code: 1, out: "" });
  });
});

describe("output that cannot be written", () => {
  const shell = (script: string) => {
    const { exitCode, stderr } = Bun.spawnSync(["bash", "-c", script, "peyk", ...peykCommand]);
    return { exitCode, err: stderr.toString() };
  };

  test("ends the command quietly when the reader closed the pipe", () => {
    expect(shell('set -o pipefail; "$@" message search --help | true')).toEqual({ exitCode: 0, err: "" });
  });

  test("is reported in words when the disk is full", () => {
    const { exitCode, err } = shell('"$@" --help > /dev/full');
    expect({ exitCode, lines: err.trim().split("\n").length }).toEqual({ exitCode: 1, lines: 1 });
    expect(err).toMatch(/^peyk: The output cannot be written: ENOSPC/);
  });
});
