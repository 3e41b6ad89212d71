/** Clients that public generators make from the reference: they are generated without warnings, compile, have readable names and send. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Api, startApi } from "../support/api.ts";

const pythonGenerator = "openapi-python-client==0.29.0";
/** Maven and npm fetch for minutes on a slow line or a busy machine. */
const timeoutMs = 900_000;

let folder = "";
let api: Api;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "peyk-clients-"));
  for (const file of ["package.json", "bun.lock"]) cpSync(join(import.meta.dir, file), join(folder, file));
  api = await startApi();
  await Bun.write(join(folder, "openapi.json"), await api.fetch("/v1/openapi.json"));
  await run(process.execPath, "install", "--frozen-lockfile");
}, timeoutMs);
afterAll(async () => {
  await api.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The command's output. Throws with it if the command failed. */
async function run(...command: string[]): Promise<string> {
  const env = { ...process.env, PEYK_URL: api.base, PEYK_API_KEY: api.apiKey };
  const child = Bun.spawn(command, { cwd: folder, env, stdout: "pipe", stderr: "pipe" });
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

const guide = readFileSync(join(import.meta.dir, "..", "..", "docs", "client-libraries.md"), "utf8");

/** The lines of a language's chapter of docs/client-libraries.md: what to run, and the program that sends. */
function shown(language: string): { commands: string[]; program: string } {
  const fenced = (name: string) => guide.split(`\`\`\`${name}\n`);
  const [, program = ""] = fenced(language);
  const before = fenced("sh").filter((chapter) => chapter.includes(`\`\`\`${language}\n`));
  const [lines = ""] = (before[0] ?? "").split("\n```");
  return { commands: lines.split("\n"), program: program.split("```")[0] ?? "" };
}

/** Runs what the docs show for the language; the program prints the tracking code of a message, which is read back. */
async function sendAsShown(language: string, program: string): Promise<{ said: string; sent: unknown }> {
  const home = join(folder, language);
  mkdirSync(home);
  cpSync(join(folder, "openapi.json"), join(home, "openapi.json"));
  const guideLines = shown(language);
  await Bun.write(join(home, program), guideLines.program);
  const said = Bun.stripANSI(await run("sh", "-ec", [`cd ${language}`, ...guideLines.commands].join("\n")));
  const [trackingCode] = /(?<=^|\n)[0-9A-Z]{26}(?=\r?\n)/.exec(said) ?? [];
  return { said, sent: await (await api.call("GET", `/v1/messages/${trackingCode}`)).json() };
}

const theMessage = { sender: "982000123", recipient: "+989121234567", status: "queued" };
const lacks = (...programs: string[]) => programs.some((program) => Bun.which(program) === null);

test.skipIf(lacks("go"))(
  "oapi-codegen generates a client that compiles and sends, without the schemas that no operation refers to (wants go)",
  async () => {
    const { sent } = await sendAsShown("go", "main.go");
    const written = text("go/peyk/peyk.go");
    for (const name of ["MessageStatusEvent", "InboundReceivedEvent", "WebhookTestEvent", "CampaignSendResult"])
      expect(written).toContain(`\ntype ${name} struct {`);
    expect(sent).toMatchObject(theMessage);
  },
  timeoutMs,
);

// Said of every OpenAPI 3.1; of examples that hold their value instead of a reference; of examples of request bodies.
const javaWarnings = [
  "OpenAPI 3.1 support is still",
  "Failed to get the schema name: null",
  "Ignoring complex example",
];

test.skipIf(lacks("java", "mvn"))(
  "OpenAPI Generator's Java client compiles and sends (wants java, mvn)",
  async () => {
    const { said, sent } = await sendAsShown("java", "Send.java");
    const warnings = said.split("\n").filter((line) => /\[main\] (WARN|ERROR)/.test(line));
    expect(warnings.filter((line) => !javaWarnings.some((known) => line.includes(known)))).toEqual([]);
    expect(sent).toMatchObject(theMessage);
  },
  timeoutMs,
);

test.skipIf(lacks("mono", "mcs", "npm") || !existsSync("/usr/lib/mono/4.5/Facades/netstandard.dll"))(
  "NSwag's C# client compiles and sends (wants npm and Debian's mono-devel)",
  async () => {
    const { said, sent } = await sendAsShown("csharp", "Send.cs");
    expect(said).not.toContain("error CS");
    for (const name of ["SendMessageRequest", "MessageStatusEvent", "InboundReceivedEvent", "WebhookTestEvent"])
      expect(text("csharp/Peyk.cs")).toContain(`public partial class ${name}`);
    expect(sent).toMatchObject(theMessage);
  },
  timeoutMs,
);
