/** Connections use up every file descriptor: the process idles, serves the connections it has, and accepts new ones afterwards. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { freePort } from "../support/free-ports.ts";
import { eventually, PeykProcess } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

const limit = 80;
const connections = 200;
const watchedMs = 2_000;
/** Of one processor; it used to take all that the machine had left. */
const shareMax = 0.1;
const missing = Bun.which("prlimit") === null ? " (skipped: there is no prlimit)" : "";

/** User and system time of a process, in milliseconds. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function open(url: URL): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname, () => resolve(socket));
    socket.on("error", () => resolve(socket));
  });
}

test.skipIf(missing !== "")(
  `at the limit of open files the event loop does not spin, whichever listener was crowded${missing}`,
  async () => {
    const folder = temporaryFolder();
    const dropIn = `127.0.0.1:${await freePort()}`;
    const peyk = await PeykProcess.start({
      folder: folder.path,
      prefix: ["prlimit", `--nofile=${limit}:${limit}`],
      env: { PEYK_DROP_IN_LISTEN: dropIn },
    });
    const sockets: Socket[] = [];
    try {
      const customer = await peyk.customer();
      expect((await peyk.send(customer)).status).toBe(202);
      for (const [round, url] of [new URL(peyk.url), new URL(`http://${dropIn}`)].entries()) {
        const said = (words: string) => peyk.log.split(words).length - 1 > round;
        for (let count = 0; count < connections; count += 1) void open(url).then((socket) => sockets.push(socket));
        await eventually(() => said("files are running out"));
        const before = cpuMs(peyk.pid);
        await Bun.sleep(watchedMs);
        expect((cpuMs(peyk.pid) - before) / watchedMs).toBeLessThan(shareMax);
        for (const socket of sockets.splice(0)) socket.destroy();
        await eventually(() => said("connections are taken again"), 30_000);
      }
      expect((await peyk.send(customer)).status).toBe(202);
    } finally {
      for (const socket of sockets) socket.destroy();
      await peyk.kill();
      folder.remove();
    }
  },
  { timeout: 90_000 },
);
