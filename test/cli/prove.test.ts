/** `peyk prove`: what it refuses, and that its checker finds what it must. The proof itself is in test/outside. */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type Acknowledged, controlOf, findingsIn } from "../../src/cli/prove/checker.ts";
import { addCustomer } from "../../src/cli/prove/honest-clients.ts";
import { ScratchService, whenAllEnded } from "../../src/cli/prove/scratch-service.ts";
import { pageOf, refuseBesideTooLittle, refuseUnproved } from "../../src/cli/prove.ts";
import { runCli } from "../support/cli.ts";
import { temporaryFolder } from "../support/test-server.ts";

const folder = temporaryFolder();
const file = join(folder.path, "service", "peyk.db");
const told: Acknowledged[] = [];

beforeAll(async () => {
  const service = new ScratchService(join(folder.path, "service"), { PATH: process.env.PATH ?? "" });
  await service.start();
  const apiKey = await addCustomer(service.api);
  for (const recipient of ["+989120000100", "+989120000200", "+989120000300"]) {
    const headers = { "X-API-Key": apiKey, "Content-Type": "application/json", "Idempotency-Key": recipient };
    const body = JSON.stringify({ sender: "30001234", recipient, message: "A proof" });
    const answer = await fetch(`${service.url}/v1/messages`, { method: "POST", headers, body });
    const { trackingCode: code }: { trackingCode: string } = await answer.json();
    told.push({ code, recipient, isCancelled: false });
  }
  await whenAllEnded(service);
  await service.end("SIGTERM");
}, 60_000);
afterAll(() => folder.remove());

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

const proof = {
  acknowledged: 3,
  cancelled: 1,
  repeats: 2,
  kills: 1,
  fullDisk: { skipped: "no limit could be set" },
  restored: 2,
  takeOver: { skipped: "no PostgreSQL is set (cluster.engine_file)" },
  findings: [],
  control: { isRemovalFound: true, isAmountFound: true },
};

test("a proof whose control passes is refused, and so is one that found something", () => {
  refuseUnproved(proof);
  const blind = { ...proof, control: { isRemovalFound: true, isAmountFound: false } };
  expect(() => refuseUnproved(blind)).toThrow("did not find what was done to a copy on purpose");
  expect(pageOf(blind, { fsync: "", warnings: [] })).toStartWith("NOT PROVED");
  expect(() => refuseUnproved({ ...proof, findings: ["a message is lost"] })).toThrow("a message is lost");
});

test("it does not start beside too little space, without a data folder, or for too short", async () => {
  expect(() => refuseBesideTooLittle(900_000_000, 2)).toThrow("900 MB free");
  refuseBesideTooLittle(2_000_000_000, 2);
  const missing = await runCli(["prove", "--data-dir", join(folder.path, "missing")]);
  expect(missing).toMatchObject({ code: 1, out: "" });
  expect((await runCli(["prove", "--minutes", "1", "--data-dir", folder.path])).code).toBe(2);
});
