/** Suppression: numbers that must not get messages, by the operator's lists and by keywords from phones. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { messageClasses } from "../../src/domain/message.ts";
import { describeReason } from "../../src/domain/reason.ts";
import { everyAccount } from "../../src/domain/suppression.ts";
import type { Directory } from "../../src/messaging/directory/directory.ts";
import { AutomaticMessages } from "../../src/messaging/messages/automatic-messages.ts";
import { ClaimChecks } from "../../src/messaging/rules/claim-checks.ts";
import { Keywords } from "../../src/messaging/suppression/keywords.ts";
import { SuppressionService } from "../../src/messaging/suppression/suppression-service.ts";
import { silentLog } from "../../src/platform/log.ts";
import { believedBy } from "../support/booking.ts";
import { settleLoop } from "../support/manual-clock.ts";
import { createTestServer, senderOf, type TestServer } from "../support/test-server.ts";

let server: TestServer;
let suppression: SuppressionService;
beforeEach(async () => {
  server = await createTestServer({ claimRules: judgeOf });
  suppression = serviceOf(server);
});
afterEach(() => server.stop());

const judgeOf = (directory: Directory) => new ClaimChecks({ directory, quietHours: { until: () => null } });

const serviceOf = ({ store, clock }: TestServer) =>
  new SuppressionService({
    store,
    clock,
    log: silentLog,
    defaultRegion: "IR",
    numbers: { recipients: "valid", extraRanges: [] },
  });

const recipient = "+989120000010";
const { bulk, single, otp } = messageClasses;

async function setScope(suppressionScope: "bulk" | "all_but_otp" | "all"): Promise<void> {
  const account = await server.store.write((tables) => tables.accounts.update(1, { suppressionScope }));
  if (account !== null) server.directory.putAccount(account);
}

const rowOf = (code: string) => server.store.tables.messages.byCodeAnywhere(code);
const wordsOf = (code: string) =>
  server.store.tables.timeline
    .ofMessage(rowOf(code)?.id ?? 0)
    .map(({ kind, reason }) => `${kind}: ${describeReason(reason)}`);

async function finalStatuses(codes: readonly string[]) {
  await server.clock.advance(2_000);
  return codes.map((code) => server.statusOf(code));
}

describe("a suppressed number", () => {
  test("is accepted and fails as blocked before hand-over, and the rest of the batch is sent", async () => {
    await suppression.add(everyAccount, "09120000010", "asked by phone");
    const told: string[] = [];
    server.store.onStatus(({ trackingCode }, status) => void told.push(`${trackingCode} ${status}`));
    const { results } = await server.sendAll([
      { class: bulk },
      { class: bulk, recipient: "+989120000020" },
      { class: bulk, recipient: "+989120000030" },
    ]);
    const codes = results.map(({ trackingCode }) => trackingCode);
    await server.start();
    expect(await finalStatuses(codes)).toEqual(["failed", "delivered", "delivered"]);
    const blocked = codes[0] ?? "";
    expect(rowOf(blocked)).toMatchObject({ errorCode: "blocked", routeId: null, attempts: 0, processingAt: null });
    expect(server.historyOf(blocked)).toEqual(["queued", "failed"]);
    expect(told.filter((line) => line.startsWith(blocked))).toEqual([`${blocked} failed`]);
    expect(wordsOf(blocked)).toEqual([
      "blocked: the recipient is on the suppression list of all accounts since 2026-01-05 12:00:00Z (added by the operator: asked by phone)",
    ]);
  });

  test("gets what its account's scope allows", async () => {
    await suppression.add(1, recipient, "");
    await server.start();
    const send = async () => {
      const codes = [];
      for (const messageClass of [otp, single, bulk]) codes.push(await server.send({ class: messageClass }));
      return finalStatuses(codes);
    };
    expect(await send()).toEqual(["delivered", "delivered", "failed"]);
    await setScope("all_but_otp");
    expect(await send()).toEqual(["delivered", "failed", "failed"]);
    await setScope("all");
    expect(await send()).toEqual(["failed", "failed", "failed"]);
    const other = await server.send({ account: 2, class: bulk });
    expect(await finalStatuses([other])).toEqual(["delivered"]);
  });

  test("is blocked even for messages waiting when it was added, and gets messages again once removed", async () => {
    const waiting = await server.send({ class: bulk });
    const scheduled = await server.send({ class: bulk, sendAt: server.clock.now() + 60_000 });
    await suppression.add(1, recipient, "");
    await server.start();
    expect(await finalStatuses([waiting, scheduled])).toEqual(["failed", "queued"]);
    await suppression.remove(1, recipient);
    await server.clock.advance(60_000);
    expect(server.statusOf(scheduled)).toBe("delivered");
  });

  test("stays on the list after a restart, and an unused list is not searched", async () => {
    expect(server.store.tables.suppression.lists()).toEqual([]);
    await suppression.add(2, recipient, "");
    const { store, clock, folder } = server;
    store.close();
    server = await createTestServer({
      folder,
      clock,
      claimRules: judgeOf,
    });
    expect(server.store.tables.suppression.lists()).toEqual([2]);
    const code = await server.send({ account: 2, class: bulk });
    await server.start();
    expect(await finalStatuses([code])).toEqual(["failed"]);
  });
});

describe("an import of suppressed numbers", () => {
  const file = (...lines: string[]) => [new TextEncoder().encode(`${lines.join("\n")}\n`)];
  async function* chunks(bytes: readonly Uint8Array[]) {
    yield* bytes;
  }
  const importing = (bytes: readonly Uint8Array[], problems: string[] = [], leaveOutMax = 0) => {
    const observer = {
      problem: (line: number, { message }: { message: string }) => void problems.push(`${line}: ${message}`),
      progress: () => {},
    };
    return suppression.import(1, "list.csv", chunks(bytes), observer, { layout: null, leaveOutMax });
  };
  const numbers = () => suppression.list(1, 0, 500).map(({ recipient: number }) => number);

  test("adds all numbers once each, and keeps existing ones", async () => {
    await suppression.add(1, recipient, "before");
    const imported = await importing(file("mobile,note", "09120000010,", "۰۹۱۲۰۰۰۰۰۱۱,x", "+989120000011,"));
    expect(imported).toEqual({ added: 1, known: 2, leftOut: 0, ignoredHeaders: ["note"] });
    expect(suppression.list(1, 0, 10)).toMatchObject([
      { recipient: 989_120_000_010, source: "operator", detail: "before" },
      { recipient: 989_120_000_011, source: "import", detail: "list.csv" },
    ]);
  });

  test("leaves out as many wrong lines as allowed, and with one more changes nothing", async () => {
    const wrong = Array.from({ length: 1_500 }, (_, index) => `${index}`);
    const lines = file("mobile", "09120000010", ...wrong, "09120000011");
    const problems: string[] = [];
    expect(await importing(lines, problems, 1_499)).toBeNull();
    expect([problems.length, numbers()]).toEqual([1_500, []]);
    expect(await importing(lines, [], 1_500)).toEqual({ added: 2, known: 0, leftOut: 1_500, ignoredHeaders: [] });
    expect(numbers()).toEqual([989_120_000_010, 989_120_000_011]);
  });

  test("names each wrong line and leaves the list unchanged", async () => {
    await suppression.add(1, recipient, "");
    const good = Array.from({ length: 2_500 }, (_, index) => `0912${String(1_000_000 + index)}`);
    const problems: string[] = [];
    expect(await importing(file("mobile", ...good, "nobody", "02188888888"), problems)).toBeNull();
    expect(problems).toEqual(["2502: “nobody” is no mobile number", "2503: “02188888888” is no mobile number"]);
    expect(numbers()).toEqual([989_120_000_010]);
    await suppression.settled();
    expect(server.store.tables.suppression.pending()).toEqual([]);
    expect(server.store.tables.suppression.lists()).toEqual([1]);
  });

  test("names the line that is not UTF-8, far into a Windows-1256 file, and the first of one in UTF-16", async () => {
    const windows1256 = Buffer.concat([
      Buffer.from(
        `mobile,name\r\n${Array.from({ length: 3_000 }, (_, index) => `0912${1_000_000 + index},Ali`).join("\r\n")}\r\n`,
      ),
      // “علی”
      Buffer.from([...Buffer.from("09120000011,"), 0xda, 0xe1, 0xed, 0x0d, 0x0a]),
    ]);
    const utf16 = Buffer.from("\ufeffmobile\r\n09120000011\r\n", "utf16le");
    for (const [bytes, line] of [
      [windows1256, 3_002],
      [utf16, 1],
    ] as const) {
      const problems: string[] = [];
      expect(await importing([bytes], problems)).toBeNull();
      expect(problems).toEqual([`${line}: is not UTF-8; save the file as “CSV UTF-8” and try again`]);
    }
    expect(numbers()).toEqual([]);
    const marked = new TextEncoder().encode("\ufeffmobile\r\n09120000011\r\n");
    expect(await importing([marked])).toMatchObject({ added: 1 });
  });

  test("takes effect at one moment, not while it is read, and a start cleans up after a crash", async () => {
    const good = Array.from({ length: 100_500 }, (_, index) => `0912${String(1_000_000 + index)}`);
    const seen = Promise.withResolvers<void>();
    const cut = suppression.import(1, "list.csv", chunks(file("mobile", ...good)), {
      problem: () => {},
      progress: (_, stored) => stored > 0 && seen.resolve(),
    });
    await seen.promise;
    expect(numbers()).toEqual([]);
    expect(server.store.tables.suppression.find(1, "+989121000000")).toBeNull();
    // The numbers of an import that will never be complete are for the operator to add.
    await suppression.add(1, "+989121000000", "mine");
    const { store, clock, folder } = server;
    store.close();
    await expect(cut).rejects.toThrow();
    server = await createTestServer({ folder, clock });
    suppression = serviceOf(server);
    suppression.tidy();
    await suppression.settled();
    expect(numbers()).toEqual([989_121_000_000]);
    expect(server.store.tables.suppression.pending()).toEqual([]);
  });

  test("runs one at a time", async () => {
    const first = importing(file("mobile", "09120000011"));
    await expect(importing(file("mobile", "09120000012"))).rejects.toMatchObject({
      code: "suppression_import_running",
    });
    await first;
    expect(numbers()).toEqual([989_120_000_011]);
  });
});

describe("a keyword in an inbound text", () => {
  const settings = { stopWords: ["STOP", "لغو11"], startWords: ["START"], stopReply: "Bye.", startReply: "" };
  let received = 0;

  function listen(replies = settings): void {
    const { store, clock, directory, acceptor, dispatch } = server;
    const keywords = new Keywords({
      store,
      log: silentLog,
      automatic: new AutomaticMessages({
        store,
        bookingClock: believedBy(clock),
        directory,
        acceptor,
        accepted: dispatch.accepted,
      }),
      settings: replies,
    });
    store.onInbound((text) => void keywords.received(text));
  }

  async function text(message: string, sender = recipient): Promise<void> {
    received += 1;
    await server.store.write(({ inbound }) => {
      const row = { routeId: 1, sender, receiver: senderOf(1), text: message, octets: null, partCount: 1 };
      const trackingCode = `IN${received}`;
      const id = inbound.insert({ ...row, trackingCode, partsReceived: 1, receivedAt: server.clock.now() });
      inbound.makeAvailable(id, 1, server.clock.now());
    });
    await settleLoop();
  }

  const sentTexts = () =>
    server.store.tables.messages.run(1, 100).map(({ trackingCode }) => {
      const row = rowOf(trackingCode);
      return `${row?.text} → ${row?.recipient}: ${server.statusOf(trackingCode)}`;
    });

  test("adds the number to the account's list and confirms once in any scope, and another keyword removes it", async () => {
    await setScope("all");
    listen();
    await server.start();
    await text("  لغو ۱۱ ");
    await text("stop");
    await server.clock.advance(2_000);
    expect(suppression.show(recipient)).toMatchObject([{ accountId: 1, source: "keyword", detail: senderOf(1) }]);
    expect(sentTexts()).toEqual([`Bye. → ${recipient}: delivered`]);
    const stopped = await server.send({ class: single });
    await server.clock.advance(2_000);
    expect(rowOf(stopped)).toMatchObject({ state: "failed", errorCode: "blocked" });
    await text("Start");
    expect(suppression.show(recipient)).toEqual([]);
    const again = await server.send({ class: bulk });
    await server.clock.advance(2_000);
    expect(server.statusOf(again)).toBe("delivered");
  });

  test("removes a number from its account's list alone", async () => {
    listen();
    await suppression.add(everyAccount, recipient, "");
    await text("START");
    expect(suppression.show(recipient)).toMatchObject([{ accountId: everyAccount }]);
  });

  test("is kept even if it cannot be confirmed, and other texts change nothing", async () => {
    listen();
    await server.store.write((tables) => tables.senders.update(1, { active: false }));
    const sender = server.store.tables.senders.all().find(({ id }) => id === 1);
    if (sender !== undefined) server.directory.putSender(sender);
    await text("STOP the war");
    await text("STOP", "BANK");
    expect(server.store.tables.suppression.lists()).toEqual([]);
    await text("STOP");
    expect(suppression.show(recipient)).toHaveLength(1);
    expect(sentTexts()).toEqual([]);
  });
});
