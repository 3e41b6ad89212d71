/** Callbacks a second to an HTTPS receiver on this machine, and the effect of a hanging endpoint on nine good ones. */
import { rmSync } from "node:fs";
import { createAddressPolicy } from "../../src/domain/address-policy.ts";
import { parseTrustedDestinations } from "../../src/domain/destination-url.ts";
import { type MessageState, messageClasses } from "../../src/domain/message.ts";
import { systemClock as clock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom as random } from "../../src/platform/random.ts";
import { createSealer } from "../../src/platform/seal.ts";
import { openStore } from "../../src/store/store.ts";
import { CallbackAttempts, type OutgoingCallback } from "../../src/webhooks/attempt.ts";
import { Deliverer } from "../../src/webhooks/deliverer.ts";
import { DestinationGuard, interfaceAddresses } from "../../src/webhooks/destination-guard.ts";
import { recordEvents } from "../../src/webhooks/events.ts";
import { systemResolver } from "../../src/webhooks/resolver.ts";
import { TlsTransport } from "../../src/webhooks/transport/tls-transport.ts";
import { WebhookService } from "../../src/webhooks/webhook-service.ts";
import { customersOwn } from "../../src/webhooks/webhooks.ts";
import { createAuthority } from "../support/certificates.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { type Measure, milliseconds, perSecond, printReport } from "./report.ts";

export interface Receiver {
  port: number;
  stop(): void;
}

export const authority = createAuthority();

export async function startReceiver(): Promise<Receiver> {
  const { key, cert } = authority.issue({ names: ["IP:127.0.0.1"] });
  const env = { ...process.env, RECEIVER_KEY: key, RECEIVER_CERT: cert };
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/callback-receiver.ts`], { env, stdout: "pipe" });
  const { value } = await child.stdout.getReader().read();
  return { port: Number(new TextDecoder().decode(value)), stop: () => child.kill() };
}

/** The webhook module as the server puts it together. `delivered` is called for each success. */
function createWebhookCore(folder: string, port: number, delivered: (callback: OutgoingCallback) => void) {
  const store = openStore({ folder, now: clock.now() });
  const trusted = parseTrustedDestinations([`127.0.0.1:${port}`]);
  const guard = new DestinationGuard({
    resolver: systemResolver,
    policy: createAddressPolicy(),
    ownAddresses: interfaceAddresses(clock),
  });
  const transport = new TlsTransport(clock, authority.cert);
  const sealer = createSealer(random.bytes(32));
  const attempts = new CallbackAttempts({ clock, guard, transport, trusted });
  const shared = {
    store,
    clock,
    random,
    log: silentLog,
    attempts: {
      async send(outgoing: () => OutgoingCallback, stop: AbortSignal) {
        let callback: OutgoingCallback | null = null;
        const result = await attempts.send(() => {
          callback = outgoing();
          return callback;
        }, stop);
        if (result.failure === null && callback !== null) delivered(callback);
        return result;
      },
    },
    openSecret: sealer.open,
    isSuspended: () => false,
    observer: { attempted: () => undefined, ended: () => undefined },
  };
  const sender = new Deliverer({ ...shared, ...customersOwn(store.tables.webhooks, attempts) });
  recordEvents(store, { clock, random });
  const webhooks = new WebhookService({
    store,
    clock,
    random,
    guard,
    trusted,
    seal: sealer.seal,
    changed: (id) => sender.changed(id),
  });
  return { store, sender, webhooks, transport, shared, seal: sealer.seal };
}

export type WebhookCore = ReturnType<typeof createWebhookCore>;

export const accountOf = ({ store }: WebhookCore, name: string) =>
  store.write(
    (tables) => tables.accounts.insert({ name, status: "active", defaultSender: null, createdAt: clock.now() }).id,
  );

/** One message that is cancelled at once: one status change, so one event. */
const cancelMessage = (core: WebhookCore, accountId: number, trackingCode: string): Promise<void> =>
  addMessage(core, accountId, trackingCode, ["cancelled"]);

/** A message that passes through these states at once. */
function addMessage(
  { store }: WebhookCore,
  accountId: number,
  trackingCode: string,
  states: readonly MessageState[],
): Promise<void> {
  const at = clock.now();
  return store.write((tables) => {
    const id = tables.messages.insert({
      trackingCode,
      accountId,
      senderId: 1,
      class: messageClasses.single,
      sender: "30001",
      recipient: "+989120000010",
      text: "سلام",
      clientReference: null,
      encoding: "Persian",
      characterCount: 4,
      partCount: 1,
      submittedAt: at,
      sendAt: null,
      validUntil: at + 3_600_000,
    });
    for (const to of states) {
      const row = tables.messages.byId(id);
      if (row !== null) tables.messages.move(row, { to, at });
    }
  });
}

async function withWebhookCore<T>(
  delivered: (callback: OutgoingCallback) => void,
  use: (core: WebhookCore, port: number) => Promise<T>,
  isStarted = true,
): Promise<T> {
  const receiver = await startReceiver();
  const folder = temporaryFolder();
  const core = createWebhookCore(folder.path, receiver.port, delivered);
  if (isStarted) core.sender.start();
  try {
    return await use(core, receiver.port);
  } finally {
    await core.sender.stop(0);
    core.transport.close();
    core.store.close();
    receiver.stop();
    rmSync(folder.path, { recursive: true, force: true });
  }
}

/** Counts deliveries; `all` resolves at the last one. */
function counting(events: number) {
  let count = 0;
  const finished = Promise.withResolvers<void>();
  const delivered = () => {
    count += 1;
    if (count === events) finished.resolve();
  };
  return { delivered, all: finished.promise };
}

/** An account with a webhook for each, at this path of the receiver. */
async function webhooksAt(core: WebhookCore, port: number, path: string, count: number): Promise<number[]> {
  const accounts: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const account = await accountOf(core, `Account ${index}`);
    await core.webhooks.create(account, { url: `https://127.0.0.1:${port}${path}`, events: ["message.status"] });
    accounts.push(account);
  }
  return accounts;
}

/** Deliveries a second with everything included: event, delivery, signature, TLS, outcome on disk. */
export async function callbackRate(webhooks: number, events: number): Promise<number> {
  const { delivered, all } = counting(events);
  return withWebhookCore(delivered, async (core, port) => {
    const accounts = await webhooksAt(core, port, "/ok", webhooks);
    const startedAt = clock.monotonic();
    const writes = Array.from({ length: events }, (_, index) =>
      cancelMessage(core, accounts[index % webhooks] ?? 1, `rate-${index}`),
    );
    await Promise.all([...writes, all]);
    return (events * 1000) / (clock.monotonic() - startedAt);
  });
}

/** Deliveries a second of callbacks that are in the store when the service starts. */
export async function backlogRate(webhooks: number, events: number): Promise<number> {
  const { delivered, all } = counting(events);
  const drain = async (core: WebhookCore, port: number) => {
    const accounts = await webhooksAt(core, port, "/ok", webhooks);
    for (let index = 0; index < events; index += 1)
      await cancelMessage(core, accounts[index % webhooks] ?? 1, `stored-${index}`);
    const startedAt = clock.monotonic();
    core.sender.start();
    await all;
    return (events * 1000) / (clock.monotonic() - startedAt);
  };
  return withWebhookCore(delivered, drain, false);
}

const steps: readonly MessageState[] = ["submitting", "submitted", "delivered"];

/** Messages a second to one webhook whose receiver takes 50 ms to answer: three callbacks each, one after the other. */
export async function farRate(messages: number): Promise<number> {
  const { delivered, all } = counting(messages * steps.length);
  return withWebhookCore(delivered, async (core, port) => {
    const [account = 1] = await webhooksAt(core, port, "/far", 1);
    const startedAt = clock.monotonic();
    const writes = Array.from({ length: messages }, (_, index) => addMessage(core, account, `far-${index}`, steps));
    await Promise.all([...writes, all]);
    return (messages * 1000) / (clock.monotonic() - startedAt);
  });
}

export interface Latency {
  p50: number;
  p99: number;
}

/** Something that runs beside the webhooks that are timed; resolves with a function that ends it. */
export type Neighbour = (core: WebhookCore, receiverPort: number) => Promise<() => Promise<void>>;

/** The first callbacks open the connections, and are not timed: they alone were the slowest hundredth. */
const openingShare = 1 / 6;

/** From the status change to its delivery, in milliseconds, at nine endpoints of nine accounts. */
export async function callbackLatency(
  withHanging: boolean,
  perSecond: number,
  seconds: number,
  neighbour: Neighbour | null = null,
): Promise<Latency> {
  const begun = new Map<string, number>();
  const latencies: number[] = [];
  const delivered = ({ body }: OutgoingCallback) => {
    const at = begun.get(JSON.parse(body).data.trackingCode);
    if (at !== undefined) latencies.push(clock.monotonic() - at);
  };
  return withWebhookCore(delivered, async (core, port) => {
    const accounts: number[] = [];
    for (let index = 0; index < 10; index += 1) {
      const account = await accountOf(core, `Account ${index}`);
      const isHanging = withHanging && index === 9;
      await core.webhooks.create(account, {
        url: `https://127.0.0.1:${port}/${isHanging ? "hang" : "ok"}`,
        events: ["message.status"],
      });
      accounts.push(account);
    }
    const endNeighbour = (await neighbour?.(core, port)) ?? (async () => undefined);
    const total = perSecond * seconds;
    const startedAt = clock.monotonic();
    for (let index = 0; index < total; index += 1) {
      const dueMs = (index * 1000) / perSecond - (clock.monotonic() - startedAt);
      if (dueMs > 0) await Bun.sleep(dueMs);
      const code = `latency-${index}`;
      const isTimed = index % 10 !== 9 && index >= total * openingShare;
      if (isTimed) begun.set(code, clock.monotonic());
      void cancelMessage(core, accounts[index % 10] ?? 1, code);
    }
    while (latencies.length < begun.size) await Bun.sleep(10);
    await endNeighbour();
    latencies.sort((a, b) => a - b);
    const at = (part: number) => latencies[Math.floor((latencies.length - 1) * part)] ?? Number.NaN;
    return { p50: at(0.5), p99: at(0.99) };
  });
}

/** Both cases alternately, because the speed of a shared disk varies; the pair whose ratio is the median. */
export async function isolation(
  rounds = 7,
  perSecond = 500,
  seconds = 2.4,
): Promise<{ alone: Latency; beside: Latency }> {
  const pairs: { alone: Latency; beside: Latency }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const alone = () => callbackLatency(false, perSecond, seconds);
    const beside = () => callbackLatency(true, perSecond, seconds);
    // In turn the first: what runs later finds more compiled code.
    if (round % 2 === 0) pairs.push({ alone: await alone(), beside: await beside() });
    else {
      const first = await beside();
      pairs.push({ alone: await alone(), beside: first });
    }
  }
  const moved = ({ alone, beside }: { alone: Latency; beside: Latency }) => beside.p99 / alone.p99;
  const sorted = pairs.toSorted((a, b) => moved(a) - moved(b));
  const middle = sorted[(sorted.length - 1) >> 1];
  if (middle === undefined) throw new Error("Nothing was measured");
  return middle;
}

const rateBar = 1_500;
const backlogBar = 9_000;
const farBar = 150;
const movedMax = 1.1;

export async function callbackRows(): Promise<Measure[]> {
  const one = await callbackRate(1, 6_000);
  const ten = await callbackRate(10, 6_000);
  const backlog = await backlogRate(10, 60_000);
  const far = await farRate(2_000);
  const { alone, beside } = await isolation();
  const moved = beside.p99 / alone.p99;
  const bar = `at least ${perSecond(rateBar)}`;
  return [
    { what: "callbacks to one webhook, receiver on this machine", measured: perSecond(one), bar, met: one >= rateBar },
    { what: "callbacks to ten webhooks, receiver on this machine", measured: perSecond(ten), bar, met: ten >= rateBar },
    {
      what: "stored callbacks of ten webhooks, receiver on this machine",
      measured: perSecond(backlog),
      bar: `at least ${perSecond(backlogBar)}`,
      met: backlog >= backlogBar,
    },
    {
      what: "messages to one webhook 50 ms away, three callbacks each",
      measured: perSecond(far),
      bar: `at least ${perSecond(farBar)}`,
      met: far >= farBar,
    },
    {
      what: "p99 of nine webhooks beside a tenth that hangs",
      measured: milliseconds(beside.p99),
      control: milliseconds(alone.p99),
      ratio: moved,
      bar: `at most ${movedMax}`,
      met: moved <= movedMax,
    },
  ];
}

if (import.meta.main) {
  printReport(await callbackRows());
  process.exit(0);
}
