/** An SMSC that stalls, lies, drops and floods: every submit gets an honest outcome, and the link recovers. */
import { afterEach, describe, expect, test } from "bun:test";
import { PDU } from "smpp";
import { settleLoop, until } from "../support/manual-clock.ts";
import { RawPeer } from "../support/raw-peer.ts";
import { Smsc, type SmscScript } from "../support/smsc.ts";
import { message, type Route, routeTo, worded } from "./support.ts";

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

const linkOf = ({ provider }: Pick<Route, "provider">) => provider.health().links[0];

/** Answers the submit at `index`, which the script left unanswered. */
function answer(smsc: Smsc, index: number, fields: Readonly<Record<string, unknown>>): void {
  const submit = smsc.submits[index];
  if (submit === undefined) throw new Error(`no submit ${index}`);
  submit.session.send(submit.pdu.response(fields));
}

/** Advances the clock until the link is bound again; returns how long that took. */
async function msUntilBound(route: Route): Promise<number> {
  const startedAt = route.clock.monotonic();
  while (linkOf(route)?.state !== "bound") {
    await route.clock.advance(100);
    const tries = linkOf(route)?.state;
    if (tries === "connecting" || tries === "binding") await until(() => linkOf(route)?.state !== tries);
    if (route.clock.monotonic() - startedAt > 3_600_000) throw new Error("never bound again");
  }
  return route.clock.monotonic() - startedAt;
}

describe("a submit that is never answered", () => {
  test("becomes uncertain after the response time, and the others continue", async () => {
    const { smsc, provider, clock } = await connected({ onSubmit: ({ number }) => (number === 1 ? "silence" : {}) });
    const lost = provider.submit(message("lost"));
    expect(await provider.submit(message("next"))).toMatchObject({ kind: "accepted" });
    let outcome: unknown = null;
    void lost.then((told) => {
      outcome = told;
    });
    await clock.advance(9_990);
    expect(outcome).toBeNull();
    await clock.advance(10);
    expect(outcome).toMatchObject({ kind: "uncertain", lateAnswer: true });
    expect(await provider.submit(message("after"))).toMatchObject({ kind: "accepted" });
    expect(smsc.submits).toHaveLength(3);
    expect(provider.health().up).toBe(true);
  });

  test("frees its place in the window", async () => {
    const { provider, clock } = await connected(
      { onSubmit: ({ number }) => (number === 1 ? "silence" : {}) },
      { window: 1 },
    );
    const lost = provider.submit(message("lost"));
    const next = provider.submit(message("next"));
    await settleLoop();
    await clock.advance(10_000);
    expect(await lost).toMatchObject({ kind: "uncertain" });
    expect(await next).toMatchObject({ kind: "accepted" });
  });

  test("and is answered after 15 s is reported as a late answer, with its id", async () => {
    const { smsc, provider, clock, events } = await connected({ onSubmit: () => "silence" });
    const submission = message("late");
    const submitted = provider.submit(submission);
    await until(() => smsc.submits.length === 1);
    await clock.advance(15_000);
    expect(await submitted).toMatchObject({ kind: "uncertain", lateAnswer: true });
    const [submit] = smsc.submits;
    submit?.session.send(submit.pdu.response({ message_id: "ab12" }));
    await until(() => events.late.length === 1);
    expect(events.late).toEqual([
      { messageId: submission.messageId, outcome: { kind: "accepted", partIds: ["ab12"] } },
    ]);
  });

  test("and is answered late for one part of three is reported once all parts are known", async () => {
    const { smsc, provider, clock, events } = await connected({
      onSubmit: ({ number }) => (number === 2 ? {} : "silence"),
    });
    const submitted = provider.submit(message("x".repeat(400)));
    await until(() => smsc.submits.length === 3);
    await clock.advance(10_000);
    expect(worded(await submitted)).toMatchObject({
      kind: "uncertain",
      detail: expect.stringContaining("1 of 3 parts"),
    });
    const answer = (index: number, id: string) => {
      const submit = smsc.submits[index];
      submit?.session.send(submit.pdu.response({ message_id: id }));
    };
    answer(0, "one");
    await settleLoop(50);
    expect(events.late).toBeEmpty();
    answer(2, "three");
    await until(() => events.late.length === 1);
    expect(events.late[0]?.outcome).toEqual({ kind: "accepted", partIds: ["one", "00000002", "three"] });
  });

  test("keeps its sequence number out of use", async () => {
    const { smsc, provider, clock } = await connected({ onSubmit: ({ number }) => (number <= 3 ? "silence" : {}) });
    for (let round = 0; round < 3; round += 1) void provider.submit(message("lost"));
    await until(() => smsc.submits.length === 3);
    await clock.advance(10_000);
    for (let round = 0; round < 50; round += 1) await provider.submit(message("next"));
    const sequences = smsc.submits.map(({ sequence }) => sequence);
    expect(new Set(sequences).size).toBe(sequences.length);
  });
});

describe("a link that is lost", () => {
  test.each(["reset", "resetMidPdu"] as const)(
    "by %s leaves sent messages uncertain and unsent ones unsent",
    async (how) => {
      const route = await connected({ onSubmit: ({ number }) => (number === 2 ? how : "silence") }, { window: 2 });
      const outcomes = Promise.all(["one", "two", "three"].map((text) => route.provider.submit(message(text))));
      expect((await outcomes).map(worded)).toMatchObject([
        { kind: "uncertain", lateAnswer: false, detail: expect.stringContaining("link was lost") },
        { kind: "uncertain", lateAnswer: false },
        { kind: "not_sent" },
      ]);
      expect(route.provider.health().up).toBe(false);
      expect(await route.provider.submit(message("down"))).toMatchObject({ kind: "not_sent" });
      expect(await msUntilBound(route)).toBeLessThanOrEqual(1_200);
      expect(route.provider.health().up).toBe(true);
    },
  );

  test("by the SMSC's unbind is answered, late answers count, and the link comes back", async () => {
    const route = await connected({ onSubmit: () => "silence" }, { window: 2 });
    const outcomes = ["one", "two", "three"].map((text) => route.provider.submit(message(text)));
    await until(() => route.smsc.submits.length === 2);
    const [first] = route.smsc.submits;
    route.smsc.unbind();
    first?.session.send(first.pdu.response({ message_id: "1" }));
    await until(() => route.smsc.commands.includes("unbind_resp"));
    await settleLoop();
    await route.clock.advance(2_000);
    expect((await Promise.all(outcomes)).map(worded)).toMatchObject([
      { kind: "accepted" },
      { kind: "uncertain", detail: expect.stringContaining("the SMSC unbound") },
      { kind: "not_sent" },
    ]);
    expect(linkOf(route)?.lastError).toBe("the SMSC unbound");
    expect(await msUntilBound(route)).toBeLessThanOrEqual(1_200);
  });

  test.each([
    ["unbinds", (smsc: Smsc) => smsc.unbind()],
    ["says that it is not bound", (smsc: Smsc) => answer(smsc, 1, { command_status: 4 })],
  ] as const)("because the SMSC %s is down at once, while late answers may still arrive", async (_, breakOff) => {
    const route = await connected({ onSubmit: () => "silence" });
    const outcomes = ["one", "two"].map((text) => route.provider.submit(message(text)));
    await until(() => route.smsc.submits.length === 2);
    const toldUp: boolean[] = [];
    route.events.healthChanged = () => toldUp.push(route.provider.health().up);
    breakOff(route.smsc);
    await until(() => toldUp.length > 0);
    expect(toldUp).toEqual([false]);
    expect(linkOf(route)?.state).toBe("unbinding");
    answer(route.smsc, 0, { message_id: "late" });
    expect(await outcomes[0]).toMatchObject({ kind: "accepted", partIds: ["late"] });
    await route.clock.advance(2_000);
    expect(linkOf(route)?.state).not.toBe("unbinding");
  });

  test("because the SMSC reports that it is not bound is opened again, and the message counts as unsent", async () => {
    const route = await connected({ onSubmit: ({ number }) => (number === 1 ? { status: 4 } : {}) });
    expect(await route.provider.submit(message("x"))).toMatchObject({ kind: "not_sent" });
    expect(await msUntilBound(route)).toBeLessThanOrEqual(1_200);
    expect(await route.provider.submit(message("x"))).toMatchObject({ kind: "accepted" });
    expect(route.smsc.binds).toHaveLength(2);
  });

  test("because the SMSC went away is closed after two unanswered enquire_links", async () => {
    const route = await connected({ silentEnquireLink: true });
    await route.clock.advance(29_000);
    expect(route.smsc.commands.filter((command) => command === "enquire_link")).toHaveLength(0);
    await route.clock.advance(11_000);
    await until(() => route.smsc.commands.filter((command) => command === "enquire_link").length === 2);
    expect(route.provider.health().up).toBe(true);
    await route.clock.advance(10_000);
    expect(linkOf(route)?.lastError).toBe("the SMSC answered neither of two enquire_link");
  });

  test("stays up through silence if enquire_link is answered", async () => {
    const route = await connected();
    for (let minute = 0; minute < 20; minute += 1) {
      await route.clock.advance(30_000);
      await until(() => route.smsc.commands.filter((command) => command === "enquire_link").length >= minute);
      await settleLoop(30);
    }
    expect(route.smsc.binds).toHaveLength(1);
    expect(route.provider.health().up).toBe(true);
  });

  test("because the SMSC answers enquire_link but no submit is closed after a minute", async () => {
    const route = await connected({ onSubmit: () => "silence" }, { window: 2 });
    for (let turn = 0; turn < 8 && route.provider.health().up; turn += 1) {
      void route.provider.submit(message("one"));
      void route.provider.submit(message("two"));
      await settleLoop(40);
      await route.clock.advance(10_000);
      await settleLoop(40);
    }
    expect(linkOf(route)?.lastError).toContain("answered no submit");
  });
});

describe("octets that are not PDUs", () => {
  const lies = { "15 octets": 15, "2 GB": 0x7fffffff, "4 GB": 0xffffffff, nothing: 0 };
  test.each(Object.entries(lies))("a PDU that claims %s ends the link, which comes back", async (_, length) => {
    const route = await connected();
    const lie = Buffer.alloc(32);
    lie.writeUInt32BE(length, 0);
    route.smsc.raw(lie);
    await until(() => !route.provider.health().up);
    expect(linkOf(route)?.lastError).toContain(`a PDU of ${length} octets`);
    await until(() => route.smsc.commands.includes("generic_nack"));
    expect(await msUntilBound(route)).toBeLessThanOrEqual(1_200);
  });

  test("another protocol ends the link, which comes back", async () => {
    const route = await connected();
    route.smsc.raw(Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"));
    await until(() => !route.provider.health().up);
    expect(await msUntilBound(route)).toBeLessThanOrEqual(1_200);
  });

  test("unknown commands are answered with generic_nack and change nothing", async () => {
    const route = await connected();
    const unknown = Buffer.alloc(24, 1);
    unknown.writeUInt32BE(24, 0);
    unknown.writeUInt32BE(0x00010200, 4);
    unknown.writeUInt32BE(77, 12);
    route.smsc.raw(Buffer.concat([unknown, unknown, unknown]));
    await until(() => route.smsc.commands.filter((command) => command === "generic_nack").length === 3);
    expect(route.smsc.pdus.at(-1)).toMatchObject({ command_status: 3, sequence_number: 77 });
    expect(await route.provider.submit(message("x"))).toMatchObject({ kind: "accepted" });
  });

  test("answers to unknown requests are dropped", async () => {
    const route = await connected();
    for (const command of [
      "submit_sm_resp",
      "generic_nack",
      "enquire_link_resp",
      "unbind_resp",
      "bind_transceiver_resp",
    ]) {
      route.smsc.raw(new PDU(command, { sequence_number: 4711 }).toBuffer());
    }
    expect(await route.provider.submit(message("x"))).toMatchObject({ kind: "accepted" });
    expect(route.smsc.binds).toHaveLength(1);
  });

  test("a deliver_sm with contradicting lengths is refused, and the link stays", async () => {
    const route = await connected();
    const broken = new PDU("deliver_sm", {
      short_message: "x",
      sequence_number: 9,
      receipted_message_id: "1",
    }).toBuffer();
    const cut = Buffer.from(broken.subarray(0, broken.length - 2));
    cut.writeUInt32BE(cut.length, 0);
    const short = Buffer.from(broken.subarray(0, 18));
    short.writeUInt32BE(short.length, 0);
    route.smsc.raw(Buffer.concat([cut, short]));
    await until(() => route.smsc.commands.filter((command) => command === "deliver_sm_resp").length === 2);
    expect(await route.provider.submit(message("x"))).toMatchObject({ kind: "accepted" });
  });

  test("a PDU that arrives in single octets is read", async () => {
    const { provider } = await connected({ onSubmit: () => "drip" });
    expect(await provider.submit(message("x"))).toEqual({ kind: "accepted", partIds: ["00000001"] });
  });

  test("ten PDUs in one packet are read", async () => {
    const { smsc, provider } = await connected({ onSubmit: () => "silence" });
    const outcomes = Array.from({ length: 10 }, () => provider.submit(message("x")));
    await until(() => smsc.submits.length === 10);
    const answers = smsc.submits.map(({ pdu, number }) => pdu.response({ message_id: `id${number}` }).toBuffer());
    smsc.raw(Buffer.concat(answers));
    const ids = (await Promise.all(outcomes)).map((outcome) => (outcome.kind === "accepted" ? outcome.partIds : null));
    expect(ids).toEqual(Array.from({ length: 10 }, (_, index) => [`id${index + 1}`]));
  });

  test("random octets never end the process", async () => {
    const route = await connected();
    for (let seed = 1; seed <= 40; seed += 1) {
      const garbage = Buffer.from(Array.from({ length: 40 + seed }, (_, index) => (index * seed * 37 + seed) & 0xff));
      if (seed % 2 === 0) garbage.writeUInt32BE(garbage.length, 0);
      if (seed % 4 === 0) garbage.writeUInt32BE(seed % 8 === 0 ? 5 : 0x80000004, 4);
      route.smsc.raw(garbage);
      await settleLoop(10);
      if (!route.provider.health().up) await msUntilBound(route);
    }
    expect(await route.provider.submit(message("x"))).toMatchObject({ kind: "accepted" });
  });
});

describe("a PDU with the standard's largest fields", () => {
  test("is read, and the link stays", async () => {
    const route = await connected();
    const text = "پیام بسیار بلند ".repeat(2_047);
    const message_payload = Buffer.from(text, "utf16le").swap16();
    expect(message_payload.length).toBeGreaterThan(65_000);
    const status = await route.smsc.deliver({
      service_type: "CMT12",
      source_addr_ton: 1,
      source_addr: "9".repeat(20),
      destination_addr: "3".repeat(20),
      data_coding: 8,
      message_payload,
      callback_num: [Buffer.alloc(19, 1)],
      network_error_code: Buffer.from([3, 0, 1]),
    });
    expect(status).toBe(0);
    expect(route.events.parts[0]?.text).toBe(text);
    expect(await route.provider.submit(message("x"))).toMatchObject({ kind: "accepted" });
    expect(route.smsc.binds).toHaveLength(1);
  });
});

test("an unreadable PDU after every bind makes the route wait longer each time, though submits succeed", async () => {
  const route = await connected();
  const lie = Buffer.alloc(32);
  lie.writeUInt32BE(0x7fffffff, 0);
  const waits: number[] = [];
  for (let delivery = 0; delivery < 6; delivery += 1) {
    expect(await route.provider.submit(message("x"))).toMatchObject({ kind: "accepted" });
    route.smsc.raw(lie);
    await until(() => !route.provider.health().up);
    waits.push(await msUntilBound(route));
  }
  for (const [index, expected] of [1, 2, 4, 8, 16, 32].entries()) {
    expect(waits[index]).toBeGreaterThanOrEqual(expected * 1_000);
    expect(waits[index]).toBeLessThanOrEqual(expected * 1_000 + 300);
  }
});

test("a submit answer with a truncated optional parameter counts with its id, and the link stays", async () => {
  const route = await connected({ onSubmit: () => "silence" });
  const submitted = route.provider.submit(message("x"));
  await until(() => route.smsc.submits.length === 1);
  const head = route.smsc.submits[0]?.pdu.response({ message_id: "ab12" }).toBuffer() ?? Buffer.alloc(0);
  // The optional parameter dpf_result, cut before its octet.
  const cut = Buffer.concat([head, Buffer.from("04200001", "hex")]);
  cut.writeUInt32BE(cut.length, 0);
  route.smsc.raw(cut);
  expect(await submitted).toEqual({ kind: "accepted", partIds: ["ab12"] });
  expect(route.provider.health().up).toBe(true);
});

describe("an SMSC that floods", () => {
  test("enquire_link is answered each time, and submits continue", async () => {
    const route = await connected();
    const flood = Array.from({ length: 5_000 }, (_, index) => new PDU("enquire_link", { sequence_number: index + 1 }));
    route.smsc.raw(Buffer.concat(flood.map((pdu) => pdu.toBuffer())));
    expect(await route.provider.submit(message("x"))).toMatchObject({ kind: "accepted" });
    await until(() => route.smsc.commands.filter((command) => command === "enquire_link_resp").length === 5_000);
  });

  test("without reading is not read any more, so that answers cannot fill the memory", async () => {
    const enquire = new PDU("enquire_link", { sequence_number: 1 }).toBuffer();
    const packet = Buffer.concat(Array.from({ length: 4_096 }, () => enquire));
    let written = 0;
    const peer = await RawPeer.start((socket) => {
      socket.pause();
      socket.write(bindAnswer);
      const pour = (): void => {
        while (written < 200 * 1024 * 1024 && socket.writable) {
          written += packet.length;
          if (!socket.write(packet)) return void socket.once("drain", pour);
        }
      };
      pour();
    });
    const route = await routeTo(peer);
    closing.push(
      () => route.provider.stop(0),
      () => peer.stop(),
    );
    let before = -1;
    while (before !== written) {
      before = written;
      await settleLoop(400);
    }
    expect(written).toBeGreaterThan(packet.length);
    expect(written).toBeLessThan(64 * 1024 * 1024);
    expect(peer.received.length).toBeLessThan(1024);
    await settleLoop();
    await route.clock.advance(30_000);
    await route.clock.advance(20_000);
    expect(linkOf(route)?.lastError).toBe("the SMSC answered neither of two enquire_link");
  });

  test("and stops reading makes submits uncertain after the timeout, and the link is closed", async () => {
    const route = await connected();
    route.smsc.stopReading();
    const outcomes = Array.from({ length: 10 }, () => route.provider.submit(message("x")));
    await settleLoop(50);
    await route.clock.advance(10_000);
    expect((await Promise.all(outcomes)).every(({ kind }) => kind === "uncertain")).toBe(true);
    await route.clock.advance(40_000);
    expect(linkOf(route)?.lastError).toBe("the SMSC answered neither of two enquire_link");
  });

  test("deliveries while the store is busy must wait, and no submit becomes uncertain", async () => {
    const route = await connected({ onSubmit: () => "silence" });
    const commits: (() => void)[] = [];
    route.events.commit = () => new Promise((resolve) => commits.push(resolve));
    const answers = Array.from({ length: 40_000 }, () => route.smsc.deliver({ source_addr: "1", short_message: "hi" }));
    await until(() => commits.length >= 1_000);
    await settleLoop(100);
    expect(commits.length).toBeLessThan(10_000);
    await route.clock.advance(60_000);
    expect(route.provider.health().up).toBe(true);
    route.events.commit = () => Promise.resolve();
    for (const commit of commits) commit();
    expect(new Set(await Promise.all(answers))).toEqual(new Set([0]));
  });
});

const bindAnswer = new PDU("bind_transceiver_resp", { system_id: "raw", sequence_number: 1 }).toBuffer();
