/** Texts in the alphabet of an SMSC's data_coding 0: each direction, each form of long messages, each mistake of a file. */
import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { toldProblem } from "../../src/domain/operator-problem.ts";
import { decodeGsm7, encodeGsm7 } from "../../src/domain/text.ts";
import { readInbound } from "../../src/providers/smpp/inbound.ts";
import { parseSmppOptions } from "../../src/providers/smpp/options.ts";
import { SubmitWriter } from "../../src/providers/smpp/submit-request.ts";
import { type Charset, packSeptets, unpackSeptets } from "../../src/smpp/charset.ts";
import { readDelivery } from "../../src/smpp/deliver-frame.ts";
import { Smsc } from "../support/smsc.ts";
import { message, routeTo } from "./support.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function connected(set: Readonly<Record<string, unknown>>) {
  const smsc = await Smsc.start();
  const route = await routeTo(smsc, set);
  closing.push(
    () => route.provider.stop(0),
    () => smsc.stop(),
  );
  return { smsc, ...route };
}

/** GSM's basic characters at ASCII's positions, with £ at 1 and é at ASCII's backtick. */
const ownTable = Array.from({ length: 128 }, (_, octet) => {
  const character = String.fromCharCode(octet);
  if (octet === 1) return "£";
  if (octet === 0x60) return "é";
  return octet === 0x0a || octet === 0x0d || (octet >= 0x20 && octet < 0x7f) ? character : null;
});
const own: Charset = { table: ownTable };

const least = { host: "smsc.example", port: 2775, systemId: "peyk", password: "secret" };

/** The submit_sm PDUs of a text, by a route's options. */
function framesOf(set: Readonly<Record<string, unknown>>, text: string): Buffer[] {
  const parsed = parseSmppOptions({ ...least, ...set });
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  const writer = new SubmitWriter(parsed.options);
  const submission = message(text);
  const texts = writer.split(submission);
  if (!Array.isArray(texts)) throw new Error(texts.error);
  const frames = writer.write(submission, texts, 7, [...texts.keys()], 0);
  if (!Array.isArray(frames)) throw new Error(frames.error);
  return frames;
}

describe("septets in octets", () => {
  test("are packed as the specification says", () => {
    expect(packSeptets(encodeGsm7("hellohello"), 0).toString("hex")).toBe("e8329bfd4697d9ec37");
    // Seven bits are left: a carriage return, as the last would otherwise read as an @.
    expect(packSeptets(encodeGsm7("1234567"), 0).toString("hex")).toBe("31d98c56b3dd1a");
    // After the six octets of a header one bit is left before the first septet.
    expect(packSeptets(encodeGsm7("A"), 6).toString("hex")).toBe("82");
    expect(packSeptets(new Uint8Array(160), 0)).toHaveLength(140);
    expect(packSeptets(new Uint8Array(153), 6)).toHaveLength(134);
  });

  test("are unpacked as they were packed, behind any header", () => {
    const septets = fc.uint8Array({ max: 127, maxLength: 170 }).filter((all) => all.at(-1) !== 0x0d);
    fc.assert(
      fc.property(septets, fc.nat(12), (all, headerOctets) => {
        expect(unpackSeptets(packSeptets(all, headerOctets), headerOctets)).toEqual(Buffer.from(all));
      }),
    );
  });
});

describe("a text to a phone", () => {
  test.each([
    ["gsm7", "£5 {é}", "013520 1b28 05 1b29"],
    ["gsm7-packed", "hellohello", "e8329bfd4697d9ec37"],
    ["latin1", "£5 {é}", "a33520 7b e9 7d"],
    ["ascii", "5 {e}", "3520 7b 65 7d"],
    [own, "£5 é", "013520 60"],
  ] as const)("in %p is sent in the octets of that alphabet", (charset, text, hex) => {
    const wanted = Buffer.from(hex.replaceAll(" ", ""), "hex");
    const [frame] = framesOf({ charset }, text);
    // data_coding 0, sm_default_msg_id 0, sm_length, short_message.
    const end = Buffer.concat([Buffer.from([0, 0, wanted.length]), wanted]);
    expect(frame?.subarray(-end.length)).toEqual(end);
  });

  test.each([
    ["latin1", "Σ and the rest"],
    ["ascii", "café"],
    [own, "{braces are in the table, ü is not}"],
  ] as const)("that %p cannot encode is sent as UCS-2: %s", async (charset, text) => {
    const { smsc, provider } = await connected({ charset });
    expect((await provider.submit(message(text))).kind).toBe("accepted");
    expect(smsc.submits.map((submit) => [submit.pdu.data_coding, submit.text])).toEqual([[8, text]]);
  });
});

const names = ["gsm7", "gsm7-packed", "latin1", "ascii"] as const;

test("a text is decoded whole from every charset and every form of long messages", () => {
  const text = fc.string({ unit: fc.constantFrom(..."Hello, World 0123 {[~]} e"), minLength: 1, maxLength: 500 });
  for (const charset of [...names, own] satisfies Charset[]) {
    for (const longMessages of ["udh8", "udh16", "sar", "payload"] as const) {
      fc.assert(
        fc.property(text, (sent) => {
          const parts = framesOf({ charset, longMessages }, sent).map((frame) =>
            readInbound(readDelivery(frame), 0, charset),
          );
          expect(parts.map((part) => part.text).join("")).toBe(sent);
          expect(parts.length === 1 || parts.every(({ concat }, index) => concat?.part === index + 1)).toBe(true);
        }),
        { numRuns: 30 },
      );
    }
  }
});

describe("an inbound text", () => {
  const delivery = (hex: string, coding = 0) => ({
    source_addr: "98912",
    destination_addr: "3000",
    data_coding: coding,
    short_message: Buffer.from(hex, "hex"),
  });

  test.each([
    ["latin1", "a3e97b", "£é{"],
    ["ascii", "41e942", "A\ufffdB"],
    ["gsm7-packed", "e8329bfd4697d9ec37", "hellohello"],
    [{ table: ownTable }, "0160", "£é"],
    [{ inbound: "latin1", outbound: "gsm7" }, "e9", "é"],
  ])("in %p is read in that alphabet, and other codings as always", async (charset, hex, text) => {
    const { smsc, events } = await connected({ charset });
    await smsc.deliver(delivery(hex));
    await smsc.deliver(delivery("0633", 8));
    expect(events.parts.map((part) => part.text)).toEqual([text, "س"]);
  });

  test("packed in parts keeps an escape whose character is in the next part", () => {
    const part = (number: number, septets: number[]) =>
      readInbound(
        {
          source: { ton: 1, npi: 1, digits: "98912" },
          destination: { ton: 0, npi: 0, digits: "3000" },
          esmClass: 0x40,
          dataCoding: 0,
          content: Buffer.concat([Buffer.from([5, 0, 3, 9, 2, number]), packSeptets(Uint8Array.from(septets), 6)]),
          segmentation: null,
          receiptedMessageId: null,
          messageState: null,
          networkError: null,
        },
        0,
        "gsm7-packed",
      ).text;
    expect(part(1, [0x35, 0x1b])).toBe("5\u001b");
    expect(decodeGsm7(encodeGsm7(part(2, [0x65])))).toBe("e");
  });
});

describe("a route file", () => {
  const problemsOf = (charset: unknown) => {
    const parsed = parseSmppOptions({ ...least, charset });
    return "problems" in parsed ? parsed.problems.map(toldProblem).map(({ key, message: why }) => `${key} ${why}`) : [];
  };

  test("names an unknown charset, and a table that is invalid, too short, or has a gap or a repeat", () => {
    expect(problemsOf({ outbound: "latin1" })).toEqual([]);
    expect(problemsOf("utf8")).toEqual([expect.stringMatching(/^charset must be one of "gsm7"/)]);
    expect(problemsOf({ outbound: "latin1", inbnd: "ascii" })).toEqual([
      expect.stringMatching(/^charset.inbnd is not a known key; did you mean "inbound"/),
    ]);
    expect(problemsOf({ table: "abc" })).toEqual([
      expect.stringMatching(/^charset.table must be a list of 128 or 256/),
    ]);
    expect(problemsOf({ table: ownTable.slice(1) })).toEqual([
      expect.stringMatching(/^charset.table must be a list of 128 or 256/),
    ]);
    const withHole = ownTable.map((character) => (character === "Q" || character === "7" ? null : character));
    expect(problemsOf({ inbound: { table: withHole } })).toEqual([
      'charset.inbound.table has a hole: no octet stands for "7", "Q"',
    ]);
    const repeated = ownTable.with(2, "A");
    expect(problemsOf({ table: repeated })).toEqual(['charset.table names "A" twice']);
  });
});
