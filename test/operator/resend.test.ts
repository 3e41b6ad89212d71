/** Resending failed messages: a new message, linked to the old one, which stays as it is. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { messageClasses } from "../../src/domain/message.ts";
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
const results = async (...argv: string[]) => JSON.parse((await peyk("resend", "--json", ...argv)).out);

/** Stores a message that failed. */
async function failed(trackingCode: string, with_: Record<string, unknown> = {}): Promise<void> {
  const { errorCode = "route_unavailable", ...content } = with_;
  await server.storeMessage({ trackingCode, ...content });
  await server.store.write((tables) => {
    const row = tables.messages.byCodeAnywhere(trackingCode);
    if (row === null) throw new Error("not stored");
    const submitting = tables.messages.move(row, { to: "submitting", at: server.clock.now(), routeId: 1, attempts: 1 });
    if (submitting === null) throw new Error("not moved");
    const end = { to: "failed" as const, at: server.clock.now() };
    tables.messages.move(
      submitting,
      errorCode === "expired" ? { ...end, errorCode } : { ...end, errorCode: "route_unavailable" },
    );
  });
}

const rowOf = (trackingCode: string) => {
  const row = server.store.tables.messages.byCodeAnywhere(trackingCode);
  if (row === null) throw new Error(`There is no message ${trackingCode}`);
  return row;
};

test("a failed message is sent again as a new one with the same content, and the old one stays failed", async () => {
  await failed("A", { clientReference: "order-7", text: "Hello" });
  const run = await peyk("resend", "A");
  const [, code = ""] = /^Sent again as (\w+)\./.exec(run.out) ?? [];
  const fresh = rowOf(code);
  expect(fresh).toMatchObject({
    state: "ready",
    sender: "30001",
    text: "Hello",
    clientReference: "order-7",
    attempts: 0,
  });
  expect([fresh.recipient, fresh.accountId, fresh.resentOf]).toEqual(["+989121234567", 1, rowOf("A").id]);
  expect(rowOf("A")).toMatchObject({ state: "failed", errorCode: "route_unavailable" });
  expect(server.queued).toEqual([fresh.id]);
  expect((await peyk("show", code)).out).toMatch(/Sends again +A\n(?:.*\n)*.*resent .*sends A again/);
  expect((await peyk("show", "A")).out).toContain(`sent again as ${code}`);
});

test("a message is resent once, and again only on request, even for concurrent requests", async () => {
  await failed("A");
  const both = await server.resender.resend(["A", "A"], { again: false, dryRun: false });
  expect(both.map(({ refused }) => refused?.code ?? "sent")).toEqual(["sent", "resent_already"]);
  const refused = await peyk("resend", "A");
  expect(refused).toMatchObject({ code: 1, out: "" });
  expect(refused.err).toContain(`sent again as ${both[0]?.resentAs}. Once more: --again`);
  expect((await peyk("resend", "A", "--again")).code).toBe(0);
  expect(server.queued).toHaveLength(2);
});

test("a one-time password, an unknown message and one that did not fail are never resent", async () => {
  await failed("OTP", { class: messageClasses.otp });
  await server.storeMessage({ trackingCode: "WAITS" });
  expect((await peyk("resend", "OTP")).err).toContain("one-time password is never sent again");
  expect((await peyk("resend", "WAITS")).err).toContain("Only a message that failed");
  expect((await peyk("resend", "NONE")).err).toContain("no message");
  expect(server.queued).toEqual([]);
});

test("a message without its content, after retention or erasure, is never resent", async () => {
  await failed("NO-TEXT");
  await failed("NOBODY", { recipient: "+989127654321" });
  server.clock.jump(2 * 24 * 3_600_000);
  const before = server.clock.now() - 24 * 3_600_000;
  await server.store.write(({ accountRetention }) =>
    accountRetention.prune(
      { kind: "texts", accountIds: new Set([1]), before, stubs: { since: 0 } },
      0,
      1,
      server.clock.now(),
    ),
  );
  await server.store.write(({ recipientData }) => recipientData.eraseMessage(rowOf("NOBODY"), server.clock.now()));
  expect((await peyk("resend", "NO-TEXT")).err).toContain("no longer kept");
  expect((await peyk("resend", "NOBODY")).err).toContain("no longer kept");
  expect(server.queued).toEqual([]);
});

test("a resend is checked like a new request: account, sender and country", async () => {
  await failed("A");
  await server.call("POST", "/accounts/1/suspend", {});
  expect((await peyk("resend", "A")).err).toContain("account is suspended");
  await server.call("POST", "/accounts/1/resume", {});
  await server.call("PATCH", "/accounts/1", { countries: ["TR"] });
  expect((await peyk("resend", "A")).err).toContain("may not send to this country");
  await server.call("PATCH", "/accounts/1", { countries: [] });
  await server.call("PATCH", "/accounts/1/senders/30001", { active: false });
  expect((await peyk("resend", "A")).err).toContain("30001 is no active sender");
  await server.call("PATCH", "/accounts/1/senders/30001", { active: true });
  expect((await peyk("resend", "A")).code).toBe(0);
});

test("a search resends a route's messages with an error since a time, oldest first, and a dry run none", async () => {
  await failed("OLD");
  server.clock.jump(3_600_000);
  const from = new Date(server.clock.now()).toISOString();
  for (const code of ["A", "B", "C"]) await failed(code);
  await failed("EXPIRED", { errorCode: "expired" });
  await failed("OTP", { class: messageClasses.otp });
  const chosen = ["--route", "simulator", "--error", "route_unavailable", "--from", from];
  const dry = await peyk("resend", ...chosen, "--dry-run");
  expect(dry.out).toMatch(/^3 messages would be sent again\.\n1 not:\n.*\nOTP +A one-time password/);
  expect(server.queued).toEqual([]);
  const answer: { trackingCode: string; resentAs: string | null }[] = await results(...chosen);
  expect(answer.map(({ trackingCode }) => trackingCode)).toEqual(["A", "B", "C", "OTP"]);
  const fresh = answer.flatMap(({ resentAs }) => resentAs ?? []).map(rowOf);
  expect(fresh.map(({ resentOf }) => resentOf)).toEqual(["A", "B", "C"].map((code) => rowOf(code).id));
  expect(server.queued).toEqual(fresh.map(({ id }) => id));
  expect((await peyk("resend", ...chosen)).out).toMatch(/^0 messages sent again\.\n4 not:/);
});

test("resend requires exactly one way to name the messages", async () => {
  for (const wrong of [[], ["A", "--route", "simulator"], ["--error", "gone"], ["--dry-run"]]) {
    expect((await peyk("resend", ...wrong)).code).toBe(2);
  }
  expect(await peyk("resend", "--route", "nowhere")).toMatchObject({
    code: 1,
    err: expect.stringContaining("no such route"),
  });
});
