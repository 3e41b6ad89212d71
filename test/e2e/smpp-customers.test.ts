/** Customers with Debian's Kannel come in by SMPP; and a whole chain from a customer to a carrier and back, while Peyk is killed. */
import { expect, test } from "bun:test";
import { CustomerServer } from "../support/customer-server.ts";
import { freePort } from "../support/free-ports.ts";
import { isKannelInstalled, startKannel } from "../support/kannel.ts";
import { eventually, PeykProcess, rowsIn } from "../support/peyk-process.ts";
import {
  type CustomerPdu,
  type SeededCustomer,
  SmppCustomer,
  seedCustomer,
  seedLine,
  textOf,
} from "../support/smpp-customer.ts";
import { Smsc } from "../support/smsc.ts";
import { temporaryFolder } from "../support/test-server.ts";

if (!isKannelInstalled()) console.log("skipped  Kannel as a customer: kannel is not installed");

test.skipIf(!isKannelInstalled())(
  "Kannel sends long Persian in segments, hears of each, and gets a phone's text",
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
    // It takes nothing before its bind is up.
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

/** Submits each number once under its TLV, again until it is answered; binds again whenever the connection ends. */
async function submitAll(
  port: number,
  customer: SeededCustomer,
  count: number,
  receipts: string[],
  isToldAll: () => boolean,
) {
  const ids = new Map<number, string>();
  const waiting = new Set(Array.from({ length: count }, (_, index) => index));
  let bound: SmppCustomer | null = null;
  const tlv = (key: string) => {
    const octets = Buffer.alloc(4 + key.length);
    octets.writeUInt16BE(0x1500, 0);
    octets.writeUInt16BE(key.length, 2);
    octets.write(key, 4);
    return octets;
  };
  const bind = async () => {
    const fresh = await SmppCustomer.bound(port, customer);
    const take = ({ fields }: CustomerPdu) => {
      receipts.push(textOf(fields));
      return 0;
    };
    // Some came together with the answer to the bind.
    for (const delivery of fresh.deliveries) take(delivery);
    fresh.onDelivery = take;
    return fresh;
  };
  const deadline = performance.now() + 90_000;
  while ((waiting.size > 0 || !isToldAll()) && performance.now() < deadline) {
    if (bound === null || bound.isClosed) {
      bound = await bind().catch(() => null);
      if (bound === null) await Bun.sleep(50);
      continue;
    }
    const current = bound;
    const next = [...waiting].slice(0, 50);
    await Promise.allSettled(
      next.map(async (index) => {
        const id = await current.submitWithTlv({ text: `پیام ${index}` }, tlv(`order-${index}`));
        ids.set(index, id);
        waiting.delete(index);
      }),
    );
    await Bun.sleep(20);
  }
  bound?.close();
  return ids;
}

const idOf = (receipt: string) => /^id:(\S+)/.exec(receipt)?.[1] ?? "";

test("a chain from customer to carrier and back: nothing is lost or doubled while Peyk is killed again and again", async () => {
  const { path: folder, remove } = temporaryFolder();
  const customer = await seedCustomer(folder, { options: { repeats: 0x1500, window: 200 } });
  const smsc = await Smsc.start({ receipts: { when: "after" } });
  const port = await freePort();
  const start = () => PeykProcess.start({ folder, env: { PEYK_SMPP_SERVER_LISTEN: `127.0.0.1:${port}` } });
  let peyk = await start();
  const options = { host: "127.0.0.1", port: smsc.port, systemId: "peyk", password: "secret", onUncertain: "resend" };
  await peyk.operate("POST", "/routes", { name: "carrier", kind: "smpp", options });
  await peyk.operate("PATCH", "/accounts/acc_1/senders/30001234", { routes: ["carrier"] });
  const count = 2_000;
  const receipts: string[] = [];
  let isOver = false;
  const killing = (async () => {
    for (let round = 0; round < 5; round += 1) {
      await Bun.sleep(400);
      await peyk.kill();
      peyk = await start();
    }
  })();
  const messages = () =>
    rowsIn<{ code: string; state: string }>(folder, "SELECT tracking_code AS code, state FROM message");
  const told = () => [...new Set(receipts.map(idOf))].sort();
  const delivered = () => messages().filter(({ state }) => state === "delivered");
  const isToldAll = () => isOver && delivered().length === told().length && unfinished().length === 0;
  // A receipt that this carrier sent to a dead Peyk never comes again.
  const unfinished = () => messages().filter(({ state }) => state !== "delivered" && state !== "submitted");
  void killing.then(() => {
    isOver = true;
  });
  const ids = await submitAll(port, customer, count, receipts, isToldAll);
  expect(messages()).toHaveLength(count);
  expect(unfinished()).toEqual([]);
  expect([...ids.values()].sort()).toEqual(
    messages()
      .map(({ code }) => code)
      .sort(),
  );
  expect(told()).toEqual(
    delivered()
      .map(({ code }) => code)
      .sort(),
  );
  expect(told().length).toBeGreaterThan(count * 0.9);
  await peyk.stop();
  await smsc.stop();
  remove();
}, 150_000);
