/** Receipts over SMPP wait until a bind of their credential has acknowledged them, whatever happens in between. */
import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { runCli } from "../support/cli.ts";
import { CustomerServer } from "../support/customer-server.ts";
import { eventually, rowsIn } from "../support/peyk-process.ts";
import { bindFields, SmppCustomer, textOf } from "../support/smpp-customer.ts";

let server: CustomerServer;
afterEach(() => server.stop());

const waiting = () => rowsIn<{ n: number }>(server.folder, "SELECT count(*) AS n FROM credential_delivery")[0]?.n ?? 0;

test("a transmitter's message is reported once to a receiver that binds after a restart", async () => {
  server = await CustomerServer.start();
  const sender = await server.bound("transmitter");
  const ids = await Promise.all(Array.from({ length: 20 }, () => sender.submitted()));
  await eventually(() => waiting() === 20);
  const metrics = await (await fetch(`${server.running.consoleUrl}/metrics`)).text();
  expect(metrics).toContain('peyk_smpp_server_binds{credential="cred_1"} 1');
  expect(metrics).toContain('peyk_smpp_server_waiting{credential="cred_1"} 20');
  expect(metrics).toContain('peyk_smpp_server_submits_total{status="0x00000000"} 20');
  // Known from the start, so that the first event yields a rate.
  expect(metrics).toContain('peyk_smpp_server_binds_total{outcome="refused"} 0');
  expect(metrics).toContain('peyk_smpp_server_deliveries_total{kind="inbound",outcome="failed"} 0');
  expect(metrics).toContain('peyk_smpp_server_window{credential="cred_1"} 100');
  expect(metrics).toContain('peyk_smpp_server_unacknowledged{credential="cred_1"} 0');
  expect((await runCli(["status", "--data-dir", server.folder])).out).toMatch(
    /^Customers by SMPP +1 of 1 active credential bound, by 1 bind; 20 to be acknowledged, the oldest since /m,
  );
  const [shown] = await server.operate<Record<string, unknown>[]>("GET", "/credentials");
  expect(shown).toMatchObject({ id: "cred_1", accepted: 20, waiting: 20, binds: [{ mode: "transmitter" }] });
  await server.halt();
  expect(sender.unbound).toBe(true);
  await server.startAgain();
  const receiver = await server.bound("receiver");
  await eventually(() => receiver.receipts.length === 20 && waiting() === 0);
  expect(receiver.receipts.map((text) => /^id:(\S+)/.exec(text)?.[1] ?? "")).toEqual(ids);
});

test("a credential tells when it was first bound, when nobody was after that, and why", async () => {
  server = await CustomerServer.start();
  const boundOf = async () => {
    const { bound } = await server.operate<{
      bound: { since: string; gaps: { from: string; to: string | null; why: unknown }[] } | null;
    }>("GET", "/credentials/cred_1");
    return bound;
  };
  expect(await boundOf()).toBeNull();
  const [first, second] = [await server.bound("transmitter"), await server.bound("receiver")];
  first.close();
  second.close();
  await eventually(async () => (await boundOf())?.gaps.length === 1);
  expect(await boundOf()).toMatchObject({ gaps: [{ to: null, why: { code: "connection_closed" } }] });
  await server.bound();
  const { since = "", gaps = [] } = (await boundOf()) ?? {};
  const [{ from = "", to = "" } = {}] = gaps;
  expect(gaps).toHaveLength(1);
  expect([since, from, to ?? ""].toSorted()).toEqual([since, from, to ?? ""]);
});

test("registered_delivery requests the final receipt, only failures or only successes", async () => {
  server = await CustomerServer.start();
  const customer = await server.bound();
  await customer.submitted({ registered_delivery: 0 });
  await customer.submitted({ registered_delivery: 2 });
  const success = await customer.submitted({ registered_delivery: 3 });
  await eventually(() => customer.receipts.length === 1);
  expect(customer.receipts[0]).toContain(`id:${success}`);
});

test("a bind that acknowledges nothing gets one window of receipts and is unbound, and another gets the rest", async () => {
  server = await CustomerServer.start([{ options: { window: 5 } }], {
    PEYK_SMPP_SERVER_RESPONSE_TIMEOUT_SECONDS: "1",
  });
  const mute = await server.bound();
  mute.onDelivery = () => null;
  for (let index = 0; index < 12; index += 1) await mute.submitted();
  await mute.closed;
  expect(mute.unbound).toBe(true);
  expect(mute.deliveries).toHaveLength(5);
  expect(waiting()).toBe(12);
  const good = await server.bound();
  await eventually(() => good.receipts.length === 12 && waiting() === 0);
});

test("a refused receipt is sent again, and others continue meanwhile", async () => {
  server = await CustomerServer.start();
  const customer = await server.bound();
  let refused = "";
  customer.onDelivery = ({ fields }) => {
    const id = /^id:(\S+)/.exec(textOf(fields))?.[1] ?? "";
    if (refused === "") refused = id;
    return id === refused && customer.deliveries.length < 3 ? 0x64 : 0;
  };
  const ids = [await customer.submitted(), await customer.submitted()];
  await eventually(() => customer.receipts.length === 3 && waiting() === 0);
  expect(customer.receipts.map((text) => /^id:(\S+)/.exec(text)?.[1])).toEqual([ids[0], ids[1], refused]);
}, 180_000);

test("an inbound text is delivered to the credential of its line, in parts, in octets that read the same", async () => {
  server = await CustomerServer.start();
  await server.operate("POST", "/lines", { number: "30001234", account: "acc_1" });
  await server.operate("PUT", "/lines/30001234/credential", { credential: "cred_1" });
  const text = "این یک پیام بلند از یک گوشی است. ".repeat(5);
  await server.operate("POST", "/inbound/simulate", { from: "+989121234567", to: "30001234", message: text });
  const customer = await server.bound();
  await eventually(() => customer.deliveries.length === 3 && waiting() === 0);
  const shares = customer.deliveries.map(({ fields }) => {
    const octets = fields.short_message;
    return Buffer.isBuffer(octets) ? Buffer.from(octets.subarray(6)).swap16().toString("utf16le") : "";
  });
  expect(shares.join("")).toBe(text);
  expect(customer.deliveries[0]?.fields).toMatchObject({
    source_addr: "989121234567",
    source_addr_ton: 1,
    destination_addr: "30001234",
    esm_class: 0x40,
    data_coding: 8,
  });
});

test("a bind below version 3.4 gets receipts without TLVs", async () => {
  server = await CustomerServer.start();
  const old = await SmppCustomer.connect(server.port);
  const { systemId, password } = server.customer;
  const answer = await old.request("bind_transceiver", bindFields(systemId, password, 0x33));
  expect(answer.frame.length).toBe(16 + "peyk".length + 1);
  await old.submitted();
  await eventually(() => old.receipts.length === 1);
  expect(old.deliveries[0]?.fields.receipted_message_id).toBeUndefined();
});

test("receipts queued while the clock was ahead are delivered after it was set back", async () => {
  server = await CustomerServer.start();
  const sender = await server.bound("transmitter");
  const id = await sender.submitted();
  await eventually(() => waiting() === 1);
  const database = new Database(join(server.folder, "peyk.db"));
  database.run("UPDATE credential_delivery SET due_at = due_at + 7200000");
  database.close();
  const receiver = await server.bound("receiver");
  await eventually(() => receiver.receipts.length === 1 && waiting() === 0);
  expect(receiver.receipts[0]).toContain(`id:${id}`);
});
