/** What the tests of callbacks share: receivers that answer as told, a house whose clock is turned, and readers of requests. */
import type { TLSSocket } from "node:tls";
import { ManualClock } from "./manual-clock.ts";
import { okAnswer, type ReceivedRequest, type TlsReceiver, tlsReceiver } from "./tls-receiver.ts";
import { createWebhookServer, receiverPair, type WebhookServer, type WebhookServerOptions } from "./webhook-server.ts";

export type Answer = (socket: TLSSocket, request: ReceivedRequest) => void;

export const ok: Answer = (socket) => void socket.write(okAnswer);
export const silent: Answer = () => undefined;
/** An answer without a body; further header lines may follow the status, separated by CR LF. */
export const status =
  (line: string): Answer =>
  (socket) =>
    void socket.write(`HTTP/1.1 ${line}\r\nContent-Length: 0\r\n\r\n`);

/** Whatever a test opened, closed after it in reverse order. */
export function cleaning() {
  const tasks: (() => unknown)[] = [];
  return {
    add: (task: () => unknown): void => void tasks.push(task),
    async run(): Promise<void> {
      for (const task of tasks.splice(0).reverse()) await task();
    },
  };
}

/** Receivers and houses that end with the test. */
export function callbackSettings(cleanUp: ReturnType<typeof cleaning>) {
  return {
    async receiver(answer: Answer): Promise<TlsReceiver> {
      const made = await tlsReceiver(receiverPair, answer);
      cleanUp.add(() => made.stop());
      return made;
    },

    async house(receivers: readonly TlsReceiver[], options: WebhookServerOptions & { clock?: ManualClock } = {}) {
      const clock = options.clock ?? new ManualClock();
      const trusted = receivers.map(({ port }) => `127.0.0.1:${port}`);
      const made = await createWebhookServer({ trusted, ...options, clock });
      cleanUp.add(() => made.stop());
      return { ...made, clock };
    },
  };
}

export const urlOf = ({ port }: TlsReceiver, path = "/hook") => `https://127.0.0.1:${port}${path}`;

export const headerOf = (name: string, { head }: ReceivedRequest) =>
  new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1]?.trim();

export const eventOf = (request: ReceivedRequest) => JSON.parse(request.body);

export const statusesOf = ({ requests }: TlsReceiver) => requests.map((request) => eventOf(request).data.status);

/** The newest delivery of a webhook and the attempts at it. */
export function attemptsAt({ store }: Pick<WebhookServer, "store">, rowId: number) {
  const [delivery] = store.tables.deliveryLog.ofWebhook(rowId, Number.MAX_SAFE_INTEGER, 1);
  if (delivery === undefined) throw new Error("There is no delivery");
  return { delivery, attempts: store.tables.deliveryLog.attemptsOf(delivery.id) };
}
