/** What a failed message takes along when it is sent again, what it costs, and why it is refused. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { messageClasses } from "../../src/domain/message.ts";
import type { OperatorErrorCode } from "../../src/domain/operator-error.ts";
import { type ResendDeps, Resender, type ResendResult } from "../../src/messaging/messages/resend.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  await server.accounts.create("Clinic");
  await server.call("POST", "/accounts/1/senders", { sender: "30001" });
});
afterEach(() => server.close());

const options = { again: false, dryRun: false };
const once = { again: true, dryRun: false };
const dry = { again: false, dryRun: true };

type Stored = Parameters<OperatorServer["storeMessage"]>[0];

async function failed(trackingCode: string, content: Partial<Stored> = {}): Promise<number> {
  await server.storeMessage({ trackingCode, ...content });
  return server.store.write((tables) => {
    const at = server.clock.now();
    const row = tables.messages.byCodeAnywhere(trackingCode);
    const submitting = row && tables.messages.move(row, { to: "submitting", at, routeId: 1, attempts: 1 });
    if (submitting === null) throw new Error("not moved");
    tables.messages.move(submitting, { to: "failed", at, errorCode: "route_unavailable" });
    return submitting.id;
  });
}

const resend = async (code: string, how = options, by: Resender = server.resender): Promise<ResendResult> => {
  const [result] = await by.resend([code], how);
  if (result === undefined) throw new Error("There is no result");
  return result;
};
const refusalOf = async (code: string, how = options) => {
  const { resentAs, price, refused } = await resend(code, how);
  expect([resentAs, price]).toEqual([null, null]);
  return refused;
};
const rowOf = ({ resentAs }: ResendResult) => server.store.tables.messages.byCodeAnywhere(resentAs ?? "");
function resenderWith(changes: Partial<ResendDeps>): Resender {
  const { store, bookingClock, directory, acceptor } = server;
  return new Resender({
    ...{ store, bookingClock, directory, acceptor, countries: { of: () => null }, accepted: () => {} },
    ...changes,
  });
}

test("the new message keeps the pattern, the fields for the carrier and the key of the old one", async () => {
  const id = await failed("A", { apiKeyId: 5, class: messageClasses.bulk });
  const octets = new Uint8Array([0x14, 0, 0, 1, 7]);
  await server.call("POST", "/patterns", { account: "acc_1", code: "p", name: "P", text: "{{a}}", templateId: "77" });
  await server.store.write((tables) => {
    tables.messageTemplates.insert(id, 1);
    tables.messageTlvs.insert(id, octets);
  });
  const result = await resend("A");
  expect(result).toMatchObject({ trackingCode: "A", price: null, refused: null });
  const fresh = rowOf(result);
  expect(fresh).toMatchObject({ apiKeyId: 5, class: messageClasses.bulk, resentOf: id, sendAt: null });
  const { messageTemplates, messageTlvs } = server.store.tables;
  expect(messageTemplates.idOf(fresh?.id ?? 0)).toBe("77");
  expect(messageTlvs.of(fresh?.id ?? 0)).toEqual(Buffer.from(octets));
  expect(server.queued).toEqual([fresh?.id ?? 0]);
});

test("it costs the price of now, which is told before and reserved; without room it is refused", async () => {
  await failed("A");
  await server.prices.set("retail", { prefix: "*", price: "7", from: "" });
  await server.prices.charge(1, { list: "retail", mode: "prepaid" });
  expect(await resend("A", dry)).toEqual({ trackingCode: "A", resentAs: null, price: 7, refused: null });
  expect(server.store.tables.messages.run(1, 10)).toHaveLength(1);
  expect(await refusalOf("A")).toEqual({
    code: "not_resendable",
    message: "The account's balance does not cover the request.",
  });
  await server.balances.topUp(1, { amount: 7, note: null, actor: "ali", reference: null });
  expect(await resend("A")).toMatchObject({ price: 7, refused: null });
  expect(server.balances.balanceOf(1)).toMatchObject({ settled: 7, reserved: 7 });
  expect(await refusalOf("A", once)).toMatchObject({ code: "not_resendable" });
});

test("the key's quota counts it, and a target of a plan takes it", async () => {
  const { key } = await server.keys.create(1, {
    ...{ name: "shop", permissions: ["messages:send"], requestsPerMinute: null, expiresAt: null },
  });
  await server.quotas.set({ subject: "key", subjectId: key.id }, { day: 1 });
  await failed("A", { apiKeyId: key.id });
  await failed("B", { apiKeyId: key.id });
  await failed("C");
  expect(await resend("A")).toMatchObject({ refused: null });
  expect(await refusalOf("B")).toMatchObject({ code: "not_resendable" });
  expect(rowOf(await resend("C"))?.apiKeyId).toBeNull();
  const targets = [
    { routes: ["simulator"], weight: 50 },
    { routes: ["second"], weight: 50 },
  ];
  for (const [method, path, body] of [
    ["POST", "/routes", { name: "second", kind: "simulator" }],
    ["POST", "/plans", { name: "iran" }],
    ["POST", "/plans/iran/rules", { ranges: ["+98912"], targets }],
    ["PATCH", "/accounts/acc_1/senders/30001", { plan: "iran" }],
  ] as const)
    expect(await server.call(method, path, body)).toMatchObject({ status: 200 });
  const takers = [];
  for (let time = 0; time < 4; time += 1) takers.push(rowOf(await resend("C", once))?.targetId);
  expect(new Set(takers).size).toBe(2);
});

test("each refusal has its code and its sentence", async () => {
  const refused = (code: OperatorErrorCode, message: string) => ({ code, message });
  expect(await refusalOf("nothing")).toMatchObject({ code: "message_not_found" });
  await server.storeMessage({ trackingCode: "W" });
  expect(await refusalOf("W")).toEqual(refused("not_resendable", "Only a message that failed is sent again."));
  await failed("O", { class: messageClasses.otp });
  expect(await refusalOf("O")).toEqual(
    refused("not_resendable", "A one-time password is never sent again: ask for a new one."),
  );
  const gone = refused("not_resendable", "Its text or its recipient is no longer kept.");
  await failed("T", { text: "" });
  expect(await refusalOf("T")).toEqual(gone);
  await failed("R", { recipient: "" });
  expect(await refusalOf("R")).toEqual(gone);
  await failed("S", { sender: "30002" });
  expect(await refusalOf("S")).toEqual(refused("not_resendable", "30002 is no active sender of its account any more."));
  await failed("A");
  const { resentAs } = await resend("A");
  expect(await refusalOf("A")).toMatchObject({
    code: "resent_already",
    message: expect.stringContaining(resentAs ?? "?"),
  });
  // Of the entries in its timeline only one that says so.
  await failed("E");
  const at = server.clock.now();
  await server.store.write((tables) =>
    tables.timeline.add(tables.messages.byCodeAnywhere("E")?.id ?? 0, {
      ...{ at, kind: "cancelled", routeId: null, reason: { code: "operator_cancelled" } },
    }),
  );
  expect(await resend("E", dry)).toMatchObject({ refused: null });
  await server.accounts.suspend(1);
  expect(await refusalOf("E")).toEqual(refused("not_resendable", "Its account is suspended."));
});

test("a number of a country that the account may not send to any more is refused", async () => {
  await failed("A");
  const [result] = await resenderWith({ countries: { of: () => new Set(["TR"]) } }).resend(["A"], options);
  expect(result?.refused?.code).toBe("not_resendable");
});

test("what throws otherwise is a defect, and no refusal", async () => {
  await failed("A");
  const defect = () => {
    throw new TypeError("a defect");
  };
  const { acceptor } = server;
  for (const by of [
    resenderWith({ directory: { isSuspended: defect } }),
    resenderWith({ acceptor: { rules: acceptor.rules, rowOf: defect } }),
  ])
    await expect(by.resend(["A"], options)).rejects.toThrow("a defect");
});
