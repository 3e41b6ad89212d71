/** Traffic for the demo's console: three customers sending through the public API, over two simulated carriers. */

import type { OperatorClient } from "../operator/client.ts";
import type { Random } from "../platform/random.ts";

export interface DemoTrafficDeps {
  api: OperatorClient;
  /** Of the public API. */
  url: string;
  random: Random;
  /** Waits; rejects once the demo ends. */
  pause(ms: number): Promise<void>;
}

interface Customer {
  apiKey: string;
  sender: string;
  texts: readonly string[];
}

const everyMs = 400;
const waveMs = 90_000;
const requestsPerMinute = 1_000_000;
/** Every few turns, a batch or a one-time password is sent as well. */
const batchEvery = 40;
const otpEvery = 6;

const carriers = [
  { name: "operator-a", options: { delayMs: 700, partsPerSecond: 60 } },
  { name: "operator-b", options: { delayMs: 1_600, partsPerSecond: 20 } },
];

const customers = [
  {
    name: "فروشگاه کتاب سپیدار",
    sender: "30005050",
    routes: ["operator-a", "operator-b"],
    texts: ["سفارش شما ارسال شد."],
  },
  { name: "Mehr Clinic", sender: "98200", routes: ["operator-b"], texts: ["Your appointment is tomorrow at 10:30."] },
  {
    name: "پست پیشتاز",
    sender: "20001234",
    routes: ["operator-a"],
    texts: ["بستهٔ شما امروز می‌رسد.", "مامور پست پشت در است."],
  },
];

/** Sends until `pause` rejects. */
export async function demoTraffic(deps: DemoTrafficDeps): Promise<void> {
  const { random, pause } = deps;
  for (const carrier of carriers) await deps.api("POST /routes", { ...carrier, kind: "simulator" });
  const senders: Customer[] = [];
  for (const customer of customers) senders.push(await created(deps.api, customer));
  for (let turn = 0; ; turn += 1) {
    const level = 2.5 + 2 * Math.sin((2 * Math.PI * turn * everyMs) / waveMs);
    const count = Math.round(level * (0.5 + random.fraction()));
    const sends = Array.from({ length: count }, () => sendOne(deps, pick(senders, random)));
    if (turn % batchEvery === 0) sends.push(sendBatch(deps, pick(senders, random)));
    if (turn % otpEvery === 0) sends.push(sendCode(deps, pick(senders, random)));
    await Promise.all(sends);
    await pause(everyMs);
  }
}

async function created(
  api: OperatorClient,
  { name, sender, routes, texts }: (typeof customers)[number],
): Promise<Customer> {
  const { id } = await api("POST /accounts", { name });
  await api("POST /accounts/:id/senders", { id, sender, routes });
  const { apiKey } = await api("POST /keys", { account: id, name: "backend", rate: requestsPerMinute });
  return { apiKey, sender, texts };
}

const pick = <T>(list: readonly T[], random: Random): T => {
  const picked = list[Math.floor(random.fraction() * list.length)];
  if (picked === undefined) throw new Error("Nothing to pick from");
  return picked;
};

/** The last two digits decide in the simulator: some messages are refused, some fail, some never get a receipt. */
const recipient = (random: Random): string => `0912${Math.floor(1_000_000 + random.fraction() * 9_000_000)}`;

function sendOne(deps: DemoTrafficDeps, customer: Customer): Promise<void> {
  const { sender, texts } = customer;
  const message = pick(texts, deps.random);
  return post(deps, customer, "/v1/messages", { sender, recipient: recipient(deps.random), message });
}

function sendBatch(deps: DemoTrafficDeps, customer: Customer): Promise<void> {
  const { sender, texts } = customer;
  const message = pick(texts, deps.random);
  const messages = Array.from({ length: 40 }, () => ({ sender, recipient: recipient(deps.random), message }));
  return post(deps, customer, "/v1/messages/batch", { messages });
}

function sendCode(deps: DemoTrafficDeps, customer: Customer): Promise<void> {
  return post(deps, customer, "/v1/otp/challenges", { sender: customer.sender, recipient: recipient(deps.random) });
}

/** Refusals are part of the picture: a carrier that is down, a limit that is reached. */
async function post({ url, random }: DemoTrafficDeps, { apiKey }: Customer, path: string, body: object): Promise<void> {
  const headers = { "Content-Type": "application/json", "X-API-Key": apiKey, "Idempotency-Key": random.uuid() };
  const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  await answer.arrayBuffer();
}
