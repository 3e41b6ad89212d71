/**
 * Shared by the callback tests: receivers with prescribed answers, a server with a manual clock, and request readers.
 */
import type { TLSSocket } from "node:tls";
import { ManualClock } from "./manual-clock.ts";
import { okResponse, type ReceivedRequest, type TlsReceiver, tlsReceiver } from "./tls-receiver.ts";
import { createWebhookServer, receiverPair, type WebhookServer, type WebhookServerOptions } from "./webhook-server.ts";

export type Respond = (socket: TLSSocket, request: ReceivedRequest) => void;

export const ok: Respond = (socket) => void socket.write(okResponse);
export const silent: Respond = () => undefined;
/** A response without a body; further header lines may follow the status, separated by CR LF. */
export const status =
  (line: string): Respond =>
  (socket) =>
    void socket.write(`HTTP/1.1 ${line}\r\nContent-Length: 0\r\n\r\n`);

export interface CleanUp {
  add(task: () => unknown): void;
  /** Runs the tasks in reverse order. */
  run(): Promise<void>;
}

export function createCleanUp(): CleanUp {
  const tasks: (() => unknown)[] = [];
  return {
    add: (task) => void tasks.push(task),
    async run() {
      for (const task of tasks.splice(0).reverse()) await task();
    },
  };
}

/** Receivers and servers that are closed with the test. */
export function callbackFixtures(cleanUp: CleanUp) {
  return {
    async startReceiver(respond: Respond): Promise<TlsReceiver> {
      const receiver = await tlsReceiver(receiverPair, respond);
      cleanUp.add(() => receiver.stop());
      return receiver;
    },

    async startServer(receivers: readonly TlsReceiver[], options: WebhookServerOptions & { clock?: ManualClock } = {}) {
      const clock = options.clock ?? new ManualClock();
      const trusted = receivers.map(({ port }) => `127.0.0.1:${port}`);
      const server = await createWebhookServer({ trusted, ...options, clock });
      cleanUp.add(() => server.stop());
      return { ...server, clock };
    },
  };
}

export const urlOf = ({ port }: TlsReceiver, path = "/hook") => `https://127.0.0.1:${port}${path}`;

export const headerOf = (name: string, { head }: ReceivedRequest) =>
  new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1]?.trim();

export const eventOf = (request: ReceivedRequest) => JSON.parse(request.body);

export const statusesOf = ({ requests }: TlsReceiver) => requests.map((request) => eventOf(request).data.status);

/** The newest delivery of a webhook and its attempts. */
export function attemptsAt({ store }: Pick<WebhookServer, "store">, rowId: number) {
  const [delivery] = store.tables.deliveryLog.ofWebhook(rowId, Number.MAX_SAFE_INTEGER, 1);
  if (delivery === undefined) throw new Error("There is no delivery");
  return { delivery, attempts: store.tables.deliveryLog.attemptsOf(delivery.id) };
}
