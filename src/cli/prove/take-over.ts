/** Two nodes of a cluster in a database of their own, in the PostgreSQL that is set: one is killed while clients send. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { engineAddresses, PostgresConnection } from "../../cluster/postgres-connection.ts";
import { errorMessage } from "../../platform/error-code.ts";
import { keyFileName } from "../../platform/seal.ts";
import { findingsIn } from "./checker.ts";
import { addCustomer, HonestClients } from "./honest-clients.ts";
import { databaseIn, type Environment, ScratchService, whenAllEnded } from "./scratch-service.ts";

export type TakeOver = { skipped: string } | { tookMs: number; acknowledged: number; findings: string[] };

const sendsMs = 4_000;
const takeOverMsMax = 60_000;

/** A schema would not do: a node that takes over ends the sessions of other leaders in its database. */
export async function provedTakeOver(root: string, env: Environment, address: string | null): Promise<TakeOver> {
  if (address === null) return { skipped: "no PostgreSQL is set (cluster.engine_file)" };
  const name = `peyk_prove_${crypto.randomUUID().slice(0, 8)}`;
  const server = new PostgresConnection(engineAddresses(address) ?? [], { name: "peyk prove", isReplicated: false });
  try {
    await server.rows(`CREATE DATABASE ${name}`);
  } catch (reason) {
    await server.close();
    return { skipped: `no database of its own can be made in PostgreSQL: ${errorMessage(reason)}` };
  }
  try {
    return await withNodes(root, env, databaseNamed(address, name));
  } finally {
    await server.rows(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await server.close();
  }
}

/** The address of another database on the same server, which may have several hosts and so is no URL. */
function databaseNamed(address: string, name: string): string {
  const path = address.indexOf("/", address.indexOf("://") + 3);
  const query = address.indexOf("?", path);
  return `${address.slice(0, path)}/${name}${query < 0 ? "" : address.slice(query)}`;
}

async function withNodes(root: string, env: Environment, address: string): Promise<TakeOver> {
  mkdirSync(root, { mode: 0o700 });
  const engine = join(root, "engine");
  writeFileSync(engine, `${address}\n`, { mode: 0o600 });
  const nodeOf = (node: string) =>
    new ScratchService(join(root, node), { ...env, PEYK_CLUSTER_NODE: node, PEYK_CLUSTER_ENGINE_FILE: engine });
  const [alone, first, second] = [new ScratchService(join(root, "a"), env), nodeOf("a"), nodeOf("b")];
  try {
    await alone.start();
    const apiKey = await addCustomer(alone.api);
    await alone.end("SIGTERM");
    await first.command("cluster", "init");
    await first.command("cluster", "copy", join(root, "copy"));
    copyFileSync(join(first.folder, keyFileName), join(second.folder, keyFileName));
    await second.command("cluster", "join", join(root, "copy"));
    await first.start();
    return await killed(first, second, apiKey);
  } finally {
    await Promise.all([alone, first, second].map((node) => node.end("SIGKILL")));
  }
}

async function killed(first: ScratchService, second: ScratchService, apiKey: string): Promise<TakeOver> {
  const leads = second.start();
  const clients = new HonestClients(apiKey, () => first.url ?? second.url);
  await Bun.sleep(sendsMs);
  await first.end("SIGKILL");
  const [killedAt, before] = [performance.now(), clients.acknowledged.length];
  const passedMs = () => Math.round(performance.now() - killedAt);
  while (clients.acknowledged.length === before && passedMs() < takeOverMsMax) await Bun.sleep(20);
  const tookMs = passedMs();
  await leads;
  await Bun.sleep(sendsMs);
  await clients.end();
  await whenAllEnded(second);
  await second.end("SIGTERM");
  const findings = [...clients.findings, ...findingsIn(databaseIn(second.folder), clients.acknowledged)];
  return { tookMs, acknowledged: clients.acknowledged.length, findings };
}
