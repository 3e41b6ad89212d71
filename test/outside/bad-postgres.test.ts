/**
 * toxiproxy between a node of a cluster and PostgreSQL: slow, narrow, cut, reset and silent connections while clients send.
 * Whatever they were told is in the node's file in the end, once, and the money adds up.
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findingsIn } from "../../src/cli/prove/checker.ts";
import { addCustomer, HonestClients } from "../../src/cli/prove/honest-clients.ts";
import { databaseIn, ScratchService, whenAllEnded } from "../../src/cli/prove/scratch-service.ts";
import { freePorts } from "../support/free-ports.ts";
import { fromGo } from "../support/outside-programs.ts";
import { eventually } from "../support/peyk-process.ts";
import { startPostgres } from "../support/postgres.ts";
import { programAt } from "../support/programs.ts";
import { temporaryFolder } from "../support/test-server.ts";

const toxiproxy = await fromGo("github.com/Shopify/toxiproxy/v2/cmd/server", "2.12.0");
const perToxicMs = 4_000;

/** Times in milliseconds, `rate` in KB a second, `bytes` from the beginning of a connection. */
const toxics = [
  { type: "latency", stream: "downstream", attributes: { latency: 150, jitter: 100 } },
  { type: "bandwidth", stream: "upstream", attributes: { rate: 20 } },
  { type: "slicer", stream: "downstream", attributes: { average_size: 7, size_variation: 3, delay: 200 } },
  { type: "slow_close", stream: "downstream", attributes: { delay: 1_000 } },
  { type: "limit_data", stream: "upstream", attributes: { bytes: 60_000 } },
  { type: "limit_data", stream: "downstream", attributes: { bytes: 3_000 } },
  { type: "reset_peer", stream: "downstream", attributes: { timeout: 700 } },
  { type: "timeout", stream: "downstream", attributes: { timeout: 0 } },
] as const;

async function told(control: string, method: string, path: string, body?: object): Promise<void> {
  const answer = await fetch(`${control}${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
}

test.skipIf(toxiproxy === null || programAt("initdb") === null)(
  "over bad connections to PostgreSQL nothing that was acknowledged is lost, doubled or wrong (wants go and postgresql)",
  async () => {
    const folder = temporaryFolder();
    const postgres = await startPostgres();
    await postgres.primary.createDatabase("peyk");
    const [controlPort = 0, proxyPort = 0] = await freePorts(2);
    const control = `http://127.0.0.1:${controlPort}`;
    const proxy = Bun.spawn([String(toxiproxy), "-host", "127.0.0.1", "-port", String(controlPort)], {
      stdout: "ignore",
      stderr: "ignore",
    });
    const isUp = ({ ok }: Response) => ok;
    await eventually(() => fetch(`${control}/version`).then(isUp, () => false));
    const upstream = `127.0.0.1:${postgres.primary.port}`;
    await told(control, "POST", "/proxies", {
      name: "postgres",
      listen: `127.0.0.1:${proxyPort}`,
      upstream,
      enabled: true,
    });
    const engine = join(folder.path, "engine");
    writeFileSync(engine, `postgres://postgres@127.0.0.1:${proxyPort}/peyk\n`, { mode: 0o600 });
    const env = { PATH: process.env.PATH ?? "" };
    const alone = new ScratchService(join(folder.path, "a"), env);
    const node = new ScratchService(alone.folder, { ...env, PEYK_CLUSTER_NODE: "a", PEYK_CLUSTER_ENGINE_FILE: engine });
    try {
      await alone.start();
      const apiKey = await addCustomer(alone.api);
      await alone.end("SIGTERM");
      await node.command("cluster", "init");
      await node.start();
      const clients = new HonestClients(apiKey, () => node.url);
      const during: Record<string, number> = {};
      for (const { type, stream, attributes } of toxics) {
        const before = clients.repeats;
        await told(control, "POST", "/proxies/postgres/toxics", {
          name: "toxic",
          type,
          stream,
          toxicity: 1,
          attributes,
        });
        await Bun.sleep(perToxicMs);
        await told(control, "DELETE", "/proxies/postgres/toxics/toxic");
        during[`${type} ${stream}`] = clients.repeats - before;
        const count = clients.acknowledged.length;
        // A node that has lost its lead ends, and its service manager starts it again.
        await eventually(async () => {
          if (node.url === null) await node.start();
          return clients.acknowledged.length > count;
        }, 180_000);
      }
      await clients.end();
      await whenAllEnded(node);
      await node.end("SIGTERM");
      expect(clients.findings).toEqual([]);
      expect(findingsIn(databaseIn(node.folder), clients.acknowledged)).toEqual([]);
      // The control: the connections were bad.
      expect(clients.refusals).toBeGreaterThan(0);
      console.log(`${clients.acknowledged.length} acknowledged, repeated ${JSON.stringify(during)}`);
    } finally {
      await node.end("SIGKILL");
      await alone.end("SIGKILL");
      proxy.kill();
      await proxy.exited;
      await postgres.remove();
      folder.remove();
    }
  },
  600_000,
);
