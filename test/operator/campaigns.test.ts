/** Campaigns over both APIs: joined by a header, counted, stopped, sent again, and nobody else's. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { streamed } from "../../src/cli/client.ts";
import { campaignNameMax } from "../../src/domain/campaign.ts";
import type { CampaignDetailAnswer } from "../../src/operator/campaigns.ts";
import { runCli } from "../support/cli.ts";
import { type ConsoleProcess, startConsole } from "../support/console.ts";
import { addAccounts } from "../support/console-traffic.ts";
import { replyOf } from "../support/reply.ts";

let server: ConsoleProcess;
let apiKeys: Record<string, string>;
beforeAll(async () => {
  server = await startConsole();
  await addAccounts(server);
  const keyOf = async (account: string) => (await server.api("POST /keys", { account, name: "shop" })).apiKey;
  apiKeys = { acc_1: await keyOf("acc_1"), acc_2: await keyOf("acc_2") };
  await server.api("POST /routes/:name/disable", { name: "simulator" });
});
afterAll(() => server.stop());

interface Batch {
  account?: "acc_1" | "acc_2";
  name?: string;
  numbers?: number;
  key?: string;
}

async function sendBatch({ account = "acc_1", name, numbers = 2, key = crypto.randomUUID() }: Batch) {
  const recipient = (index: number) => `0912${1_000_000 + index}`;
  const messages = Array.from({ length: numbers }, (_, index) => ({ recipient: recipient(index), message: "سلام" }));
  const response = await fetch(`${server.url}/v1/messages/batch`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-API-Key": apiKeys[account] ?? "",
      "Idempotency-Key": key,
      ...(name !== undefined && { "Peyk-Campaign": name }),
    },
    body: JSON.stringify({ sender: account === "acc_1" ? "30001" : "30002", messages }),
  });
  return { status: response.status, body: await response.json() };
}

const campaignsOf = (account: string) => server.api("GET /campaigns", { account });

/** As it is once the last count has been dropped. */
async function counted(
  id: string,
  isMeant: (campaign: CampaignDetailAnswer) => boolean,
): Promise<CampaignDetailAnswer> {
  for (const deadline = performance.now() + 20_000; performance.now() < deadline; await Bun.sleep(200)) {
    const campaign = await server.api("GET /campaigns/:id", { id });
    if (isMeant(campaign)) return campaign;
  }
  throw new Error(`${id} never became what was meant`);
}

describe("a campaign of batches", () => {
  test("is one per name and account, named in each result, and a repeat adds nothing", async () => {
    const key = crypto.randomUUID();
    const first = await sendBatch({ name: "yalda", numbers: 3, key });
    const second = await sendBatch({ name: "yalda", numbers: 1 });
    const repeat = await sendBatch({ name: "other", numbers: 3, key });
    await sendBatch({ name: "yalda", account: "acc_2" });
    expect([first.status, second.status, repeat.status]).toEqual([202, 202, 200]);
    for (const { body } of [first, second, repeat]) {
      expect(body.map(({ campaign }: { campaign: string }) => campaign)).toEqual(body.map(() => "yalda"));
    }
    expect(await campaignsOf("acc_1")).toMatchObject([
      { id: "camp_1", kind: "batch", name: "yalda", messages: 4, key: "shop" },
    ]);
    expect(await campaignsOf("acc_2")).toMatchObject([{ id: "camp_2", account: "acc_2", messages: 2 }]);
  });

  test("is one per batch without a name, and its results are as before", async () => {
    const { body } = await sendBatch({ numbers: 2 });
    expect(Object.keys(body[0])).not.toContain("campaign");
    expect((await campaignsOf("acc_1"))[0]).toMatchObject({ name: null, messages: 2 });
    const before = await campaignsOf("acc_1");
    await sendBatch({ numbers: 1 });
    expect(await campaignsOf("acc_1")).toEqual(before);
  });

  test("has a name of up to 64 characters, and an invalid one is refused", async () => {
    expect((await sendBatch({ name: "n".repeat(campaignNameMax) })).status).toBe(202);
    for (const name of ["n".repeat(campaignNameMax + 1), "a\tb", "one, two", "نوروز"]) {
      const header = Buffer.from(name).toString("latin1");
      const { status, body } = await sendBatch({ name: header });
      expect([name, status, body.code, body.errors?.[0]?.field]).toEqual([
        name,
        400,
        "validation_failed",
        "Peyk-Campaign",
      ]);
    }
  });
});

test("a list that an operator sends is a campaign, too", async () => {
  const sending = { account: "acc_1", sender: "30001", message: "Hello", idempotencyKey: crypto.randomUUID() };
  await server.api("POST /messages", { ...sending, recipients: ["09121234567", "09127654321"] });
  expect((await campaignsOf("acc_1"))[0]).toMatchObject({ kind: "list", key: null, messages: 2 });
});

test("stopping a campaign cancels what was not sent, of this campaign alone", async () => {
  await sendBatch({ name: "stopped", numbers: 120 });
  const other = await sendBatch({ name: "going on", numbers: 2 });
  const [going, stopped] = await campaignsOf("acc_1");
  const id = stopped?.id ?? "";
  expect(await server.api("GET /campaigns/:id", { id })).toMatchObject({
    statuses: { queued: 120, cancelled: 0 },
    sender: "30001",
    text: "سلام",
    kept: 120,
    handedOver: null,
  });
  expect(await server.api("POST /campaigns/:id/stop", { id })).toEqual({ id, cancelled: 120 });
  expect(await server.api("POST /campaigns/:id/stop", { id })).toEqual({ id, cancelled: 0 });
  expect((await counted(id, ({ statuses }) => statuses.cancelled === 120)).statuses).toMatchObject({ queued: 0 });
  expect(await server.api("GET /campaigns/:id", { id: going?.id ?? "" })).toMatchObject({ statuses: { queued: 2 } });
  expect(other.status).toBe(202);
});

test("the running ones are those of which messages wait, with their outcomes", async () => {
  await sendBatch({ name: "runs" });
  await sendBatch({ name: "ends" });
  const running = (limit?: number) =>
    server.api("GET /campaigns", { account: "acc_1", running: true, ...(limit !== undefined && { limit }) });
  const named = async (name: string) => (await running()).find((one) => one.name === name);
  // The list does not wait for long counts.
  for (const name of ["runs", "ends"]) while ((await named(name)) === undefined) await Bun.sleep(20);
  expect((await named("ends"))?.outcome?.statuses).toMatchObject({ queued: 2 });
  expect(await running(1)).toHaveLength(1);
  await server.api("POST /campaigns/:id/stop", { id: (await named("ends"))?.id ?? "" });
  while ((await named("runs")) === undefined) await Bun.sleep(20);
  expect(await named("ends")).toBeUndefined();
  expect((await campaignsOf("acc_1"))[0]?.name).toBe("ends");
});

test("a campaign's messages are found and exported within their account alone", async () => {
  await sendBatch({ name: "searched", numbers: 3 });
  await sendBatch({ name: "between", numbers: 1 });
  await sendBatch({ name: "searched", numbers: 2 });
  const campaign = (await campaignsOf("acc_1")).find(({ name }) => name === "searched")?.id ?? "";
  const recipientsOf = ({ messages }: { messages: { recipient: string }[] }) =>
    messages.map(({ recipient }) => recipient.slice(-1)).join("");
  expect(recipientsOf(await server.api("GET /messages", { campaign }))).toBe("10210");
  expect(recipientsOf(await server.api("GET /messages", { campaign, recipient: "1000000" }))).toBe("00");
  expect((await server.api("GET /messages", { campaign, status: "cancelled" })).messages).toEqual([]);
  const [page, rest] = await pagesOf(campaign, 4);
  expect([recipientsOf(page), recipientsOf(rest)]).toEqual(["1021", "0"]);
  const socket = { path: server.socketPath, dataDir: server.folder, user: "tester" };
  const csv = await new Response(await streamed(socket, "GET /messages/export", { campaign })).text();
  expect(csv.trim().split("\r\n")).toHaveLength(6);
  const [first] = page.messages;
  const shown = await server.api("GET /messages/:trackingCode", { trackingCode: first?.trackingCode ?? "" });
  expect(shown.campaign).toMatchObject({ id: campaign, name: "searched", group: null });
  const { error } = await replyOf(server.api("GET /messages", { campaign, account: "acc_2" }));
  expect(error?.value.code).toBe("campaign_not_found");
});

async function pagesOf(campaign: string, limit: number) {
  const page = await server.api("GET /messages", { campaign, limit });
  const cursor = page.nextCursor ?? "";
  return [page, await server.api("GET /messages", { campaign, limit, cursor })] as const;
}

test("a campaign's failed messages are sent again, each once", async () => {
  await server.api("POST /prices/:list", { list: "retail", prefix: "*", price: "120" });
  await server.api("PUT /accounts/:id/billing", { id: "acc_2", mode: "postpaid", list: "retail" });
  const sending = { account: "acc_2", sender: "30002", message: "Hello", idempotencyKey: crypto.randomUUID() };
  // The simulator fails numbers that end in 01.
  await server.api("POST /messages", { ...sending, recipients: ["09121234501", "09121234701", "09121234500"] });
  const [{ id } = { id: "" }] = await campaignsOf("acc_2");
  await server.api("POST /routes/:name/enable", { name: "simulator" });
  const done = await counted(id, ({ statuses }) => statuses.failed === 2 && statuses.delivered === 1);
  expect(Object.values(done.errors)).toEqual([2]);
  const none = { price: null, currency: "IRR" };
  const cost = { price: 240, currency: "IRR" };
  const handedOver = (done.handedOver?.minutes ?? []).map(({ delivered, sent, failed }) => [delivered, sent, failed]);
  const sumOf = (column: number) => handedOver.reduce((sum, minute) => sum + (minute[column] ?? 0), 0);
  expect([sumOf(0), sumOf(1), sumOf(2)]).toEqual([1, 0, 2]);
  expect(Date.parse(done.handedOver?.firstAt ?? "")).toBeLessThanOrEqual(Date.parse(done.handedOver?.lastAt ?? ""));
  expect(done).toMatchObject({ price: 360, charged: 360, held: 0, givenBack: 0 });
  expect(await server.api("POST /campaigns/:id/resend", { id, dryRun: true })).toEqual({
    id,
    messages: 2,
    refused: 0,
    reasons: [],
    ...cost,
  });
  expect(await server.api("POST /campaigns/:id/resend", { id })).toMatchObject({ messages: 2, refused: 0, ...cost });
  const message = "It was sent again before.";
  const reasons = [{ code: "resent_already" as const, message, messages: 2 }];
  const again = await server.api("POST /campaigns/:id/resend", { id });
  expect(again).toEqual({ id, messages: 0, refused: 2, reasons, ...none });
  const { out } = await runCli(["campaign", "resend", id, "--data-dir", server.folder]);
  expect(out).toBe(`0 messages sent again, 2 refused:\nMESSAGES  WHY NOT\n2         ${message}\n`);
});

test("an unknown campaign is reported as such", async () => {
  for (const id of ["camp_999", "x"]) {
    const { error } = await replyOf(server.api("GET /campaigns/:id", { id }));
    expect(error?.value.code).toBe("campaign_not_found");
  }
});
