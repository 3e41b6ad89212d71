/** A whole server in this process that customers reach by SMPP, with the simulator as its carrier. */
import { loadSettings } from "../../src/config/settings.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { type Logger, silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { type RunningServer, startServer } from "../../src/server/server.ts";
import type { ServerEnvironment } from "../../src/server/storage.ts";
import { beginMigrated } from "./migrated-store.ts";
import { type CustomerSeed, type SeededCustomer, SmppCustomer, seedCustomer } from "./smpp-customer.ts";
import { temporaryFolder } from "./test-server.ts";

export class CustomerServer {
  readonly #remove: () => void;
  readonly customers: SeededCustomer[];
  #running: RunningServer | null = null;
  /** What the next start gets besides. */
  environment: Partial<ServerEnvironment> = {};

  private constructor(
    readonly folder: string,
    remove: () => void,
    customers: SeededCustomer[],
    readonly env: Readonly<Record<string, string>>,
    readonly log: Logger,
  ) {
    this.#remove = remove;
    this.customers = customers;
  }

  static async start(
    seeds: readonly CustomerSeed[] = [{}],
    env: Readonly<Record<string, string>> = {},
    log: Logger = silentLog,
  ): Promise<CustomerServer> {
    const { path, remove } = temporaryFolder();
    const customers: SeededCustomer[] = [];
    for (const seed of seeds) customers.push(await seedCustomer(path, seed));
    const server = new CustomerServer(path, remove, customers, env, log);
    try {
      await server.startAgain();
    } catch (reason) {
      remove();
      throw reason;
    }
    return server;
  }

  get running(): RunningServer {
    if (this.#running === null) throw new Error("The server does not run");
    return this.#running;
  }

  get customer(): SeededCustomer {
    const [customer] = this.customers;
    if (customer === undefined) throw new Error("There is no customer");
    return customer;
  }

  get port(): number {
    const { smppPort } = this.running.smppPorts;
    if (smppPort === undefined) throw new Error("Customers are not served in plain");
    return smppPort;
  }

  async startAgain(): Promise<void> {
    beginMigrated(this.folder);
    const flags = { data_dir: this.folder, listen: "127.0.0.1:0", console_listen: "127.0.0.1:0" };
    const env = { PEYK_SMPP_SERVER_LISTEN: "127.0.0.1:0", ...this.env };
    const loaded = loadSettings({ flags, env, readFile: () => null });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    const environment = { clock: systemClock, random: systemRandom, log: this.log, ...this.environment };
    this.#running = await startServer(loaded.settings, environment);
  }

  bound(mode: "transceiver" | "transmitter" | "receiver" = "transceiver", customer = this.customer) {
    return SmppCustomer.bound(this.port, customer, mode);
  }

  async operate<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`http://localhost${path}`, {
      method,
      unix: this.running.socketPath,
      ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
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
}
