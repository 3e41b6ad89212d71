/** Inbound messages on a real file and the test's clock, with route 1 and accounts 1 and 2. */
import { rmSync } from "node:fs";
import { trackingCodes } from "../../src/domain/tracking-code.ts";
import { type Inbound, openInbound } from "../../src/inbound/inbound.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import type { InboundPart } from "../../src/providers/provider.ts";
import type { AvailableInbound } from "../../src/store/inbound.ts";
import type { Store } from "../../src/store/store.ts";
import { ManualClock } from "./manual-clock.ts";
import { openMigratedStore } from "./migrated-store.ts";
import { temporaryFolder } from "./test-server.ts";

export const phone = "+989121234567";
export const line = "30001234";
export const reassemblyTimeoutMs = 600_000;

export interface InboundServer {
  clock: ManualClock;
  store: Store;
  inbound: Inbound;
  /** Every message passed to the listener inside the transactions, rolled back or not. */
  heard: AvailableInbound[];
  /** Hands in a part through route 1, from the phone to the line by default. */
  bring(part: Partial<InboundPart>, routeId?: number): ReturnType<Inbound["take"]>;
  /** Every message that the account can read, in its order. */
  read(accountId?: number): Promise<AvailableInbound[]>;
  texts(accountId?: number): Promise<string[]>;
  /** Reopens what kill -9 would leave; the clock continues. */
  restart(): Promise<InboundServer>;
  stop(): Promise<void>;
}

export async function createInboundServer(
  options: { clock?: ManualClock; folder?: string; retentionDays?: number } = {},
): Promise<InboundServer> {
  const clock = options.clock ?? new ManualClock();
  const folder = options.folder ?? temporaryFolder().path;
  const store = openMigratedStore({ folder, now: clock.now() });
  await store.write((tables) => {
    if (tables.accounts.all().length > 0) return;
    for (const name of ["Clinic", "Bank"])
      tables.accounts.insert({ name, status: "active", defaultSender: null, createdAt: clock.now() });
  });
  const heard: AvailableInbound[] = [];
  store.onInbound((inbound) => heard.push(inbound));
  const inbound = openInbound({
    store,
    clock,
    random: systemRandom,
    log: silentLog,
    trackingCodes: trackingCodes(clock, systemRandom),
    settings: { defaultRegion: "IR", reassemblyTimeoutMs, retentionDays: options.retentionDays ?? 90 },
  });
  await inbound.start();

  const everything = { sender: null, receiver: null, from: null, to: null };
  async function read(accountId = 1): Promise<AvailableInbound[]> {
    return (await inbound.inbox.read(accountId, 0, everything, 100_000)).messages;
  }

  return {
    clock,
    store,
    inbound,
    heard,
    bring: (part, routeId = 1) =>
      inbound.take(routeId, { sender: phone, receiver: line, text: "", receivedAt: clock.now(), ...part }),
    read,
    texts: async (accountId) => (await read(accountId)).map(({ message }) => message),
    async restart() {
      store.close();
      return createInboundServer({ ...options, clock, folder });
    },
    async stop() {
      await inbound.stop();
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
