/** A whole server in this process with the drop-in listener, a customer with credentials, and the simulator as its carrier. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { loadSettings } from "../../src/config/settings.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { type Logger, silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { type RunningServer, startServer } from "../../src/server/server.ts";
import { databaseFileName } from "../../src/store/database.ts";
import { beginMigrated } from "./migrated-store.ts";
import { temporaryFolder } from "./test-server.ts";

export interface DropInCredentialSeed {
  kind: "kannel" | "jasmin" | "intake" | "smtp";
  name: string;
  password: string;
  traffic?: "bulk" | "single" | "code";
  [field: string]: unknown;
}

export interface StoredMessage {
  trackingCode: string;
  class: number;
  recipient: string;
  sender: string;
  text: string;
  state: string;
  partCount: number;
  encoding: string;
  submittedAt: number;
  sendAt: number | null;
  validUntil: number;
}

const messagesSql = `SELECT tracking_code AS trackingCode, class, recipient, sender, text, state, part_count AS partCount, encoding,
  submitted_at AS submittedAt, send_at AS sendAt, valid_until AS validUntil FROM message ORDER BY id`;

export class DropInServer {
  readonly #remove: () => void;
  #running: RunningServer | null = null;
  accountId = "";
  keyId = "";
  apiKey = "";

  private constructor(
    readonly folder: string,
    remove: () => void,
    readonly env: Readonly<Record<string, string>>,
    readonly log: Logger,
    readonly key: object,
  ) {
    this.#remove = remove;
  }

  static async start(
    credentials: readonly DropInCredentialSeed[] = [{ kind: "kannel", name: "shop", password: "password-of-shop" }],
    env: Readonly<Record<string, string>> = {},
    { log = silentLog, key = {} }: { log?: Logger; key?: object } = {},
  ): Promise<DropInServer> {
    const { path, remove } = temporaryFolder();
    const server = new DropInServer(path, remove, env, log, key);
    try {
      await server.startAgain();
      await server.#seed(credentials);
    } catch (reason) {
      await server.stop();
      throw reason;
    }
    return server;
  }

  get running(): RunningServer {
    if (this.#running === null) throw new Error("The server does not run");
    return this.#running;
  }

  get url(): string {
    const { dropInUrl } = this.running;
    if (dropInUrl === null) throw new Error("There is no drop-in listener");
    return dropInUrl;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  async startAgain(more: Readonly<Record<string, string>> = {}): Promise<void> {
    beginMigrated(this.folder);
    const flags = { data_dir: this.folder, listen: "127.0.0.1:0", console_listen: "127.0.0.1:0" };
    const env = { PEYK_DROP_IN_LISTEN: "127.0.0.1:0", ...this.env, ...more };
    const loaded = loadSettings({ flags, env, readFile: () => null });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    this.#running = await startServer(loaded.settings, { clock: systemClock, random: systemRandom, log: this.log });
  }

  /** Calls the operator API. */
  async operate<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`http://localhost${path}`, {
      method,
      unix: this.running.socketPath,
      ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  }

  addCredential(seed: DropInCredentialSeed): Promise<{ id: string; password: string }> {
    return this.operate("POST", "/credentials", { key: this.keyId, traffic: "single", ...seed });
  }

  /** What was accepted, oldest first, as it is on disk. */
  messages(): StoredMessage[] {
    using database = new Database(join(this.folder, databaseFileName), { readonly: true });
    return database.query<StoredMessage, []>(messagesSql).all();
  }

  /** Rows of a table on disk. */
  count(table: "message_callback" | "credential_request"): number {
    using database = new Database(join(this.folder, databaseFileName), { readonly: true });
    return database.query<{ count: number }, []>(`SELECT count(*) AS count FROM ${table}`).get()?.count ?? 0;
  }

  /** Stops, and leaves the folder for another start. */
  async halt(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.stop();
  }

  async stop(): Promise<void> {
    await this.halt();
    this.#remove();
  }

  async #seed(credentials: readonly DropInCredentialSeed[]): Promise<void> {
    const account = await this.operate<{ id: string }>("POST", "/accounts", { name: "Shop" });
    this.accountId = account.id;
    await this.operate("POST", `/accounts/${account.id}/senders`, { sender: "30001234" });
    const newKey = { account: account.id, name: "drop-in", ...this.key };
    const key = await this.operate<{ id: string; apiKey: string }>("POST", "/keys", newKey);
    this.keyId = key.id;
    this.apiKey = key.apiKey;
    for (const seed of credentials) await this.addCredential(seed);
  }
}
