/**
 * The customer's end of a full cycle: a receiver of callbacks that counts delivery reports. It runs in its own process,
 * prints its port, and for every line that it reads prints how many arrived.
 */
import { linesOf } from "./peer.ts";

export interface CycleReceiver {
  port: number;
  delivered(): Promise<number>;
  stop(): void;
}

/** Over HTTPS with this certificate, as Peyk demands, or over HTTP, as Kannel calls. */
export async function startCycleReceiver(certificate: { key: string; cert: string } | null): Promise<CycleReceiver> {
  const tls = certificate === null ? {} : { RECEIVER_KEY: certificate.key, RECEIVER_CERT: certificate.cert };
  const env = { ...process.env, ...tls };
  const child = Bun.spawn([process.execPath, import.meta.path], { env, stdin: "pipe", stdout: "pipe" });
  const lines = linesOf(child.stdout);
  return {
    port: Number((await lines.next()).value),
    async delivered() {
      child.stdin.write("\n");
      child.stdin.flush();
      return Number((await lines.next()).value);
    },
    stop: () => child.kill(),
  };
}

function receive(): void {
  const { RECEIVER_KEY: key, RECEIVER_CERT: cert } = process.env;
  let delivered = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    ...(key !== undefined && cert !== undefined && { tls: { key, cert } }),
    async fetch(request) {
      // Kannel is asked to report nothing else.
      const isReport = request.method === "GET" || (await request.text()).includes('"status":"delivered"');
      if (isReport) delivered += 1;
      return new Response("ok");
    },
  });
  console.log(server.port);
  process.stdin.on("data", () => console.log(delivered));
}

if (import.meta.main) receive();
