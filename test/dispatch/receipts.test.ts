/** Receipts: in any order, number and spelling, a message ends once and in the right state. */
import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { PublicStatus } from "../../src/domain/message.ts";
import { describeReason } from "../../src/domain/reason.ts";
import type { ProviderEvents, Receipt, SubmitOutcome } from "../../src/providers/provider.ts";
import { settleLoop, until } from "../support/manual-clock.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";
import { createTestServer, type TestServer } from "../support/test-server.ts";

let server: TestServer;
afterEach(() => server.stop());

const longText = "این پیام بلند باید در چند بخش و سالم برسد. ".repeat(4).trim();

async function started() {
  const providers: ScriptedProvider[] = [];
  server = await createTestServer({
    build: (_, events) => {
      const route = new ScriptedProvider(events, { window: 1_000 });
      providers.push(route);
      return route;
    },
  });
  await server.start();
  const [provider] = providers;
  if (provider === undefined) throw new Error("No route was built");
  return provider;
}

const accepted = (...partIds: (string | null)[]): SubmitOutcome => ({ kind: "accepted", partIds });

function tell(
  events: ProviderEvents,
  ids: string | readonly string[],
  state: Receipt["state"] = "delivered",
  set: Pick<Receipt, "anyWidth" | "numbers" | "eventId" | "partCount" | "certain"> = {},
) {
  const error = state === "failed" ? { error: "undeliverable" as const } : {};
  const detail = `stat:${state}`;
  return events.receipt({
    ids: typeof ids === "string" ? [ids] : ids,
    state,
    ...error,
    detail,
    at: server.clock.now(),
    ...set,
  });
}

/** A message that the route accepted under these ids. */
async function sent(partIds: readonly (string | null)[], text = longText): Promise<[ScriptedProvider, string]> {
  const route = await started();
  route.answerWith(accepted(...partIds));
  const code = await server.send({ text });
  await until(() => server.statusOf(code) === "sent");
  return [route, code];
}

/** A message whose receipts arrive while its submit is unanswered. */
async function receiptsFirst(partIds: readonly string[], receipts: readonly (readonly [string, Receipt["state"]])[]) {
  const route = await started();
  route.answerWith(accepted(...partIds));
  route.hold();
  const code = await server.send({ text: longText });
  await until(() => route.submissions.length === 1);
  for (const [id, state] of receipts) await tell(route.events, id, state);
  expect(server.statusOf(code)).toBe("processing");
  route.release();
  await until(() => !["queued", "processing"].includes(server.statusOf(code)));
  return code;
}

describe("a long message", () => {
  test("is delivered once its last part is", async () => {
    const [route, code] = await sent(["a", "b", "c"]);
    await tell(route.events, "c");
    await tell(route.events, "a");
    expect(server.statusOf(code)).toBe("sent");
    await tell(route.events, "b");
    expect(server.statusOf(code)).toBe("delivered");
  });

  test("with a single id is delivered by one receipt", async () => {
    const [route, code] = await sent(["whole"]);
    await tell(route.events, "whole");
    expect(server.statusOf(code)).toBe("delivered");
    const message = server.store.tables.messages.byCodeAnywhere(code);
    expect(message?.partsDelivered).toBe(message?.partCount);
  });

  test("with more ids than parts counted waits for all of them", async () => {
    const [route, code] = await sent(["a", "b", "c", "d"]);
    for (const id of ["a", "b", "c"]) await tell(route.events, id);
    expect(server.statusOf(code)).toBe("sent");
    await tell(route.events, "d");
    expect(server.statusOf(code)).toBe("delivered");
  });

  test("waits only for the parts that have an id", async () => {
    const [route, code] = await sent([null, "b", null]);
    await tell(route.events, "b");
    expect(server.statusOf(code)).toBe("delivered");
  });

  test("whose parts share one id is delivered by as many receipts as it has parts", async () => {
    const [route, code] = await sent(["same", "same", "same"]);
    await tell(route.events, "same");
    await tell(route.events, "same");
    expect(server.statusOf(code)).toBe("sent");
    await tell(route.events, "same");
    expect(server.statusOf(code)).toBe("delivered");
  });

  test("fails with its first failed part, and later receipts do not change that", async () => {
    const [route, code] = await sent(["a", "b", "c"]);
    await tell(route.events, "a");
    await tell(route.events, "b", "failed");
    expect(server.statusOf(code)).toBe("failed");
    await tell(route.events, "c");
    await tell(route.events, "b");
    expect(server.historyOf(code)).toEqual(["queued", "processing", "sent", "failed"]);
  });
});

describe("a receipt", () => {
  test("that is repeated or follows a final state changes nothing", async () => {
    const [route, code] = await sent(["a", "b", "c"]);
    await tell(route.events, "a");
    await tell(route.events, "a");
    await tell(route.events, "a", "failed");
    expect(server.statusOf(code)).toBe("sent");
    await tell(route.events, "b");
    await tell(route.events, "c");
    await tell(route.events, "c", "failed");
    expect(server.historyOf(code)).toEqual(["queued", "processing", "sent", "delivered"]);
  });

  test("of a pending state enters the timeline once, and ten different ones at most", async () => {
    const [route, code] = await sent(["a"], "short");
    const timeline = () => {
      const id = server.store.tables.messages.byCodeAnywhere(code)?.id ?? 0;
      return server.store.tables.timeline.ofMessage(id).map(({ kind, reason }) => [kind, describeReason(reason)]);
    };
    const told = (detail: string) =>
      route.events.receipt({ ids: ["a"], state: "pending", detail, at: server.clock.now() });
    await told("stat:ACCEPTD");
    await told("stat:ENROUTE");
    await told("stat:ACCEPTD");
    expect(timeline()).toEqual([
      ["receipt_intermediate", "Part 1: stat:ACCEPTD"],
      ["receipt_intermediate", "Part 1: stat:ENROUTE"],
    ]);
    for (let step = 0; step < 20; step += 1) await told(`stat:STEP${step}`);
    expect(timeline()).toHaveLength(10);
    expect(server.statusOf(code)).toBe("sent");
    await tell(route.events, "a");
    expect(server.statusOf(code)).toBe("delivered");
  });

  test("of a pending state leaves the message sent", async () => {
    const [route, code] = await sent(["a"], "short");
    await tell(route.events, "a", "pending");
    expect(server.statusOf(code)).toBe("sent");
    await tell(route.events, "a");
    expect(server.statusOf(code)).toBe("delivered");
  });

  test("for an id reused years later belongs to the newest message", async () => {
    const [route, first] = await sent(["again"], "short");
    const second = await server.send({ text: "short" });
    await until(() => server.statusOf(second) === "sent");
    await tell(route.events, "again");
    expect([server.statusOf(first), server.statusOf(second)]).toEqual(["sent", "delivered"]);
  });

  test("for an id shared by several messages belongs to the one with its recipient", async () => {
    const route = await started();
    route.answerWith(accepted("again"));
    const codes: string[] = [];
    for (const recipient of ["+989120000001", "+989120000002", "+989120000003"]) {
      const code = await server.send({ text: "short", recipient });
      await until(() => server.statusOf(code) === "sent");
      codes.push(code);
    }
    const statuses = () => codes.map(server.statusOf);
    await tell(route.events, "again", "delivered", { numbers: ["30001", "09120000002"] });
    expect(statuses()).toEqual(["sent", "delivered", "sent"]);
    await tell(route.events, "again", "failed", { numbers: ["989120000001", "30001"] });
    expect(statuses()).toEqual(["failed", "delivered", "sent"]);
    await tell(route.events, "again", "delivered", { numbers: ["30001", "of nobody"] });
    expect(statuses()).toEqual(["failed", "delivered", "delivered"]);
  });

  test("that comes before its answer, under an id of a message that is over, waits for its own", async () => {
    const [route, earlier] = await sent(["again"], "short");
    await tell(route.events, "again", "delivered");
    await tell(route.events, "again", "failed", { numbers: ["30001", "989120000002"] });
    const later = await server.send({ text: "short", recipient: "+989120000002" });
    await until(() => server.statusOf(later) === "failed");
    expect(server.statusOf(earlier)).toBe("delivered");
  });

  test("that waited for its own answer is not given to a newer message with that id", async () => {
    const route = await started();
    route.answerWith({ kind: "temporary", reason: { code: "plain", words: "busy" } });
    const older = await server.send({ text: "short", recipient: "+989120000001" });
    await until(() => route.submissions.length === 1);
    route.answerWith(accepted("again"));
    const newer = await server.send({ text: "short", recipient: "+989120000002" });
    await until(() => server.statusOf(newer) === "sent");
    await tell(route.events, "again", "delivered", { numbers: ["989120000002"] });
    await tell(route.events, "again", "failed", { numbers: ["989120000001"] });
    await server.clock.advance(60_000);
    await until(() => server.statusOf(older) === "failed");
    expect(server.statusOf(newer)).toBe("delivered");
  });

  test.each([
    ["of another message with its id is not its own", ["30001", "989120000009"], "sent"],
    ["that names it is", ["982000123", "09121234567"], "delivered"],
    ["that names its sender, and masks its recipient, is", ["30001", "98912*****67"], "delivered"],
    ["that names nobody is", [], "delivered"],
  ] as const)("before its answer %s", async (_, numbers, status) => {
    const route = await started();
    await tell(route.events, "early", "delivered", { numbers });
    route.answerWith(accepted("early"));
    const code = await server.send({ text: "short", recipient: "+989121234567" });
    await until(() => server.statusOf(code) !== "queued" && server.statusOf(code) !== "processing");
    expect(server.statusOf(code)).toBe(status);
  });

  test("whose id matches in another number base counts only with the right recipient", async () => {
    const route = await started();
    const codes: string[] = [];
    for (const [id, recipient] of [
      ["4112", "+989120000001"],
      ["1010", "+989120000002"],
    ] as const) {
      route.answerWith(accepted(id));
      const code = await server.send({ text: "short", recipient });
      await until(() => server.statusOf(code) === "sent");
      codes.push(code);
    }
    const statuses = () => codes.map(server.statusOf);
    const guess = (id: string, guesses: readonly string[], numbers: readonly string[]) =>
      tell(route.events, [id, ...guesses], "delivered", { certain: 1, numbers });
    // The answer of 1011 was lost in a crash: 4113 is the id of another message in another base.
    await guess("1011", ["4112"], ["989120000009", "30001"]);
    await guess("1011", ["4112"], []);
    expect(statuses()).toEqual(["sent", "sent"]);
    await guess("1010", ["4112"], ["989120000001", "30001"]);
    expect(statuses()).toEqual(["delivered", "sent"]);
    await guess("1010", ["4112"], ["masked", "30001"]);
    expect(statuses()).toEqual(["delivered", "delivered"]);
    // Kept for its own answer, and not for a later one that only a guess leads to.
    await guess("1020", ["4128"], ["989120000003"]);
    route.answerWith(accepted("4128"));
    const later = await server.send({ text: "short", recipient: "+989120000003" });
    await until(() => server.statusOf(later) === "sent");
    route.answerWith(accepted("1020"));
    const own = await server.send({ text: "short", recipient: "+989120000003" });
    await until(() => server.statusOf(own) === "delivered");
    expect(server.statusOf(later)).toBe("sent");
  });

  test.each(["77", "0077", "000000077", "00000000000000000000077"])(
    "matches the answered id %p despite leading zeros, unless ids must be exact",
    async (answered) => {
      const [route, code] = await sent([answered], "short");
      await tell(route.events, answered === "77" ? "077" : "77");
      expect(server.statusOf(code)).toBe("sent");
      await tell(route.events, ["0077", "77"], "delivered", { anyWidth: true });
      expect(server.statusOf(code)).toBe("delivered");
    },
  );

  test("belongs to the part with exactly its id before one with other leading zeros", async () => {
    const [route, padded] = await sent(["0077"], "short");
    route.answerWith(accepted("77"));
    const plain = await server.send({ text: "short" });
    await until(() => server.statusOf(plain) === "sent");
    await tell(route.events, "0077", "failed", { anyWidth: true });
    expect([padded, plain].map(server.statusOf)).toEqual(["failed", "sent"]);
  });

  test("that matches nothing is kept and changes nothing", async () => {
    const [route, code] = await sent(["a"], "short");
    await tell(route.events, "unknown");
    expect(server.statusOf(code)).toBe("sent");
  });
});

describe("reports on parts without part numbers", () => {
  test("deliver a message once as many parts were reported, and repeats count once", async () => {
    const [route, code] = await sent(["one", "one", "one"]);
    await tell(route.events, "one", "delivered", { eventId: "e1" });
    await tell(route.events, "one", "delivered", { eventId: "e1" });
    await tell(route.events, "one", "delivered", { eventId: "e2" });
    await tell(route.events, "one", "delivered", { eventId: "e2" });
    expect(server.statusOf(code)).toBe("sent");
    await tell(route.events, "one", "delivered", { eventId: "e3" });
    expect(server.statusOf(code)).toBe("delivered");
  });

  test("count if they arrived before the answer, each once", async () => {
    const route = await started();
    route.answerWith(accepted("one", "one", "one"));
    route.hold();
    const code = await server.send({ text: longText });
    await until(() => route.submissions.length === 1);
    for (const eventId of ["e1", "e1", "e2"]) await tell(route.events, "one", "delivered", { eventId });
    route.release();
    await until(() => server.statusOf(code) === "sent");
    await tell(route.events, "one", "delivered", { eventId: "e1" });
    expect(server.statusOf(code)).toBe("sent");
    await tell(route.events, "one", "delivered", { eventId: "e3" });
    expect(server.statusOf(code)).toBe("delivered");
  });

  test.each([2, 4])("follow the provider's own number of parts, here %d instead of three", async (partCount) => {
    const [route, code] = await sent(["one", "one", "one"]);
    await tell(route.events, "one", "pending", { eventId: "sent", partCount });
    for (let part = 1; part <= partCount; part += 1) {
      expect(server.statusOf(code)).toBe("sent");
      await tell(route.events, "one", "delivered", { eventId: `part ${part}` });
    }
    expect(server.statusOf(code)).toBe("delivered");
  });

  test("suffice when the provider's number of parts arrives after them", async () => {
    const [route, code] = await sent(["one", "one", "one"]);
    for (const eventId of ["e1", "e2"]) await tell(route.events, "one", "delivered", { eventId });
    expect(server.statusOf(code)).toBe("sent");
    await tell(route.events, "one", "pending", { eventId: "sent", partCount: 2 });
    expect(server.statusOf(code)).toBe("delivered");
  });

  test("fail the message if one part failed", async () => {
    const [route, code] = await sent(["one", "one", "one"]);
    await tell(route.events, "one", "delivered", { eventId: "e1" });
    await tell(route.events, "one", "failed", { eventId: "e2" });
    expect(server.statusOf(code)).toBe("failed");
  });
});

describe("receipts that arrive before the answer", () => {
  test("deliver a message of three parts in every order", async () => {
    const orders = [
      ["a", "b", "c"],
      ["b", "c", "a"],
      ["c", "b", "a"],
    ];
    for (const order of orders) {
      const code = await receiptsFirst(
        ["a", "b", "c"],
        order.map((id) => [id, "delivered"] as const),
      );
      expect(server.historyOf(code)).toEqual(["queued", "processing", "sent", "delivered"]);
      await server.stop();
    }
    await started();
  });

  test("of some parts leave it sent until the others arrive", async () => {
    const route = await started();
    route.answerWith(accepted("a", "b", "c"));
    route.hold();
    const code = await server.send({ text: longText });
    await until(() => route.submissions.length === 1);
    await tell(route.events, "b");
    route.release();
    await until(() => server.statusOf(code) === "sent");
    await tell(route.events, "a");
    await tell(route.events, "c");
    expect(server.statusOf(code)).toBe("delivered");
  });

  test("fail it if one says failed, even beside delivered ones", async () => {
    const code = await receiptsFirst(
      ["a", "b", "c"],
      [
        ["a", "delivered"],
        ["b", "failed"],
        ["c", "delivered"],
      ],
    );
    expect(server.historyOf(code)).toEqual(["queued", "processing", "sent", "failed"]);
  });

  test("count in order, so that the first final state of a part stays", async () => {
    const code = await receiptsFirst(
      ["a", "b", "c"],
      [
        ["a", "pending"],
        ["a", "delivered"],
        ["a", "failed"],
        ["b", "delivered"],
        ["c", "delivered"],
      ],
    );
    expect(server.statusOf(code)).toBe("delivered");
  });

  test("match ids in another base, and their other spellings match no other message", async () => {
    const route = await started();
    route.answerWith(accepted("1f"));
    route.hold();
    const code = await server.send({ text: "short" });
    await until(() => route.submissions.length === 1);
    await tell(route.events, ["31", "1f", "0000001f"]);
    route.release();
    await until(() => server.statusOf(code) === "delivered");
    route.answerWith(accepted("31"));
    const other = await server.send({ text: "short" });
    await settleLoop();
    expect(server.statusOf(other)).toBe("sent");
  });

  test("match despite leading zeros, unless ids must be exact", async () => {
    const route = await started();
    route.answerWith(accepted("000000000077"));
    route.hold();
    const code = await server.send({ text: "short" });
    await until(() => route.submissions.length === 1);
    await tell(route.events, "77", "failed");
    await tell(route.events, ["77", "0077"], "delivered", { anyWidth: true });
    expect(server.store.tables.orphanReceipts.unmatched(1, 9)).toHaveLength(2);
    route.release();
    await until(() => server.statusOf(code) === "delivered");
    expect(server.store.tables.orphanReceipts.unmatched(1, 9)).toHaveLength(1);
  });

  test("are matched even after a look-up found none waiting", async () => {
    const route = await started();
    server.store.tables.orphanReceipts.look();
    await tell(route.events, "a");
    route.answerWith(accepted("a"));
    const code = await server.send({ text: "short" });
    await until(() => server.statusOf(code) === "delivered");
    expect(() => server.store.tables.orphanReceipts.look()).not.toThrow();
  });
});

/** The status of a message whose parts get these states; each part's first final state counts, in any order of parts. */
function expected(parts: number, receipts: readonly { part: number; state: Receipt["state"] }[]): PublicStatus {
  const firsts = Array.from(
    { length: parts },
    (_, part) => receipts.find((one) => one.part === part && one.state !== "pending")?.state,
  );
  if (firsts.includes("failed")) return "failed";
  return firsts.every((state) => state === "delivered") ? "delivered" : "sent";
}

test("receipts in any order, before or after the answer, lead to the right final status", async () => {
  const route = await started();
  let run = 0;
  const states = fc.constantFrom<Receipt["state"]>("delivered", "delivered", "delivered", "failed", "pending");
  const scenario = fc.record({ parts: fc.integer({ min: 1, max: 5 }), early: fc.nat(12) }).chain(({ parts, early }) =>
    fc.record({
      parts: fc.constant(parts),
      early: fc.constant(early),
      receipts: fc.array(fc.record({ part: fc.nat(parts - 1), state: states }), { maxLength: 12 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(scenario, async ({ parts, early, receipts }) => {
      run += 1;
      const ids = Array.from({ length: parts }, (_, part) => `${run}-${part}`);
      const say = ({ part, state }: (typeof receipts)[number]) => tell(route.events, ids[part] ?? "", state);
      route.answerWith(accepted(...ids));
      route.hold();
      const code = await server.send({ text: parts === 1 ? "short" : longText });
      await until(() => route.submissions.length === run);
      for (const receipt of receipts.slice(0, early)) await say(receipt);
      route.release();
      await until(() => !["queued", "processing"].includes(server.statusOf(code)));
      for (const receipt of receipts.slice(early)) await say(receipt);
      const history = server.historyOf(code);
      const end = expected(parts, receipts);
      expect(history).toEqual(["queued", "processing", "sent", ...(end === "sent" ? [] : [end])]);
    }),
    { numRuns: 100 },
  );
});
