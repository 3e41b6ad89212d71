import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/test-server.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** For a test that starts the demo, in milliseconds: many times what it takes alone. */
const slow = 60_000;

const main = join(import.meta.dir, "../../src/main.ts");
const environment = () => ({
  PATH: process.env.PATH,
  TMPDIR: folder.path,
  PEYK_LISTEN: "not an address",
  http_proxy: "http://127.0.0.1:1",
});

function start(...argv: string[]) {
  return Bun.spawn([process.execPath, main, ...argv], { stdout: "pipe", stderr: "pipe", env: environment() });
}

async function shell(line: string): Promise<string> {
  const child = Bun.spawn(["sh", "-c", line], { stdout: "pipe", env: { PATH: process.env.PATH } });
  return new Response(child.stdout).text();
}

const leftOvers = () => readdirSync(folder.path).filter((name) => name.startsWith("peyk-demo"));

describe("peyk demo", () => {
  test(
    "with --once shows a message in each outcome, a group, a pattern and a masked code, and leaves no files",
    async () => {
      const child = start("demo", "--once");
      const [out, err, code] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ]);
      expect([code, err]).toEqual([0, ""]);
      const steps = out.split(/^\d\. /m);
      expect(steps[1]).toMatch(/202 [\s\S]*queued[\s\S]*processing[\s\S]*sent[\s\S]*delivered/);
      expect(steps[2]).toMatch(/200 .*duplicate: true/);
      expect(steps[3]).toMatch(/failed[\s\S]*undeliverable: /);
      expect(steps[4]).toMatch(/POST \/v1\/messages\/scheduled[\s\S]*"sendAt"[\s\S]*202 [\s\S]*queued/);
      expect(steps[5]).toMatch(/\/cancel\n {3}200 cancelled at /);
      expect(steps[6]).toMatch(/approved-groups[\s\S]*202 .*: سلام علی\n[\s\S]*202 .*: سلام Sara\n/);
      expect(steps[7]).toMatch(/patterns\/ready[\s\S]*202 /);
      expect(steps[8]).toMatch(
        /otp\/challenges[\s\S]*200 pending, 4 attempts left[\s\S]*simulated phone: Your verification code: \d{6}\n[\s\S]*200 verified, [\s\S]*Your verification code: \*{6}\n/,
      );
      expect(leftOvers()).toEqual([]);
    },
    slow,
  );

  test(
    "stays open, every command it prints works as printed, and its link signs the owner in once",
    async () => {
      const child = start("demo");
      let out = "";
      const reading = (async () => {
        const decoder = new TextDecoder();
        for await (const chunk of child.stdout) out += decoder.decode(chunk, { stream: true });
      })();
      while (!out.includes("Ctrl-C ends the demo.")) await Bun.sleep(20);
      const [send = "", look = "", search = "", status = "", inbox = "", consoleLink = ""] = out
        .split("\n")
        .filter((line) => /^ {2}\S/.test(line));
      const answer = await shell(send);
      const code = /"trackingCode":"([^"]+)"/.exec(answer)?.[1] ?? answer;
      expect(await shell(look.replace("TRACKING_CODE", code))).toContain(`"trackingCode":"${code}"`);
      expect(await shell(search)).toContain(code);
      expect(await shell(status)).toContain("NOTHING IS REALLY SENT");
      expect(await shell(inbox)).toContain("سلام! این نخستین پیام شما با پیک است.");
      const come = await fetch(consoleLink, { redirect: "manual" });
      const consoleUrl = come.headers.get("Location") ?? "";
      const Cookie = come.headers.get("Set-Cookie")?.split(";")[0] ?? "";
      // Once somebody has signed in, customers send.
      const page = async () => (await fetch(consoleUrl, { headers: { Cookie } })).text();
      // The tour took the first steps.
      expect(await page()).not.toContain("begin-step");
      while (!(await page()).includes("operator-b")) await Bun.sleep(100);
      const again = await fetch(consoleLink, { redirect: "manual" });
      expect([again.status, again.headers.get("Set-Cookie")]).toEqual([410, null]);
      expect(await again.text()).toContain("user reset owner --data-dir");
      const other = await fetch(new URL("/setup/other", consoleLink), { redirect: "manual" });
      expect([other.status, other.headers.get("Set-Cookie")]).toEqual([404, null]);
      child.kill("SIGINT");
      expect(await child.exited).toBe(0);
      await reading;
      expect(leftOvers()).toEqual([]);
    },
    slow,
  );

  test(
    "ends on a signal in the middle of the tour",
    async () => {
      const child = start("demo");
      const reader = child.stdout.getReader();
      await reader.read();
      child.kill("SIGTERM");
      // As npm and bun forward what the terminal sent to all.
      await Bun.sleep(10);
      child.kill("SIGTERM");
      expect(await child.exited).toBe(0);
      expect(leftOvers()).toEqual([]);
    },
    slow,
  );

  test(
    "leaves no files when its terminal is closed or its reader goes away",
    async () => {
      const closed = start("demo");
      await closed.stdout.getReader().read();
      closed.kill("SIGHUP");
      expect(await closed.exited).toBe(129);
      await shell(`TMPDIR=${folder.path} ${process.execPath} ${main} demo --once | head -1`);
      expect(leftOvers()).toEqual([]);
    },
    slow,
  );

  test("reports when no temporary folder can be made", async () => {
    const TMPDIR = join(folder.path, "none");
    const child = Bun.spawn([process.execPath, main, "demo"], { stderr: "pipe", env: { ...environment(), TMPDIR } });
    const why = "it does not exist. Set TMPDIR to another folder.";
    expect(await new Response(child.stderr).text()).toBe(
      `peyk: No temporary folder can be made in ${TMPDIR}: ${why}\n`,
    );
    expect(await child.exited).toBe(1);
  });
});
