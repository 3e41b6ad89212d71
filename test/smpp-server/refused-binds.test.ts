/** A refused bind's answer has a body, and the client closes first: many clients lose the reason otherwise. */
import { afterEach, expect, test } from "bun:test";
import { CustomerServer } from "../support/customer-server.ts";
import { eventually } from "../support/peyk-process.ts";
import { bindFields, SmppCustomer } from "../support/smpp-customer.ts";

let server: CustomerServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

const peyk = Buffer.from("peyk\0");

async function refused(started: CustomerServer, mode = "transceiver"): Promise<SmppCustomer> {
  const stranger = await SmppCustomer.connect(started.port);
  const { commandId, status, frame } = await stranger.request(`bind_${mode}`, bindFields("customer", "wrong123"));
  expect(status).toBe(0x0e);
  expect([commandId & 0x7fffffff, frame.subarray(16)]).toEqual([modes[mode] ?? 0, peyk]);
  return stranger;
}

const modes: Readonly<Record<string, number>> = { receiver: 0x01, transmitter: 0x02, transceiver: 0x09 };

test("every refused bind is answered with the server's system_id: wrong, malformed, one too many, or a second one", async () => {
  const started = await CustomerServer.start([{ options: { binds: 1 } }]);
  server = started;
  for (const mode in modes) (await refused(started, mode)).close();
  const { password } = started.customer;
  const bound = await started.bound();
  const bodies = [
    await (await SmppCustomer.connect(started.port)).request("bind_transceiver", bindFields("customer", password)),
    await (await SmppCustomer.connect(started.port)).request("bind_receiver", bindFields("x".repeat(16), password)),
    await bound.request("bind_transceiver", bindFields("customer", password)),
  ];
  expect(bodies.map(({ status, frame }) => [status, frame.subarray(16)])).toEqual([
    [0x0d, peyk],
    [0x0f, peyk],
    [0x05, peyk],
  ]);
  // The bind that was there stays.
  await bound.submitted();
  bound.close();
});

test("a connection with a refused bind waits for the client to close, and accepts no bind or submit", async () => {
  const started = await CustomerServer.start();
  server = started;
  const stranger = await refused(started);
  const { password } = started.customer;
  const later = [
    stranger.request("bind_transceiver", bindFields("customer", password)).catch(() => null),
    stranger.submit().catch(() => null),
  ];
  // Its answer shows that the connection is open, and that what came before was read.
  expect((await stranger.request("enquire_link")).status).toBe(0);
  const unbound = await stranger.request("unbind");
  expect([unbound.commandId, unbound.status]).toEqual([0x80000006, 0]);
  await stranger.closed;
  expect(await Promise.all(later)).toEqual([null, null]);
});

test("a client that closes leaves nothing behind, and one that does not is closed after two seconds", async () => {
  const started = await CustomerServer.start();
  server = started;
  const polite = await refused(started);
  polite.socket.end();
  await polite.closed;
  const startedMs = performance.now();
  const silent = await refused(started);
  await silent.closed;
  expect(performance.now() - startedMs).toBeGreaterThan(1_900);
  const bound = await started.bound();
  await bound.submitted();
  bound.close();
});

test("connections with a refused bind give way before silent ones", async () => {
  const started = await CustomerServer.start([{}], { PEYK_SMPP_SERVER_CONNECTIONS: "10" });
  server = started;
  const silent: SmppCustomer[] = [];
  for (let index = 0; index < 5; index += 1) silent.push(await SmppCustomer.connect(started.port));
  const wrong: SmppCustomer[] = [];
  for (let index = 0; index < 5; index += 1) wrong.push(await refused(started));
  const more: SmppCustomer[] = [];
  for (let index = 0; index < 5; index += 1) more.push(await SmppCustomer.connect(started.port));
  await eventually(() => wrong.every(({ isClosed }) => isClosed));
  for (const customer of [...silent, ...more]) {
    expect((await customer.request("enquire_link")).status).toBe(0);
    customer.close();
  }
});

test("a stopping server does not wait for connections with a refused bind", async () => {
  const started = await CustomerServer.start();
  server = started;
  const stranger = await refused(started);
  await started.halt();
  await stranger.closed;
});
