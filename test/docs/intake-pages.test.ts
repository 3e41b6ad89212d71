/** What the pages of intakes by family show to copy works: the template, the command, and the program's call. */
import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { intakePresetNames } from "../../src/domain/intake/intake-presets.ts";
import { DropInServer } from "../support/drop-in-server.ts";

const folder = join(import.meta.dir, "../../docs/intake");
const password = "PASSWORD4711";
const trafficNames = ["bulk", "single", "code"] as const;

const sections = readdirSync(folder).flatMap((file) => {
  const [, ...all] = readFileSync(join(folder, file), "utf8").split(/^## /m);
  return all.map((text) => ({ program: text.slice(0, text.indexOf("\n")), text }));
});
const block = (text: string, language: string) =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1] ?? "";
const flag = (text: string, name: string) => new RegExp(`--${name} (\\S+)`).exec(text)?.[1] ?? "";

let server: DropInServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

/** In the shell, as it is pasted; prints the status behind the answer. */
async function pasted(call: string, url: string): Promise<string> {
  const script = `${call.trim().replaceAll("https://sms.example.com:13013", url).replaceAll("PASSWORD", password)} -s -w ' %{http_code}'`;
  const child = Bun.spawn(["sh", "-c", script], { stdout: "pipe", stderr: "inherit" });
  return new Response(child.stdout).text();
}

describe("pages of intakes", () => {
  test("name each program's URL, its command and its call, and say what follows", () => {
    expect(sections.length).toBe(14);
    for (const { program, text } of sections) {
      const name = flag(block(text, "console"), "username");
      const command = block(text, "console");
      const missing = [
        `--template ${name}.json`,
        `--password-file ${name}.password`,
        `https://sms.example.com:13013/in/${name}`,
        "fter success",
      ].filter((words) => !text.includes(words));
      expect([program, missing, command.startsWith("$ peyk credential create --key key_1 --kind intake")]).toEqual([
        program,
        [],
        true,
      ]);
    }
    const shown = sections.map(({ text }) => String(JSON.parse(block(text, "json")).preset));
    expect(shown.filter((preset) => !intakePresetNames.some((name) => name === preset))).toEqual([]);
  });

  for (const { program, text } of sections)
    test.skipIf(Bun.which("curl") === null)(
      `${program}: the call that is shown is taken, and a number that is none is refused`,
      async () => {
        const command = block(text, "console");
        const traffic = trafficNames.find((name) => name === flag(command, "traffic"));
        const template: object = JSON.parse(block(text, "json"));
        const name = flag(command, "username");
        server = await DropInServer.start([
          { kind: "intake", name, password, template, ...(traffic !== undefined && { traffic }) },
        ]);
        const call = block(text, "sh");
        expect(await pasted(call, server.url)).toEndWith(" 200");
        expect(server.messages().map(({ recipient }) => recipient)).toContain("+989121234567");
        const count = server.messages().length;
        const wrong = call.replaceAll(/(?<=\D)(?:\+?98|0)9\d{9}/g, "12").replaceAll(/"key":"|-d id=/g, "$&7");
        expect(await pasted(wrong, server.url)).toMatch(/"code":"[a-z_]+".* 400$/);
        expect(await pasted(call.replaceAll("PASSWORD", "PASSWORDx"), server.url)).toEndWith(" 401");
        expect(server.messages()).toHaveLength(count);
      },
    );

  test("show Kratos's Jsonnet as it is encoded", () => {
    const text = sections.find(({ program }) => program === "Ory Kratos")?.text ?? "";
    const encoded = /base64:\/\/(\S+)/.exec(text)?.[1] ?? "";
    expect(text).toContain(`\`${Buffer.from(encoded, "base64").toString()}\``);
  });
});
