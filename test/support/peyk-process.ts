/**
 * Peyk as a process of its own (the compiled binary if it was built, otherwise the sources), with clients for its two
 * APIs.
 */
import { Database } from "bun:sqlite";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";

const root = join(import.meta.dir, "..", "..");
const built = join(root, "dist", "peyk");

/** Bun looks for JSX settings in its working directory, not beside the sources. */
const settings = `--tsconfig-override=${join(root, "tsconfig.json")}`;

/** True unless a source was edited after the build; reading the times of all takes 20 ms. */
function isCurrent(): boolean {
  if (!existsSync(built)) return false;
  const builtAt = statSync(built).mtimeMs;
  return ["src", "migrations"].every((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).every(
      (entry) => entry.isDirectory() || statSync(join(entry.parentPath, entry.name)).mtimeMs < builtAt,
    ),
  );
}

/**
 * The command that runs Peyk: the binary, unless a source is newer. `TEST_FROM_SOURCES=1` always takes the sources, `0`
 * the binary: scripts/test.ts has just built it.
 */
export const peykCommand: readonly string[] =
  process.env.TEST_FROM_SOURCES === "0" || (process.env.TEST_FROM_SOURCES !== "1" && isCurrent())
    ? [built]
    : [process.execPath, settings, join(root, "src", "main.ts")];

export interface StartOptions {
  folder: string;
  /** A build of Peyk other than this tree's. */
  command?: readonly string[];
  /** Words before the command: strace, prlimit … */
  prefix?: readonly string[];
  env?: Readonly<Record<string, string>>;
  args?: readonly string[];
  cwd?: string;
  /** For one on an emulated processor. */
  startsWithinMs?: number;
}

export interface Customer {
  accountId: string;
  apiKey: string;
  sender: string;
}

export interface SendAnswer {
  status: number;
  body: { trackingCode?: string; code?: string; duplicate?: boolean; status?: string };
  headers: Headers;
}

/** For a busy machine; a second is usual. */
const usuallyStartsWithinMs = 30_000;

/** Reads the database of a data folder, even while it is served. */
export function rowsIn<Row>(folder: string, sql: string): Row[] {
  const database = new Database(join(folder, "peyk.db"), { readonly: true });
  try {
    return database.query<Row, []>(sql).all();
  } finally {
    database.close();
  }
}

/** The process exited or timed out before it served. The message contains its output. */
export class NeverServed extends Error {
  override readonly name = "NeverServed";
}

export class PeykProcess {
  readonly folder: string;
  readonly #process: Subprocess<"ignore", "pipe", "pipe">;
  /** Waits for its end and returns its output. */
  readonly #followed: Promise<unknown>;
  #log = "";
  #url: string | null = null;
  #pid: number | null = null;
  #keys = 0;

  private constructor(options: StartOptions) {
    this.folder = options.folder;
    const command = [
      ...(options.prefix ?? []),
      ...(options.command ?? peykCommand),
      "serve",
      "--data-dir",
      options.folder,
    ];
    this.#process = Bun.spawn(
      [...command, "--listen", "127.0.0.1:0", "--console-listen", "127.0.0.1:0", ...(options.args ?? [])],
      {
        env: { ...process.env, ...options.env },
        ...(options.cwd !== undefined && { cwd: options.cwd }),
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    this.#followed = Promise.all([this.#follow(this.#process.stdout), this.#follow(this.#process.stderr)]);
  }

  /** Starts Peyk and waits until it serves. @throws NeverServed */
  static async start(options: StartOptions): Promise<PeykProcess> {
    const peyk = new PeykProcess(options);
    const deadline = performance.now() + (options.startsWithinMs ?? usuallyStartsWithinMs);
    while (peyk.#url === null) {
      if (peyk.hasExited || performance.now() > deadline) {
        // Its last output may not have been read yet, and a process that never serves would outlive its test.
        if (!peyk.hasExited) await peyk.kill();
        await peyk.#followed;
        throw new NeverServed(peyk.#log);
      }
      await Bun.sleep(5);
    }
    return peyk;
  }

  get url(): string {
    if (this.#url === null) throw new Error("It does not serve yet");
    return this.#url;
  }

  /** From the line that says where it serves. */
  get consoleUrl(): string {
    const [, url] = /"consoleUrl":"([^"]+)"/.exec(this.#log) ?? [];
    if (url === undefined) throw new Error("It has not said where its console is");
    return url;
  }

  get log(): string {
    return this.#log;
  }

  /** The process id of Peyk itself, even with a prefix. */
  get pid(): number {
    return this.#pid ?? this.#process.pid;
  }

  get hasExited(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  get exited(): Promise<number> {
    return this.#process.exited;
  }

  /** Copies are made at the lowest priority: beside other tests they could take minutes. As root on Linux; else nothing. */
  hurryChildren(): void {
    const list = `/proc/${this.pid}/task/${this.pid}/children`;
    const children = existsSync(list) ? readFileSync(list, "utf8").trim().split(" ") : [];
    for (const child of children.filter((pid) => pid !== ""))
      try {
        setPriority(Number(child), constants.priority.PRIORITY_NORMAL);
      } catch {
        // It has ended, or this is not root.
      }
  }

  async kill(): Promise<void> {
    process.kill(this.pid, "SIGKILL");
    await this.#process.exited;
  }

  /** Stops it as systemd would; returns its exit code. */
  async stop(): Promise<number> {
    if (!this.hasExited) process.kill(this.pid, "SIGTERM");
    return this.#process.exited;
  }

  /** Calls the operator API over the socket. Throws if refused. */
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

  /** An account with a key of its own and one sender. */
  async customer(sender = "30001234", requestsPerMinute = 1_000_000): Promise<Customer> {
    const account = await this.operate("POST", "/accounts", { name: "Customer" });
    const key = await this.operate("POST", "/keys", { account: account.id, name: "test", rate: requestsPerMinute });
    await this.operate("POST", `/accounts/${account.id}/senders`, { sender });
    return { accountId: String(account.id), apiKey: String(key.apiKey), sender };
  }

  request(customer: Customer, path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, { ...init, headers: { "X-API-Key": customer.apiKey, ...init.headers } });
  }

  /** Sends one message. Rejects if the connection breaks, so that its acceptance is unknown. */
  async send(
    customer: Customer,
    { key, ...message }: { key?: string; recipient?: string; message?: string } = {},
  ): Promise<SendAnswer> {
    this.#keys += 1;
    const response = await this.request(customer, "/v1/messages", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "idempotency-key": key ?? `key-${process.pid}-${performance.now()}-${this.#keys}`,
      },
      body: JSON.stringify({ sender: customer.sender, recipient: "09121234500", message: "سلام", ...message }),
    });
    const body: SendAnswer["body"] = await response.json();
    return { status: response.status, body, headers: response.headers };
  }

  async statusOf(customer: Customer, trackingCode: string): Promise<string> {
    const response = await this.request(customer, `/v1/messages/${trackingCode}`);
    const record: { status?: string; code?: string } = await response.json();
    return record.status ?? record.code ?? `${response.status}`;
  }

  async #follow(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      this.#log += decoder.decode(chunk, { stream: true });
      if (this.#url !== null) continue;
      const line = this.#log.split("\n").find((one) => one.includes('"peyk serves"') && one.endsWith("}"));
      if (line === undefined) continue;
      const event: { url?: string; pid?: number } = JSON.parse(line);
      this.#pid = event.pid ?? null;
      this.#url = event.url ?? null;
    }
  }
}

/** Waits until `holds` returns true, asking every 20 ms; for other processes, whose clock a test cannot control. */
export async function eventually(holds: () => boolean | Promise<boolean>, withinMs = 90_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${holds}`);
    await Bun.sleep(20);
  }
}
