/** Erasing a recipient while messages wait, are retried, or are being handed over. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { messageClasses } from "../../src/domain/message.ts";
import { ErasureList } from "../../src/messaging/privacy/erasure-list.ts";
import { PrivacyService } from "../../src/messaging/privacy/privacy-service.ts";
import { silentLog } from "../../src/platform/log.ts";
import { GrowingRun } from "../../src/store/search-index.ts";
import { until } from "../support/manual-clock.ts";
import { rowsIn } from "../support/peyk-process.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";
import { createTestServer, type TestServer } from "../support/test-server.ts";

const number = "+989120000010";
let server: TestServer;
let provider: ScriptedProvider | undefined;
let privacy: PrivacyService;
const privacyOf = (server: TestServer) =>
  new PrivacyService({
    ...server,
    log: silentLog,
    hash: { hash: (content) => createHmac("sha256", "key").update(content).digest() },
    list: new ErasureList(server.folder),
    defaultRegion: "IR",
    numbers: { recipients: "valid", extraRanges: [] },
    isListRead: () => false,
    phones: server.routes,
  });

beforeEach(async () => {
  server = await createTestServer({
    build: (_, events) => {
      provider = new ScriptedProvider(events, {});
      return provider;
    },
  });
  privacy = privacyOf(server);
});
afterEach(() => server.stop());

const rowOf = (code: string) => server.store.tables.messages.byCodeAnywhere(code);

test("an erasure leaves and reports a message being handed over, and the next one erases it", async () => {
  await server.start();
  provider?.hold();
  const [going, waiting] = [await server.send(), await server.send({ sendAt: server.clock.now() + 60_000 })];
  await until(() => rowOf(going)?.state === "submitting");
  expect(await privacy.erase(number)).toMatchObject({ messages: 1, busy: 1 });
  expect(rowOf(waiting)).toMatchObject({ state: "cancelled", recipient: "", text: "" });
  expect(rowOf(going)).toMatchObject({ recipient: number });
  provider?.release();
  await until(() => rowOf(going)?.state === "submitted");
  expect(await privacy.erase(number)).toMatchObject({ messages: 1, busy: 0, isRewritten: true, logEmptied: true });
  expect(rowOf(going)).toMatchObject({ state: "submitted", recipient: "" });
});

test("a simulated phone forgets what it received, and what was on its way to it never arrives", async () => {
  await server.stop();
  server = await createTestServer();
  await server.start();
  const other = "+989120000011";
  await server.sendAll([{ text: "first" }, { text: "to another", recipient: other }]);
  await server.clock.advance(200);
  expect(server.routes.received()).toHaveLength(2);
  const late = await server.send({ text: "late" });
  await until(() => server.statusOf(late) === "processing");
  // The carrier has answered, and the phone has not been reached.
  await server.clock.advance(60);
  await until(() => server.statusOf(late) === "sent");
  await privacyOf(server).erase(number);
  await server.clock.advance(200);
  expect(server.routes.received().map(({ text, recipient }) => [text, recipient])).toEqual([["to another", other]]);
});

test("a message waiting for its next attempt fails and is not sent again", async () => {
  await server.start();
  provider?.answerWith({ kind: "temporary", reason: { code: "simulated_temporary_refusal", refusal: 1, refusals: 2 } });
  const code = await server.send({ class: messageClasses.single });
  await until(() => rowOf(code)?.state === "retry_wait");
  provider?.answerWith(null);
  await privacy.erase(number);
  await server.clock.advance(3_600_000);
  expect(rowOf(code)).toMatchObject({ state: "failed", errorCode: "blocked", recipient: "" });
  expect(provider?.submissions.length).toBe(1);
});

test("an erasure interrupted by a crash is completed at the next start, and done only once", async () => {
  const code = await server.send();
  const hash = createHmac("sha256", "key").update(number).digest("hex");
  new ErasureList(server.folder).add(hash, server.clock.now());
  await privacy.resume();
  expect(rowOf(code)).toMatchObject({ state: "cancelled", recipient: "" });
  const again = await server.send();
  await privacy.resume();
  expect(rowOf(again)).toMatchObject({ recipient: number });
});

test("a run of the search index read during an erasure is read again", async () => {
  await server.send();
  const { searchIndex } = server.store.tables;
  const runs = () => rowsIn(server.folder, "SELECT id FROM search_run").length;
  const insert = (run: GrowingRun) => server.store.write((tables) => tables.searchIndex.insert(run));
  const reading = new GrowingRun(0, 0);
  searchIndex.read(reading, 10);
  await privacy.erase(number);
  await insert(reading);
  expect(runs()).toBe(0);
  const again = new GrowingRun(0, 1);
  searchIndex.read(again, 10);
  await insert(again);
  expect(runs()).toBe(1);
});
