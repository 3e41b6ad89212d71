/**
 * Nodes of a cluster as processes, with PostgreSQL and its synchronous standby, and customers that remember every
 * acknowledgement.
 */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { loadKeys } from "../../src/platform/seal.ts";
import { openDatabase } from "../../src/store/database.ts";
import { type CutProxy, cutProxy } from "./cut-proxy.ts";
import { freePorts } from "./free-ports.ts";
import { peykCommand, rowsIn } from "./peyk-process.ts";
import { type PostgresOptions, type PostgresPair, type PostgresServer, startPostgres } from "./postgres.ts";
import { temporaryFolder } from "./test-server.ts";

interface NodeOptions {
  name: string;
  folder: string;
  engineFile: string;
  ports: readonly number[];
  env: Record<string, string>;
  command: readonly string[];
  proxy: CutProxy;
}

/** For a busy machine; a few seconds are usual. */
const patienceMs = 60_000;
/** In systemd's unit it is a second. */
const restartMs = 200;

export class NodeProcess {
  readonly name: string;
  readonly folder: string;
  readonly port: number;
  readonly #env: Record<string, string>;
  readonly #consolePort: number;
  readonly #engineFile: string;
  #process: Subprocess<"ignore", "pipe", "pipe"> | null = null;
  #isWanted = false;
  log = "";

  #command: readonly string[];
  /** Beside the settings, from the next start on. */
  alsoEnv: Readonly<Record<string, string>> = {};
  /** Between this node and PostgreSQL. */
  readonly proxy: CutProxy;

  constructor(options: NodeOptions) {
    const { name, folder, engineFile, env, command, proxy } = options;
    const [port, consolePort] = options.ports;
    this.#command = command;
    this.proxy = proxy;
    this.name = name;
    this.folder = folder;
    this.port = port ?? 0;
    this.#consolePort = consolePort ?? 0;
    this.#engineFile = engineFile;
    this.#env = env;
  }

  get env(): Record<string, string> {
    return { PEYK_CLUSTER_NODE: this.name, PEYK_CLUSTER_ENGINE_FILE: this.#engineFile, ...this.#env, ...this.alsoEnv };
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get consoleUrl(): string {
    return `http://127.0.0.1:${this.#consolePort}`;
  }

  /** Zero before its start. */
  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  get hasExited(): boolean {
    return this.#process === null || this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  /** The build that it runs from its next start on. */
  upgradeTo(command: readonly string[]): void {
    this.#command = command;
  }

  /** Like systemd, restarts a node that exits by itself. */
  start(): void {
    this.#isWanted = true;
    const args = ["serve", "--data-dir", this.folder, "--listen", `127.0.0.1:${this.port}`];
    this.#process = Bun.spawn([...this.#command, ...args, "--console-listen", `127.0.0.1:${this.#consolePort}`], {
      env: { ...process.env, ...this.env },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    void this.#follow(this.#process.stdout);
    void this.#follow(this.#process.stderr);
    const started = this.#process;
    void started.exited.then(async () => {
      await Bun.sleep(restartMs);
      if (this.#isWanted && this.#process === started) this.start();
    });
  }

  signal(signal: NodeJS.Signals): void {
    if (this.#process !== null && !this.hasExited) process.kill(this.#process.pid, signal);
  }

  async kill(): Promise<void> {
    this.#isWanted = false;
    this.signal("SIGKILL");
    await this.#process?.exited;
  }

  async stop(): Promise<number> {
    this.#isWanted = false;
    this.signal("SIGTERM");
    return (await this.#process?.exited) ?? 0;
  }

  async exited(): Promise<number> {
    return (await this.#process?.exited) ?? 0;
  }

  /** Runs one command of this build with the node's settings. */
  run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    return this.runUntil(null, ...args);
  }

  /** Like `run`, but killed after this time unless it has ended. Null: never killed. */
  async runUntil(killAfterMs: number | null, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
    const child = Bun.spawn([...this.#command, ...args, "--data-dir", this.folder], {
      env: { ...process.env, ...this.env },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      ...(killAfterMs !== null && { timeout: killAfterMs, killSignal: "SIGKILL" as const }),
    });
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    return { code: await child.exited, out, err };
  }

  /** Starts one command of this build with the node's settings, behind a prefix such as strace. */
  begin(prefix: readonly string[], ...args: string[]): Subprocess<"ignore", "ignore", "pipe"> {
    return Bun.spawn([...prefix, ...this.#command, ...args, "--data-dir", this.folder], {
      env: { ...process.env, ...this.env },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    });
  }

  async operate(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const response = await fetch(`http://localhost${path}`, {
      method,
      unix: join(this.folder, "peyk.sock"),
      ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    const answer: unknown = await response.json();
    if (!response.ok || typeof answer !== "object" || answer === null)
      throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return { ...answer };
  }

  /** Resolves once it logs this after what it has logged so far. */
  async logs(text: string, withinMs = patienceMs): Promise<void> {
    const from = this.log.length;
    for (const deadline = performance.now() + withinMs; performance.now() < deadline; await Bun.sleep(5))
      if (this.log.includes(text, from)) return;
    throw new Error(`${this.name} never logged "${text}": ${this.log.slice(-1_500)}`);
  }

  /** Whether it reports ready within the time. */
  async leads(withinMs = patienceMs): Promise<boolean> {
    return this.#answers(200, withinMs);
  }

  async follows(withinMs = patienceMs): Promise<boolean> {
    return this.#answers(503, withinMs);
  }

  /** A follower has read the log at least once. */
  async #answers(status: number, withinMs: number): Promise<boolean> {
    const deadline = performance.now() + withinMs;
    while (performance.now() < deadline) {
      if (this.hasExited && !this.#isWanted)
        throw new Error(`The node ${this.name} has ended: ${this.log.slice(-2_000)}`);
      const answer = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
      const { checks }: { checks?: { engine?: boolean } } = (await answer?.json().catch(() => null)) ?? {};
      if (answer?.status === status && (status === 200 || checks?.engine === true)) return true;
      await Bun.sleep(20);
    }
    return false;
  }

  async #follow(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) this.log += decoder.decode(chunk, { stream: true });
  }
}

export interface ClusterOptions {
  postgres?: PostgresOptions;
  env?: Record<string, string>;
  /** A build other than this tree's. */
  command?: readonly string[];
  /** In PostgreSQL; `peyk` unless given. */
  database?: string;
  /** Megabytes of a volume of its own for each node's folder; as root only. */
  volumeMb?: number;
  /** Nodes reach PostgreSQL without a proxy, whose time would be counted to them. */
  isDirect?: boolean;
  /** Fills the first node's folder before its log begins. */
  fill?(folder: string): Promise<void>;
}

export interface Cluster {
  postgres: PostgresServer;
  standby: PostgresServer;
  nodes: NodeProcess[];
  /** The second node, with a copy of the first one's data. */
  join(from: NodeProcess, to: NodeProcess): Promise<void>;
  remove(): Promise<void>;
}

export function succeeded({ code, out, err }: { code: number; out: string; err: string }): string {
  if (code !== 0) throw new Error(`${out}${err}`);
  return out;
}

/** Two nodes on a PostgreSQL of their own, the first of which starts the log; neither is running yet. */
export async function makeCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const pair = await startPostgres(options.postgres);
  try {
    const cluster = await makeClusterOn(pair, options);
    return {
      ...cluster,
      async remove() {
        await cluster.remove();
        await pair.remove();
      },
    };
  } catch (reason) {
    await pair.remove();
    throw reason;
  }
}

function mountVolume(folder: string, megabytes: number): void {
  const options = `size=${megabytes}m,mode=700`;
  if (!Bun.spawnSync(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder]).success)
    throw new Error("Only root can mount a volume");
}

/** The same on a PostgreSQL that others use, too. */
export async function makeClusterOn(
  { primary: postgres, standby }: PostgresPair,
  { env = {}, command = peykCommand, isDirect = false, fill, volumeMb, database = "peyk" }: ClusterOptions = {},
): Promise<Cluster> {
  const folder = temporaryFolder();
  await postgres.createDatabase(database);
  const ports = await freePorts(4);
  const nodes: NodeProcess[] = [];
  for (const [index, name] of ["a", "b"].entries()) {
    const own = join(folder.path, name);
    mkdirSync(own, { mode: 0o700 });
    if (volumeMb !== undefined) mountVolume(own, volumeMb);
    const proxy = await cutProxy(postgres.port);
    const engineFile = join(folder.path, `engine-${name}`);
    const port = isDirect ? postgres.port : proxy.port;
    writeFileSync(engineFile, `postgres://postgres@127.0.0.1:${port},127.0.0.1:${standby.port}/${database}\n`, {
      mode: 0o600,
    });
    const ownPorts = ports.slice(index * 2, index * 2 + 2);
    nodes.push(new NodeProcess({ name, folder: own, engineFile, ports: ownPorts, env, command, proxy }));
  }
  const [first] = nodes;
  if (first === undefined) throw new Error("there is a first node");
  const remove = async () => {
    for (const node of nodes) await node.kill();
    for (const { proxy } of nodes) proxy.stop();
    if (volumeMb !== undefined) for (const node of nodes) Bun.spawnSync(["umount", "-l", node.folder]);
    folder.remove();
  };
  try {
    // A first start creates the keys and the database.
    loadKeys(first.folder, undefined, () => false);
    openDatabase(first.folder, Date.now()).close();
    await fill?.(first.folder);
    succeeded(await first.run("cluster", "init"));
  } catch (reason) {
    await remove();
    throw reason;
  }
  return {
    postgres,
    standby,
    nodes,
    async join(from, to) {
      const copy = join(folder.path, "copy");
      rmSync(copy, { force: true });
      succeeded(await from.run("cluster", "copy", copy));
      copyFileSync(join(from.folder, "secret.key"), join(to.folder, "secret.key"));
      succeeded(await to.run("cluster", "join", copy));
    },
    remove,
  };
}

/** A customer's account on the leading node. */
export interface ClusterCustomer {
  apiKey: string;
  sender: string;
}

export async function customerOn(node: NodeProcess, routes?: readonly string[]): Promise<ClusterCustomer> {
  const account = await node.operate("POST", "/accounts", { name: "Customer" });
  const key = await node.operate("POST", "/keys", { account: account.id, name: "test", rate: 1_000_000 });
  const sender = "30001234";
  await node.operate("POST", `/accounts/${String(account.id)}/senders`, { sender, ...(routes && { routes }) });
  return { apiKey: String(key.apiKey), sender };
}

export interface Sent {
  status: number;
  trackingCode: string | null;
  isDuplicate: boolean;
}

/** Rejects if the connection breaks, or nobody answers in time. */
export async function send(node: NodeProcess, customer: ClusterCustomer, key: string, withinMs = 6_000): Promise<Sent> {
  const response = await fetch(`${node.url}/v1/messages`, {
    method: "POST",
    signal: AbortSignal.timeout(withinMs),
    headers: { "content-type": "application/json", "x-api-key": customer.apiKey, "idempotency-key": key },
    body: JSON.stringify({ sender: customer.sender, recipient: "09121234500", message: "سلام" }),
  });
  const body: { trackingCode?: string; duplicate?: boolean } = await response.json();
  return { status: response.status, trackingCode: body.trackingCode ?? null, isDuplicate: body.duplicate === true };
}

/**
 * Customers that send, and repeat each key until it is answered, whichever node leads; they remember what was
 * acknowledged.
 */
export class Load {
  readonly acknowledged = new Map<string, string>();
  readonly attempted = new Set<string>();
  readonly #workers: Promise<void>[];
  #isRunning = true;
  #count = 0;
  readonly #pauseMs: number;
  #listener: (by: NodeProcess) => void = () => {};

  /** `pauseMs`: between two messages of a worker. */
  constructor(nodes: readonly NodeProcess[], customer: ClusterCustomer, workers: number, pauseMs = 0) {
    this.#pauseMs = pauseMs;
    this.#workers = Array.from({ length: workers }, (_, index) => this.#work(nodes, customer, index));
  }

  /** Resolves with the milliseconds until one of these nodes acknowledges a message. */
  acknowledgedBy(nodes: readonly NodeProcess[]): Promise<number> {
    const startedAt = performance.now();
    return new Promise((resolve) => {
      this.#listener = (by) => {
        if (nodes.includes(by)) resolve(performance.now() - startedAt);
      };
    });
  }

  /** Resolves once this many more messages were acknowledged. */
  async acknowledges(more: number): Promise<void> {
    const wanted = this.acknowledged.size + more;
    while (this.acknowledged.size < wanted) await Bun.sleep(20);
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await Promise.all(this.#workers);
  }

  async #work(nodes: readonly NodeProcess[], customer: ClusterCustomer, worker: number): Promise<void> {
    let at = 0;
    while (this.#isRunning) {
      if (this.#pauseMs > 0) await Bun.sleep(this.#pauseMs);
      this.#count += 1;
      const key = `key-${worker}-${this.#count}`;
      this.attempted.add(key);
      while (this.#isRunning) {
        const node = nodes[at % nodes.length];
        const sent = node === undefined ? null : await send(node, customer, key).catch(() => null);
        if (node !== undefined && sent?.trackingCode != null && [200, 202].includes(sent.status)) {
          this.acknowledged.set(key, sent.trackingCode);
          if (sent.status === 202) this.#listener(node);
          break;
        }
        at += 1;
        await Bun.sleep(25);
      }
    }
  }
}

/** Keys whose message differs from the acknowledged one. A node that answers with 503 is asked again, for a minute each. */
export async function lostOf(
  node: NodeProcess,
  customer: ClusterCustomer,
  acknowledged: ReadonlyMap<string, string>,
): Promise<string[]> {
  const lost: string[] = [];
  const all = [...acknowledged];
  const next = async () => {
    for (let one = all.pop(); one !== undefined; one = all.pop()) {
      const [key, code] = one;
      let sent = await send(node, customer, key, 15_000);
      for (const until = performance.now() + patienceMs; sent.status === 503 && performance.now() < until; ) {
        await Bun.sleep(100);
        sent = await send(node, customer, key, 15_000);
      }
      if (sent.status !== 200 || sent.trackingCode !== code) lost.push(`${key}: ${sent.status}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, next));
  return lost;
}

export const countMessages = (node: NodeProcess): number =>
  rowsIn<{ n: number }>(node.folder, "SELECT count(*) AS n FROM message")[0]?.n ?? 0;
