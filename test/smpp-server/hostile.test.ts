/** Customers and strangers that break the protocol, or the limits: each is answered according to the specification, and nobody else is affected. */
import { afterEach, expect, test } from "bun:test";
import { connect } from "node:net";
import { PDU } from "smpp";
import { runCli } from "../support/cli.ts";
import { CustomerServer } from "../support/customer-server.ts";
import { eventually } from "../support/peyk-process.ts";
import { bindFields, SmppCustomer, submitFields } from "../support/smpp-customer.ts";

let server: CustomerServer;
afterEach(() => server.stop());

const header = (length: number, command: number, sequence = 1) => {
  const frame = Buffer.alloc(16);
  frame.writeUInt32BE(length, 0);
  frame.writeUInt32BE(command, 4);
  frame.writeUInt32BE(sequence, 12);
  return frame;
};

test("requests before the bind are refused, and end the connection if they go on", async () => {
  server = await CustomerServer.start();
  const stranger = await SmppCustomer.connect(server.port);
  expect((await stranger.submit()).status).toBe(0x04);
  expect((await stranger.request("enquire_link")).status).toBe(0);
  for (let index = 0; index < 18; index += 1) expect((await stranger.request("query_sm")).status).toBe(0x04);
  await expect(stranger.request("query_sm")).rejects.toThrow("ended");
});

test.each([
  ["shorter than a header", 15],
  ["longer than a stranger's may be", 1_025],
  ["of four gigabytes", 0xffffffff],
])("a length %s is answered with generic_nack, and the connection is closed", async (_, length) => {
  server = await CustomerServer.start();
  const stranger = await SmppCustomer.connect(server.port);
  const nack = await stranger.raw(header(length, 0x09, 0), 0);
  expect([nack.commandId, nack.status]).toEqual([0x80000000, 0x02]);
  await stranger.closed;
});

test("fields that do not fit their PDU get the status of the field, and the bind continues", async () => {
  server = await CustomerServer.start();
  const customer = await server.bound();
  const whole = new PDU("submit_sm", { ...submitFields(), sequence_number: 500 }).toBuffer();
  for (let length = 16; length < whole.length; length += 1) {
    const cut = Buffer.from(whole.subarray(0, length));
    cut.writeUInt32BE(length, 0);
    const { status } = await customer.raw(cut, 500);
    expect([0x02, 0x0a, 0x0b, 0x15]).toContain(status);
  }
  expect((await customer.submit({ source_addr: "3".repeat(21) })).status).toBe(0x0a);
  expect((await customer.submit({ destination_addr: "9".repeat(21) })).status).toBe(0x0b);
  expect((await customer.submit({ schedule_delivery_time: "0".repeat(17) })).status).toBe(0x61);
  expect((await customer.submit({ esm_class: 0x40, short_message: Buffer.from([200, 0, 3]) })).status).toBe(0x45);
  // Languages that the standard reserves, an octet of eight bits, and an escape without its character at a segment's end.
  for (const octets of [
    [3, 0x24, 1, 14, 0x41],
    [3, 0x25, 1, 2, 0x41],
    [4, 0x25, 2, 1, 1, 0x41],
    [3, 0x24, 1, 1, 0xc1],
    [8, 0x24, 1, 1, 0, 3, 9, 2, 1, 0x41, 0x1b],
  ]) {
    const national = { esm_class: 0x40, data_coding: 0, short_message: Buffer.from(octets) };
    expect((await customer.submit(national)).status).toBe(0x45);
  }
  expect((await customer.submit({ source_port: 5 })).status).toBe(0x45);
  expect((await customer.submit({ replace_if_present_flag: 1 })).status).toBe(0x13);
  expect((await customer.submit()).status).toBe(0);
});

test("single octets and ten requests in one packet are read alike", async () => {
  server = await CustomerServer.start();
  const customer = await server.bound();
  const frames = Array.from({ length: 10 }, (_, index) =>
    new PDU("submit_sm", { ...submitFields(), sequence_number: 600 + index }).toBuffer(),
  );
  const together = frames.map((_, index) => (index === 9 ? customer.raw(Buffer.concat(frames), 609) : wait(index)));
  function wait(index: number) {
    return customer.expect(600 + index);
  }
  expect((await Promise.all(together)).map(({ status }) => status)).toEqual(Array(10).fill(0));
  const slow = new PDU("submit_sm", { ...submitFields(), sequence_number: 700 }).toBuffer();
  const answer = customer.expect(700);
  for (const octet of slow) {
    customer.socket.write(Buffer.from([octet]));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await answer).status).toBe(0);
});

test("requests beyond the window, the rate or the number of binds get their status, and later ones are accepted", async () => {
  server = await CustomerServer.start([
    { options: { window: 10, binds: 2 } },
    { systemId: "slow", sender: "30005678", ratePerSecond: 5 },
  ]);
  const customer = await server.bound();
  const statuses = async (answers: Promise<{ status: number }>[]) =>
    (await Promise.all(answers)).map((one) => one.status);
  // A thread that is interrupted for 10 ms reads the rest in another turn, when the first ones are answered.
  await eventually(async () => {
    customer.socket.cork();
    const inOnePacket = Array.from({ length: 12 }, () => customer.submit());
    customer.socket.uncork();
    const burst = await statuses(inOnePacket);
    const full = burst.filter((status) => status === 0x14).length;
    expect(full).toBeLessThanOrEqual(2);
    expect(burst.filter((status) => status === 0)).toHaveLength(12 - full);
    return full === 2;
  });
  const slow = await server.bound("transceiver", server.customers[1]);
  const own = { source_addr: "30005678" };
  const fast = await statuses(Array.from({ length: 7 }, () => slow.submit(own)));
  expect(fast.filter((status) => status === 0x58).length).toBeGreaterThanOrEqual(1);
  await Bun.sleep(1_100);
  expect((await slow.submit(own)).status).toBe(0);
  await server.bound();
  const third = await SmppCustomer.connect(server.port);
  expect((await third.request("bind_transceiver", bindFields("customer", server.customer.password))).status).toBe(0x0d);
  expect((await customer.request("bind_transceiver", bindFields("customer", "x"))).status).toBe(0x05);
});

test("a half-open bind makes room once it does not answer", async () => {
  server = await CustomerServer.start([{ options: { binds: 1 } }]);
  const dead = await server.bound();
  dead.answersEnquiries = false;
  await expect(server.bound()).rejects.toThrow("0xd");
  const next = await server.bound();
  expect((await next.submit()).status).toBe(0);
  await dead.closed;
});

test("wrong passwords are slowed down by address, and the right one is still accepted", async () => {
  server = await CustomerServer.start([{}], { PEYK_SMPP_SERVER_FAILED_BINDS_PER_MINUTE: "3" });
  const statuses: number[] = [];
  for (let index = 0; index < 5; index += 1) {
    const stranger = await SmppCustomer.connect(server.port);
    statuses.push((await stranger.request("bind_transceiver", bindFields("customer", `wrong${index}`))).status);
  }
  expect(statuses).toEqual([0x0e, 0x0e, 0x0e, 0x58, 0x58]);
  expect((await (await server.bound()).submit()).status).toBe(0);
});

test("an address outside the key's list, a key without the permission, and an expired one are refused", async () => {
  server = await CustomerServer.start([
    { systemId: "far", sender: "30001111", allowFrom: ["203.0.113.0/24"] },
    { systemId: "reads", sender: "30002222", permissions: ["messages:read"] },
    { systemId: "late", sender: "30003333", expiresAt: Date.now() - 1 },
  ]);
  const statusOf = async (systemId: string, mode: string) =>
    (await (await SmppCustomer.connect(server.port)).request(`bind_${mode}`, bindFields(systemId, "pass1234"))).status;
  expect(await statusOf("far", "transceiver")).toBe(0x0e);
  expect(await statusOf("reads", "transmitter")).toBe(0x0d);
  expect(await statusOf("late", "transceiver")).toBe(0x0e);
  const reader = await server.bound("transceiver", server.customers[1]);
  expect((await reader.submit({ source_addr: "30002222" })).status).toBe(0x45);
});

test("suspending an account, revoking a key or removing an address ends binds at once, and keeps what waits", async () => {
  server = await CustomerServer.start([
    {},
    { systemId: "other", sender: "30005678" },
    { systemId: "moved", sender: "30009012" },
  ]);
  const customer = await server.bound("transmitter");
  const other = await server.bound("transmitter", server.customers[1]);
  const moved = await server.bound("transceiver", server.customers[2]);
  await customer.submitted({ schedule_delivery_time: "000001000000000R" });
  const peyk = (...argv: string[]) => runCli([...argv, "--data-dir", server.folder]);
  await peyk("account", "suspend", "acc_1");
  await customer.closed;
  expect(customer.unbound).toBe(true);
  await expect(server.bound()).rejects.toThrow("0xd");
  await peyk("key", "revoke", "key_2");
  await other.closed;
  await peyk("key", "update", "key_3", "--allow-from", "127.0.0.0/8");
  expect((await moved.submit({ source_addr: "30009012" })).status).toBe(0);
  await peyk("key", "update", "key_3", "--allow-from", "203.0.113.0/24");
  await moved.closed;
  expect(moved.unbound).toBe(true);
  await peyk("account", "resume", "acc_1");
  expect((await (await server.bound()).submit()).status).toBe(0);
});

test("two thousand connections that never bind do not slow down another client's answers", async () => {
  server = await CustomerServer.start([{ options: { binds: 100 } }], { PEYK_SMPP_SERVER_CONNECTIONS: "2100" });
  const customer = await server.bound();
  const sockets = await Promise.all(
    Array.from({ length: 2_000 }, () => {
      const socket = connect({ port: server.port, host: "127.0.0.1" });
      return new Promise<typeof socket>((resolve) => socket.once("connect", () => resolve(socket)));
    }),
  );
  expect((await customer.submit()).status).toBe(0);
  for (const socket of sockets) socket.destroy();
  await eventually(async () => (await customer.request("enquire_link")).status === 0);
});

test("connections that never bind give way to new ones, and bound ones do not", async () => {
  server = await CustomerServer.start([{}], { PEYK_SMPP_SERVER_CONNECTIONS: "3" });
  const customer = await server.bound();
  const strangers = [await SmppCustomer.connect(server.port), await SmppCustomer.connect(server.port)];
  const second = await server.bound();
  await strangers[0]?.closed;
  const third = await server.bound();
  await strangers[1]?.closed;
  const late = await SmppCustomer.connect(server.port);
  await late.closed;
  for (const bind of [customer, second, third]) expect((await bind.submit()).status).toBe(0);
});

test("a reset inside a PDU, random octets and a slow reader do not disturb other clients", async () => {
  server = await CustomerServer.start();
  const customer = await server.bound();
  for (let index = 0; index < 20; index += 1) {
    const noise = connect({ port: server.port, host: "127.0.0.1" });
    noise.on("error", () => {});
    await new Promise((resolve) => noise.once("connect", resolve));
    noise.write(Buffer.from(crypto.getRandomValues(new Uint8Array(100))));
    if (index % 2 === 0) noise.resetAndDestroy();
  }
  const cut = await server.bound();
  cut.socket.write(new PDU("submit_sm", submitFields()).toBuffer().subarray(0, 40));
  cut.socket.resetAndDestroy();
  expect((await customer.submit()).status).toBe(0);
});
