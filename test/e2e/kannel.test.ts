/** Messages over Debian's real Kannel: sendsms → bearerbox → SMSC → receipt → dlr-url → delivered, and inbound texts. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { CarrierService } from "../support/carrier-service.ts";
import { type Kannel, startKannel } from "../support/kannel.ts";
import { eventually } from "../support/peyk-process.ts";
import { Smsc } from "../support/smsc.ts";
import { describeWith } from "../support/wants.ts";

// Processes and sockets on a busy machine.
setDefaultTimeout(30_000);

const secret = "kannel-callback-secret";
const long = "این پیام بلند باید در چند بخش و سالم برسد. ".repeat(6).trim();

describeWith("bearerbox", "smsbox")("Peyk over Kannel", () => {
  let smsc: Smsc;
  let kannel: Kannel;
  let service: CarrierService;
  let base: string;

  beforeAll(async () => {
    smsc = await Smsc.start({
      onSubmit: ({ text }) => (text.startsWith("refused") ? { status: 0x0b } : {}),
      receipts: { when: "after" },
    });
    service = await CarrierService.start();
    base = `${service.peyk.url}/callbacks/kannel`;
    kannel = await startKannel({
      smscPort: smsc.port,
      username: "peyk",
      password: "geheim & co",
      getUrl: `${base}/${secret}/inbound?from=%p&to=%P&text=%b&charset=%C&id=%I`,
    });
    const options = {
      preset: "kannel",
      url: kannel.sendsmsUrl,
      username: "peyk",
      password: "geheim & co",
      callbackUrl: base,
      callbackSecret: secret,
    };
    await service.peyk.operate("POST", "/routes", { name: "kannel", kind: "http", options });
    await service.customerOver("kannel");
    await eventually(() => smsc.binds.length === 1);
  });

  afterAll(async () => {
    await service.stop();
    await kannel.stop();
    await smsc.stop();
  });

  const textsFrom = (first: number) =>
    smsc.submits
      .slice(first)
      .map(({ text }) => text)
      .join("");

  test.each(["سلام دنیا 🙂", "Hello {world} & 50 % + £ €", long])("delivers %s", async (text) => {
    const before = smsc.submits.length;
    const code = await service.send(text);
    await service.untilStatus(code, "delivered");
    expect(textsFrom(before)).toBe(text);
    const { parts } = await service.peyk.operate("GET", `/messages/${code}`);
    expect(parts).toEqual([{ number: 1, route: "kannel", providerId: code, receipt: "delivered" }]);
  });

  test("reports a message that the SMSC behind Kannel refuses as failed", async () => {
    const code = await service.send("refused, please");
    await service.untilStatus(code, "failed");
    expect((await service.timelineOf(code)).map(({ kind }) => kind)).toEqual(["receipt_failed"]);
  });

  test("delivers an inbound text to its customer, Persian and Latin", async () => {
    await service.addLine("3000");
    const phone = { source_addr_ton: 1, source_addr_npi: 1, source_addr: "989121234567", destination_addr: "3000" };
    const persian = "سلام،  بله 🙂";
    await smsc.deliver({ ...phone, data_coding: 8, short_message: Buffer.from(persian, "utf16le").swap16() });
    await eventually(async () => (await service.inbound()).length === 1);
    await smsc.deliver({ ...phone, data_coding: 0, short_message: Buffer.from("Yes  & no + 5 %") });
    await eventually(async () => (await service.inbound()).length === 2);
    expect(await service.inbound()).toMatchObject([
      { sender: "+989121234567", receiver: "3000", message: persian },
      { sender: "+989121234567", receiver: "3000", message: "Yes  & no + 5 %" },
    ]);
  });

  test("names the URLs that Kannel calls in peyk route show, and not in lists", async () => {
    const shown = await service.peyk.operate("GET", "/routes/kannel");
    expect(shown.callbacks).toEqual({
      receiptUrl: `${base}/${secret}/receipts`,
      inboundUrl: `${base}/${secret}/inbound`,
      refused: null,
    });
    expect(JSON.stringify(await service.peyk.operate("GET", "/routes"))).not.toContain(secret);
    expect(service.peyk.log).not.toContain(secret);
  });

  test("reports a wrong password, and accepts the right one, in route test", async () => {
    expect(await service.peyk.operate("POST", "/routes/kannel/test")).toMatchObject({ ok: true });
    const options = { preset: "kannel", url: kannel.sendsmsUrl, username: "peyk", password: "wrong" };
    await service.peyk.operate("POST", "/routes", { name: "wrong", kind: "http", options });
    expect(await service.peyk.operate("POST", "/routes/wrong/test")).toMatchObject({
      ok: false,
      steps: [
        { step: "connect", ok: true },
        { step: "login", ok: false },
      ],
    });
  });

  test("still accepts receipts for messages of a route that is now disabled", async () => {
    const code = await service.send("receipt comes late");
    await service.untilStatus(code, "delivered");
    await service.peyk.operate("POST", "/routes/kannel/disable");
    const answer = await fetch(`${base}/${secret}/receipts?id=${code}&state=2`);
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
    expect(await service.statusOf(code)).toBe("delivered");
    await service.peyk.operate("POST", "/routes/kannel/enable");
  });
});
