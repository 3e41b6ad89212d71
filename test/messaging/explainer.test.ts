/** What would become of a message: each check of a request in its order, with its words, and nothing stored. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { messageClasses } from "../../src/domain/message.ts";
import { type AskedMessage, Explainer, type ExplainerDeps } from "../../src/messaging/messages/explain.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
let explainer: Explainer;
beforeEach(async () => {
  server = await createOperatorServer();
  for (const name of ["Clinic", "School"]) await server.accounts.create(name);
  await server.call("POST", "/accounts/1/senders", { sender: "30001" });
  explainer = explainerWith({});
});
afterEach(() => server.close());

function explainerWith(changes: Partial<ExplainerDeps>): Explainer {
  const { store, bookingClock, directory, acceptor, recipientRules } = server;
  return new Explainer({
    ...{ store, bookingClock, directory, acceptor, recipientRules, currency: "IRR" },
    handover: { blocks: () => null },
    otpSteps: () => [],
    otpWaitMs: () => 0,
    ...changes,
  });
}

const question = (changes: Partial<AskedMessage> = {}): AskedMessage => ({
  ...{ accountId: 1, apiKeyId: 0, sender: "30001", recipient: "09121234567", class: messageClasses.single },
  ...{ text: "سلام", pattern: null, sendAt: null },
  ...changes,
});
const newKey = async (accountId: number) =>
  (
    await server.keys.create(accountId, {
      name: "shop",
      permissions: ["messages:send"],
      requestsPerMinute: null,
      expiresAt: null,
    })
  ).key;
const words = (changes: Partial<AskedMessage> = {}, by = explainer) =>
  by.explain(question(changes)).remarks.map(({ rule, words }) => `${rule}: ${words}`);
const account = "account: Clinic is active.";
const recipient = "recipient: +989121234567 is a mobile number; the account may send to every country.";

test("a message that would be accepted has its row and a remark of each rule", () => {
  const { refusal, blocked, row, remarks } = explainer.explain(question());
  expect([refusal, blocked]).toEqual([null, null]);
  expect(row).toMatchObject({ recipient: "+989121234567", sender: "30001", partCount: 1, text: "سلام" });
  expect(remarks.map(({ rule }) => rule)).toEqual(["account", "recipient", "network", "plan"]);
  expect(words().slice(0, 2)).toEqual([account, recipient]);
  expect(server.store.tables.messages.hasAny()).toBe(false);
});

test("accounts and keys that do not exist are no refusal of a request, but a wrong question", async () => {
  const [own, others] = [await newKey(1), await newKey(2)];
  const asked = (changes: Partial<AskedMessage>) => () => explainer.explain(question(changes));
  expect(asked({ accountId: 3 })).toThrow("account_not_found");
  for (const apiKeyId of [99, others.id]) expect(asked({ apiKeyId })).toThrow("key_not_found");
  expect(explainer.explain(question({ apiKeyId: own.id })).refusal).toBeNull();
  await server.keys.revoke(own.id);
  expect(explainer.explain(question({ apiKeyId: own.id }))).toMatchObject({
    refusal: { code: "api_key_invalid" },
    row: null,
  });
  const broken = explainerWith({
    otpWaitMs: () => {
      throw new TypeError("a defect");
    },
  });
  expect(() => broken.explain(question({ class: messageClasses.otp }))).toThrow("a defect");
});

test("a recipient that is no mobile number, or of another country, is refused with its reason", async () => {
  expect(words({ recipient: "021" })).toEqual([
    account,
    "refusal: A request would be refused with validation_failed: 021 is no mobile number.",
  ]);
  await server.accounts.update(1, { countries: "IR TR" });
  expect(words().slice(0, 2)).toEqual([
    account,
    "recipient: +989121234567 is a mobile number; the account may send to IR, TR.",
  ]);
  const { refusal } = explainer.explain(question({ recipient: "+4915112345678" }));
  const message = "+4915112345678 is of a country that the account may not send to (IR, TR).";
  expect(refusal).toEqual({ code: "validation_failed", message });
});

test("a message that would be blocked is told with the reason, and costs nothing", () => {
  const blocked = { code: "suppressed", list: "account", source: "operator", detail: "", since: 1 } as const;
  const blocking = explainerWith({
    handover: { blocks: (_, { id, recipient: to }) => (id === 0 && to === "+989121234567" ? blocked : null) },
  });
  const explained = blocking.explain(question());
  expect(explained).toMatchObject({ refusal: null, blocked });
  expect(explained.remarks.at(-1)).toMatchObject({
    rule: "suppression",
    words: expect.stringMatching(/^It would fail with blocked: .* Nothing is charged\.$/),
  });
});

test("a code waits for the limits of its recipient, and goes by an approved pattern", async () => {
  const code = { class: messageClasses.otp };
  expect(words(code)).toContain("one-time passwords: The limits of its recipient leave room for one.");
  expect(explainer.explain(question(code)).remarks.map(({ rule }) => rule)).toEqual([
    ...["account", "recipient", "one-time passwords", "network", "plan"],
  ]);
  const waits = (ms: number) => explainerWith({ otpWaitMs: () => ms }).explain(question(code)).refusal?.code ?? null;
  expect([0, 1, 60_000].map(waits)).toEqual([null, "otp_rate_limited", "otp_rate_limited"]);
  // Of no account, and of another class.
  expect(explainer.explain(question({ ...code, pattern: "login" })).refusal?.code).toBe("pattern_not_sendable");
  expect(explainer.explain(question({ pattern: "login" })).refusal).toBeNull();
});

test("a code without a price, and one of a test key, tell the number of messages only", () => {
  const otpSteps = () => [{ by: "channel", channel: "call", waitSeconds: 30 } as const];
  const stepsOf = (isTest: 0 | 1) => {
    const acceptor: ExplainerDeps["acceptor"] = {
      rules: server.acceptor.rules,
      unknownNumbers: (caller, drafts) => server.acceptor.unknownNumbers(caller, drafts),
      rowOf: (caller, draft, remarks) => ({ ...server.acceptor.rowOf(caller, draft, remarks), isTest }),
    };
    return words({ class: messageClasses.otp }, explainerWith({ acceptor, otpSteps })).find((one) =>
      one.startsWith("steps:"),
    );
  };
  const told = "steps: A challenge goes by sms, and again by call after 30 s";
  const end = "each while nothing confirms it. At most";
  expect(stepsOf(0)).toBe(`${told}, passed over while that is off; ${end} 1 messages.`);
  expect(stepsOf(1)).toBe(`${told}; ${end} 2 messages.`);
});

test("a network that would be asked for is told as such", () => {
  const acceptor: ExplainerDeps["acceptor"] = {
    rules: server.acceptor.rules,
    unknownNumbers: (_, drafts) => new Set(drafts.map((draft) => draft.recipient)),
    rowOf: (caller, draft, remarks) => server.acceptor.rowOf(caller, draft, remarks),
  };
  expect(words({}, explainerWith({ acceptor })).at(-1)).toBe(
    "network: Its network would be looked up first: the following is without it.",
  );
});
