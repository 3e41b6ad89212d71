/** `peyk demo`: a server in a temporary folder, a tour of its real API, and commands to try. */
import { setTimeout } from "node:timers/promises";
import { Command } from "@commander-js/extra-typings";
import { defaultSettings } from "../config/settings.ts";
import type { OperatorClient } from "../operator/client.ts";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { systemRandom } from "../platform/random.ts";
import type { RunningServer } from "../server/server.ts";
import { operatorClient } from "./client.ts";
import { openDemoConsoleLink } from "./demo-console-link.ts";
import { createGroupAndPattern, groupAndOtpTour } from "./demo-groups-and-otp.ts";
import { type DemoAccount, messageTour, type Say, watchScheduled } from "./demo-tour.ts";
import { demoTraffic } from "./demo-traffic.ts";
import type { CliIo } from "./io.ts";
import { forgetProxies, stopSignal } from "./serve.ts";
import { withStartErrors } from "./start-error.ts";
import { inTemporaryFolder } from "./temporary-folder.ts";

/** Slow enough to watch: an answer, then a receipt. */
const simulatorDelayMs = 400;
/** The tour polls the status many times a second. */
const requestsPerMinute = 1_000_000;
const sender = "30001234";

export function demoCommand(io: CliIo) {
  return new Command("demo")
    .description("a tour: everything in a temporary folder, real requests, and no message leaves this machine")
    .option("--once", "end after the tour instead of staying open for your own requests")
    .addHelpText("after", "\nExamples:\n  peyk demo\n  peyk demo --once\n")
    .action((options) =>
      // A terminal that is closed sends SIGHUP; the other signals stop the demo as they stop the service.
      inTemporaryFolder("peyk-demo-", ["SIGHUP"], (folder) => demo(io, folder, options.once === true)),
    );
}

async function demo(io: CliIo, folder: string, once: boolean): Promise<void> {
  forgetProxies();
  // Null marks the stop, as opposed to the end of the tour.
  const stopAsked = stopSignal().then(() => null);
  const server = await withStartErrors(folder, () => demoServer(folder));
  try {
    const account = await createAccount(server.url, server.socketPath, folder);
    const say = (line: string) => io.out(`${line}\n`);
    say(`All data is in ${folder} and is removed when the demo ends.`);
    say(`The public API serves at ${server.url}. No message leaves this machine: a simulator carries them.`);
    const inbox = phoneTexts(server.socketPath, folder);
    const toured = await Promise.race([wholeTour(account, inbox, say), stopAsked]);
    if (toured === null || once) return;
    await stayOpen(server, { account, folder, say, scheduled: toured.scheduled, stopAsked });
  } finally {
    await server.stop();
  }
}

async function demoServer(folder: string): Promise<RunningServer> {
  const { startServer } = await import("../server/server.ts");
  return startServer(
    { ...defaultSettings(), dataDir: folder, listen: "127.0.0.1:0", consoleListen: "127.0.0.1:0" },
    { clock: systemClock, random: systemRandom, log: await createLog("silent") },
  );
}

interface Stay {
  account: DemoAccount;
  folder: string;
  say: Say;
  /** The tour's message that has not been sent yet. */
  scheduled: string;
  stopAsked: Promise<null>;
}

/** For the reader's own requests, and for the console, until the stop. */
async function stayOpen(server: RunningServer, { account, folder, say, scheduled, stopAsked }: Stay): Promise<void> {
  const api = operatorClient({ path: server.socketPath, dataDir: folder, user: "demo" });
  const { name, setup } = await api("POST /users/setup-link");
  const renewal = `${ownCommand()} user reset ${name} --data-dir ${folder}`;
  const link = openDemoConsoleLink(server.consoleUrl + setup.path, { random: systemRandom, renewal });
  const stopped = new AbortController();
  try {
    say(invitation(account, folder, link.url));
    const watched = watchScheduled(account, scheduled, say).then(() => stopAsked);
    // Until somebody signs in, the commands above show the tour only.
    const traffic = link.opened.then(() => trafficUntil(stopped.signal, api, server.url));
    await Promise.race([watched, traffic, stopAsked]);
  } finally {
    stopped.abort();
    await link.stop();
  }
}

async function trafficUntil(signal: AbortSignal, api: OperatorClient, url: string): Promise<void> {
  const pause = (ms: number) => setTimeout(ms, undefined, { signal });
  try {
    await demoTraffic({ api, url, random: systemRandom, pause });
  } catch (reason) {
    if (!signal.aborted) throw reason;
  }
}

type Inbox = Parameters<typeof groupAndOtpTour>[1];

async function wholeTour(account: DemoAccount, inbox: Inbox, say: Say): Promise<{ scheduled: string }> {
  const { scheduled } = await messageTour(account, say);
  await groupAndOtpTour(account, inbox, say);
  return { scheduled };
}

function phoneTexts(socketPath: string, folder: string): Inbox {
  const api = operatorClient({ path: socketPath, dataDir: folder, user: "demo" });
  return async (trackingCode) => {
    const texts = await api("GET /simulator/inbox");
    return texts.find((text) => text.trackingCode === trackingCode)?.message ?? null;
  };
}

/** Creates an account, a sender, a key, a group and a pattern through the operator API, as an operator would. */
async function createAccount(url: string, socketPath: string, folder: string): Promise<DemoAccount> {
  const api = operatorClient({ path: socketPath, dataDir: folder, user: "demo" });
  await api("PUT /routes/:name", { name: "simulator", options: { delayMs: simulatorDelayMs } });
  const { id } = await api("POST /accounts", { name: "Demo" });
  await api("POST /accounts/:id/senders", { id, sender });
  const { apiKey } = await api("POST /keys", { account: id, name: "demo", rate: requestsPerMinute });
  await createGroupAndPattern(socketPath, folder, id);
  return { url, apiKey, sender };
}

function invitation({ url, apiKey }: DemoAccount, folder: string, consoleUrl: string): string {
  const key = `-H 'X-API-Key: ${apiKey}'`;
  const body = JSON.stringify({ sender, recipient: "09120000000", message: "سلام از طرف من" });
  const command = ownCommand();
  const headers = "-H 'Content-Type: application/json' -H \"Idempotency-Key: $(date +%s%N)\"";
  return [
    "",
    "Your turn. Send a message (the recipient's last two digits choose its outcome: 00 delivered, 01 undeliverable, 02 rejected):",
    `  curl -s ${url}/v1/messages ${key} ${headers} -d '${body}'`,
    "See its status:",
    `  curl -s ${url}/v1/messages/TRACKING_CODE ${key}`,
    "See it as the operator:",
    `  ${command} message search --data-dir ${folder}`,
    `  ${command} status --data-dir ${folder}`,
    "See what the simulated phones got:",
    `  ${command} simulator inbox --data-dir ${folder}`,
    `The reference of the API: ${url}/docs`,
    "The console, with traffic as soon as you are in. The link signs you in as its owner, once and within an hour:",
    `  ${consoleUrl}`,
    "",
    "Ctrl-C ends the demo.",
    "",
  ].join("\n");
}

interface Started {
  execPath: string;
  /** The binary's own, or the script that Bun runs. */
  main: string;
  /** Variables left in the environment by npm, npx or `bun run`. */
  npmExecPath: string | undefined;
  isBunOnPath: boolean;
}

const thisStart = (): Started => ({
  execPath: process.execPath,
  main: Bun.main,
  npmExecPath: process.env.npm_execpath,
  isBunOnPath: Bun.which("bun") !== null,
});

/** The binary, or Bun with the sources. npx puts its Bun on the PATH for that one run only. */
export function ownCommand({ execPath, main, npmExecPath, isBunOnPath }: Started = thisStart()): string {
  if (!main.endsWith("main.ts") || main.startsWith("/$bunfs")) return execPath;
  if (/\bnp[mx]-cli\.c?js$/.test(npmExecPath ?? "")) return `npx -y bun@${Bun.version} ${main}`;
  return `${isBunOnPath ? "bun" : execPath} ${main}`;
}
