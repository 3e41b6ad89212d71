/** Peyk as a process with carriers: routes to SMSCs, a customer whose sender uses them, and the states of messages. */

import { type Customer, eventually, PeykProcess, rowsIn, type StartOptions } from "./peyk-process.ts";
import { temporaryFolder } from "./test-server.ts";

export interface SmppRouteFile {
  port: number;
  [key: string]: unknown;
}

const smppFile = (file: SmppRouteFile) => ({ host: "127.0.0.1", systemId: "peyk", password: "secret", ...file });

export class CarrierService {
  readonly folder: string;
  readonly #options: Partial<StartOptions>;
  readonly #removeFolder: () => void;
  #peyk: PeykProcess | null = null;
  #customer: Customer | null = null;

  private constructor(options: Partial<StartOptions>) {
    const { path, remove } = temporaryFolder();
    this.folder = path;
    this.#removeFolder = remove;
    this.#options = options;
  }

  static async start(options: Partial<StartOptions> = {}): Promise<CarrierService> {
    const service = new CarrierService(options);
    await service.startAgain();
    return service;
  }

  get peyk(): PeykProcess {
    if (this.#peyk === null) throw new Error("Peyk was not started");
    return this.#peyk;
  }

  /** Created by `customerOver`. */
  get customer(): Customer {
    if (this.#customer === null) throw new Error("There is no customer yet");
    return this.#customer;
  }

  /** On the same folder, after a kill or a stop. */
  async startAgain(env: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#peyk = await PeykProcess.start({
      ...this.#options,
      folder: this.folder,
      env: { ...this.#options.env, ...env },
    });
  }

  addSmpp(name: string, file: SmppRouteFile): Promise<Record<string, unknown>> {
    return this.peyk.operate("POST", "/routes", { name, kind: "smpp", options: smppFile(file) });
  }

  updateSmpp(name: string, file: SmppRouteFile): Promise<Record<string, unknown>> {
    return this.peyk.operate("PUT", `/routes/${name}`, { options: smppFile(file) });
  }

  async routeIsUp(name: string): Promise<boolean> {
    return (await this.peyk.operate("GET", `/routes/${name}`)).up === true;
  }

  untilUp(...names: readonly string[]): Promise<void> {
    return eventually(async () => (await Promise.all(names.map((name) => this.routeIsUp(name)))).every(Boolean));
  }

  /** Sets the routes, in order, of the customer's only sender. */
  async customerOver(...routes: readonly string[]): Promise<Customer> {
    this.#customer = await this.peyk.customer();
    await this.setRoutes(...routes);
    return this.#customer;
  }

  async setRoutes(...routes: readonly string[]): Promise<void> {
    const { accountId, sender } = this.customer;
    await this.peyk.operate("PATCH", `/accounts/${accountId}/senders/${sender}`, { routes });
  }

  /** Sends one message and returns its tracking code. */
  async send(message: string, recipient = "09121234567"): Promise<string> {
    const { status, body } = await this.peyk.send(this.customer, { message, recipient });
    if (status !== 202 || body.trackingCode === undefined) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body.trackingCode;
  }

  async sendMany(messages: readonly string[]): Promise<string[]> {
    const recipient = "09121234567";
    const response = await this.peyk.request(this.customer, "/v1/messages/batch", {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
      body: JSON.stringify({
        sender: this.customer.sender,
        messages: messages.map((message) => ({ recipient, message })),
      }),
    });
    const results: { trackingCode: string }[] = await response.json();
    if (response.status !== 202) throw new Error(`${response.status} ${JSON.stringify(results)}`);
    return results.map(({ trackingCode }) => trackingCode);
  }

  statusOf(trackingCode: string): Promise<string> {
    return this.peyk.statusOf(this.customer, trackingCode);
  }

  untilStatus(trackingCode: string, status: string): Promise<void> {
    return eventually(async () => (await this.statusOf(trackingCode)) === status);
  }

  /** The number of messages per internal state, read from the file. */
  states(): Record<string, number> {
    const counts = "SELECT state, count(*) AS n FROM message GROUP BY 1";
    const rows = rowsIn<{ state: string; n: number }>(this.folder, counts);
    return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
  }

  /** The timeline of one message, as an operator sees it. */
  async timelineOf(trackingCode: string): Promise<{ kind: string; detail: string; route: string | null }[]> {
    const { timeline } = await this.peyk.operate("GET", `/messages/${trackingCode}`);
    return Array.isArray(timeline) ? timeline : [];
  }

  /** All of the customer's inbound texts, oldest first. */
  async inbound(): Promise<{ sender: string; receiver: string; message: string }[]> {
    const texts: { sender: string; receiver: string; message: string }[] = [];
    for (let after = ""; ; ) {
      const response = await this.peyk.request(this.customer, `/v1/inbound-messages?limit=500${after}`);
      const page: { items: typeof texts; nextCursor: string; hasMore: boolean } = await response.json();
      texts.push(...page.items);
      if (!page.hasMore) return texts;
      after = `&after=${encodeURIComponent(page.nextCursor)}`;
    }
  }

  addLine(number: string): Promise<Record<string, unknown>> {
    return this.peyk.operate("POST", "/lines", { number, account: this.customer.accountId });
  }

  async stop(): Promise<void> {
    await this.peyk.stop();
    this.#removeFolder();
  }
}
