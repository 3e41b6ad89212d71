/** An operator's side of the house on real parts: a store on disk, running simulator routes, the API on its Unix socket. */
import { join } from "node:path";
import { defaultSettings } from "../../src/config/settings.ts";
import { routeSet } from "../../src/dispatch/routes.ts";
import { trackingCodes } from "../../src/domain/tracking-code.ts";
import { webhooks } from "../../src/events/webhooks.ts";
import { type Inbound, openInbound } from "../../src/inbound/inbound.ts";
import { acceptor } from "../../src/messaging/accept.ts";
import { accountDesk, keyDesk } from "../../src/messaging/accounts.ts";
import { type ApprovedSending, approvedSending } from "../../src/messaging/approved-sending.ts";
import { openDirectory } from "../../src/messaging/directory.ts";
import { messageDesk } from "../../src/messaging/message-desk.ts";
import { otpTexts } from "../../src/messaging/otp-texts.ts";
import { queueOverview } from "../../src/messaging/queue-overview.ts";
import { routeDesk } from "../../src/messaging/routes.ts";
import { senderDesk } from "../../src/messaging/senders.ts";
import { operatorApi } from "../../src/operator/api.ts";
import type { OperatorParts, Readiness } from "../../src/operator/parts.ts";
import { serveSocket } from "../../src/operator/socket.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { createSealer } from "../../src/platform/seal.ts";
import { parseSimulatorOptions, simulatorProvider } from "../../src/providers/simulator.ts";
import { parseSmppOptions } from "../../src/providers/smpp/options.ts";
import { openStore } from "../../src/store/store.ts";
import { temporaryFolder } from "./house.ts";
import { ManualClock } from "./manual-clock.ts";

const problemsOf = (parsed: object) => ("problems" in parsed && Array.isArray(parsed.problems) ? parsed.problems : []);

/** The files of SMPP routes are checked for real; what runs is a simulator, so that no peer is needed. */
const kinds = {
  simulator: { check: (file: unknown) => problemsOf(parseSimulatorOptions(file)), secretKeys: [] },
  smpp: { check: (file: unknown) => problemsOf(parseSmppOptions(file)), secretKeys: ["password"] },
};

export type OperatorHouse = Awaited<ReturnType<typeof openOperatorHouse>>;

export async function openOperatorHouse(folder = temporaryFolder()) {
  const clock = new ManualClock();
  const store = openStore({ folder: folder.path, now: clock.now() });
  const directory = openDirectory(store.tables, clock);
  const readiness: Readiness = { store: true, schedulers: true, routes: true };
  const set = routeSet({
    clock,
    log: silentLog,
    build: (_, events) => simulatorProvider({ delayMs: 1, partsPerSecond: null, window: 10 }, events, clock),
    events: () => ({ receipt: () => Promise.resolve(), inbound: () => Promise.resolve(), lateAnswer: () => {} }),
    changed: () => {},
    stopGraceMs: 0,
  });
  const applyRoutes = () =>
    set.apply(
      directory.routes().map(({ id, name, enabled }) => ({ id, name, enabled, onUncertain: "resend", revision: "1" })),
    );
  directory.subscribe({ routeChanged: applyRoutes });
  const sealer = createSealer(systemRandom.bytes(32));
  const desk = { store, directory, clock, random: systemRandom };
  const routes = routeDesk({ ...desk, sealer, kinds });
  await routes.ensureOne();
  const inbound = openInbound({
    store,
    clock,
    random: systemRandom,
    log: silentLog,
    trackingCodes: trackingCodes(clock, systemRandom),
    settings: { defaultRegion: "IR", reassemblyTimeoutMs: 600_000, retentionDays: 90 },
  });
  const hooks = webhooks({
    store,
    clock,
    random: systemRandom,
    log: silentLog,
    sealer,
    isSuspended: directory.isSuspended,
    observer: { attempted: () => {}, ended: () => {} },
    settings: { trustedDestinations: [], denyCidrs: [], caFile: null, eventRetentionDays: 30 },
  });
  const accept = acceptor({
    ...desk,
    trackingCodes: trackingCodes(clock, systemRandom),
    senders: directory,
    validityMs: 3_600_000,
    mismatch: "replay",
    accepted: () => {},
    mismatched: () => {},
  });
  const approved = approvedSending({
    ...desk,
    log: silentLog,
    acceptor: accept,
    accepted: () => {},
    texts: otpTexts(sealer),
    key: systemRandom.bytes(32),
    settings: { ...defaultSettings(), otp: { ...defaultSettings().otp, fraudGuard: true, rangePerHour: 2 } },
  });
  const parts: OperatorParts & { inbound: Inbound; approved: ApprovedSending } = {
    directory,
    accounts: accountDesk(desk),
    keys: keyDesk(desk),
    senders: senderDesk(desk),
    routes,
    messages: messageDesk(store, directory, clock),
    inbound,
    webhooks: hooks.deliveries,
    approved,
    callbackUrls: () => null,
    running: {
      state(routeId) {
        const route = set.get(routeId);
        return route === undefined
          ? null
          : { health: route.provider.health(), unanswered: 0, partsPerSecondNow: null, counts: {} };
      },
      probe: (routeId) => set.get(routeId)?.provider.probe() ?? null,
    },
    queue: () => queueOverview(store.tables.queue),
    readiness: () => Promise.resolve(readiness),
    facts: {
      version: "0.0.0-test",
      startedAt: clock.now(),
      dataDir: folder.path,
      listen: "127.0.0.1:1",
      consoleListen: "127.0.0.1:2",
      defaultRegion: "IR",
    },
    clock,
    log: silentLog,
  };
  const app = operatorApi(parts);
  const socket = await serveSocket(join(folder.path, "peyk.sock"), app.fetch);

  return {
    ...parts,
    clock,
    store,
    app,
    folder: folder.path,
    socketPath: socket.path,
    /** Set a check to false, and the appliance is not ready. */
    checks: readiness,
    /** One request to the socket, answered as JSON. */
    async call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
      const init =
        body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
      const response = await fetch(`http://localhost${path}`, { method, unix: socket.path, ...init });
      return { status: response.status, body: await response.json() };
    },
    /** Stores a message as the public API would, and gives its tracking code. */
    async storeMessage(
      message: Partial<Parameters<typeof store.tables.messages.insert>[0]> & { trackingCode: string },
    ) {
      const now = clock.now();
      await store.write((tables) =>
        tables.messages.insert({
          accountId: 1,
          senderId: 1,
          class: 1,
          sender: "30001",
          recipient: "+989121234567",
          text: "سلام",
          clientReference: null,
          encoding: "Persian",
          characterCount: 4,
          partCount: 1,
          submittedAt: now,
          sendAt: null,
          validUntil: now + 3_600_000,
          ...message,
        }),
      );
      return message.trackingCode;
    },
    async close() {
      await socket.stop();
      await approved.stop();
      await set.stop();
      store.close();
      folder.remove();
    },
  };
}
