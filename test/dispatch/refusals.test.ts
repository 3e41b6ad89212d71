/** Carriers' refusals are counted by code together with the outcome, in the same commit. */
import { afterEach, expect, test } from "bun:test";
import { receiptCode, refusalCode } from "../../src/domain/carrier-refusal.ts";
import type { SubmitOutcome } from "../../src/providers/provider.ts";
import { until } from "../support/manual-clock.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";
import { createTestServer, type TestServer } from "../support/test-server.ts";

let server: TestServer;
let provider: ScriptedProvider;

afterEach(() => server.stop());

async function open() {
  server = await createTestServer({
    build: (_, events) => {
      provider = new ScriptedProvider(events);
      return provider;
    },
  });
  await server.start();
}

const counted = () =>
  server.store.tables.refusals.ofRoute(1, 0).map(({ kind, code, messages }) => [kind, code, messages]);

async function refuse(outcome: SubmitOutcome, count: number): Promise<void> {
  provider.answerWith(outcome);
  const before = provider.submissions.length;
  await server.sendAll(Array.from({ length: count }, () => ({})));
  await until(() => provider.submissions.length >= before + count);
  await server.clock.advance(50);
}

test("refusals are counted by kind and code per quarter of an hour", async () => {
  await open();
  const reason = { code: "smpp_refused", status: 0x45, statusName: "ESME_RSUBMITFAIL" } as const;
  await refuse({ kind: "rejected", error: "rejected_by_network", reason }, 3);
  await refuse(
    { kind: "rejected", error: "internal", reason: { code: "http_answered", status: 422, words: "secret" } },
    2,
  );
  expect(counted()).toEqual([
    ["rejected", "ESME_RSUBMITFAIL", 3],
    ["rejected", "HTTP 422", 2],
  ]);
  await server.clock.advance(15 * 60_000);
  await refuse({ kind: "rejected", error: "internal", reason }, 1);
  expect(counted()).toHaveLength(3);
  expect(server.store.tables.refusals.ofRoute(1, server.clock.now() - 60_000)).toHaveLength(1);
  await server.store.write((tables) => tables.refusals.prune(server.clock.now() - 60_000));
  expect(counted()).toHaveLength(1);
});

test("failed receipts are counted too, without what concerns a single message", async () => {
  await open();
  const code = await server.send();
  await until(() => server.statusOf(code) === "sent");
  const id = `${provider.submissions[0]?.messageId}-1`;
  const detail = "stat:UNDELIV err:001 done date:2601051200";
  await provider.events.receipt({ ids: [id], state: "failed", detail, remark: "text:hello", at: server.clock.now() });
  expect(counted()).toEqual([["receipt", "stat:UNDELIV err:001", 1]]);
});

test("a refusal's code never contains a carrier's words", () => {
  expect(refusalCode({ code: "http_unmatched", status: 200, words: "your code is 1234" })).toBe("HTTP 200");
  expect(refusalCode({ code: "http_answered", status: 200, words: "secret", carrierCode: "status 14" })).toBe(
    "HTTP 200, status 14",
  );
  expect(refusalCode({ code: "smpp_nack", status: 0x400, statusName: null })).toBe("0x00000400");
  expect(refusalCode({ code: "no_answer", peer: "smsc", afterMs: 1 })).toBe("no_answer");
  expect(receiptCode("x".repeat(100))).toHaveLength(40);
});
