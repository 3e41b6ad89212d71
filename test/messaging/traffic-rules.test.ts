/** The rules of traffic at acceptance: their decisions are in the row, and a refused reservation leaves nothing behind. */
import { afterEach, expect, test } from "bun:test";
import { ApiError } from "../../src/domain/api-error.ts";
import { type Remark, TrafficRules, undecided } from "../../src/messaging/rules/traffic-rules.ts";
import { noTrafficRules } from "../support/no-rules.ts";
import { createSendingServer, numbersCsv, requestOf, type SendingServer } from "../support/sending-server.ts";

let server: SendingServer;
afterEach(() => server?.stop());

const message = {
  accountId: 1,
  apiKeyId: 1,
  senderId: 1,
  class: 1,
  recipient: "+989120000010",
  partCount: 1,
  submittedAt: 0,
  sendAt: null,
} as const;

test("without a rule every message gets one shared constant decision", () => {
  expect(noTrafficRules.decide(message)).toBe(undecided);
});

test("rules apply in order, and each sees the decisions before it", () => {
  const rules = new TrafficRules(
    [
      { apply: (_, decision) => ({ ...decision, network: 7 }) },
      {
        apply(_, decision, remarks) {
          remarks?.push({ rule: "price", words: `network ${decision.network} costs 5` });
          return { ...decision, price: decision.network === 7 ? 5 : 9 };
        },
      },
    ],
    [],
  );
  const remarks: Remark[] = [];
  expect(rules.decide(message, remarks)).toEqual({ ...undecided, network: 7, price: 5 });
  expect(remarks).toEqual([{ rule: "price", words: "network 7 costs 5" }]);
});

test("the rules' decision is kept in the stored message", async () => {
  const dueAt = 1_900_000_000_000;
  const judged = { targetId: 4, network: 3, networkSource: 0, price: 12, isTest: true, dueAt } as const;
  server = await createSendingServer({ rules: new TrafficRules([{ apply: () => judged }], []) });
  const code = await server.send();
  const row = server.store.tables.messages.byCodeAnywhere(code);
  expect(row).toMatchObject({ ...judged, isTest: 1, sendAt: null, validUntil: dueAt + 48 * 3_600_000 });
});

test("a refused reservation refuses the whole batch or group, and nothing is stored", async () => {
  const asked: object[] = [];
  const rules = new TrafficRules(
    [{ apply: (_, decision) => ({ ...decision, price: 2 }) }],
    [
      {
        reserve(_, { accountId }, { messages, parts, price }) {
          asked.push({ accountId, messages, parts, price });
          if (messages > 2) throw new ApiError("sender_not_permitted");
        },
      },
    ],
  );
  server = await createSendingServer({ rules });
  await server.sendAll([{}, { text: "س".repeat(71) }]);
  expect(asked).toEqual([{ accountId: 1, messages: 2, parts: 3, price: 4 }]);
  await expect(server.sendAll([{}, {}, {}])).rejects.toThrow(ApiError);
  await server.approvedGroup("all", numbersCsv(600));
  const sending = server.groupSender.send(server.caller(), requestOf("POST /v1/groups/all/messages"), "all", {
    sender: "30001",
    message: "hi",
  });
  await expect(sending).rejects.toThrow(ApiError);
  expect(asked.at(-1)).toEqual({ accountId: 1, messages: 600, parts: 600, price: 1_200 });
  await server.settled();
  expect(server.store.tables.messageSearch.end()).toBe(3);
});
