/** Peyk as a process behind a proxy that loses answers, for programs that use a client library. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Socket, TCPSocketListener } from "bun";
import { createAuthority } from "./certificates.ts";
import { type Customer, eventually, PeykProcess, rowsIn } from "./peyk-process.ts";
import { temporaryFolder } from "./test-server.ts";
import { okResponse, type ReceivedRequest, tlsReceiver } from "./tls-receiver.ts";

/** `lost`: killed once it has answered, and the answer is dropped. `taken`: killed as soon as it has the request. */
export type KillMoment = "lost" | "taken";

/** The first connections to a dead server are refused. */
const refusalsAfterKill = 2;

interface Link {
  upstream: Socket<undefined> | null;
  /** Data received before the connection to the server was open. */
  waiting: Uint8Array[];
}

/** Requests go through this to the server, whose port changes with each start. */
class LossyProxy {
  readonly #listener: TCPSocketListener<Link>;
  #serverPort: number | null = null;
  #refusals = 0;
  /** Connections held until the server is up, so that no test waits for a client's growing backoff. */
  readonly #held = new Set<Socket<Link>>();
  #armed: { text: string; moment: KillMoment; kill: () => void } | null = null;

  constructor() {
    this.#listener = Bun.listen<Link>({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        open: (socket) => this.#opened(socket),
        data: (socket, bytes) => this.#sent(socket, bytes),
        close: (socket) => {
          this.#held.delete(socket);
          socket.data.upstream?.end();
        },
        error: () => {},
      },
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#listener.port}`;
  }

  serves(port: number): void {
    this.#serverPort = port;
    for (const client of this.#held) this.#connect(client, port);
    this.#held.clear();
  }

  /** Kills the server during the next request that contains `text`. Resolves once that has happened. */
  killOver(text: string, moment: KillMoment, kill: () => void): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const once = () => {
      this.#serverPort = null;
      this.#refusals = refusalsAfterKill;
      kill();
      resolve();
    };
    this.#armed = { text, moment, kill: once };
    return promise;
  }

  stop(): void {
    this.#listener.stop(true);
  }

  #opened(client: Socket<Link>): void {
    client.data = { upstream: null, waiting: [] };
    if (this.#serverPort !== null) this.#connect(client, this.#serverPort);
    else if (this.#refusals === 0) this.#held.add(client);
    else {
      this.#refusals -= 1;
      client.terminate();
    }
  }

  #connect(client: Socket<Link>, port: number): void {
    const socket = {
      open: (upstream: Socket<undefined>) => {
        client.data.upstream = upstream;
        for (const bytes of client.data.waiting.splice(0)) upstream.write(bytes);
      },
      data: (_: Socket<undefined>, bytes: Uint8Array) => void (this.#serverPort === port && client.write(bytes)),
      close: () => void client.terminate(),
      error: () => void client.terminate(),
    };
    Bun.connect({ hostname: "127.0.0.1", port, socket }).catch(() => client.terminate());
  }

  #sent(client: Socket<Link>, bytes: Uint8Array): void {
    const { upstream, waiting } = client.data;
    const armed = this.#armed;
    const isLast = armed !== null && Buffer.from(bytes).includes(armed.text);
    if (upstream === null) waiting.push(new Uint8Array(bytes));
    else upstream.write(bytes);
    if (!isLast) return;
    this.#armed = null;
    if (armed.moment === "taken") setImmediate(armed.kill);
    // From now on no answer gets back, and the server has time to store what it has accepted.
    else {
      this.#serverPort = null;
      setTimeout(armed.kill, 30);
    }
  }
}

export interface SignedCallback {
  headers: Record<string, string>;
  body: string;
}

function callbackOf({ head, body }: ReceivedRequest): SignedCallback {
  const lines = head.split("\r\n").slice(1);
  const headers = lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]);
  return { headers: Object.fromEntries(headers), body };
}

export type ClientService = Awaited<ReturnType<typeof startClientService>>;

async function prepare(peyk: PeykProcess, { accountId }: Customer): Promise<void> {
  await peyk.operate("POST", "/lines", { number: "30001234", account: accountId });
  await peyk.operate("POST", "/groups", { account: accountId, code: "spring", name: "بهار" });
  const csv = "mobile,firstName\n09121111111,سارا\n09122222222,رضا\n";
  const path = "http://localhost/groups/spring/import";
  await (await fetch(path, { unix: join(peyk.folder, "peyk.sock"), method: "POST", body: csv })).text();
  await peyk.operate("POST", "/groups/spring/approve", { by: "test" });
  const text = "{{name}} عزیز، سفارش شما آماده است.";
  await peyk.operate("POST", "/patterns", { account: accountId, code: "ready", name: "آماده", text });
  await peyk.operate("POST", "/patterns/ready/approve", { by: "test" });
}

/** With an approved group `spring`, an approved pattern `ready` and a callback receiver. */
export async function startClientService() {
  const folder = temporaryFolder();
  const authority = createAuthority();
  const receiver = await tlsReceiver(authority.issue({ names: ["IP:127.0.0.1"] }), (socket) => {
    socket.write(okResponse);
  });
  const caFile = join(folder.path, "authority.pem");
  writeFileSync(caFile, authority.cert);
  const env = {
    PEYK_WEBHOOKS_TRUSTED_DESTINATIONS: `127.0.0.1:${receiver.port}`,
    PEYK_WEBHOOKS_CA_FILE: caFile,
  };
  const proxy = new LossyProxy();
  const running: { peyk: PeykProcess } = { peyk: await PeykProcess.start({ folder: folder.path, env }) };
  const portOf = ({ url }: PeykProcess) => Number(new URL(url).port);
  proxy.serves(portOf(running.peyk));
  const customer = await running.peyk.customer();
  await prepare(running.peyk, customer);

  /** The one-time password that a phone has received. */
  async function codeFor(recipient: string): Promise<string> {
    const path = `/simulator/inbox?recipient=${encodeURIComponent(recipient)}`;
    let code = "";
    await eventually(async () => {
      const answer = await running.peyk.operate("GET", path);
      const [, digits] = /: (\d{4,10})"/.exec(JSON.stringify(answer)) ?? [];
      code = digits ?? "";
      return code !== "";
    });
    return code;
  }

  async function callbackFor(eventId: string): Promise<SignedCallback> {
    const isIt = ({ body }: ReceivedRequest) => body.includes(eventId);
    await eventually(() => receiver.requests.some(isIt));
    return receiver.requests.filter(isIt).map(callbackOf)[0] ?? { headers: {}, body: "" };
  }

  /** What a library's program cannot see for itself. */
  const helper = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      const asked = searchParams.get("of") ?? "";
      return pathname === "/code" ? new Response(await codeFor(asked)) : Response.json(await callbackFor(asked));
    },
  });

  return {
    customer,
    /** Called by programs that use a library. */
    env: {
      PEYK_URL: proxy.url,
      PEYK_API_KEY: customer.apiKey,
      PEYK_HELPER: `http://127.0.0.1:${helper.port}`,
      PEYK_RECEIVER: `https://127.0.0.1:${receiver.port}/hook`,
    },
    receive: (message: string) =>
      running.peyk.operate("POST", "/inbound/simulate", { from: "09121234567", to: customer.sender, message }),
    fetch: (path: string) => running.peyk.request(customer, path),
    rows: <Row>(sql: string) => rowsIn<Row>(folder.path, sql),
    /** Kills the server during a request that contains this text, and restarts it. */
    async killOver(text: string, moment: KillMoment): Promise<void> {
      const { peyk } = running;
      await proxy.killOver(text, moment, () => process.kill(peyk.pid, "SIGKILL"));
      await peyk.exited;
      running.peyk = await PeykProcess.start({ folder: folder.path, env });
      proxy.serves(portOf(running.peyk));
    },
    async stop(): Promise<void> {
      await helper.stop(true);
      proxy.stop();
      await running.peyk.stop();
      receiver.stop();
      folder.remove();
    },
  };
}
