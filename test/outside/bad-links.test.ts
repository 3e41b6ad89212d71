/**
 * toxiproxy between Peyk and its carrier, and between Peyk and a webhook: slow, cut, reset and narrow connections while
 * messages are sent. Every message is handed over and told in the end, and repeated only where an answer was lost.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAuthority } from "../support/certificates.ts";
import { freePorts } from "../support/free-ports.ts";
import { fromGo } from "../support/outside-programs.ts";
import { eventually, PeykProcess, rowsIn } from "../support/peyk-process.ts";
import { Smsc } from "../support/smsc.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { okResponse, type TlsReceiver, tlsReceiver } from "../support/tls-receiver.ts";

const toxiproxy = await fromGo("github.com/Shopify/toxiproxy/v2/cmd/server", "2.12.0");
const timeoutMs = 300_000;
const perToxic = 20;

interface Toxic {
  type: string;
  stream?: "upstream" | "downstream";
  attributes: Readonly<Record<string, number>>;
}

/** Times in milliseconds, `rate` in KB a second, `bytes` from the beginning of a connection. */
const toxics: Readonly<Record<string, Toxic>> = {
  "an answer that takes its time": { type: "latency", attributes: { latency: 300, jitter: 200 } },
  "a request that takes its time": { type: "latency", stream: "upstream", attributes: { latency: 300, jitter: 200 } },
  "a narrow connection": { type: "bandwidth", attributes: { rate: 1 } },
  "octets that come in slices": { type: "slicer", attributes: { average_size: 7, size_variation: 3, delay: 200 } },
  "an end that takes its time": { type: "slow_close", attributes: { delay: 2_000 } },
  "connections cut within an answer": { type: "limit_data", attributes: { bytes: 1_500 } },
  "connections cut within a request": { type: "limit_data", stream: "upstream", attributes: { bytes: 4_000 } },
  "connections that are reset": { type: "reset_peer", attributes: { timeout: 400 } },
  "answers that never come": { type: "timeout", attributes: { timeout: 1_500 } },
};

const folder = temporaryFolder();
let smsc: Smsc;
let receiver: TlsReceiver;
let proxy: Bun.Subprocess | null = null;
let peyk: PeykProcess;
let customer: { accountId: string; apiKey: string; sender: string };
let control = "";

const proxies = ["carrier", "webhook"] as const;

async function told(method: string, path: string, body?: object): Promise<void> {
  const answer = await fetch(`${control}${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
}

beforeAll(async () => {
  if (toxiproxy === null) return;
  const authority = createAuthority();
  receiver = await tlsReceiver(authority.issue({ names: ["IP:127.0.0.1"] }), (socket) => {
    socket.write(okResponse);
  });
  smsc = await Smsc.start({ receipts: { when: "after" } });
  const [controlPort = 0, carrierPort = 0, webhookPort = 0] = await freePorts(3);
  control = `http://127.0.0.1:${controlPort}`;
  proxy = Bun.spawn([toxiproxy, "-host", "127.0.0.1", "-port", String(controlPort)], {
    stdout: "ignore",
    stderr: "ignore",
  });
  await eventually(() =>
    fetch(`${control}/version`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  const pairs = { carrier: [carrierPort, smsc.port], webhook: [webhookPort, receiver.port] } as const;
  for (const name of proxies) {
    const [listen, upstream] = pairs[name].map((port) => `127.0.0.1:${port}`);
    await told("POST", "/proxies", { name, listen, upstream, enabled: true });
  }
  const caFile = join(folder.path, "authority.pem");
  writeFileSync(caFile, authority.cert);
  const env = { PEYK_WEBHOOKS_TRUSTED_DESTINATIONS: `127.0.0.1:${webhookPort}`, PEYK_WEBHOOKS_CA_FILE: caFile };
  peyk = await PeykProcess.start({ folder: folder.path, env });
  const options = { host: "127.0.0.1", port: carrierPort, systemId: "peyk", password: "x", responseTimeoutMs: 1_000 };
  await peyk.operate("POST", "/routes", { name: "carrier", kind: "smpp", options });
  customer = await peyk.customer("30009999");
  await peyk.operate("POST", `/accounts/${customer.accountId}/senders`, { sender: "30001234", routes: ["carrier"] });
  const url = `https://127.0.0.1:${webhookPort}/hook`;
  const headers = { "Content-Type": "application/json" };
  const made = { method: "POST", headers, body: JSON.stringify({ url, events: ["message.status"] }) };
  expect((await peyk.request(customer, "/v1/webhooks/", made)).status).toBe(201);
}, timeoutMs);
afterAll(async () => {
  if (toxiproxy === null) return;
  await peyk.stop();
  await smsc.stop();
  receiver.stop();
  proxy?.kill();
  await proxy?.exited;
  folder.remove();
});

/** By tracking code, the ids of the events with this status. */
function toldEvents(status: string): Map<string, Set<string>> {
  const events = new Map<string, Set<string>>();
  for (const { body } of receiver.requests) {
    const { id, data } = JSON.parse(body);
    if (data.status !== status) continue;
    events.set(data.trackingCode, (events.get(data.trackingCode) ?? new Set()).add(id));
  }
  return events;
}

interface Outcome {
  code: string;
  text: string;
  state: string;
  uncertain: number;
}

const outcomes = () =>
  rowsIn<Outcome>(
    folder.path,
    `SELECT tracking_code AS code, text, state,
       (SELECT count(*) FROM timeline WHERE message_id = message.id AND kind = 'uncertain') AS uncertain
     FROM message ORDER BY id`,
  );

test.skipIf(toxiproxy === null)(
  "over bad connections every message is handed over and reported once, and repeated only after a lost answer (wants go)",
  async () => {
    let sent = 0;
    const codes: string[] = [];
    for (const [title, { type, stream = "downstream", attributes }] of Object.entries(toxics)) {
      for (const name of proxies)
        await told("POST", `/proxies/${name}/toxics`, { name: "toxic", type, stream, toxicity: 1, attributes });
      for (let index = 0; index < perToxic; index += 1) {
        sent += 1;
        const { status, body } = await peyk.send(
          { ...customer, sender: "30001234" },
          { message: `m${sent}; ${title}` },
        );
        expect(status).toBe(202);
        codes.push(body.trackingCode ?? "");
        await Bun.sleep(50);
      }
      for (const name of proxies) await told("DELETE", `/proxies/${name}/toxics/toxic`);
    }
    // This SMSC sends a receipt once: one that breaks with its connection never comes.
    await eventually(() => outcomes().every(({ state }) => state === "submitted" || state === "delivered"), 120_000);
    await eventually(() => codes.every((code) => toldEvents("sent").has(code)), 120_000);
    const rows = outcomes();
    const delivered = rows.filter(({ state }) => state === "delivered").map(({ code }) => code);
    await eventually(() => delivered.every((code) => toldEvents("delivered").has(code)), 120_000);
    expect(rows.map(({ code }) => code)).toEqual(codes);
    for (const { text, uncertain } of rows) {
      const times = smsc.submits.filter((submit) => submit.text === text).length;
      expect({ text, isRight: times >= 1 && times <= 1 + uncertain }).toEqual({ text, isRight: true });
    }
    // A repeated attempt has the same id.
    for (const status of ["sent", "delivered"]) for (const ids of toldEvents(status).values()) expect(ids.size).toBe(1);
    expect(delivered.length).toBeGreaterThan(sent / 2);
    // The control: the connections were bad.
    expect(rows.some(({ uncertain }) => uncertain > 0)).toBe(true);
    expect(smsc.binds.length).toBeGreaterThan(1);
    console.log(
      `toxiproxy: ${sent} messages, ${delivered.length} delivered, ${smsc.submits.length} submits, ${smsc.binds.length} binds`,
    );
  },
  timeoutMs,
);
