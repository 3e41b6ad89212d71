/** `peyk demo`: a whole appliance in a temporary folder, a tour through its real API, and what to try next. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "@commander-js/extra-typings";
import { defaultSettings } from "../config/settings.ts";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { systemRandom } from "../platform/random.ts";
import { answerOf, operatorClient } from "./client.ts";
import { approvedTour, prepareApproved } from "./demo-groups-and-otp.ts";
import { type DemoAccount, type Say, tour, watchScheduled } from "./demo-tour.ts";
import type { CliIo } from "./io.ts";
import { forgetProxies, stopSignal } from "./serve.ts";

/** Slow enough to be watched, and as a network is: an answer, then a receipt. */
const simulatorDelayMs = 400;
/** The tour asks for the status many times a second. */
const requestsPerMinute = 1_000_000;
const sender = "30001234";

export function demoCommand(io: CliIo) {
  return new Command("demo")
    .description("a tour: everything in a temporary folder, real requests, and no message leaves this machine")
    .option("--once", "end after the tour instead of staying open for your own requests")
    .addHelpText("after", "\nExamples:\n  peyk demo\n  peyk demo --once\n")
    .action((options) => demo(io, options.once === true));
}

async function demo(io: CliIo, once: boolean): Promise<void> {
  forgetProxies();
  const folder = mkdtempSync(join(tmpdir(), "peyk-demo-"));
  // Null when the person has seen enough.
  const stopAsked = stopSignal().then(() => null);
  try {
    const { startServer } = await import("../server/server.ts");
    const appliance = await startServer(
      { ...defaultSettings(), dataDir: folder, listen: "127.0.0.1:0", consoleListen: "127.0.0.1:0" },
      { clock: systemClock, random: systemRandom, log: createLog("silent") },
    );
    try {
      const account = await prepare(appliance.url, appliance.socketPath, folder);
      const say = (line: string) => io.out(`${line}\n`);
      say(`Everything lives in ${folder} and is gone when the demo ends.`);
      say(`The public API serves at ${appliance.url}. No message leaves this machine: a simulator carries them.`);
      const left = await Promise.race([wholeTour(account, say), stopAsked]);
      if (left === null || once) return;
      say(invitation(account, folder));
      await Promise.race([watchScheduled(account, left.scheduled, say).then(() => stopAsked), stopAsked]);
    } finally {
      await appliance.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function wholeTour(account: DemoAccount, say: Say): Promise<{ scheduled: string }> {
  const left = await tour(account, say);
  await approvedTour(account, say);
  return left;
}

/** What an operator does before the first message, by the same API as his command line. */
async function prepare(url: string, socketPath: string, folder: string): Promise<DemoAccount> {
  const api = operatorClient(socketPath, folder);
  await answerOf(api.routes({ name: "simulator" }).put({ options: { delayMs: simulatorDelayMs } }));
  const { id } = await answerOf(api.accounts.post({ name: "Demo" }));
  await answerOf(api.accounts({ id }).senders.post({ sender }));
  const { apiKey } = await answerOf(api.keys.post({ account: id, name: "demo", rate: requestsPerMinute }));
  await prepareApproved(socketPath, folder, id);
  return { url, apiKey, sender };
}

function invitation({ url, apiKey }: DemoAccount, folder: string): string {
  const key = `-H 'X-API-Key: ${apiKey}'`;
  const body = JSON.stringify({ sender, recipient: "09120000000", message: "سلام از طرف من" });
  const headers = "-H 'Content-Type: application/json' -H \"Idempotency-Key: $(date +%s%N)\"";
  return [
    "",
    "Now you. Send a message (the last two digits say what becomes of it: 00 delivered, 01 undeliverable, 02 rejected):",
    `  curl -s ${url}/v1/messages ${key} ${headers} -d '${body}'`,
    "See what became of it:",
    `  curl -s ${url}/v1/messages/TRACKING_CODE ${key}`,
    "Look at it as its operator:",
    `  ${commandLine()} message search --data-dir ${folder}`,
    `  ${commandLine()} status --data-dir ${folder}`,
    `The reference of the API: ${url}/docs`,
    "",
    "Ctrl-C ends the demo.",
    "",
  ].join("\n");
}

/** How this program was called: as a binary, or from its sources by Bun, which may be nowhere on the PATH. */
function commandLine(): string {
  if (!Bun.main.endsWith("main.ts") || Bun.main.startsWith("/$bunfs")) return process.execPath;
  return `${Bun.which("bun") === null ? process.execPath : "bun"} ${Bun.main}`;
}
