/** Receipts: recognised by class, read in any form, and found under every spelling of their id. */
import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { PDU } from "smpp";
import { isSameId } from "../../src/domain/provider-id.ts";
import type { RouteStorage } from "../../src/providers/provider.ts";
import type { ReceiptIdForm } from "../../src/providers/smpp/options.ts";
import { readFields } from "../../src/providers/smpp/receipt.ts";
import { mayBePadded, ReceiptIds, spellingsOf } from "../../src/providers/smpp/receipt-ids.ts";
import { settleLoop, until } from "../support/manual-clock.ts";
import { Smsc, type SmscScript } from "../support/smsc.ts";
import { message, routeTo } from "./support.ts";

let closing: (() => Promise<void>)[] = [];

async function connected(script: SmscScript = {}, set: Readonly<Record<string, unknown>> = {}) {
  const smsc = await Smsc.start(script);
  const route = await routeTo(smsc, set);
  closing.push(
    () => route.provider.stop(0),
    () => smsc.stop(),
  );
  return { smsc, ...route };
}

afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

const textReceipt = (text: string) => ({ esm_class: 4, data_coding: 0, short_message: Buffer.from(text, "latin1") });

describe("an SMPP receipt", () => {
  test.each([
    ["DELIVRD", 2, "delivered", undefined],
    ["EXPIRED", 3, "failed", "expired"],
    ["DELETED", 4, "failed", "undeliverable"],
    ["UNDELIV", 5, "failed", "undeliverable"],
    ["REJECTD", 8, "failed", "rejected_by_network"],
    ["ENROUTE", 1, "pending", undefined],
    ["ACCEPTD", 6, "pending", undefined],
    ["UNKNOWN", 7, "pending", undefined],
  ] as const)(
    "with %s (%d) is read from its text alone, and from its TLVs alone",
    async (stat, state, expected, error) => {
      const { smsc, events } = await connected();
      expect(await smsc.deliver(textReceipt(`id:77 stat:${stat} err:012`))).toBe(0);
      await smsc.deliver({ esm_class: 4, receipted_message_id: "77", message_state: state });
      for (const receipt of events.receipts) {
        expect(receipt).toMatchObject({ state: expected, ids: expect.arrayContaining(["77"]) });
        expect(receipt.error).toBe(error);
        expect(receipt.detail).toContain(`stat:${stat}`);
      }
      expect(events.receipts).toHaveLength(2);
    },
  );

  test.each([
    ["FAILED", "failed"],
    ["DELIVERED", "delivered"],
    ["delivrd", "delivered"],
    ["UNDELIVERABLE", "failed"],
    ["ACKED", "pending"],
    ["BUFFRED", "pending"],
    ["WHATEVER", "pending"],
    ["", "pending"],
  ] as const)("with the unusual state %p is %s", async (stat, state) => {
    const { smsc, events } = await connected();
    await smsc.deliver(textReceipt(`id:1 stat:${stat}`));
    expect(events.receipts[0]?.state).toBe(state);
  });

  test.each([
    ["DELIVRD", 2],
    ["UNDELIV", 5],
    ["ENROUTE", 1],
  ])("that is an intermediate notification is never final: %s", async (stat, state) => {
    const { smsc, events } = await connected();
    await smsc.deliver({ ...textReceipt(`id:1 stat:${stat} err:000`), esm_class: 0x20 });
    await smsc.deliver({ esm_class: 0x20, receipted_message_id: "1", message_state: state });
    expect(events.receipts.map(({ state: read, error }) => [read, error])).toEqual([
      ["pending", undefined],
      ["pending", undefined],
    ]);
    expect(events.receipts[0]?.detail).toContain(`stat:${stat}`);
  });

  test("takes state and id from TLVs before its text", async () => {
    const { smsc, events } = await connected();
    const text = textReceipt("id:other stat:UNDELIV");
    await smsc.deliver({ ...text, receipted_message_id: "mine", message_state: 2 });
    expect(events.receipts[0]?.state).toBe("delivered");
    expect(events.receipts[0]?.ids).toContain("mine");
    expect(events.receipts[0]?.ids).not.toContain("other");
  });

  test("with an id that lacks its closing NUL is read to its end and no further", async () => {
    const { smsc, events } = await connected();
    const idWithoutNul = Buffer.concat([Buffer.from("001e0004", "hex"), Buffer.from("ab12")]);
    const delivered = Buffer.from("0427000102", "hex");
    const mandatory = new PDU("deliver_sm", {
      esm_class: 4,
      sequence_number: 1,
      short_message: Buffer.alloc(0),
    }).toBuffer();
    const pdu = Buffer.concat([mandatory, idWithoutNul, delivered]);
    pdu.writeUInt32BE(pdu.length, 0);
    smsc.raw(pdu);
    await until(() => events.receipts.length === 1);
    expect(events.receipts[0]).toMatchObject({ state: "delivered", ids: expect.arrayContaining(["ab12"]) });
    expect(events.parts).toBeEmpty();
  });

  test("may arrive as data_sm, or be recognized by its TLV without the class", async () => {
    const { smsc, events } = await connected();
    expect(await smsc.deliver({ esm_class: 4, receipted_message_id: "1", message_state: 2 }, "data_sm")).toBe(0);
    await smsc.deliver({ esm_class: 0, receipted_message_id: "2", message_state: 2 });
    expect(events.receipts.map(({ ids }) => ids[0])).toEqual(["1", "2"]);
  });

  test("without any id is acknowledged and not reported", async () => {
    const { smsc, events } = await connected();
    expect(await smsc.deliver(textReceipt("stat:DELIVRD"))).toBe(0);
    expect(events.receipts).toBeEmpty();
    expect(events.parts).toBeEmpty();
  });

  test("typed by a subscriber is an inbound message and nothing else", async () => {
    const { smsc, events } = await connected();
    const typed = "id:123 sub:001 dlvrd:001 submit date:2601051200 done date:2601051201 stat:DELIVRD err:000 text:hi";
    await smsc.deliver({
      source_addr_ton: 1,
      source_addr: "989121234567",
      destination_addr: "3000",
      short_message: typed,
    });
    expect(events.receipts).toBeEmpty();
    expect(events.parts[0]?.text).toBe(typed);
  });

  test("is acknowledged only after it is stored, and sent again if it could not be", async () => {
    const { smsc, events } = await connected();
    let commit = (): void => {};
    events.commit = () => new Promise((resolve) => (commit = resolve));
    let status: number | null = null;
    const answered = smsc.deliver(textReceipt("id:1 stat:DELIVRD")).then((told) => (status = told));
    await until(() => events.receipts.length === 1);
    await settleLoop(30);
    expect(status).toBeNull();
    commit();
    expect(await answered).toBe(0);
    events.commit = () => Promise.reject(new Error("disk full"));
    expect(await smsc.deliver(textReceipt("id:1 stat:DELIVRD"))).toBe(0x64);
  });

  test.each(["before", "after"] as const)("%s the answer is reported each time it arrives", async (when) => {
    const { provider, events } = await connected({ receipts: { when, times: 2 } });
    expect(await provider.submit(message("x"))).toEqual({ kind: "accepted", partIds: ["00000001"] });
    await until(() => events.receipts.length === 2);
    for (const { ids } of events.receipts) expect(ids[0]).toBe("00000001");
  });
});

describe("a receipt's text", () => {
  test("is read in any order, short or long, up to the message's own words", () => {
    const fields = readFields("stat:DELIVRD done date:2601051201 id: 9f-3 err: sub:001 Text:id:666 stat:FAILED");
    expect(Object.fromEntries(fields)).toEqual({
      stat: "DELIVRD",
      donedate: "2601051201",
      id: "9f-3",
      err: "",
      sub: "001",
    });
  });

  test("of any kind never causes an error", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("id:", "stat:", " ", "text:", "a", "1", ":", "err:", "\0") }),
        (text) => {
          for (const value of readFields(text).values()) expect(text).toContain(value);
        },
      ),
    );
  });
});

/** Whether the receipt's id finds the part that was answered with the other. */
function isReached(answered: string, reported: string, form: ReceiptIdForm): boolean {
  return spellingsOf(reported, form).some((spelling) => isSameId(answered, spelling, mayBePadded(reported, form)));
}

describe("a receipt's id in another base", () => {
  test("is matched in hexadecimal if the answer was, with any zeros and case", () => {
    for (const answered of ["abcd", "ABCD", "0000abcd", "0000ABCD", "0abcd", "000000000000abcd"]) {
      expect(isReached(answered, "43981", "hexToDec")).toBe(true);
    }
    expect(spellingsOf("43981", "hexToDec")).not.toContain("43981");
  });

  test("is matched in decimal if the answer was", () => {
    expect(spellingsOf("0000ABCD", "decToHex")[0]).toBe("43981");
  });

  test("is not converted if the route says exact", () => {
    expect(spellingsOf("00ab", "exact")).toEqual(["00ab"]);
  });

  test("is matched for every number, in both directions", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.boolean(), fc.nat(40), (id, upper, width) => {
        const hex = (upper ? id.toString(16).toUpperCase() : id.toString(16)).padStart(width, "0");
        expect(isReached(hex, id.toString(), "hexToDec")).toBe(true);
        expect(isReached(id.toString(), hex, "decToHex")).toBe(true);
        expect(isReached(hex, hex, "auto")).toBe(true);
        expect(isReached(hex, id.toString(16), "auto")).toBe(true);
        expect(isReached(id.toString(16), hex, "exact")).toBe(hex === id.toString(16));
      }),
    );
  });

  const spelled = { "decimal for hexadecimal": [16, 10], "hexadecimal for decimal": [10, 16] } as const;
  test.each(Object.entries(spelled))("is detected automatically: %s", async (_, [answerBase, receiptBase]) => {
    const first = 0xab_cdef;
    const { provider, events } = await connected({
      messageId: (number) => (first + number).toString(answerBase),
      receipts: { when: "after", spell: (id) => Number.parseInt(id, answerBase).toString(receiptBase) },
    });
    for (let number = 1; number <= 8; number += 1) {
      await provider.submit(message("x"));
      await until(() => events.receipts.length === number);
      expect(events.receipts.at(-1)?.ids).toContain((first + number).toString(answerBase));
    }
    expect(events.receipts.at(-1)?.ids).not.toContain((first + 8).toString(receiptBase));
  });

  test("stays known after a restart, and is detected again with another carrier", async () => {
    const kept = new Map<string, string>();
    const storage: RouteStorage = {
      cursor: (line) => kept.get(line) ?? null,
      setCursor: (line, position) => Promise.resolve(void kept.set(line, position)),
    };
    const first = 0xab_cdef;
    const script: SmscScript = {
      messageId: (number) => (first + number).toString(16),
      receipts: { when: "after", spell: (id) => Number.parseInt(id, 16).toString() },
    };
    const smsc = await Smsc.start(script);
    const route = await routeTo(smsc, {}, { storage });
    for (let number = 1; number <= 12; number += 1) {
      await route.provider.submit(message("x"));
      await until(() => route.events.receipts.length === number);
    }
    await route.provider.stop(0);
    const spellingsAfter = async (port: number) => {
      const again = await routeTo({ port }, {}, { storage });
      const told = port === smsc.port ? smsc : elsewhere;
      await told.deliver(textReceipt("id:1010 stat:DELIVRD"));
      await again.provider.stop(0);
      return again.events.receipts[0];
    };
    const elsewhere = await Smsc.start(script);
    expect(await spellingsAfter(smsc.port)).toMatchObject({ ids: ["3f2", "3F2"], certain: 2 });
    expect(await spellingsAfter(elsewhere.port)).toMatchObject({ ids: ["1010", "3f2", "3F2", "4112"], certain: 1 });
    await Promise.all([smsc.stop(), elsewhere.stop()]);
  });

  test("is no longer tried once the ids proved to be the same", () => {
    const ids = new ReceiptIds("auto");
    for (const id of ["100", "101", "102"]) {
      ids.answered(id);
      ids.spellings(id, false);
    }
    expect(ids.learned).toBe("exact");
    expect(ids.spellings("256", false).ids).not.toContain("100");
    expect(ids.spellings("0256", false).ids).toContain("256");
  });

  test("never matches a decimal receipt that arrives before its answer to an older message", () => {
    const ids = new ReceiptIds("auto");
    for (let id = 1; id <= 500; id += 1) {
      expect(ids.spellings(String(id), true).ids.filter((spelling) => id > 9 && Number(spelling) !== id)).toEqual(
        id === 1 ? expect.anything() : [],
      );
      ids.answered(String(id));
    }
    expect(ids.learned).not.toBe("hexToDec");
  });

  test("is also learned if every receipt arrives before its answer", () => {
    const ids = new ReceiptIds("auto");
    for (let number = 1; number <= 40; number += 1) {
      const id = number.toString(16).padStart(8, "0");
      const { ids: spellings } = ids.spellings(id, true);
      expect(spellings[0]).toBe(id);
      ids.answered(id);
    }
    expect(ids.learned).toBe("exact");
    const other = new ReceiptIds("auto");
    for (let number = 0xa00; number < 0xa10; number += 1) {
      other.spellings(String(number), false);
      other.answered(number.toString(16));
    }
    expect(other.learned).toBe("hexToDec");
  });

  test("is only a guess until a clear lead settles it, for later runs too", () => {
    const settled: string[] = [];
    const ids = new ReceiptIds("auto", { known: null, settle: (form) => settled.push(form) });
    expect(ids.spellings("1010", false)).toEqual({ ids: ["1010", "3f2", "3F2", "4112"], certain: 1 });
    for (let id = 0xa000; id < 0xa00c; id += 1) {
      expect(settled).toEqual([]);
      ids.answered(id.toString(16));
      ids.spellings(String(id), false);
    }
    expect(settled).toEqual(["hexToDec"]);
    const later = new ReceiptIds("auto", { known: "exact", settle: () => undefined });
    expect(later.spellings("1010", false)).toEqual({ ids: ["1010"], certain: 1 });
  });

  test("is unlearned if a few receipts happened to fit the wrong base", () => {
    const ids = new ReceiptIds("auto");
    for (const id of ["4112", "4113", "4114"]) ids.answered(id);
    for (const id of ["1010", "1011", "1012"]) ids.spellings(id, false);
    expect(ids.learned).toBe("decToHex");
    for (let id = 4115; id < 4122; id += 1) {
      ids.answered(String(id));
      ids.spellings(String(id), false);
    }
    expect(ids.learned).toBe("exact");
  });

  test("is not learned from ids that are the same in both bases", () => {
    const ids = new ReceiptIds("auto");
    for (const id of ["1", "2", "3", "4", "5"]) {
      ids.answered(id);
      ids.spellings(id, false);
    }
    expect(ids.learned).toBeNull();
  });

  test("remembers a bounded number of answers", () => {
    const ids = new ReceiptIds("auto");
    for (let id = 1; id <= 10_000; id += 1) ids.answered(`m-${id}`);
    ids.spellings("m-1", false);
    expect(ids.learned).toBeNull();
  });
});
