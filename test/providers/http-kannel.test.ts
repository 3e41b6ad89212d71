/** Peyk → Kannel's sendsms → bearerbox → an SMSC, and back: receipts and inbound texts. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { decodeInbound, decodeReceipts } from "../../src/providers/http/callbacks.ts";
import { HttpProvider } from "../../src/providers/http/http-provider.ts";
import { callbackUrls, type HttpOptions, parseHttpOptions } from "../../src/providers/http/options.ts";
import { type Kannel, startKannel } from "../support/kannel.ts";
import { until } from "../support/manual-clock.ts";
import { Smsc } from "../support/smsc.ts";
import { describeWith } from "../support/wants.ts";
import { fixedRandom, message, noStorage, RecordedEvents, worded } from "./support.ts";

const ucs2 = (text: string) => Buffer.from(text, "utf16le").swap16();
const secret = "kannel-callback-secret";

let smsc: Smsc;
let kannel: Kannel;
let listener: ReturnType<typeof Bun.serve>;
let options: HttpOptions;
const events = new RecordedEvents();
/** Paths of calls that were neither a receipt nor a text. */
const strange: string[] = [];

function fileFor(set: Readonly<Record<string, unknown>>): HttpOptions {
  const parsed = parseHttpOptions({
    preset: "kannel",
    url: kannel.sendsmsUrl,
    username: "peyk",
    password: "geheim & co",
    callbackUrl: `http://127.0.0.1:${listener.port}/callbacks/kannel`,
    callbackSecret: secret,
    ...set,
  });
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  return parsed.options;
}

function routeOf(set: Readonly<Record<string, unknown>> = {}) {
  const provider = new HttpProvider(fileFor(set), events, {
    clock: systemClock,
    random: fixedRandom,
    log: silentLog,
    storage: noStorage,
  });
  provider.start();
  return provider;
}

/** Handles a call as the public listener does: decode, store, answer. */
async function takeCallback(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const call = {
    query: url.search.slice(1),
    contentType: request.headers.get("Content-Type") ?? "",
    body: await request.text(),
  };
  const { receiptUrl, inboundUrl } = callbackUrls(options);
  const here = `http://127.0.0.1:${listener.port}${url.pathname}`;
  if (here === receiptUrl && options.receipts !== null) {
    const decoded = decodeReceipts(call, options.receipts, Date.now());
    if ("problem" in decoded) strange.push(decoded.problem);
    else for (const receipt of decoded.contents) await events.receipt(receipt);
  } else if (here === inboundUrl && options.inbound !== null) {
    const decoded = decodeInbound(call, options.inbound, Date.now());
    if ("problem" in decoded) strange.push(decoded.problem);
    else for (const part of decoded.contents) await events.inbound(part);
  } else strange.push(request.url);
  return new Response("OK");
}

describeWith("bearerbox", "smsbox")("a route over Kannel", () => {
  beforeAll(async () => {
    smsc = await Smsc.start({
      onSubmit: ({ text }) => (text.startsWith("refused") ? { status: 0x0b } : {}),
      receipts: { when: "after" },
    });
    listener = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: takeCallback });
    const inbound = `http://127.0.0.1:${listener.port}/callbacks/kannel/${secret}/inbound`;
    kannel = await startKannel({
      smscPort: smsc.port,
      username: "peyk",
      password: "geheim & co",
      getUrl: `${inbound}?from=%p&to=%P&text=%b&charset=%C&id=%I`,
    });
    options = fileFor({});
    await until(() => smsc.binds.length === 1);
  });

  afterAll(async () => {
    await kannel.stop();
    await smsc.stop();
    void listener.stop(true);
  });

  const receiptOf = async (trackingCode: string) => {
    const mine = () => events.receipts.find(({ ids }) => ids.includes(trackingCode));
    await until(() => mine() !== undefined);
    return mine();
  };

  test.each(["Hello {world} & 50 % + £ €", "سلام دنیا! این یک پیام فارسی است 🙂"])(
    "carries %s, and receives its receipt",
    async (text) => {
      const submission = message(text);
      expect(await routeOf().submit(submission)).toEqual({ kind: "accepted", partIds: [submission.trackingCode] });
      await until(() => smsc.submits.some((submit) => submit.text === text));
      expect(smsc.submits.at(-1)?.destination.address).toBe("989121234567");
      expect(await receiptOf(submission.trackingCode)).toMatchObject({ state: "delivered" });
      expect(strange).toBeEmpty();
    },
  );

  test("carries a long Persian text whole", async () => {
    const text = "این پیام بلند باید در چند بخش و سالم برسد. ".repeat(6);
    const before = smsc.submits.length;
    const submission = message(text);
    await routeOf().submit(submission);
    await until(
      () =>
        smsc.submits
          .slice(before)
          .map((submit) => submit.text)
          .join("") === text.trimEnd() ||
        smsc.submits
          .slice(before)
          .map((submit) => submit.text)
          .join("") === text,
    );
    expect(smsc.submits.length - before).toBeGreaterThan(1);
    expect(await receiptOf(submission.trackingCode)).toMatchObject({ state: "delivered" });
  });

  test("reports that the SMSC refused a message", async () => {
    const submission = message("refused, please");
    expect(await routeOf().submit(submission)).toMatchObject({ kind: "accepted" });
    expect(await receiptOf(submission.trackingCode)).toMatchObject({ state: "failed", error: "rejected_by_network" });
  });

  test("is refused by Kannel permanently if it has no sender", async () => {
    expect(worded(await routeOf().submit(message("x", { sender: "" })))).toMatchObject({
      kind: "rejected",
      detail: expect.stringContaining("Sender missing"),
    });
  });

  test("with a wrong password pauses instead of losing messages, and route test reports it", async () => {
    const wrong = routeOf({ password: "wrong" });
    expect(await wrong.submit(message("x"))).toMatchObject({ kind: "not_sent" });
    expect(wrong.health().up).toBe(false);
    expect((await wrong.probe()).at(-1)).toMatchObject({
      step: "login",
      ok: false,
      detail: expect.stringContaining("Authorization failed"),
    });
    await wrong.stop(0);
  });

  test("passes route test without sending anything", async () => {
    const before = smsc.submits.length;
    expect(await routeOf().probe()).toMatchObject([
      { step: "connect", ok: true },
      { step: "login", ok: true },
    ]);
    expect(smsc.submits).toHaveLength(before);
  });

  test("receives an inbound text, Latin and Persian", async () => {
    const phone = { source_addr_ton: 1, source_addr_npi: 1, source_addr: "989121234567", destination_addr: "3000" };
    const persian = "سلام،  بله 🙂";
    await smsc.deliver({ ...phone, data_coding: 8, short_message: ucs2(persian) });
    await smsc.deliver({ ...phone, data_coding: 0, short_message: Buffer.from("Yes  & no + 5 %") });
    await smsc.deliver({ ...phone, data_coding: 3, short_message: Buffer.from("caf\xe9", "latin1") });
    await smsc.deliver({ ...phone, data_coding: 4, short_message: Buffer.from([0, 0xff, 0x25, 0x41]) });
    await until(() => events.parts.length === 4);
    expect(events.parts.map(({ text }) => text).sort()).toEqual(["", "Yes  & no + 5 %", "café", persian]);
    expect(events.parts.find(({ text }) => text === "")?.binary).toBe("00ff2541");
    expect(events.parts[0]).toMatchObject({
      sender: "+989121234567",
      receiver: "3000",
      providerId: expect.any(String),
    });
    expect(strange).toBeEmpty();
  });
});
