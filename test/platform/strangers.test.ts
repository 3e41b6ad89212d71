/** Of connections that nobody has authenticated, those of the network that has most give way first. */
import { afterEach, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { clientOf } from "../../src/domain/client-address.ts";
import { Strangers } from "../../src/platform/strangers.ts";
import { CustomerServer } from "../support/customer-server.ts";
import { bindFields, SmppCustomer } from "../support/smpp-customer.ts";

let server: CustomerServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

test("the largest network gives up its oldest connection first, and among equals the network with the oldest one", () => {
  const strangers = new Strangers<number>(() => true, clientOf);
  expect(strangers.leastWorthy).toBeNull();
  const opened = ["192.0.2.1", "192.0.2.2", "192.0.2.2", "2001:db8:1:2::1", "2001:db8:1:3::1", "2001:db8:1::5"];
  for (const [connection, address] of opened.entries()) strangers.add(connection, address);
  const ended: number[] = [];
  for (let next = strangers.leastWorthy; next !== null; next = strangers.leastWorthy) {
    ended.push(next);
    strangers.delete(next);
    strangers.delete(next);
  }
  expect(ended).toEqual([3, 1, 4, 0, 2, 5]);
  expect(strangers.size).toBe(0);
});

test("within a network the oldest connection that has sent nothing goes before older ones that have", () => {
  const spoken = new Set([0, 1, 3]);
  const strangers = new Strangers<number>((connection) => !spoken.has(connection), clientOf);
  for (let connection = 0; connection < 5; connection += 1) strangers.add(connection, "192.0.2.1");
  const ended: (number | null)[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const next = strangers.leastWorthy;
    ended.push(next);
    if (next !== null) strangers.delete(next);
  }
  expect(ended).toEqual([2, 4, 0, 1, 3]);
  // Whoever opens a thousand that send one octet each does not end those that came last.
  for (let connection = 0; connection < 1_000; connection += 1) {
    spoken.add(connection);
    strangers.add(connection, "192.0.2.1");
  }
  strangers.add(1_000, "192.0.2.1");
  expect(strangers.leastWorthy).toBe(0);
});

async function connectedFrom(localAddress: string): Promise<Socket> {
  const socket = connect({ port: server?.port ?? 0, host: "127.0.0.1", localAddress });
  socket.on("error", () => {});
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  return socket;
}

test("a flood from one address does not end a slow customer's connection, nor another customer's", async () => {
  const started = await CustomerServer.start([{}], { PEYK_SMPP_SERVER_CONNECTIONS: "10" });
  server = started;
  const slow = new SmppCustomer(await connectedFrom("127.0.0.2"));
  const other = new SmppCustomer(await connectedFrom("127.0.0.3"));
  const flood: Socket[] = [];
  for (let index = 0; index < 200; index += 1) flood.push(await connectedFrom("127.0.0.1"));
  for (const customer of [slow, other]) {
    const { systemId, password } = started.customer;
    expect((await customer.request("bind_transceiver", bindFields(systemId, password))).status).toBe(0);
  }
  for (const socket of flood) socket.destroy();
});
