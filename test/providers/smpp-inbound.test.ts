/** Inbound texts: every alphabet, every form of long messages, and octets that are not text. */
import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { PDU } from "smpp";
import { normaliseAddress } from "../../src/domain/phone-number.ts";
import { readInbound } from "../../src/providers/smpp/inbound.ts";
import { describePdu } from "../../src/providers/smpp/pdu-words.ts";
import { inboundAddress } from "../../src/smpp/address.ts";
import { decodeText } from "../../src/smpp/coded-content.ts";
import { Smsc } from "../support/smsc.ts";
import { type Route, routeTo } from "./support.ts";

let open: { smsc: Smsc; route: Route } | null = null;

async function connected() {
  const smsc = await Smsc.start();
  const route = await routeTo(smsc);
  open = { smsc, route };
  return { smsc, events: route.events };
}

afterEach(async () => {
  await open?.route.provider.stop(0);
  await open?.smsc.stop();
  open = null;
});

const phone = { source_addr_ton: 1, source_addr_npi: 1, source_addr: "989121234567", destination_addr: "3000" };
const ucs2 = (text: string) => Buffer.from(text, "utf16le").swap16();

describe("an inbound text", () => {
  test.each([
    [0, Buffer.from([0x00, 0x1b, 0x65, 0x48, 0x69]), "@€Hi"],
    [0, Buffer.from("caf\xe9", "latin1"), "café"],
    [1, Buffer.from("plain"), "plain"],
    [3, Buffer.from("caf\xe9", "latin1"), "café"],
    [8, ucs2("سلام 🙂"), "سلام 🙂"],
    [0x18, ucs2("سلام"), "سلام"],
    [0xf1, Buffer.from("Hi"), "Hi"],
    [6, Buffer.from([0xbf, 0xe0, 0xd8]), "При"],
  ])("in data_coding %d is read", async (coding, octets, text) => {
    const { smsc, events } = await connected();
    expect(await smsc.deliver({ ...phone, data_coding: coding, short_message: octets })).toBe(0);
    expect(events.parts).toEqual([{ sender: "+989121234567", receiver: "3000", text, receivedAt: expect.any(Number) }]);
  });

  test.each([2, 4, 0xf5, 0x14, 0x28])("in data_coding %d is kept as octets, and marked", async (coding) => {
    const { smsc, events } = await connected();
    await smsc.deliver({ ...phone, data_coding: coding, short_message: Buffer.from([0, 1, 0xfe, 0xff]) });
    expect(events.parts[0]).toMatchObject({ text: "", binary: "0001feff" });
  });

  test("of an odd number of octets is not UCS-2", async () => {
    const { smsc, events } = await connected();
    await smsc.deliver({ ...phone, data_coding: 8, short_message: Buffer.from([6, 0x33, 6]) });
    expect(events.parts[0]).toMatchObject({ text: "", binary: "063306" });
  });

  test("in message_payload, and without any content, is accepted", async () => {
    const { smsc, events } = await connected();
    await smsc.deliver({
      ...phone,
      data_coding: 8,
      short_message: Buffer.alloc(0),
      message_payload: ucs2("سلام".repeat(50)),
    });
    await smsc.deliver({ ...phone, short_message: Buffer.alloc(0) });
    expect(events.parts.map(({ text }) => text)).toEqual(["سلام".repeat(50), ""]);
  });
});

describe("a part of a long inbound text", () => {
  const place = { reference: 0x17, part: 2, parts: 3 };
  const parts: readonly [string, object, object][] = [
    ["an 8-bit header", { esm_class: 0x40, short_message: Buffer.from([5, 0, 3, 0x17, 3, 2, 0x48, 0x69]) }, place],
    [
      "a 16-bit header",
      { esm_class: 0x40, short_message: Buffer.from([6, 8, 4, 1, 0x17, 3, 2, 0x48, 0x69]) },
      { ...place, reference: 0x117 },
    ],
    [
      "a header with more in it",
      { esm_class: 0x40, short_message: Buffer.from([8, 0x24, 1, 1, 0, 3, 0x17, 3, 2, 0x48, 0x69]) },
      place,
    ],
    [
      "SAR",
      { short_message: Buffer.from("Hi"), sar_msg_ref_num: 0x17, sar_total_segments: 3, sar_segment_seqnum: 2 },
      place,
    ],
  ];
  test.each(parts)("by %s has its position", async (_, fields, concat) => {
    const { smsc, events } = await connected();
    await smsc.deliver({ ...phone, data_coding: 0, ...fields });
    expect(events.parts[0]).toMatchObject({ text: "Hi", concat });
  });

  test("keeps half a surrogate pair, since the next part has the other half", async () => {
    const { smsc, events } = await connected();
    const octets = ucs2("a🙂b");
    for (const [index, half] of [octets.subarray(0, 4), octets.subarray(4)].entries()) {
      const header = Buffer.from([5, 0, 3, 9, 2, index + 1]);
      await smsc.deliver({ ...phone, esm_class: 0x40, data_coding: 8, short_message: Buffer.concat([header, half]) });
    }
    expect(events.parts.map(({ text }) => text).join("")).toBe("a🙂b");
  });

  test("keeps an escape at its end, since the next part has its character", async () => {
    const { smsc, events } = await connected();
    for (const octets of [
      [0x48, 0x1b],
      [0x48, 0x1b, 0x1b],
    ]) {
      const header = [5, 0, 3, 9, 2, 1];
      const part = Buffer.from([...header, ...octets]);
      await smsc.deliver({ ...phone, esm_class: 0x40, data_coding: 0, short_message: part });
    }
    await smsc.deliver({ ...phone, data_coding: 0, short_message: Buffer.from([0x48, 0x1b]) });
    expect(events.parts.map(({ text }) => text)).toEqual(["H\u001b", "H ", "H "]);
  });

  test.each([
    ["part 0", [5, 0, 3, 1, 3, 0]],
    ["part 4 of 3", [5, 0, 3, 1, 3, 4]],
    ["the only part", [5, 0, 3, 1, 1, 1]],
  ])("that claims to be %s is a message of its own", async (_, header) => {
    const { smsc, events } = await connected();
    const octets = Buffer.from([...header, 0x48, 0x69]);
    await smsc.deliver({ ...phone, esm_class: 0x40, data_coding: 0, short_message: octets });
    expect(events.parts[0]?.text).toBe("Hi");
    expect(events.parts[0]?.concat).toBeUndefined();
  });

  test.each([
    ["addressed to a port", [6, 5, 4, 0x0b, 0x84, 0, 0, 1, 2], "0102"],
    ["with a header longer than itself", [200, 0, 3, 1, 2], "c800030102"],
    ["with an element longer than its header", [3, 0, 9, 1, 0x48], "0300090148"],
  ])("that is %s is kept as octets", async (_, octets, binary) => {
    const { smsc, events } = await connected();
    await smsc.deliver({ ...phone, esm_class: 0x40, data_coding: 0, short_message: Buffer.from(octets) });
    expect(events.parts[0]).toMatchObject({ text: "", binary });
  });
});

test("an international number that begins with 0 gets no plus sign and stays as dialled", () => {
  const told = ["989121234567", "+989121234567", "00989121234567", "09121234567", "3000"].map((digits) =>
    inboundAddress({ ton: 1, npi: 1, digits }),
  );
  expect(told).toEqual(["+989121234567", "+989121234567", "00989121234567", "09121234567", "3000"]);
  const numbers = told.map((address) => normaliseAddress(address, "IR"));
  expect(numbers).toEqual([...Array.from({ length: 4 }, () => "+989121234567"), "3000"]);
});

test("a trace reads data_coding 1 as the credential does", () => {
  const pdu = new PDU("submit_sm", { short_message: "Müller", data_coding: null });
  const view = { charset: "gsm7", isOutbound: false, isSecret: false, showsTexts: true } as const;
  expect(describePdu(pdu.toBuffer(), { ...view, ia5: "gsm7" })).toContain("Müller");
  expect(describePdu(pdu.toBuffer(), { ...view, ia5: "latin1" })).toContain("M~ller");
});

test("any octets are read as text or octets, without an error", () => {
  const octets = fc.uint8Array({ maxLength: 160 });
  fc.assert(
    fc.property(octets, fc.nat(255), fc.nat(255), (content, coding, esmClass) => {
      const address = { ton: 0, npi: 0, digits: "1" };
      const delivery = {
        source: address,
        destination: address,
        esmClass,
        dataCoding: coding,
        content: Buffer.from(content),
        segmentation: null,
        receiptedMessageId: null,
        messageState: null,
        networkError: null,
      };
      const part = readInbound(delivery, 0);
      expect(part.binary === undefined ? typeof part.text : part.text).toBe(part.binary === undefined ? "string" : "");
      expect(["string", "object"]).toContain(typeof decodeText(Buffer.from(content), coding));
    }),
  );
});
