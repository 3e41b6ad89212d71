/** Clients that public generators make from the reference: they are generated without warnings, compile, and have readable names. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApi } from "../support/api.ts";

const pythonGenerator = "openapi-python-client==0.29.0";
const timeoutMs = 300_000;

let folder = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "peyk-clients-"));
  for (const file of ["package.json", "bun.lock"]) cpSync(join(import.meta.dir, file), join(folder, file));
  const api = await startApi();
  await Bun.write(join(folder, "openapi.json"), await api.fetch("/v1/openapi.json"));
  await api.stop();
  await run(process.execPath, "install", "--frozen-lockfile");
}, timeoutMs);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The command's output. Throws with it if the command failed. */
async function run(...command: string[]): Promise<string> {
  const child = Bun.spawn(command, { cwd: folder, stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed:\n${out}${err}`);
  return out + err;
}

const installed = (name: string) => join(folder, "node_modules", ".bin", name);
const text = (path: string) => readFileSync(join(folder, path), "utf8");

async function compile(file: string): Promise<void> {
  const module = [
    "--module",
    "esnext",
    "--moduleResolution",
    "bundler",
    "--target",
    "esnext",
    "--lib",
    "esnext,dom,dom.iterable",
  ];
  await run(process.execPath, installed("tsc"), "--noEmit", "--strict", "--skipLibCheck", ...module, file);
}

test(
  "openapi-typescript generates a client that compiles",
  async () => {
    await run(process.execPath, installed("openapi-typescript"), "openapi.json", "-o", "types.ts");
    await compile("types.ts");
    for (const name of ["SendMessageRequest: {", "MessageRecord: {", "MessageStatusEvent: {", "sendMessage: {"]) {
      expect(text("types.ts")).toContain(name);
    }
  },
  timeoutMs,
);

test(
  "@hey-api/openapi-ts generates a client that compiles",
  async () => {
    await run(process.execPath, installed("openapi-ts"), "-i", "openapi.json", "-o", "client");
    await compile("client/index.ts");
    for (const name of ["sendMessage", "cancelMessage", "createOtpChallenge", "listInboundMessages", "deleteWebhook"]) {
      expect(text("client/sdk.gen.ts")).toContain(`export const ${name} = `);
    }
  },
  timeoutMs,
);

test.skipIf(Bun.which("python3") === null)(
  "openapi-python-client generates a client that compiles (wants python3)",
  async () => {
    await run("python3", "-m", "venv", "venv");
    await run("venv/bin/pip", "install", "--quiet", pythonGenerator);
    const options = ["--path", "openapi.json", "--output-path", "python", "--meta", "none"];
    const said = await run("venv/bin/openapi-python-client", "generate", ...options);
    // It looks for its formatter, which is not needed here; any other warning would name something it left out.
    const warnings = said
      .split("\n")
      .filter((line) => /^\S/.test(line) && !/^(Generating|Warning\(s\)|If you believe)/.test(line));
    expect(new Set(warnings)).toEqual(new Set(["Skipping Integration", "ruff is not in PATH"]));
    await run("venv/bin/python", "-m", "compileall", "-q", "python");
    expect(readdirSync(join(folder, "python", "api", "messages"))).toEqual(
      expect.arrayContaining(["send_message.py", "get_message.py", "cancel_message.py", "schedule_message.py"]),
    );
    expect(readdirSync(join(folder, "python", "models"))).toContain("send_message_request.py");
  },
  timeoutMs,
);

const goGenerator = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2";

test.skipIf(Bun.which("go") === null)(
  "oapi-codegen generates a client that compiles, without the schemas that no operation refers to (wants go)",
  async () => {
    await run(
      "go",
      "run",
      goGenerator,
      "-generate",
      "types,client",
      "-package",
      "peyk",
      "-o",
      "peyk.go",
      "openapi.json",
    );
    const written = text("peyk.go");
    for (const name of ["MessageStatusEvent", "InboundReceivedEvent", "WebhookTestEvent", "CampaignSendResult"])
      expect(written).toContain(`\ntype ${name} struct {`);
    await run("go", "mod", "init", "example.com/peyk");
    await run("go", "mod", "tidy");
    await run("go", "vet", ".");
  },
  timeoutMs,
);
