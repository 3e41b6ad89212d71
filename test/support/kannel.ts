/** Debian's Kannel, bearerbox and smsbox, run from a temporary folder and bound to the test's SMSC. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "./free-ports.ts";

export interface Kannel {
  /** Where sendsms listens. */
  sendsmsUrl: string;
  /** Of bearerbox and smsbox. */
  pids: readonly number[];
  /** The log of both processes so far. */
  log(): Promise<string>;
  stop(): Promise<void>;
}

export interface KannelOptions {
  smscPort: number;
  username: string;
  password: string;
  /** The credentials that it binds with; arbitrary ones by default. */
  bindsAs?: { systemId: string; password: string };
  /** Where inbound texts go, with Kannel's escape codes. */
  getUrl?: string;
  /** Whether it binds as a transmitter and a receiver rather than as a transceiver. */
  isApart?: boolean;
  /** 0, the default, logs everything, which costs Kannel most of its speed; 3 logs errors. */
  logLevel?: number;
  /** The maximum of unanswered submits; Kannel's own default is 10. */
  window?: number;
}

export function isKannelInstalled(): boolean {
  return Bun.which("bearerbox", { PATH: boxPath }) !== null && Bun.which("smsbox", { PATH: boxPath }) !== null;
}

/** On a busy machine a box has taken more than ten seconds. */
const listensMsMax = 50_000;

const boxPath = `${process.env.PATH ?? ""}:/usr/sbin`;

export async function startKannel(options: KannelOptions): Promise<Kannel> {
  const folder = mkdtempSync(join(tmpdir(), "peyk-kannel-"));
  const [admin, box, sendsms] = await freePorts(3);
  if (admin === undefined || box === undefined || sendsms === undefined) throw new Error("no free ports");
  const file = join(folder, "kannel.conf");
  writeFileSync(file, configuration(options, { admin, box, sendsms, folder }));
  const bearerbox = run("bearerbox", file, folder);
  await untilListening(box);
  const smsbox = run("smsbox", file, folder);
  await untilListening(sendsms);
  await untilConnected(admin);
  return {
    sendsmsUrl: `http://127.0.0.1:${sendsms}/cgi-bin/sendsms`,
    pids: [bearerbox.pid, smsbox.pid],
    log: async () => {
      const files = ["bearerbox.log", "smsbox.log"].map((name) => Bun.file(join(folder, name)).text());
      return (await Promise.all(files)).join("\n");
    },
    async stop() {
      for (const box of [smsbox, bearerbox]) {
        box.kill("SIGKILL");
        await box.exited;
      }
      rmSync(folder, { recursive: true });
    },
  };
}

function run(command: string, file: string, cwd: string) {
  return Bun.spawn([command, file], { cwd, stdout: "ignore", stderr: "ignore", env: { PATH: boxPath } });
}

interface KannelPorts {
  admin: number;
  box: number;
  sendsms: number;
  folder: string;
}

function configuration(options: KannelOptions, { admin, box, sendsms, folder }: KannelPorts): string {
  const service = options.getUrl === undefined ? "" : inboundService(options.getUrl);
  return `
group = core
admin-port = ${admin}
admin-interface = 127.0.0.1
admin-password = admin
smsbox-port = ${box}
smsbox-interface = 127.0.0.1
box-allow-ip = "127.0.0.1"
log-file = "${folder}/bearerbox.log"
log-level = ${options.logLevel ?? 0}
dlr-storage = internal
sms-resend-freq = 5

${options.isApart === true ? smscGroup(options, "port") + smscGroup(options, "receive-port") : smscGroup(options)}
group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${sendsms}
sendsms-interface = 127.0.0.1
log-file = "${folder}/smsbox.log"
log-level = ${options.logLevel ?? 0}

group = sendsms-user
username = ${options.username}
password = ${options.password}
concatenation = true
max-messages = 20
${service}`;
}

/** `port`: of a transmitter, `receive-port` of a receiver; Kannel treats both as one SMSC. */
function smscGroup(options: KannelOptions, apart?: "port" | "receive-port"): string {
  return `
group = smsc
smsc = smpp
smsc-id = peer
host = 127.0.0.1
${apart ?? "port"} = ${options.smscPort}
smsc-username = ${options.bindsAs?.systemId ?? "kannel"}
smsc-password = ${options.bindsAs?.password ?? "kannel"}
system-type = ""
transceiver-mode = ${apart === undefined}
reconnect-delay = 1
max-pending-submits = ${options.window ?? 10}
`;
}

function inboundService(getUrl: string): string {
  return `
group = sms-service
keyword = default
get-url = "${getUrl}"
max-messages = 0
concatenation = true
`;
}

/** smsbox panics if it is asked to send before it is connected to bearerbox, and listens before that. */
async function untilConnected(adminPort: number): Promise<void> {
  const deadline = performance.now() + listensMsMax;
  const url = `http://127.0.0.1:${adminPort}/status.txt?password=admin`;
  while (!(await (await fetch(url)).text()).includes("smsbox:")) {
    if (performance.now() > deadline) throw new Error("smsbox does not connect to bearerbox");
    await Bun.sleep(20);
  }
}

async function untilListening(port: number): Promise<void> {
  const deadline = performance.now() + listensMsMax;
  for (;;) {
    const isOpen = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } }).then(
      (socket) => {
        socket.end();
        return true;
      },
      () => false,
    );
    if (isOpen) return;
    if (performance.now() > deadline) throw new Error(`nothing listens on ${port}`);
    await Bun.sleep(20);
  }
}
