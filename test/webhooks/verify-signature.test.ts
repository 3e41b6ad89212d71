/** docs/verify-signature.md: its samples run if their language is installed, and its vectors match what Peyk sends. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventKinds, inboundEnvelope, statusEnvelope, testEnvelope, testEventKind } from "../../src/domain/event.ts";
import { signCallback } from "../../src/domain/signature.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { testWith, type Want } from "../support/wants.ts";

interface Vector {
  what: string;
  secret: string;
  timestamp: string;
  now: number;
  signature: string;
  body: string;
  valid: boolean;
}

const page = await Bun.file(join(import.meta.dir, "../../docs/verify-signature.md")).text();

function block(language: string): string {
  const found = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1];
  if (found === undefined) throw new Error(`The page has no ${language} block`);
  return found;
}

const vectors: Vector[] = JSON.parse(block("json"));
const folder = temporaryFolder();
afterAll(() => folder.remove());

test("the bodies shown in the documentation are what Peyk writes", () => {
  const shown = block("jsonc").trim().split("\n");
  const types = shown.map((body) => {
    const { id, type, createdAt, data } = JSON.parse(body);
    const at = Date.parse(createdAt);
    const written = {
      "message.status": () => statusEnvelope(id, at, { ...data, changedAt: Date.parse(data.changedAt) }),
      "inbound.received": () => inboundEnvelope(id, at, { ...data, receivedAt: Date.parse(data.receivedAt) }),
      "webhook.test": () => testEnvelope(id, at, data.webhookId),
    }[String(type)];
    expect(written?.()).toBe(body);
    return type;
  });
  expect(types).toEqual([...eventKinds, testEventKind]);
});

/** One vector on each line, its fields in base64, so that every language reads them without a JSON parser. */
const lines = vectors
  .map(({ secret, timestamp, signature, body, now }) =>
    [secret, timestamp, signature, body, String(now)].map((field) => Buffer.from(field).toString("base64")).join(" "),
  )
  .join("\n");

interface Language {
  /** Programs that must be installed. */
  tools: readonly Want[];
  file: string;
  program: string;
  build?: readonly string[];
  run: readonly string[];
}

const languages: Record<string, Language> = {
  typescript: {
    tools: [],
    file: "verify.ts",
    program: `${block("typescript")}
      for (const line of (await Bun.stdin.text()).split("\\n")) {
        const [secret, timestamp, signature, body, now] = line.split(" ").map((field) => Buffer.from(field, "base64"));
        console.log(isAuthentic(String(secret), String(timestamp), String(signature), body!, Number(String(now))));
      }`,
    run: [process.execPath, "verify.ts"],
  },
  python: {
    tools: ["python3"],
    file: "verify.py",
    program: `${block("python")}
import base64, sys
for line in sys.stdin.read().split("\\n"):
    secret, timestamp, signature, body, now = [base64.b64decode(field) for field in line.split(" ")]
    print(is_authentic(secret.decode(), timestamp.decode(), signature.decode(), body, float(now)))
`,
    run: ["python3", "verify.py"],
  },
  php: {
    tools: ["php"],
    file: "verify.php",
    program: `${block("php")}
foreach (explode("\\n", stream_get_contents(STDIN)) as $line) {
    [$secret, $timestamp, $signature, $body, $now] = array_map('base64_decode', explode(" ", $line));
    echo is_authentic($secret, $timestamp, $signature, $body, (int) $now) ? "true\\n" : "false\\n";
}
`,
    run: ["php", "verify.php"],
  },
  csharp: {
    tools: ["mcs", "mono"],
    file: "verify.cs",
    program: `${block("csharp")}
public static class Program
{
    public static void Main()
    {
        string line;
        while ((line = Console.ReadLine()) != null)
        {
            var fields = Array.ConvertAll(line.Split(' '), Convert.FromBase64String);
            Func<int, string> text = index => Encoding.UTF8.GetString(fields[index]);
            Console.WriteLine(PeykSignature.IsAuthentic(text(0), text(1), text(2), fields[3], long.Parse(text(4))));
        }
    }
}
`,
    build: ["mcs", "-out:verify.exe", "verify.cs"],
    run: ["mono", "verify.exe"],
  },
};

describe("the documented vectors", () => {
  for (const { what, secret, timestamp, body, signature } of vectors.filter(({ valid }) => valid)) {
    test(`are what Peyk sends: ${what}`, () => {
      expect(signCallback(secret, Number(timestamp), body)).toBe(signature);
    });
  }

  test("include valid and invalid ones", () => {
    expect(vectors.filter(({ valid }) => valid).length).toBeGreaterThanOrEqual(5);
    expect(vectors.filter(({ valid }) => !valid).length).toBeGreaterThanOrEqual(9);
  });
});

describe("the documented samples", () => {
  for (const [name, language] of Object.entries(languages)) {
    testWith(...language.tools)(
      name,
      () => {
        const cwd = join(folder.path, name);
        mkdirSync(cwd);
        writeFileSync(join(cwd, language.file), language.program);
        const spawn = (command: readonly string[]) =>
          Bun.spawnSync([...command], { cwd, stdin: Buffer.from(lines), stdout: "pipe", stderr: "pipe" });
        if (language.build !== undefined) expect(spawn(language.build).stderr.toString()).toBe("");
        const { stdout, stderr } = spawn(language.run);
        expect(stderr.toString()).toBe("");
        const verdicts = stdout.toString().trim().toLowerCase().split("\n");
        expect(vectors.map(({ what }, index) => [what, verdicts[index]])).toEqual(
          vectors.map(({ what, valid }) => [what, String(valid)]),
        );
      },
      180_000,
    );
  }
});
