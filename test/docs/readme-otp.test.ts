/** The one-time password of the README: its commands as printed, from the challenge to the right code. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Customer, eventually, PeykProcess, peykCommand } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

// A process on a busy machine.
setDefaultTimeout(30_000);

const readme = readFileSync(join(import.meta.dir, "..", "..", "README.md"), "utf8");
let peyk: PeykProcess;
let customer: Customer;
let folder: ReturnType<typeof temporaryFolder>;

beforeAll(async () => {
  folder = temporaryFolder();
  peyk = await PeykProcess.start({ folder: folder.path });
  customer = await peyk.customer("30001234");
});
afterAll(async () => {
  await peyk.stop();
  folder.remove();
});

/** The command that begins like this and contains the word, with its continuation lines. */
function printed(beginning: string, word: string): string {
  const commands = readme.replaceAll("\\\n", " ").split("\n");
  const found = commands.find((line) => line.startsWith(beginning) && line.includes(word));
  if (found === undefined) throw new Error(`The README has no ${beginning} … ${word}`);
  return found;
}

async function run(command: string): Promise<string> {
  const line = command
    .replaceAll("http://127.0.0.1:8080", peyk.url)
    .replaceAll("$API_KEY", customer.apiKey)
    .replace(/^peyk /, `${peykCommand.join(" ")} `);
  const child = Bun.spawn(["sh", "-c", line], {
    stdout: "pipe",
    stderr: "ignore",
    env: { ...process.env, PEYK_DATA_DIR: peyk.folder },
  });
  return new Response(child.stdout).text();
}

test("the README's one-time password reaches the simulated phone and verifies", async () => {
  const challenge = await run(printed("curl", "/v1/otp/challenges "));
  const [, challengeId = ""] = /"challengeId":"([^"]+)"/.exec(challenge) ?? [];
  expect(challengeId).not.toBe("");
  let code = "";
  await eventually(async () => {
    [, code = ""] = / (\d{6})\b/.exec(await run(printed("peyk", "simulator inbox"))) ?? [];
    return code !== "";
  });
  const verify = printed("curl", "/verify").replace("CHALLENGE_ID", challengeId);
  expect(await run(verify.replace("CODE", code))).toContain('"status":"verified"');
});
