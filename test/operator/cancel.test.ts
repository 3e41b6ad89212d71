/** The operator cancels waiting messages: one or many, never those that a route was given. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { type CliRun, runCli } from "../support/cli.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  await server.call("POST", "/accounts", { name: "Clinic" });
  await server.call("POST", "/accounts/1/senders", { sender: "30001" });
});
afterEach(() => server.close());

const peyk = (...argv: string[]): Promise<CliRun> => runCli(["message", ...argv, "--data-dir", server.folder]);
const stateOf = (trackingCode: string) => server.store.tables.messages.byCodeAnywhere(trackingCode)?.state;

async function handedOver(trackingCode: string): Promise<void> {
  await server.storeMessage({ trackingCode });
  await server.store.write((tables) => {
    const row = tables.messages.byCodeAnywhere(trackingCode);
    if (row === null) throw new Error("not stored");
    tables.messages.move(row, { to: "submitting", at: server.clock.now(), routeId: 1, attempts: 1 });
  });
}

test("a waiting message is cancelled, shows it in its timeline, and stays cancelled when cancelled again", async () => {
  await server.storeMessage({ trackingCode: "A" });
  expect(await peyk("cancel", "A")).toMatchObject({ code: 0, out: "1 message cancelled.\n" });
  expect(stateOf("A")).toBe("cancelled");
  expect((await peyk("show", "A")).out).toMatch(/cancelled +- +the operator cancelled it/);
  expect((await peyk("cancel", "A")).code).toBe(0);
  const { timeline } = server.messages.show("A");
  expect(timeline).toHaveLength(1);
});

test("a message handed to a route, or unknown, is refused", async () => {
  await handedOver("GONE");
  expect(await peyk("cancel", "GONE")).toMatchObject({ code: 1, out: "" });
  expect((await peyk("cancel", "GONE")).err).toContain("handed to a route before");
  expect((await peyk("cancel", "NONE")).err).toContain("no message with this tracking code");
  expect(stateOf("GONE")).toBe("submitting");
});

test("a search cancels a sender's waiting messages, beyond one request, and a dry run cancels none", async () => {
  await server.call("POST", "/accounts/1/senders", { sender: "30002" });
  const codes = Array.from({ length: 620 }, (_, index) => `M${String(index).padStart(4, "0")}`);
  await Promise.all(codes.map((trackingCode) => server.storeMessage({ trackingCode })));
  await server.storeMessage({ trackingCode: "OTHER", sender: "30002", senderId: 2 });
  await handedOver("GONE");
  expect((await peyk("cancel", "--sender", "30001", "--dry-run")).out).toBe("620 messages would be cancelled.\n");
  expect(stateOf("M0000")).toBe("ready");
  expect((await peyk("cancel", "--sender", "30001", "--limit", "20")).out).toBe("20 messages cancelled.\n");
  expect([stateOf("M0619"), stateOf("M0599")]).toEqual(["cancelled", "ready"]);
  const rest = JSON.parse((await peyk("cancel", "--sender", "30001", "--json")).out);
  expect(rest).toHaveLength(600);
  expect(new Set(codes.map(stateOf))).toEqual(new Set(["cancelled"]));
  expect([stateOf("OTHER"), stateOf("GONE")]).toEqual(["ready", "submitting"]);
});

test("an account cancels its own messages alone, without the operator's reason; a dry run cancels none", async () => {
  await server.call("POST", "/accounts", { name: "School" });
  await server.storeMessage({ trackingCode: "OWN" });
  await handedOver("GONE");
  const cancel = async (accountId: number | undefined, dryRun: boolean, ...codes: string[]) =>
    (await server.operatorCanceller.cancel(codes, { accountId, dryRun })).map(({ refused }) => refused?.code ?? null);
  for (const dryRun of [true, false]) {
    expect(await cancel(2, dryRun, "OWN")).toEqual(["message_not_found"]);
    expect(await cancel(1, dryRun, "NONE", "GONE")).toEqual(["message_not_found", "not_cancellable"]);
  }
  expect(await cancel(1, true, "OWN")).toEqual([null]);
  expect(stateOf("OWN")).toBe("ready");
  expect(await cancel(1, false, "OWN")).toEqual([null]);
  expect([stateOf("OWN"), server.messages.show("OWN").timeline]).toEqual(["cancelled", []]);
  expect(await cancel(undefined, true, "OWN", "GONE")).toEqual([null, "not_cancellable"]);
});

test("cancel requires exactly one way to name the messages", async () => {
  for (const wrong of [[], ["A", "--sender", "30001"], ["--dry-run"], ["A", "B"]]) {
    expect((await peyk("cancel", ...wrong)).code).toBe(2);
  }
});
