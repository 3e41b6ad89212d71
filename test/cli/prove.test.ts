/** `peyk prove`: what it refuses, and that its checker finds what it must. The proof itself is in test/outside. */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { type Acknowledged, controlOf, findingsIn } from "../../src/cli/prove/checker.ts";
import { addCustomer } from "../../src/cli/prove/honest-clients.ts";
import { judged, openProofReceiver } from "../../src/cli/prove/proof-receiver.ts";
import { ScratchService, whenAllEnded } from "../../src/cli/prove/scratch-service.ts";
import { pageOf, refuseBesideTooLittle, refuseUnproved } from "../../src/cli/prove.ts";
import { runCli } from "../support/cli.ts";
import { temporaryFolder } from "../support/test-server.ts";

const folder = temporaryFolder();
const file = join(folder.path, "service", "peyk.db");
const told: Acknowledged[] = [];
const receiver = openProofReceiver(join(folder.path, "receiver"));

beforeAll(async () => {
  const env = { PATH: process.env.PATH ?? "", ...receiver?.environment };
  const service = new ScratchService(join(folder.path, "service"), env);
  await service.start();
  const apiKey = await addCustomer(service.api);
  await receiver?.subscribe(service.url, apiKey);
  for (const recipient of ["+989120000100", "+989120000200", "+989120000300"]) {
    const headers = { "X-API-Key": apiKey, "Content-Type": "application/json", "Idempotency-Key": recipient };
    const body = JSON.stringify({ sender: "30001234", recipient, message: "A proof" });
    const answer = await fetch(`${service.url}/v1/messages`, { method: "POST", headers, body });
    const { trackingCode: code }: { trackingCode: string } = await answer.json();
    told.push({ code, recipient, isCancelled: false });
  }
  await whenAllEnded(service);
  await service.end("SIGTERM");
}, 180_000);
afterAll(async () => {
  await receiver?.close();
  folder.remove();
});

test("its checker finds nothing wrong in what was kept, and what is done to copies on purpose", () => {
  expect(findingsIn(file, told)).toEqual([]);
  const control = controlOf(file, join(folder.path, "control.db"), told);
  expect(control).toEqual({ isRemovalFound: true, isAmountFound: true });
});

test.each([
  ["UPDATE message SET recipient = '+989120000100' WHERE recipient = '+989120000200'", "is lost"],
  ["UPDATE message SET recipient = '+989120000100' WHERE recipient = '+989120000200'", "more messages"],
  ["UPDATE message SET recipient = '+989129999900' WHERE recipient = '+989120000200'", "nobody asked for"],
  ["UPDATE message SET state = 'retry_wait' WHERE recipient = '+989120000200'", "never ended"],
  ["UPDATE quota SET parts_used = parts_used - 1", "the quota has counted 2"],
  ["UPDATE ledger SET captured = captured - 7, settled_after = settled_after + 7 WHERE captured > 0", "has charged"],
])("after %p it says %p", async (change, words) => {
  const copy = join(folder.path, "changed.db");
  await Bun.write(copy, Bun.file(file));
  const database = new Database(copy);
  database.run(change);
  database.close();
  expect(findingsIn(copy, told).join("\n")).toContain(words);
});

test("its receiver was told each step of each message once, in order", () => {
  expect(receiver?.judge(file)).toMatchObject({ findings: [], isControlFound: true, events: 9, repeated: 0 });
});

const ofLast = "code = (SELECT max(code) FROM callback)";
test.each([
  [`DELETE FROM callback WHERE ${ofLast} AND step = 'delivered'`, "is delivered, and no callback told it"],
  ["UPDATE callback SET isAccepted = FALSE WHERE step = 'sent'", "is sent, and no callback told it"],
  [
    `UPDATE callback SET step = 'failed' WHERE ${ofLast} AND step = 'delivered'`,
    "was told as failed, which it never was",
  ],
  [`UPDATE callback SET at = -1 WHERE ${ofLast} AND step = 'delivered'`, "was told as delivered too early"],
  ["INSERT INTO callback SELECT code, step, 'other', at + 1, TRUE FROM callback", "by another event"],
  ["INSERT INTO callback SELECT code, step, id, at + 1, FALSE FROM callback", "again"],
  [
    `INSERT INTO interruption SELECT at + 10001, at + 20000 FROM callback WHERE isAccepted;
     INSERT INTO callback SELECT code, step, id, at + 20001, TRUE FROM callback WHERE isAccepted`,
    "again",
  ],
])("after %p in what the receiver kept it finds %p", (change, words) => {
  const changed = join(folder.path, "changed-told.db");
  copyFileSync(join(folder.path, "receiver", "told.db"), changed);
  using database = new Database(changed);
  database.run(change);
  expect(judged(database, file).findings.join("\n")).toContain(words);
});

test("what was accepted just before a kill may be told again", () => {
  const repeated = join(folder.path, "repeated-told.db");
  copyFileSync(join(folder.path, "receiver", "told.db"), repeated);
  using database = new Database(repeated);
  database.run("INSERT INTO interruption SELECT at + 9000, at + 9001 FROM callback WHERE isAccepted");
  database.run("INSERT INTO callback SELECT code, step, id, at + 20000, TRUE FROM callback WHERE isAccepted");
  expect(judged(database, file)).toMatchObject({ findings: [], repeated: 9 });
});

test("a callback that is not signed as documented is refused", async () => {
  const url = `https://${receiver?.environment.PEYK_WEBHOOKS_TRUSTED_DESTINATIONS}/`;
  const headers = {
    "X-Service-Signature": `v1=${"0".repeat(64)}`,
    "X-Service-Timestamp": "1",
    "X-Service-Event-Id": "x",
  };
  const tls = { ca: Bun.file(receiver?.environment.PEYK_WEBHOOKS_CA_FILE ?? "") };
  expect((await fetch(url, { method: "POST", headers, body: "{}", tls })).status).toBe(400);
});

const proof = {
  acknowledged: 3,
  cancelled: 1,
  repeats: 2,
  kills: 1,
  fullDisk: { skipped: "no limit could be set" },
  restored: 2,
  callbacks: { events: 9, refused: 1, repeated: 2, findings: [], isControlFound: true },
  takeOver: { skipped: "no PostgreSQL is set (cluster.engine_file)" },
  findings: [],
  control: { isRemovalFound: true, isAmountFound: true },
};

test("a proof whose control passes is refused, and so is one that found something", () => {
  refuseUnproved(proof);
  const blind = { ...proof, control: { isRemovalFound: true, isAmountFound: false } };
  expect(() => refuseUnproved(blind)).toThrow("did not find what was done to a copy on purpose");
  expect(pageOf(blind, { fsync: "", warnings: [] })).toStartWith("NOT PROVED");
  const deaf = { ...proof, callbacks: { ...proof.callbacks, isControlFound: false } };
  expect(() => refuseUnproved(deaf)).toThrow("did not find what was done to a copy on purpose");
  refuseUnproved({ ...proof, callbacks: null });
  expect(() => refuseUnproved({ ...proof, findings: ["a message is lost"] })).toThrow("a message is lost");
});

test("it does not start beside too little space, without a data folder, or for too short", async () => {
  expect(() => refuseBesideTooLittle(900_000_000, 2)).toThrow("900 MB free");
  refuseBesideTooLittle(2_000_000_000, 2);
  const missing = await runCli(["prove", "--data-dir", join(folder.path, "missing")]);
  expect(missing).toMatchObject({ code: 1, out: "" });
  expect((await runCli(["prove", "--minutes", "1", "--data-dir", folder.path])).code).toBe(2);
});
