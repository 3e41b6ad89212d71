/** Third-party SMPP libraries as SMSCs: they read what Peyk sends, and Peyk reads their answers. */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { routeTo } from "../providers/support.ts";
import { buildForeignSmscs, ForeignSmsc, foreignSmscs, missingTools, type ToldLine } from "../support/foreign-smsc.ts";
import { until } from "../support/manual-clock.ts";
import { createSmppServer } from "../support/smpp-server.ts";

setDefaultTimeout(60_000);

const isMissing = missingTools.length > 0;
if (isMissing) console.log(`skipped  the SMPP libraries of others: ${missingTools.join(", ")} not found`);

let built: Awaited<ReturnType<typeof buildForeignSmscs>> | null = null;
beforeAll(async () => {
  if (!isMissing) built = await buildForeignSmscs();
}, 300_000);
afterAll(() => built?.remove());

let closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.toReversed()) await close();
  closing = [];
});

const minuteMs = 60_000;
const text = (hex: string | undefined) => Buffer.from(hex ?? "", "hex").toString();
const tlvsOf = ({ tlvs = "" }: ToldLine) =>
  Object.fromEntries(tlvs.split(" ").map((tlv) => [tlv.slice(0, 4), text(tlv.slice(5))]));

const libraries = Object.entries(foreignSmscs).map(([mainClass, library]) => ({ mainClass, library }));

describe.skipIf(isMissing).each(libraries)("$library (wants java, javac, mvn)", ({ mainClass }) => {
  async function smscOf(): Promise<ForeignSmsc> {
    const known = mainClass === "JsmppSmsc" ? mainClass : "CloudhopperSmsc";
    const smsc = await ForeignSmsc.start(built?.folder ?? "", known);
    closing.push(() => smsc.stop());
    return smsc;
  }

  test("receives each message's parameters, its addresses and the receipts requested", async () => {
    const smsc = await smscOf();
    const server = await createSmppServer(smsc, {
      tlvs: { "0x1400": "1101234567890", "0x1401": "{{account}}/{{class}}", "0x1402": { cstring: "{{trackingCode}}" } },
      destinationRules: [{ prefix: "+98", to: "0", ton: 2, npi: 1 }],
      sourceRules: [{ equals: "30001", to: "BANK" }],
      registeredDelivery: 17,
    });
    closing.push(server.stop);
    await until(() => server.link().state === "bound");
    const code = await server.send({ text: "Hello" });
    const submit = await smsc.until("submit");
    expect(submit).toMatchObject({ source: "BANK", destination: "09120000010", registeredDelivery: "17" });
    expect(text(submit.text)).toBe("Hello");
    expect(tlvsOf(submit)).toEqual({ "1400": "1101234567890", "1401": "acc_1/single", "1402": `${code}\0` });
    await until(() => server.statusOf(code) === "sent");
  });

  test("is queried with query_sm if a receipt is missing, and its answer delivers the message", async () => {
    const smsc = await smscOf();
    const server = await createSmppServer(smsc, { queryAfterMinutes: 1, enquireLinkSeconds: 3600 });
    closing.push(server.stop);
    await until(() => server.link().state === "bound");
    const code = await server.send();
    await until(() => server.statusOf(code) === "sent");
    const part = server.store.tables.parts.ofMessage(server.store.tables.messages.byCodeAnywhere(code)?.id ?? 0)[0];
    await server.clock.advance(minuteMs + 2_000);
    expect(await smsc.until("query")).toMatchObject({ id: part?.providerId ?? "none", source: "30001" });
    await until(() => server.statusOf(code) === "delivered");
    expect(server.routes.get(1)?.provider.health().warnings).toEqual([]);
  });

  test("accepts a bind as receiver alone, with its numbering, and delivers over it", async () => {
    const smsc = await smscOf();
    const { provider, events } = await routeTo(smsc, { bind: "receiver", bindTon: 1, bindNpi: 1 });
    closing.push(() => provider.stop(0));
    const bind = await smsc.until("bind");
    expect(bind).toMatchObject({ systemId: "peyk", password: "secret" });
    expect(bind.type).toBeOneOf(["BIND_RX", "RECEIVER"]);
    expect([bind.ton, bind.npi]).toEqual(mainClass === "JsmppSmsc" ? ["INTERNATIONAL", "ISDN"] : ["1", "1"]);
    await smsc.until("delivered");
    expect(events.parts).toMatchObject([{ text: "from a phone", sender: "+989121234567", receiver: "3000" }]);
    expect(smsc.of("failed")).toEqual([]);
  });
});
