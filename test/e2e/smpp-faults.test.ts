/** Faults of an SMSC: no message is lost, none is sent twice that was not uncertain, and the operator can see why. */
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { PDU } from "smpp";
import { createSmppServer, type SmppServer } from "../support/smpp-server.ts";
import { Smsc, type SmscScript, type SubmitAnswer } from "../support/smsc.ts";

// Processes and sockets on a busy machine.
setDefaultTimeout(30_000);

let server: SmppServer;
let smsc: Smsc;
afterEach(async () => {
  await server.stop();
  await smsc.stop();
});

const minuteMs = 60_000;

async function opened(script: SmscScript, file: Readonly<Record<string, unknown>> = {}, onUncertain?: "fail") {
  smsc = await Smsc.start(script);
  server = await createSmppServer(smsc, file, onUncertain);
}

const tag = (number: number) => `m${number};`;

/** Twenty messages, every fifth of them long; each begins with its own tag. */
async function sendTwenty(): Promise<string[]> {
  const texts = Array.from({ length: 20 }, (_, number) => {
    return tag(number) + (number % 5 === 0 ? " این پیام بلند باید سالم برسد.".repeat(8) : " سلام");
  });
  const { results } = await server.sendAll(texts.map((text) => ({ text })));
  return results.map(({ trackingCode }) => trackingCode);
}

/** How often the SMSC got the message (its first part). */
const handed = (number: number) => smsc.submits.filter(({ text }) => text.startsWith(tag(number))).length;

const all = (codes: readonly string[], status: string) => () => codes.every((code) => server.statusOf(code) === status);

/** Every message reached the SMSC, and more than once only where its timeline says that it was uncertain. */
function expectNothingLostOrDoubled(codes: readonly string[]): void {
  for (const [number, code] of codes.entries()) {
    const uncertain = server.timelineOf(code).filter((line) => line.startsWith("uncertain")).length;
    expect({ number, times: handed(number) }).toEqual({ number, times: expect.any(Number) });
    expect(handed(number)).toBeGreaterThanOrEqual(1);
    expect(handed(number)).toBeLessThanOrEqual(1 + uncertain);
  }
}

/** Answers the nth submit this way; all others are accepted. */
const onlyAt =
  (numbers: readonly number[], answer: SubmitAnswer): NonNullable<SmscScript["onSubmit"]> =>
  ({ number }) =>
    numbers.includes(number) ? answer : {};

describe("no message is lost, and none is repeated unless uncertain, when the SMSC", () => {
  test("refuses the bind five times: messages stay queued, and the link shows why", async () => {
    await opened({ bindStatuses: [0x0e, 0x0e, 0x0e, 0x0e, 0x0e], receipts: { when: "after" } });
    const codes = await sendTwenty();
    await server.passUntil(() => smsc.binds.length === 5, 5 * minuteMs);
    expect(codes.map(server.statusOf)).toEqual(codes.map(() => "queued"));
    expect(server.link().lastError).toContain("RINVPASWD");
    await server.passUntil(all(codes, "delivered"), 10 * minuteMs);
    expectNothingLostOrDoubled(codes);
  });

  test("never answers one submit: that message is sent again, as its timeline says", async () => {
    await opened({ onSubmit: onlyAt([3], "silence") });
    const codes = await sendTwenty();
    await server.passUntil(all(codes, "sent"), 2 * minuteMs);
    expectNothingLostOrDoubled(codes);
    expect(codes.flatMap(server.timelineOf).filter((line) => line.includes("did not answer within 10 s"))).toHaveLength(
      1,
    );
  });

  test("never answers one submit on a route that fails uncertain messages: the message fails, as its timeline says", async () => {
    await opened({ onSubmit: onlyAt([3], "silence") }, {}, "fail");
    const codes = await sendTwenty();
    const failed = () => codes.filter((code) => server.statusOf(code) === "failed");
    await server.passUntil(() => failed().length === 1, 2 * minuteMs);
    expect(codes.filter((code) => server.statusOf(code) === "sent")).toHaveLength(19);
    expect(codes.every((_, number) => handed(number) === 1)).toBe(true);
    expect(server.store.tables.messages.byCodeAnywhere(failed()[0] ?? "")?.errorCode).toBe("undeliverable");
  });

  test("answers after 15 s: the late answer counts, and its receipt is matched", async () => {
    await opened({ onSubmit: onlyAt([1], "silence") });
    const code = await server.send({ text: "late" });
    await server.passUntil(() => smsc.submits.length === 1, 5_000);
    await server.clock.advance(15_000);
    expect(server.timelineOf(code)).toHaveLength(1);
    const [submit] = smsc.submits;
    submit?.session.send(submit.pdu.response({ message_id: "late-1" }));
    await server.passUntil(all([code], "sent"), 3_000);
    if (submit !== undefined) await smsc.receipt(submit, "late-1");
    expect(server.historyOf(code)).toEqual(["queued", "processing", "sent", "delivered"]);
    expect(smsc.submits).toHaveLength(1);
  });

  test("answers generic_nack: one more attempt for each message", async () => {
    await opened({ onSubmit: onlyAt([2, 7], "nack"), receipts: { when: "after" } });
    const codes = await sendTwenty();
    await server.passUntil(all(codes, "delivered"), minuteMs);
    expect(codes.flatMap(server.timelineOf).filter((line) => line.includes("generic_nack"))).toHaveLength(2);
  });

  const breaks: readonly (readonly [string, SubmitAnswer])[] = [
    ["unbinds in mid-flight", "unbind"],
    ["resets the connection", "reset"],
    ["resets inside a PDU", "resetMidPdu"],
  ];
  test.each(breaks)("%s: the link is back within its backoff, and everything is delivered", async (_, answer) => {
    await opened({ onSubmit: onlyAt([4, 11], answer), receipts: { when: "after" } });
    const codes = await sendTwenty();
    await server.passUntil(() => smsc.binds.length >= 2, 20_000);
    expect(server.link().lastError).toBeString();
    await server.passUntil(all(codes, "delivered"), 3 * minuteMs);
    expectNothingLostOrDoubled(codes);
  });

  test("answers in single octets", async () => {
    // One at a time: otherwise the answers of this SMSC would mix.
    await opened({ onSubmit: () => "drip" }, { window: 1 });
    const codes = await sendTwenty();
    await server.passUntil(() => codes.every((code) => server.statusOf(code) === "sent"), minuteMs);
    expectNothingLostOrDoubled(codes);
    expect(smsc.binds).toHaveLength(1);
  });

  test.each([
    ["15 octets", 15],
    ["2 GB", 0x7fffffff],
  ])("sends an invalid length (%s) in the middle: the link is closed and opened again", async (_, length) => {
    let lied = false;
    await opened({
      onSubmit: ({ number, session }) => {
        if (number !== 5 || lied) return {};
        lied = true;
        const lie = Buffer.alloc(32);
        lie.writeUInt32BE(length, 0);
        session.socket.write(lie);
        return "silence";
      },
      receipts: { when: "after" },
    });
    const codes = await sendTwenty();
    await server.passUntil(all(codes, "delivered"), 3 * minuteMs);
    expectNothingLostOrDoubled(codes);
    expect(server.link().lastError).toContain(`a PDU of ${length} octets`);
  });

  test("sends unknown commands and floods enquire_link between the answers", async () => {
    const flood = Array.from({ length: 300 }, (_, index) => new PDU("enquire_link", { sequence_number: 900 + index }));
    const unknown = Buffer.alloc(24, 1);
    unknown.writeUInt32BE(24, 0);
    unknown.writeUInt32BE(0x00010200, 4);
    const noise = Buffer.concat([unknown, ...flood.map((pdu) => pdu.toBuffer()), unknown]);
    await opened({
      onSubmit: ({ session }) => {
        session.socket.write(noise);
        return {};
      },
      receipts: { when: "after" },
    });
    const codes = await sendTwenty();
    await server.passUntil(all(codes, "delivered"), minuteMs);
    expectNothingLostOrDoubled(codes);
    expect(smsc.binds).toHaveLength(1);
  });

  test.each([
    ["throttles (RTHROTTLED)", 0x58],
    ["answers RMSGQFUL", 0x14],
  ])("%s for a while: the route slows down, and no message loses an attempt", async (_, status) => {
    await opened({ onSubmit: ({ number }) => (number <= 30 ? { status } : {}), receipts: { when: "after" } });
    const codes = await sendTwenty();
    await server.passUntil(all(codes, "delivered"), 10 * minuteMs);
    for (const code of codes) expect(server.store.tables.messages.byCodeAnywhere(code)?.attempts).toBe(1);
    expect(codes.flatMap(server.timelineOf).some((line) => line.startsWith("throttled"))).toBe(true);
  });

  test("stops reading: unread messages become uncertain, and are delivered over the next link", async () => {
    await opened({ receipts: { when: "after" } });
    await server.passUntil(() => smsc.binds.length === 1, 5_000);
    smsc.stopReading();
    const codes = await sendTwenty();
    await server.passUntil(() => smsc.binds.length === 2, 3 * minuteMs);
    await server.passUntil(all(codes, "delivered"), 5 * minuteMs);
    expectNothingLostOrDoubled(codes);
  });
});

describe("receipts", () => {
  const receiptOrders: readonly (readonly [string, NonNullable<SmscScript["receipts"]>])[] = [
    ["before the answer", { when: "before" }],
    ["twice", { when: "after", times: 2 }],
    ["twice, before the answer", { when: "before", times: 2 }],
    ["with the TLVs alone", { when: "after", text: false }],
    ["with the text alone", { when: "after", tlvs: false }],
    ["in capitals and with zeros", { when: "after", spell: (id) => id.toUpperCase().padStart(16, "0") }],
  ];
  test.each(receiptOrders)("%s deliver every message once", async (_, receipts) => {
    await opened({ receipts });
    const codes = await sendTwenty();
    await server.passUntil(all(codes, "delivered"), minuteMs);
    for (const code of codes) expect(server.historyOf(code)).toEqual(["queued", "processing", "sent", "delivered"]);
    expectNothingLostOrDoubled(codes);
  });

  test.each(["hexToDec", "auto"])("with the id in the other base are matched (%s)", async (receiptId) => {
    const decimal = (id: string) => BigInt(`0x${id}`).toString();
    await opened(
      { messageId: (n) => (0xa0000 + n).toString(16), receipts: { when: "after", spell: decimal } },
      { receiptId },
    );
    const codes = await sendTwenty();
    await server.passUntil(all(codes, "delivered"), minuteMs);
  });

  test("in the wrong order leave a final state unchanged", async () => {
    await opened({});
    const code = await server.send({ text: "order" });
    await server.passUntil(all([code], "sent"), 5_000);
    const [submit] = smsc.submits;
    if (submit === undefined) throw new Error("Nothing was submitted");
    for (const stat of ["DELIVRD", "ACCEPTD", "ENROUTE", "UNDELIV"]) await smsc.receipt(submit, "00000001", { stat });
    expect(server.historyOf(code)).toEqual(["queued", "processing", "sent", "delivered"]);
  });

  test("with no id or an unknown one are acknowledged and change nothing", async () => {
    await opened({});
    const code = await server.send({ text: "x" });
    await server.passUntil(all([code], "sent"), 5_000);
    const nameless = { esm_class: 4, data_coding: 0, short_message: Buffer.from("stat:DELIVRD err:000") };
    const [submit] = smsc.submits;
    expect(await smsc.deliver(nameless)).toBe(0);
    expect(submit && (await smsc.receipt(submit, "nobody-knows"))).toEqual([0]);
    expect(server.statusOf(code)).toBe("sent");
  });

  test("are all accepted when ten share one packet", async () => {
    await opened({});
    const codes = await sendTwenty();
    await server.passUntil(all(codes, "sent"), 5_000);
    const ids = smsc.submits.map(({ number }) => number.toString(16).padStart(8, "0"));
    const pdus = ids.map((id, index) =>
      new PDU("deliver_sm", {
        esm_class: 4,
        sequence_number: index + 1,
        short_message: Buffer.from(`id:${id} stat:DELIVRD`),
      }).toBuffer(),
    );
    for (let from = 0; from < pdus.length; from += 10) smsc.raw(Buffer.concat(pdus.slice(from, from + 10)));
    await server.passUntil(all(codes, "delivered"), 5_000);
  });
});
