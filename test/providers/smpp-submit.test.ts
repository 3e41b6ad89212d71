/** The submits of a route as an SMSC reads them, and the outcomes of its answers. */
import { afterEach, describe, expect, test } from "bun:test";
import type { SubmitOutcome } from "../../src/providers/provider.ts";
import { Smsc, type SmscScript } from "../support/smsc.ts";
import { message, type Route, routeTo, worded } from "./support.ts";

let open: { smsc: Smsc; route: Route }[] = [];

async function connected(script: SmscScript = {}, set: Readonly<Record<string, unknown>> = {}) {
  const smsc = await Smsc.start(script);
  const route = await routeTo(smsc, set);
  open.push({ smsc, route });
  return { smsc, ...route };
}

afterEach(async () => {
  for (const { smsc, route } of open) {
    await route.provider.stop(100);
    await smsc.stop();
  }
  open = [];
});

const persian = "سلام! این پیام آزمایشی برای سنجش پیامک‌های بلند فارسی است و باید سالم برسد. ".repeat(3);
const latin = "The quick brown fox jumps over the lazy dog {[€]} ~ and comes back. ".repeat(5);

const octetsText = (value: unknown) => (Buffer.isBuffer(value) ? value.toString() : undefined);

describe("a short message", () => {
  test("arrives with its text, addresses and a request for a receipt", async () => {
    const { smsc, provider } = await connected();
    const outcome = await provider.submit(message("Hello @ £ €"));
    expect(outcome).toEqual({ kind: "accepted", partIds: ["00000001"] });
    const [submit] = smsc.submits;
    expect(submit?.text).toBe("Hello @ £ €");
    expect(submit?.destination).toEqual({ ton: 1, npi: 1, address: "989121234567" });
    expect(submit?.pdu.registered_delivery).toBe(1);
    expect(submit?.pdu.data_coding).toBe(0);
    expect(submit?.pdu.esm_class).toBe(0);
  });

  test("in Persian is sent as UCS-2", async () => {
    const { smsc, provider } = await connected();
    await provider.submit(message("سلام دنیا 🙂"));
    expect(smsc.submits[0]?.text).toBe("سلام دنیا 🙂");
    expect(smsc.submits[0]?.pdu.data_coding).toBe(8);
  });

  test.each([
    ["PEYK Bank", { ton: 5, npi: 0, address: "PEYK Bank" }],
    ["+983000", { ton: 1, npi: 1, address: "983000" }],
    ["3000", { ton: 3, npi: 0, address: "3000" }],
    ["02188776655", { ton: 2, npi: 1, address: "02188776655" }],
  ])("from %s has the right type of number", async (sender, source) => {
    const { smsc, provider } = await connected();
    await provider.submit(message("x", { sender }));
    expect(smsc.submits[0]?.source).toEqual(source);
  });

  test.each([0, 1, 2] as const)(
    "of class %d has priority_flag 0 if the route file maps no classes",
    async (messageClass) => {
      const { smsc, provider } = await connected();
      await provider.submit(message("x", { class: messageClass }));
      expect(smsc.submits[0]?.pdu.priority_flag).toBe(0);
    },
  );

  test("carries the route's type of number, service, protocol, priority, validity and TLVs", async () => {
    const { smsc, provider } = await connected(
      {},
      {
        sourceTon: 0,
        sourceNpi: 9,
        destinationTon: 2,
        destinationNpi: 8,
        serviceType: "CMT",
        protocolId: 65,
        validityMinutes: 90,
        priority: { otp: 3 },
        tlvs: { "0x1400": "peid", "0x1401": { int16: 513 } },
      },
    );
    await provider.submit(message("x", { class: 0 }));
    const pdu = smsc.submits[0]?.pdu;
    expect(smsc.submits[0]?.source).toEqual({ ton: 0, npi: 9, address: "3000" });
    expect(smsc.submits[0]?.destination).toEqual({ ton: 2, npi: 8, address: "989121234567" });
    expect([pdu?.service_type, pdu?.protocol_id, pdu?.priority_flag]).toEqual(["CMT", 65, 3]);
    expect(pdu?.[0x1400]).toEqual(Buffer.from("peid"));
    expect(pdu?.[0x1401]).toEqual(Buffer.from([2, 1]));
  });

  test("carries its own TLVs from placeholders in each part, without those that have no value", async () => {
    const tlvs = {
      "0x1400": "peid",
      "0x1401": "{{templateId}}",
      "0x1402": { cstring: "{{account}}/{{class}}/{{trackingCode}}" },
    };
    const { smsc, provider } = await connected({}, { tlvs });
    expect(provider.needsTemplateId).toBe(true);
    await provider.submit(message("x".repeat(161), { trackingCode: "abc", class: 2, templateId: "1107" }));
    await provider.submit(message("y", { trackingCode: "def", class: 0 }));
    const read = smsc.submits.map(({ pdu }) => [0x1400, 0x1401, 0x1402].map((tag) => octetsText(pdu[tag])));
    expect(read).toEqual([
      ["peid", "1107", "acc_7/bulk/abc\0"],
      ["peid", "1107", "acc_7/bulk/abc\0"],
      ["peid", undefined, "acc_7/otp/def\0"],
    ]);
  });

  test.each([
    ["﻿", "a sender that SMPP cannot carry", { kind: "rejected", error: "rejected_by_network" }],
    ["", "no sender", { kind: "rejected", error: "rejected_by_network" }],
    ["A".repeat(21), "too long a sender", { kind: "rejected", error: "rejected_by_network" }],
  ])("is refused without being sent: %p (%s)", async (sender, _, outcome) => {
    const { smsc, provider } = await connected();
    expect(await provider.submit(message("x", { sender }))).toMatchObject(outcome);
    expect(smsc.submits).toBeEmpty();
  });
});

describe("a long message", () => {
  test.each([
    ["udh8", latin, 153],
    ["udh8", persian, 67],
    ["udh16", latin, 152],
    ["udh16", persian, 66],
  ])("as %s arrives whole, every part with header, reference and receipt", async (mode, text, unitsMax) => {
    const { smsc, provider } = await connected({}, { longMessages: mode });
    const outcome = await provider.submit(message(text));
    const parts = smsc.submits;
    expect(parts.map((part) => part.text).join("")).toBe(text);
    const ids = parts.map(({ number }) => number.toString(16).padStart(8, "0"));
    expect(outcome).toEqual({ kind: "accepted", partIds: ids });
    const headers = parts.map(({ udh }) => [...(udh[0] ?? [])]);
    const reference = headers[0]?.slice(2, mode === "udh8" ? 3 : 4) ?? [];
    expect(headers).toEqual(
      parts.map((_, index) => [...(mode === "udh8" ? [0, 3] : [8, 4]), ...reference, parts.length, index + 1]),
    );
    for (const { text: part, pdu } of parts) {
      expect(pdu.registered_delivery).toBe(1);
      expect(pdu.esm_class).toBe(0x40);
      const units = text === latin ? part.length + part.replace(/[^{}[\]~€]/g, "").length : part.length;
      expect(units).toBeLessThanOrEqual(unitsMax);
    }
  });

  test("as sar carries TLVs for reference, count and number", async () => {
    const { smsc, provider } = await connected({}, { longMessages: "sar" });
    await provider.submit(message(persian));
    expect(smsc.submits.map((part) => part.text).join("")).toBe(persian);
    const places = smsc.submits.map(({ pdu }) => [pdu.sar_total_segments, pdu.sar_segment_seqnum, pdu.esm_class]);
    expect(places).toEqual(smsc.submits.map((_, index) => [smsc.submits.length, index + 1, 0]));
    expect(new Set(smsc.submits.map(({ pdu }) => pdu.sar_msg_ref_num)).size).toBe(1);
  });

  test("as payload is a single submit", async () => {
    const { smsc, provider } = await connected({}, { longMessages: "payload" });
    expect(await provider.submit(message(persian))).toEqual({ kind: "accepted", partIds: ["00000001"] });
    expect(smsc.submits).toHaveLength(1);
    expect(smsc.submits[0]?.text).toBe(persian);
  });

  test("never shares its reference with the next 255 to the same recipient", async () => {
    const { smsc, provider } = await connected({}, { window: 100 });
    const toOthers = message(persian, { recipient: "+989127654321" });
    for (let sent = 0; sent < 256; sent += 1) {
      await Promise.all([
        provider.submit(message("x".repeat(161))),
        sent % 50 === 0 ? provider.submit(toOthers) : null,
      ]);
    }
    const mine = smsc.submits.filter(({ destination }) => destination.address === "989121234567");
    const references = mine.map(({ udh }) => udh[0]?.[2]);
    expect(new Set(references).size).toBe(256);
    expect(references.filter((reference) => reference === references[0])).toHaveLength(2);
  });
});

describe("validity", () => {
  test.each([
    [undefined, 48 * 60, 48 * 60],
    [undefined, 5, 5],
    [60, 48 * 60, 60],
    [60, 5, 5],
    [undefined, -3, 1],
  ])(
    "of %p min for the route and %p min for the message is sent as %p min",
    async (validityMinutes, left, expected) => {
      const set = validityMinutes === undefined ? {} : { validityMinutes };
      const { smsc, provider, clock } = await connected({}, set);
      await provider.submit(message("x", { validUntil: clock.now() + left * 60_000 }));
      const until = smsc.submits[0]?.pdu.validity_period;
      const minutes = until instanceof Date ? Math.round((until.getTime() - Date.now()) / 60_000) : null;
      expect(minutes).toBe(expected);
    },
  );

  test("is left to the SMSC if the route sets 0", async () => {
    const { smsc, provider } = await connected({}, { validityMinutes: 0 });
    await provider.submit(message("x"));
    expect(smsc.submits[0]?.pdu.validity_period).toBe("");
  });
});

describe("a refused submit", () => {
  const throttled = { kind: "throttled", pause: "route", retryAfterMs: 1000 };
  const cases: readonly [number, object][] = [
    [0x58, throttled],
    [0x14, throttled],
    [0x08, { kind: "temporary" }],
    [0x64, { kind: "temporary" }],
    [0x45, { kind: "temporary", attemptsMax: 2, error: "rejected_by_network" }],
    [0x0a, { kind: "rejected", error: "rejected_by_network" }],
    [0x0b, { kind: "rejected", error: "recipient_invalid" }],
    [0x01, { kind: "rejected", error: "rejected_by_network" }],
    [0x61, { kind: "rejected", error: "rejected_by_network" }],
    [0xff, { kind: "rejected", error: "rejected_by_network" }],
    [0x401, { kind: "rejected", error: "rejected_by_network" }],
    [0x402, { kind: "temporary" }],
    [0x403, throttled],
  ];
  test.each(cases)("with status %d has the right outcome", async (status, outcome) => {
    const script = { onSubmit: () => ({ status }) };
    const { provider } = await connected(script, { temporaryErrors: [0x402], throttlingErrors: [0x403] });
    expect(await provider.submit(message("x"))).toMatchObject(outcome);
  });

  test("shows the status in the operator's terms", async () => {
    const { provider } = await connected({ onSubmit: () => ({ status: 0x0b }) });
    const outcome = await provider.submit(message("x"));
    expect(worded(outcome)).toMatchObject({ detail: "the carrier refuses the recipient · ESME_RINVDSTADR" });
  });

  test("by generic_nack gets one more attempt", async () => {
    const { provider } = await connected({ onSubmit: () => "nack" });
    expect(await provider.submit(message("x"))).toMatchObject({ kind: "temporary", attemptsMax: 2 });
  });

  test("as throttled pauses the rest of the bind's queue for a second", async () => {
    const { smsc, provider, clock } = await connected(
      { onSubmit: ({ number }) => (number === 1 ? { status: 0x58 } : {}) },
      { window: 1 },
    );
    const first = provider.submit(message("one"));
    const second = provider.submit(message("two"));
    expect(await first).toMatchObject({ kind: "throttled" });
    await clock.advance(990);
    expect(smsc.submits).toHaveLength(1);
    await clock.advance(20);
    expect(await second).toMatchObject({ kind: "accepted" });
  });
});

describe("a long message with a refused part", () => {
  const thirdPart = (status: number): SmscScript => ({ onSubmit: ({ number }) => (number === 3 ? { status } : {}) });

  test("is rejected whole after a permanent refusal, and the other parts stay unsent", async () => {
    const { smsc, provider } = await connected(thirdPart(0x0b), { window: 1 });
    const outcome = await provider.submit(message("x".repeat(153 * 5)));
    expect(outcome).toMatchObject({ kind: "rejected", error: "recipient_invalid" });
    expect(worded(outcome)).toMatchObject({ detail: expect.stringContaining("2 of 5 parts were accepted") });
    expect(smsc.submits).toHaveLength(3);
  });

  test("continues with the missing parts after a temporary refusal, under the same reference", async () => {
    const { smsc, provider } = await connected(thirdPart(0x08), { window: 1 });
    const submission = message("x".repeat(153 * 5));
    const first: SubmitOutcome = await provider.submit(submission);
    expect(worded(first)).toMatchObject({ kind: "temporary", detail: expect.stringContaining("2 of 5 parts") });
    const second = await provider.submit({ ...submission, attempt: 2 });
    const id = (number: number) => number.toString(16).padStart(8, "0");
    expect(second).toEqual({ kind: "accepted", partIds: [1, 2, 4, 5, 6].map(id) });
    const headers = smsc.submits.map(({ udh }) => [udh[0]?.[2], udh[0]?.[4]]);
    const reference = headers[0]?.[0];
    expect(headers).toEqual([1, 2, 3, 3, 4, 5].map((part) => [reference, part]));
  });
});

describe("the submit window", () => {
  test("is never exceeded, counted in parts, and is fully used", async () => {
    const answers: (() => void)[] = [];
    let unanswered = 0;
    let most = 0;
    const { smsc, provider } = await connected(
      {
        onSubmit: ({ session, pdu }) => {
          unanswered += 1;
          most = Math.max(most, unanswered);
          answers.push(() => {
            unanswered -= 1;
            session.send(pdu.response({ message_id: "1" }));
          });
          setTimeout(() => answers.shift()?.(), 2);
          return "silence";
        },
      },
      { window: 4 },
    );
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => provider.submit(message("x".repeat(153 * 3)))));
    expect(outcomes.every(({ kind }) => kind === "accepted")).toBe(true);
    expect(smsc.submits).toHaveLength(36);
    expect(most).toBe(4);
  });

  test("spreads messages over all binds", async () => {
    const { smsc, provider } = await connected({}, { binds: 3, window: 5 });
    expect(provider.health()).toMatchObject({ up: true, window: 15 });
    await Promise.all(Array.from({ length: 9 }, () => provider.submit(message("x"))));
    const perSession = smsc.sessions.map(
      (session) => smsc.submits.filter((submit) => submit.session === session).length,
    );
    expect(perSession).toEqual([3, 3, 3]);
  });
});
