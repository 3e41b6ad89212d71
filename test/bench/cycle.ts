/** The full cycle: accepted, carried by an SMPP peer, reported, and each step told to a signed webhook over HTTPS. */
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthority } from "../support/certificates.ts";
import { type CycleReceiver, startCycleReceiver } from "./cycle-receiver.ts";
import { startPeykBefore } from "./e2e.ts";
import { startPeer } from "./peer.ts";
import { type CountedLoad, loadCounted } from "./wrk.ts";

const cycleMsMax = 120_000;

/** Sends; resolves with messages a second once the receiver was told of each delivery. */
export async function cycleRate(receiver: CycleReceiver, sends: CountedLoad): Promise<number> {
  const until = (await receiver.delivered()) + sends.requests;
  const startedAt = performance.now();
  await loadCounted(sends);
  while ((await receiver.delivered()) < until) {
    if (performance.now() - startedAt > cycleMsMax) throw new Error("Not every delivery was reported");
    await Bun.sleep(5);
  }
  return (sends.requests * 1_000) / (performance.now() - startedAt);
}

export async function startCycle(connections: number, command?: readonly string[]) {
  const authority = createAuthority();
  const receiver = await startCycleReceiver(authority.issue({ names: ["IP:127.0.0.1"] }));
  const authorityFile = join(tmpdir(), `peyk-cycle-${process.pid}-${receiver.port}.pem`);
  writeFileSync(authorityFile, authority.cert);
  const env = {
    PEYK_WEBHOOKS_CA_FILE: authorityFile,
    PEYK_WEBHOOKS_TRUSTED_DESTINATIONS: `127.0.0.1:${receiver.port}`,
  };
  const peer = await startPeer();
  const { peyk, customer, stop } = await startPeykBefore(peer, { env, ...(command !== undefined && { command }) });
  const body = JSON.stringify({ url: `https://127.0.0.1:${receiver.port}/`, events: ["message.status"] });
  const headers = { "content-type": "application/json" };
  const added = await peyk.request(customer, "/v1/webhooks", { method: "POST", headers, body });
  if (!added.ok) throw new Error(`The webhook was refused: ${await added.text()}`);
  const sends = { url: peyk.url, apiKey: customer.apiKey, script: "send.lua", connections } as const;
  return {
    pids: [peyk.pid],
    work: (requests: number) => cycleRate(receiver, { ...sends, requests }),
    async stop() {
      await stop();
      peer.stop();
      receiver.stop();
      rmSync(authorityFile);
    },
  };
}
