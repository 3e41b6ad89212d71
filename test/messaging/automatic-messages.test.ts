/** Messages that the service sends for an account: under which sender, when it cannot, and what stays of a rollback. */
import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { ApiError } from "../../src/domain/api-error.ts";
import { messageClasses } from "../../src/domain/message.ts";
import { Acceptor, type QueuedMessage } from "../../src/messaging/messages/accept.ts";
import { AutomaticMessages, type AutomaticMessagesDeps } from "../../src/messaging/messages/automatic-messages.ts";
import { TrafficRules } from "../../src/messaging/rules/traffic-rules.ts";
import { believedBy } from "../support/booking.ts";
import { settleLoop } from "../support/manual-clock.ts";
import { createTestServer, type TestServer } from "../support/test-server.ts";

let server: TestServer;
let queued: QueuedMessage[] = [];
let reserved = 0;
let room = 10;
/** `isQuery`: the rules were asked, and counted nothing. */
let decided: { isQuery: boolean }[] = [];
beforeEach(async () => {
  server = await createTestServer();
  [queued, reserved, room, decided] = [[], 0, 10, []];
});
afterEach(() => server.stop());

type Senders = Readonly<Record<string, boolean>>;

/** `senders`: whether each is active. */
function automatic(
  senders: Senders = { "30001": true },
  account: ReturnType<AutomaticMessagesDeps["directory"]["account"]> = { status: "active", defaultSender: null },
): AutomaticMessages {
  const { store, clock } = server;
  const sender = (_: number, name: string) => {
    const active = senders[name];
    return active === undefined ? null : { id: 1, active };
  };
  const rules = new TrafficRules(
    [
      {
        apply: (_, decision, remarks) => {
          decided.push({ isQuery: remarks !== undefined });
          return { ...decision, price: 3, targetId: 7 };
        },
      },
    ],
    [
      {
        check: (_, { price }) => {
          if (price > room) throw new ApiError("balance_exhausted");
        },
        reserve: (_, __, { price }) => {
          if (price > room) throw new ApiError("balance_exhausted");
          reserved += price;
        },
      },
    ],
  );
  let codes = 0;
  const next = () => {
    codes += 1;
    return `A${codes}`;
  };
  const acceptor = new Acceptor({
    ...{ store, rules, trackingCodes: { next }, directory: { sender, isRevoked: () => false }, validityMs: 1_000 },
    ...{ mismatch: "replay", accepted: () => {}, mismatched: () => {} },
  });
  return new AutomaticMessages({
    ...{ store, acceptor, bookingClock: believedBy(clock), directory: { account: () => account, sender } },
    accepted: (waiting) => void queued.push(...waiting),
  });
}

const message = { accountId: 1, line: "30001", recipient: "+989120000010", text: "سپاس" };
const send = (own: AutomaticMessages) => server.store.write(() => own.send(message));
const senderOfPreview = (own: AutomaticMessages) => {
  const row = own.preview(message);
  return "refused" in row ? row.refused : row.sender;
};

test("it is stored with its price, and queued once it is on disk", async () => {
  const taken = spyOn(server.store.tables.targetShares, "take");
  const id = await send(automatic());
  expect(id).toBe(1);
  await settleLoop();
  expect(server.store.tables.messages.byId(1)).toMatchObject({
    ...{ sender: "30001", recipient: message.recipient, text: message.text, class: messageClasses.single },
    ...{ apiKeyId: null, price: 3, targetId: 7, trackingCode: "A1", clientReference: null, sendAt: null },
  });
  expect(queued).toMatchObject([{ id: 1, targetId: 7, class: messageClasses.single }]);
  expect([reserved, decided]).toEqual([3, [{ isQuery: false }]]);
  expect(taken.mock.calls).toMatchObject([[{ targetId: 7, trackingCode: "A1" }]]);
});

test("a preview is the row as it would be stored; nothing is stored or counted", async () => {
  const own = automatic();
  expect(own.preview(message)).toMatchObject({ sender: "30001", price: 3, apiKeyId: null, text: message.text });
  expect([decided, reserved]).toEqual([[{ isQuery: true }], 0]);
  await settleLoop();
  expect([server.store.tables.messages.hasAny(), queued]).toEqual([false, []]);
});

test("it goes under the line, else under the account's default sender, and otherwise is refused", () => {
  const active = { status: "active", defaultSender: "30009" } as const;
  expect(senderOfPreview(automatic({ "30001": true, "30009": true }, active))).toBe("30001");
  expect(senderOfPreview(automatic({ "30001": false, "30009": true }, active))).toBe("30009");
  expect(senderOfPreview(automatic({ "30009": true }, active))).toBe("30009");
  expect(senderOfPreview(automatic({ "30009": false }, active))).toBe("sender_not_permitted");
  expect(senderOfPreview(automatic({ "30009": true }))).toBe("sender_not_permitted");
  expect(senderOfPreview(automatic({}))).toBe("sender_not_permitted");
});

test("a suspended account, and one without room, send nothing", async () => {
  for (const account of [null, { status: "suspended", defaultSender: null } as const]) {
    const own = automatic({ "30001": true }, account);
    expect(own.preview(message)).toEqual({ refused: "account_suspended" });
    expect(await send(own)).toEqual({ refused: "account_suspended" });
  }
  room = 2;
  expect(automatic().preview(message)).toEqual({ refused: "balance_exhausted" });
  expect(await send(automatic())).toEqual({ refused: "balance_exhausted" });
  expect([server.store.tables.messages.hasAny(), reserved]).toEqual([false, 0]);
});

test("what throws otherwise is a defect, and no refusal", () => {
  const own = new AutomaticMessages({
    ...{ store: server.store, acceptor: server.acceptor, bookingClock: believedBy(server.clock), accepted: () => {} },
    directory: {
      account: () => {
        throw new TypeError("a defect");
      },
      sender: () => null,
    },
  });
  expect(() => own.preview(message)).toThrow("a defect");
});

test("the queue is told nothing of a message that was rolled back, though another has its id", async () => {
  const own = automatic();
  const failed = server.store.write(() => {
    own.send(message);
    throw new RangeError("rolled back");
  });
  await expect(failed).rejects.toThrow("rolled back");
  await server.send({ account: 2 });
  await settleLoop();
  expect(server.store.tables.messages.byId(1)?.accountId).toBe(2);
  expect(queued).toEqual([]);
});
