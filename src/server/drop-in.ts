/**
 * Opens the drop-in listener for programs written for other SMS services: nothing is loaded unless it is configured.
 */
import { hostPortOf } from "../config/host-port.ts";
import type { DropInService } from "../drop-in/drop-in-service.ts";
import type { MessageCallbacks } from "../drop-in/message-callbacks.ts";
import type { Certificate } from "../platform/certificate.ts";
import { cannotListen } from "../platform/listen-error.ts";
import type { RenewableListener } from "../platform/renewable-listener.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import type { CustomerCredentials } from "./customer-credentials.ts";
import type { Services } from "./services.ts";
import type { ServerStorage } from "./storage.ts";

export interface DropIn {
  /** Null if it is not served. */
  url(): string | null;
  listen(certificate: Certificate | null): void;
  startTaking(): void;
  renew(certificate: Certificate): void;
  stop(): Promise<void>;
}

const notServed: DropIn = {
  url: () => null,
  listen() {},
  startTaking() {},
  renew() {},
  async stop() {},
};

export async function openDropIn(
  storage: ServerStorage,
  services: Services,
  credentials: CustomerCredentials,
  webhooks: Pick<Webhooks, "alsoDeliver">,
): Promise<DropIn> {
  const { store, settings } = storage;
  const { listen: address } = settings.dropIn;
  const { messageCallbacks, credentials: known, webhooks: queues } = store.tables;
  const isUsed = messageCallbacks.isUsed || queues.hasQueues() || known.hasForwards();
  if (address === null && !isUsed) {
    let begun: Promise<unknown> | null = null;
    credentials.forwarding.begin = async () => {
      begun ??= openPrograms(storage, services, credentials, webhooks);
      await begun;
    };
    return notServed;
  }
  const callbacks = await openPrograms(storage, services, credentials, webhooks);
  if (address === null) return notServed;
  const service = await serviceOf(storage, services, credentials, callbacks);
  let listener: RenewableListener | null = null;
  return {
    url: () => listener?.url ?? null,
    listen(certificate) {
      try {
        listener = storage.listenForDropIn(service, { ...hostPortOf(address), clock: storage.clock, tls: certificate });
      } catch (reason) {
        throw cannotListen("drop_in_listen", reason, address, "drop_in.listen");
      }
    },
    startTaking: () => service.startTaking(),
    renew: (certificate) => listener?.renew(certificate),
    async stop() {
      await listener?.stop();
    },
  };
}

/** What calls customers' programs. */
async function openPrograms(
  storage: ServerStorage,
  services: Services,
  credentials: CustomerCredentials,
  webhooks: Pick<Webhooks, "alsoDeliver">,
): Promise<MessageCallbacks> {
  const { openForwards, openMessageCallbacks } = await import("../drop-in/open.ts");
  const callbacks = openMessageCallbacks({ ...storage, credentials: credentials.open().directory });
  callbacks.record();
  const forwards = openForwards({ ...storage, credentials: credentials.open().directory }, callbacks);
  forwards.record();
  services.inboundRules.engine.toProgram = (credentialId, text) => forwards.forward(credentialId, text, "rule");
  const own = callbacks.own();
  const outgoing: typeof own.outgoing = (queued) =>
    forwards.isForward(queued) ? forwards.outgoing(queued) : own.outgoing(queued);
  webhooks.alsoDeliver({ ...own, outgoing });
  return callbacks;
}

async function serviceOf(
  storage: ServerStorage,
  services: Services,
  credentials: CustomerCredentials,
  callbacks: MessageCallbacks,
): Promise<DropInService> {
  const { openDropInService } = await import("../drop-in/open.ts");
  const { Intakes } = await import("../messaging/intake/intakes.ts");
  const { settings, metrics, store } = storage;
  const { uses, calls } = credentials;
  return openDropInService({
    ...storage,
    ...services,
    ...credentials.atListener(),
    tables: store.tables,
    ownCodes: services.otp.service.codes,
    uses,
    calls,
    intakes: new Intakes({ ...storage, credentials: credentials.open().directory }),
    groupSender: services.groups.sender,
    messages: store.tables.messages,
    callbacks,
    observer: metrics.dropIn(),
    trustedProxies: settings.http.trustedProxies,
  });
}
