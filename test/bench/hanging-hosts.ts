/** The effect on webhooks of a thousand hanging hosts, called by the callbacks of ten credentials' messages. */
import { parseCallbackUrl } from "../../src/domain/destination-url.ts";
import { messageCallbackLimits } from "../../src/drop-in/message-callbacks.ts";
import { systemClock as clock } from "../../src/platform/clock.ts";
import { Deliverer } from "../../src/webhooks/deliverer.ts";
import { compared } from "./alternate.ts";
import { accountOf, callbackLatency, type Latency, type WebhookCore } from "./callbacks.ts";
import { type Measure, median, milliseconds } from "./report.ts";
import type { Scale } from "./scale.ts";

const credentials = 10;
const hostsOfCredential = 100;
/** Waiting for each host: every slot is taken again as soon as an attempt times out. */
const waitingOfHost = 3;
const eventsPerSecond = 500;
const settleMs = 1_000;

/** Ten credentials with a hundred origins each; all of them lead to a path of the receiver that never answers. */
async function hangingHosts(core: WebhookCore, receiverPort: number): Promise<() => Promise<void>> {
  const { store, shared, seal } = core;
  const accountId = await accountOf(core, "Of the hanging hosts");
  const origin = `https://127.0.0.1:${receiverPort}`;
  const destination = parseCallbackUrl(`${origin}/hang`, [origin]);
  for (let credentialId = 1; credentialId <= credentials; credentialId += 1) {
    await store.write((tables) => {
      for (let host = 0; host < hostsOfCredential; host += 1)
        hangingHost(tables, seal(""), { accountId, credentialId, host });
    });
  }
  const { webhooks } = store.tables;
  const deliverer = new Deliverer({
    ...shared,
    outgoing: ({ attempt }) => ({ destination, method: "GET", headers: () => ({}), body: "", attempt }),
    isOwn: (webhookId) => webhooks.isOfCredential(webhookId),
    ownOf: (id) => webhooks.queuesOfAccount(id),
    limits: messageCallbackLimits,
    givesUp: false,
  });
  deliverer.start();
  // Until all slots of one account are taken.
  while (deliverer.inFlight < messageCallbackLimits.attemptsMax / 2) await Bun.sleep(10);
  // Opening a thousand queues and sixteen connections at once is a start's work.
  await Bun.sleep(settleMs);
  return () => deliverer.stop(0);
}

function hangingHost(
  { webhooks, outbox }: WebhookCore["store"]["tables"],
  sealedSecret: Uint8Array,
  { accountId, credentialId, host }: { accountId: number; credentialId: number; host: number },
): void {
  const name = `host-${credentialId}-${host}`;
  const at = clock.now();
  const row = { publicId: name, accountId, url: `https://${name}.example.com`, events: [], active: true };
  const stored = { ...row, sealedSecret, createdAt: at, updatedAt: at };
  const { id } = webhooks.insertQueue(stored, credentialId);
  for (let index = 0; index < waitingOfHost; index += 1) {
    const subject = `${name}-${index}`;
    const event = { publicId: subject, accountId, kind: "callback.kannel", subject, step: "sent", body: "{}" };
    outbox.record({ ...event, createdAt: at }, [id]);
  }
}

export async function hangingHostRows({ samples, sampleSeconds }: Scale): Promise<Measure[]> {
  const alone: Latency[] = [];
  const beside: Latency[] = [];
  // Until the engine has compiled the code of a callback.
  await callbackLatency(false, eventsPerSecond, sampleSeconds);
  for (let sample = 0; sample < samples; sample += 1) {
    alone.push(await callbackLatency(false, eventsPerSecond, sampleSeconds));
    beside.push(await callbackLatency(false, eventsPerSecond, sampleSeconds, hangingHosts));
  }
  const p99 = (all: readonly Latency[]) => all.map((one) => one.p99);
  const moved = compared(p99(beside), p99(alone));
  return [
    {
      what: `p99 of webhooks beside ${(credentials * hostsOfCredential).toLocaleString("en")} hanging callback hosts`,
      measured: milliseconds(median(p99(beside))),
      control: milliseconds(median(p99(alone))),
      ...moved,
      bar: "under 1.10",
      met: moved.ratio < 1.1,
    },
  ];
}
