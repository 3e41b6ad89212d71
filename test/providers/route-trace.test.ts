/** What a trace shows of a route: every PDU and request in words, and nothing that must stay hidden. */
import { afterEach, describe, expect, test } from "bun:test";
import { PDU } from "smpp";
import { messageClasses } from "../../src/domain/message.ts";
import { silentLog } from "../../src/platform/log.ts";
import { HttpProvider } from "../../src/providers/http/http-provider.ts";
import { parseHttpOptions } from "../../src/providers/http/options.ts";
import { tracedExchange } from "../../src/providers/http/request-trace.ts";
import { RouteTrace } from "../../src/providers/route-trace.ts";
import { tracedEvents } from "../../src/providers/traced-events.ts";
import { ManualClock, until } from "../support/manual-clock.ts";
import { Smsc, type SmscScript } from "../support/smsc.ts";
import { fixedRandom, message, noStorage, RecordedEvents, routeTo } from "./support.ts";

let closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.toReversed()) await close();
  closing = [];
});

/** A trace with two watchers: one who asked for texts, and one who did not. */
function watched() {
  const trace = new RouteTrace();
  const masked: string[] = [];
  const open: string[] = [];
  for (const [lines, showsTexts] of [[masked, false] as const, [open, true] as const]) {
    trace.listen(({ link, direction, words }) => lines.push(`${link} ${direction} ${words({ showsTexts })}`));
  }
  return { trace, masked, open };
}

async function smppRoute(script: SmscScript = {}, set: Readonly<Record<string, unknown>> = {}) {
  const smsc = await Smsc.start(script);
  const lines = watched();
  const route = await routeTo(smsc, set, { trace: lines.trace });
  closing.push(
    () => smsc.stop(),
    () => route.provider.stop(0),
  );
  return { smsc, ...route, ...lines };
}

const otpText = "Your code is 48213977";
const pdu = (lines: readonly string[], name: string) => lines.find((line) => line.includes(` ${name} `)) ?? "";

describe("a trace of an SMPP route", () => {
  test("shows the steps of the bind, without the password", async () => {
    const { masked, open } = await smppRoute();
    expect(masked[0]).toMatch(/^transceiver 1 state connecting to 127\.0\.0\.1:\d+$/);
    expect(pdu(masked, "bind_transceiver")).toContain("system_id peyk, password hidden");
    expect(pdu(masked, "bind_transceiver_resp")).toContain("ESME_ROK (0x00), system_id smsc");
    expect(masked.at(-1)).toBe("transceiver 1 state bound");
    expect([...masked, ...open].join()).not.toContain("secret");
  });

  test("shows a submit and its answer, with text and number only on request", async () => {
    const { provider, masked, open } = await smppRoute({}, { tlvs: { "0x1400": "1101" } });
    await provider.submit(message("Hello Sara"));
    expect(pdu(masked, "submit_sm")).toMatch(/^transceiver 1 out submit_sm \d+, /);
    for (const words of ["source_addr 3000,", "destination_addr 9891******67,", "data_coding 0,", '0x1400 "1101"']) {
      expect(pdu(masked, "submit_sm")).toContain(words);
    }
    expect(pdu(masked, "submit_sm")).toEndWith("10 octets: 10 characters (hidden)");
    expect(pdu(open, "submit_sm")).toContain("destination_addr 989121234567,");
    expect(pdu(open, "submit_sm")).toEndWith('10 octets: "Hello Sara"');
    expect(pdu(masked, "submit_sm_resp")).toContain("ESME_ROK (0x00), message_id 00000001");
    expect(masked.join()).not.toMatch(/Hello|989121234567/);
  });

  test("shows the parts of a long text, and what refused it", async () => {
    const { provider, open } = await smppRoute({ onSubmit: () => ({ status: 0x58 }) });
    await provider.submit(message("سلام ".repeat(20)));
    expect(pdu(open, "submit_sm")).toContain("part 1 of 2 (reference ");
    expect(pdu(open, "submit_sm_resp")).toEndWith(": ESME_RTHROTTLED (0x58)");
  });

  test.each([
    ["udh8", otpText],
    ["payload", otpText.padStart(170, "x")],
  ])("never shows a one-time password, whatever is requested (%s)", async (longMessages, text) => {
    const { provider, masked, open } = await smppRoute({}, { longMessages });
    await provider.submit(message(text, { class: messageClasses.otp }));
    expect(pdu(open, "submit_sm")).toEndWith(`${text.length} characters (hidden)`);
    expect([...masked, ...open].join()).not.toContain("48213977");
    expect([...masked, ...open].join()).not.toContain(Buffer.from("48213977").toString("hex"));
  });

  test("shows the fields of a receipt, and nothing of the text it quotes", async () => {
    const { smsc, provider, events, masked, open } = await smppRoute();
    await provider.submit(message(otpText, { class: messageClasses.otp }));
    const words = `id:00000001 sub:001 submit date:2601051200 stat:DELIVRD err:000 ${otpText} Text:${otpText}`;
    const echo = { message_payload: Buffer.from(otpText), additional_status_info_text: otpText };
    const addresses = { source_addr: "989121234567", destination_addr: "3000" };
    await smsc.deliver({ esm_class: 4, ...addresses, short_message: Buffer.from(words), ...echo });
    await until(() => events.receipts.length === 1);
    const told = pdu(open, "deliver_sm");
    expect(told).toEndWith("receipt id:00000001 sub:001 submitdate:2601051200 stat:DELIVRD err:000");
    expect(told).toContain("source_addr 989121234567");
    expect(pdu(masked, "deliver_sm")).toContain("source_addr 9891******67");
    expect([...masked, ...open].join()).not.toContain("48213977");
  });

  test("shows an inbound text only on request, and why a link ended", async () => {
    const { smsc, masked, open } = await smppRoute();
    await smsc.deliver({ source_addr: "989121234567", destination_addr: "3000", short_message: "call me" });
    expect(pdu(open, "deliver_sm")).toEndWith('7 octets: "call me"');
    expect(masked.join()).not.toContain("call me");
    smsc.drop();
    await until(() => masked.at(-1)?.endsWith("disconnected") === true);
    expect(masked.at(-2)).toContain("state");
  });

  test("does not fail on what cannot be read", async () => {
    const { smsc, masked } = await smppRoute();
    const whole = new PDU("deliver_sm", { sequence_number: 9, user_message_reference: 5 }).toBuffer();
    const cut = whole.subarray(0, -1);
    cut.writeUInt32BE(cut.length, 0);
    smsc.raw(cut);
    await until(() => pdu(masked, "deliver_sm_resp") !== "");
    expect(pdu(masked, "deliver_sm")).toContain("deliver_sm 9, malformed: ");
  });

  test("does no work while nobody watches", async () => {
    const trace = new RouteTrace();
    const add = trace.add.bind(trace);
    let added = 0;
    trace.add = (event) => {
      added += 1;
      add(event);
    };
    const smsc = await Smsc.start();
    const { provider } = await routeTo(smsc, {}, { trace });
    closing.push(
      () => smsc.stop(),
      () => provider.stop(0),
    );
    await provider.submit(message("x"));
    expect(added).toBe(0);
    const leave = trace.listen(() => {});
    await provider.submit(message("y"));
    expect(added).toBe(2);
    leave();
    await provider.submit(message("z"));
    expect(added).toBe(2);
  });
});

describe("a trace of an HTTP route", () => {
  function httpRoute(answer: (body: unknown) => Response, set: Readonly<Record<string, unknown>> = {}) {
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => answer(await request.json()),
    });
    const request = {
      url: `http://127.0.0.1:${server.port}/send?key={{token}}`,
      headers: { authorization: "Basic {{basicAuth}}" },
      body: { json: { to: "{{recipient}}", text: "{{text}}", ref: "{{trackingCode}}" } },
    };
    const file = { request, username: "u", password: "geheim", token: "t0ken", answer: { id: { json: "id" } }, ...set };
    const parsed = parseHttpOptions(file);
    if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
    const lines = watched();
    const clock = new ManualClock();
    const deps = { clock, random: fixedRandom, log: silentLog, trace: lines.trace, storage: noStorage };
    const provider = new HttpProvider(parsed.options, new RecordedEvents(), deps);
    provider.start();
    closing.push(
      () => server.stop(true),
      () => provider.stop(0),
    );
    return { provider, server, ...lines };
  }

  const echo = (body: unknown) => Response.json({ id: "1234567890", got: body });

  test("shows request and answer, with text and number only on request, and credentials never", async () => {
    const { provider, masked, open } = httpRoute(echo);
    await provider.submit(message("سلام Sara", { trackingCode: "abc" }));
    expect(masked[0]).toMatch(
      /^127\.0\.0\.1:\d+ out POST http.*key=\*\*\* \{"to":"\+9891\*{6}67","text":"9 characters/,
    );
    expect(masked[1]).toMatch(
      / in 200 \{"id":"1234567890","got":\{"to":"\+9891\*{6}67","text":"9 characters \(hidden\)"/,
    );
    expect(open[0]).toContain('{"to":"+989121234567","text":"سلام Sara","ref":"abc"}');
    expect(open[1]).toContain('"text":"سلام Sara"');
    expect(masked.join()).not.toMatch(/Sara|989121234567/);
    expect([...masked, ...open].join()).not.toMatch(/geheim|t0ken/);
  });

  test("never shows a one-time password", async () => {
    const { provider, masked, open } = httpRoute(echo);
    await provider.submit(message(otpText, { class: messageClasses.otp }));
    expect(open[0]).toContain('"text":"21 characters (hidden)"');
    expect(open[1]).toMatch(/ in 200, \d+ characters \(hidden\)$/);
    expect([...masked, ...open].join()).not.toContain("48213977");
  });

  test("hides what the provider repeats of a text, cut or escaped, and a name in the address", async () => {
    const escaped = '{"id":"1234567890","error":"bad text \\u0633\\u0644\\u0627\\u0645 at Sara","to":"09121234567"}';
    const { provider, masked } = httpRoute(() => new Response(escaped), { answer: { id: { json: "id" } } });
    await provider.submit(message("سلام Sara, come here"));
    expect(masked[1]).toEndWith('{"id":"1234567890","error":"bad text **** at ****","to":"0912*****67"}');
  });

  test("shows only the size of a polled answer, which may contain a one-time password", async () => {
    const asked = { values: { ids: "m-1" }, each: [{ id: "m-1", recipient: "+989121234567" }] };
    const template = {
      method: "POST" as const,
      url: "http://a:b@127.0.0.1:8080/r",
      query: {},
      headers: {},
      body: null,
    };
    const { trace, open: told } = watched();
    await tracedExchange(trace, { template, ...asked }, async () => ({
      status: 200,
      headers: new Headers(),
      body: otpText,
    }));
    expect(told[0]).toEndWith("POST http://***@127.0.0.1:8080/r");
    expect(told[1]).toEndWith("in 200, 21 characters (hidden)");
  });

  test("shows why no answer came", async () => {
    const { provider, server, masked } = httpRoute(echo);
    await server.stop(true);
    await provider.submit(message("x"));
    expect(masked[1]).toContain("in the provider could not be reached");
  });

  test("shows the content of callbacks", async () => {
    const { trace, masked, open } = watched();
    const events = tracedEvents(trace, new RecordedEvents(), "callback");
    const remark = `text: ${otpText}`;
    await events.receipt({ ids: ["m-1"], state: "delivered", detail: "status:DELIVERED", remark, at: 0 });
    await events.inbound({ sender: "+989121234567", receiver: "3000", text: "call me", receivedAt: 0 });
    expect(masked).toEqual([
      "callback in receipt for m-1: delivered, status:DELIVERED",
      "callback in text from +9891******67 to 3000: 7 characters (hidden)",
    ]);
    expect(open[1]).toBe('callback in text from +989121234567 to 3000: "call me"');
    expect(open.join()).not.toContain("48213977");
  });
});
