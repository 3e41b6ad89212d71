/** Customers with Debian's Kannel connect over SMPP; and a whole chain from a customer to a carrier and back, while Peyk is killed. */
import { expect, test } from "bun:test";
import { CustomerServer } from "../support/customer-server.ts";
import { freePort } from "../support/free-ports.ts";
import { isKannelInstalled, startKannel } from "../support/kannel.ts";
import { moneyIn } from "../support/money.ts";
import { eventually, PeykProcess, rowsIn } from "../support/peyk-process.ts";
import {
  type CustomerPdu,
  type SeededCustomer,
  SmppCustomer,
  seedCustomer,
  seedLine,
  textOf,
} from "../support/smpp-customer.ts";
import { Smsc, type SmscSubmit } from "../support/smsc.ts";
import { temporaryFolder } from "../support/test-server.ts";

if (!isKannelInstalled()) console.log("skipped  Kannel as a customer: kannel is not installed");

test.skipIf(!isKannelInstalled())(
  "Kannel sends long Persian texts in segments, gets a receipt for each, and receives an inbound text",
  async () => {
    const server = await CustomerServer.start();
    await server.halt();
    await seedLine(server.folder, "30001234", 1);
    await server.startAgain();
    const heard: URL[] = [];
    const http = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        heard.push(new URL(request.url));
        return new Response("");
      },
    });
    const url = `http://127.0.0.1:${http.port}`;
    const kannel = await startKannel({
      smscPort: server.port,
      username: "u",
      password: "p",
      bindsAs: server.customer,
      getUrl: `${url}/inbound?from=%p&to=%P&text=%b&coding=%c&charset=%C`,
    });
    const text = "سلام و درود فراوان به شما مشتری گرامی، پیام شما رسید. ".repeat(4).trim();
    const query = new URLSearchParams({
      username: "u",
      password: "p",
      from: "30001234",
      to: "+989121234500",
      text,
      coding: "2",
      charset: "UTF-8",
      "dlr-mask": "3",
      "dlr-url": `${url}/receipt?type=%d&reply=%A`,
    });
    // It accepts nothing before its bind is up.
    await eventually(async () => (await fetch(`${kannel.sendsmsUrl}?${query}`)).status === 202);
    await eventually(() => rowsIn(server.folder, "SELECT 1 FROM message").length === 1);
    expect(rowsIn<{ text: string }>(server.folder, "SELECT text FROM message")).toEqual([{ text }]);
    await eventually(() => heard.some(({ pathname }) => pathname === "/receipt"));
    expect(heard.find(({ pathname }) => pathname === "/receipt")?.searchParams.get("type")).toBe("1");
    await server.operate("POST", "/inbound/simulate", { from: "+989121234567", to: "30001234", message: "hello" });
    await eventually(() => heard.some(({ pathname }) => pathname === "/inbound"));
    const inbound = heard.find(({ pathname }) => pathname === "/inbound")?.searchParams;
    expect([inbound?.get("to"), inbound?.get("text")]).toEqual(["30001234", "hello"]);
    await eventually(() => rowsIn(server.folder, "SELECT 1 FROM credential_delivery").length === 0);
    await kannel.stop();
    await http.stop(true);
    await server.stop();
  },
  120_000,
);

const keyTlv = (key: string) => {
  const octets = Buffer.alloc(4 + key.length);
  octets.writeUInt16BE(0x1500, 0);
  octets.writeUInt16BE(key.length, 2);
  octets.write(key, 4);
  return octets;
};

/** Every tenth message is long and has two segments. */
const submitsOf = (index: number) =>
  index % 10 > 0
    ? [{ key: `order-${index}`, fields: { text: `پیام ${index}` } }]
    : [1, 2].map((sar_segment_seqnum) => ({
        key: `order-${index}-${sar_segment_seqnum}`,
        fields: { text: `${index} `.repeat(20), sar_msg_ref_num: index, sar_total_segments: 2, sar_segment_seqnum },
      }));

/** A customer that submits each under its TLV until it is answered, binds again whenever the connection ends, and keeps its receipts. */
class PersistentCustomer {
  /** By their keys. */
  readonly ids = new Map<string, string>();
  readonly receipts = new Map<string, string>();
  #bound: SmppCustomer | null = null;

  constructor(
    readonly port: number,
    readonly customer: SeededCustomer,
  ) {}

  async run(submits: ReturnType<typeof submitsOf>, isOver: () => boolean): Promise<void> {
    const waiting = new Map(submits.map((one) => [one.key, one]));
    for (
      const deadline = performance.now() + 100_000;
      performance.now() < deadline && !(waiting.size === 0 && isOver());
    ) {
      const bound = await this.#bind();
      if (bound === null) await Bun.sleep(50);
      const next = bound === null ? [] : [...waiting.values()].slice(0, 50);
      await Promise.allSettled(
        next.map(async ({ key, fields }) => {
          const id = await bound?.submitWithTlv(fields, keyTlv(key));
          if (id === undefined) return;
          this.ids.set(key, id);
          waiting.delete(key);
        }),
      );
      await Bun.sleep(10);
    }
    this.#bound?.close();
  }

  async #bind(): Promise<SmppCustomer | null> {
    if (this.#bound !== null && !this.#bound.isClosed) return this.#bound;
    this.#bound = await SmppCustomer.bound(this.port, this.customer).catch(() => null);
    const bound = this.#bound;
    if (bound === null) return null;
    const take = ({ fields }: CustomerPdu) => {
      const [, id = "", stat = ""] = /^id:(\S+) .* stat:(\w+)/.exec(textOf(fields)) ?? [];
      this.receipts.set(id, stat);
      return 0;
    };
    // Some arrived together with the answer to the bind.
    for (const delivery of bound.deliveries) take(delivery);
    bound.onDelivery = take;
    return bound;
  }
}

/** A carrier that repeats the report of each message until it is acknowledged, as networks do. */
async function reportingSmsc() {
  const owed = new Map<string, SmscSubmit>();
  const idOf = (number: number) => number.toString(16).padStart(8, "0");
  const smsc: Smsc = await Smsc.start({
    messageId: idOf,
    onSubmit: (submit) => {
      owed.set(idOf(submit.number), submit);
      return {};
    },
  });
  let isOver = false;
  const report = async ([id, submit]: [string, SmscSubmit]) => {
    const answers = await Promise.race([smsc.receipt(submit, id), Bun.sleep(1_000)]);
    if (answers?.every((status) => status === 0)) owed.delete(id);
  };
  const reporting = (async () => {
    while (!isOver) {
      await Promise.allSettled([...owed].slice(0, 100).map(report));
      await Bun.sleep(10);
    }
  })();
  const stop = async () => {
    isOver = true;
    await reporting;
    await smsc.stop();
  };
  return { port: smsc.port, owed, stop };
}

test("messages, balance and receipts match from customer to carrier and back after Peyk was killed repeatedly", async () => {
  const { path: folder, remove } = temporaryFolder();
  const customer = await seedCustomer(folder, { options: { repeats: 0x1500, window: 200 } });
  const smsc = await reportingSmsc();
  const port = await freePort();
  const start = () => PeykProcess.start({ folder, env: { PEYK_SMPP_SERVER_LISTEN: `127.0.0.1:${port}` } });
  let peyk = await start();
  // Submits left unanswered by a kill are reported under ids that nobody knows: if ids were small numbers, `auto` would match another's.
  const ids = { receiptId: "exact", onUncertain: "resend" };
  const options = { host: "127.0.0.1", port: smsc.port, systemId: "peyk", password: "secret", ...ids };
  await peyk.operate("POST", "/routes", { name: "carrier", kind: "smpp", options });
  await peyk.operate("PATCH", "/accounts/acc_1/senders/30001234", { routes: ["carrier"] });
  await peyk.operate("POST", "/prices/retail", { prefix: "*", price: "7" });
  await peyk.operate("PUT", "/accounts/acc_1/billing", { list: "retail", mode: "prepaid" });
  await peyk.operate("POST", "/accounts/acc_1/topup", { amount: 1_000_000 });
  await peyk.operate("PUT", "/quotas/acc_1", { month: 1_000_000 });
  const count = 1_000;
  const submits = Array.from({ length: count }, (_, index) => submitsOf(index)).flat();
  const persistent = new PersistentCustomer(port, customer);
  let isKilled = false;
  const killing = (async () => {
    for (let round = 0; round < 5; round += 1) {
      await Bun.sleep(500);
      await peyk.kill();
      peyk = await start();
    }
    isKilled = true;
  })();
  const isOver = () => isKilled && smsc.owed.size === 0 && persistent.receipts.size === submits.length;
  await persistent.run(submits, isOver);
  await killing;
  const read = <Row extends object>(sql: string) => rowsIn<Row>(folder, sql);
  expect(read("SELECT state, count(*) AS messages FROM message GROUP BY state")).toEqual([
    { state: "delivered", messages: count },
  ]);
  const answered = [...persistent.ids.values()].toSorted();
  expect(new Set(answered).size).toBe(submits.length);
  expect([...persistent.receipts.keys()].toSorted()).toEqual(answered);
  expect(new Set(persistent.receipts.values())).toEqual(new Set(["DELIVRD"]));
  await eventually(() => read("SELECT 1 FROM credential_delivery").length === 0);
  expect(await peyk.stop()).toBe(0);
  const { balances, charged, isWhole } = moneyIn(folder, 1);
  const parts = read<{ parts: number }>("SELECT sum(part_count) AS parts FROM message")[0]?.parts ?? 0;
  expect(balances.last).toEqual({ settled: 1_000_000 - parts * 7, reserved: 0 });
  expect([balances.byLines, balances.byMessages]).toEqual([balances.last, balances.last]);
  expect(charged).toEqual({ ledger: parts * 7, charges: parts * 7 });
  expect(isWhole).toBe(true);
  expect(read("SELECT sum(parts_used) AS used FROM quota")).toEqual([{ used: parts }]);
  await smsc.stop();
  remove();
}, 150_000);
