/** Campaigns in the console: what a page shows, its stream, and the question before many are sent again. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ShellProvider } from "../../src/console/components/navigation.tsx";
import { renderPartial } from "../../src/console/html.tsx";
import { createLocale } from "../../src/console/locale.ts";
import { campaignState } from "../../src/console/places/campaigns/campaign-row.tsx";
import { CampaignPage } from "../../src/console/places/campaigns/campaigns.tsx";
import { campaignTitle } from "../../src/console/places/messages/campaign-title.ts";
import { firstWords } from "../../src/domain/first-words.ts";
import type { CampaignDetailAnswer, CampaignOutcome } from "../../src/operator/campaigns.ts";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { addAccounts, plainText } from "../support/console-traffic.ts";
import { eventually } from "../support/peyk-process.ts";
import { shellOf } from "../support/shell.ts";

describe("an open campaign page", () => {
  const none = { queued: 0, processing: 0, sent: 0, delivered: 0, failed: 0, cancelled: 0 };
  const campaign: CampaignDetailAnswer = {
    id: "camp_1",
    account: "acc_1",
    accountName: "Clinic",
    kind: "batch",
    name: "yalda",
    group: null,
    key: null,
    messages: 10,
    createdAt: "2026-11-20T12:00:00.000Z",
    sender: "30001",
    text: "Hello",
    begins: { words: "Hello", isCut: false },
    sendAt: null,
    waitReason: null,
    statuses: { ...none, queued: 10 },
    handedOver: null,
    errors: {},
    kept: 10,
    parts: 10,
    price: null,
    charged: 0,
    held: 0,
    givenBack: 0,
    currency: "IRR",
  };

  /** At noon of 20 November. */
  const now = Date.parse("2026-11-20T12:00:00.000Z");
  const shell = shellOf({ place: "campaigns" });
  function page(more: Partial<CampaignDetailAnswer>): string {
    const locale = createLocale({ language: "en", zone: "UTC", now });
    const view = (
      <ShellProvider value={shell}>
        <CampaignPage campaign={{ ...campaign, ...more }} />
      </ShellProvider>
    );
    return plainText(renderPartial(locale, view, () => "number"));
  }

  test("shows speed and time left, and at the end the duration with a chart of its minutes", () => {
    const minutes = [6, 5, 4, 2, 1].map((ago) => ({ at: now - ago * 60_000, delivered: 30, sent: 10, failed: 2 }));
    const handedOver = {
      firstAt: new Date(now - 6 * 60_000).toISOString(),
      lastAt: new Date(now - 30_000).toISOString(),
      minutes,
    };
    // 168 messages in the last five minutes.
    const going = page({ statuses: { ...none, queued: 168, delivered: 150 }, handedOver });
    expect(going).toContain("About 5 minutes left, at 34 a minute");
    expect(going).toMatch(/Handed over a minute .* Delivered 150 .* Failed 10/);
    const over = { ...none, delivered: 318 };
    expect(page({ statuses: over, handedOver })).toMatch(/Handed over from \d+ \w+, \d\d:\d\d to \d\d:\d\d/);
    const fewer = { ...handedOver, minutes: minutes.slice(-2) };
    expect(page({ statuses: over, handedOver: fewer })).not.toContain("Handed over a minute");
    expect(page({ statuses: { ...none, delivered: 6, failed: 4 } })).toContain("Why 4 failed");
  });
});

describe("campaign pages", () => {
  let server: ConsoleProcess;
  let operator: FormClient;
  let customer: FormClient;
  beforeAll(async () => {
    server = await startConsole(() => ({ portalListen: "127.0.0.1:0" }));
    await addAccounts(server);
    await server.api("POST /prices/:list", { list: "retail", prefix: "*", price: "120" });
    await server.api("PUT /accounts/:id/billing", { id: "acc_1", mode: "postpaid", list: "retail" });
    // The simulator fails numbers that end in 01.
    const failing = Array.from({ length: 101 }, (_, index) => `0912${String(10_000 + index)}01`);
    const sending = { account: "acc_1", sender: "30001", message: "Hello", idempotencyKey: "one" };
    await server.api("POST /messages", { ...sending, recipients: [...failing, "09121234500"] });
    const other = { account: "acc_2", sender: "30002", message: "Secret", idempotencyKey: "two" };
    await server.api("POST /messages", { ...other, recipients: ["09121234500", "09121234502"] });
    operator = await signedInAs(server, "operator", { name: "olga" });
    customer = await signedInAs(server, "customer", { account: "acc_1", url: server.portalUrl ?? "" });
    const hasEnded = async () => {
      const { failed, delivered } = (await server.api("GET /campaigns/:id", { id: "camp_1" })).statuses;
      return failed === 101 && delivered === 1;
    };
    for (const end = performance.now() + 30_000; !(await hasEnded()); await Bun.sleep(200)) {
      if (performance.now() > end) throw new Error("The messages did not end");
    }
  });
  afterAll(() => server.stop());
  const textOf = async (client: FormClient, path: string) => plainText(await (await client.get(path)).text());

  test("show outcome and cost, and link to the messages", async () => {
    const page = await textOf(operator, "/campaigns/camp_1");
    expect(page).toContain("102 of 102 handed over");
    expect(page).toContain("Why 101 failed");
    expect(page).toContain("Charged so far 12,240 rials");
    const html = await (await operator.get("/campaigns/camp_1")).text();
    expect(html).toContain('href="/messages?campaign=camp_1"');
    expect(html).toContain('href="/messages.csv?campaign=camp_1"');
    const list = await (await operator.get("/messages?campaign=camp_1&status=failed")).text();
    expect(list).toContain('<option value="camp_1" selected');
    const csv = await (await operator.get("/messages.csv?campaign=camp_1")).text();
    expect(csv.trim().split("\r\n")).toHaveLength(103);
  });

  test("are listed with their outcome, cost and state, in bands", async () => {
    let page = "";
    // A busy machine counts later than the page is asked for.
    await eventually(async () => {
      page = await textOf(operator, "/campaigns");
      return !page.includes("Counting…");
    });
    expect(page).toMatch(/Today, \d+ \w+/);
    expect(page).toMatch(/“Hello” .* Many failed 99\.0% “.+” 12,240 rials/);
    expect(page).toContain("102 messages 1.0% delivered");
    expect(await textOf(customer, "/campaigns")).not.toContain("Secret");
  });

  test("of another account are not found for a customer", async () => {
    expect(await textOf(customer, "/campaigns/camp_1")).toContain("102 of 102 handed over");
    for (const path of ["/campaigns/camp_2", "/campaigns/camp_2/live", "/messages?campaign=camp_2"]) {
      expect([path, (await customer.get(path)).status]).toEqual([path, 404]);
    }
    expect((await customer.get("/messages.csv?campaign=camp_2")).status).toBe(404);
  });

  test("show count and price before many messages are sent again, and require typing the number", async () => {
    const question = await textOf(operator, "/campaigns/camp_1/resend");
    expect(question).toContain("101 messages are sent as new ones.");
    expect(question).toContain("They cost 12,120 rials");
    const refused = await operator.post("/campaigns/camp_1/resend", { typed: "100" });
    expect(refused.status).toBe(422);
    expect((await operator.post("/campaigns/camp_1/resend", { typed: "101" })).status).toBe(303);
    const again = await operator.get("/campaigns/camp_1/resend");
    expect([again.status, again.headers.get("Location")]).toEqual([303, "/campaigns/camp_1"]);
  });
});

describe("a campaign's row", () => {
  const locale = createLocale({ language: "en", zone: "UTC", now: Date.parse("2026-11-20T12:00:00.000Z") });
  const ended: CampaignOutcome = {
    sendAt: null,
    statuses: { delivered: 95, failed: 5 },
    waitReason: null,
    handedOver: { firstAt: "2026-11-20T10:00:00.000Z", lastAt: "2026-11-20T10:41:00.000Z", minutes: [] },
    errors: {},
    kept: 100,
    parts: 100,
    price: null,
    charged: 0,
    held: 0,
    givenBack: 0,
    currency: "IRR",
  };
  const state = (more: Partial<CampaignOutcome>) => campaignState({ ...ended, ...more }, locale);

  test("says how long it took, what was not sent, and why many failed", () => {
    expect(state({})).toEqual({ pill: "done", note: "in 41 minutes" });
    expect(state({ statuses: { delivered: 30, cancelled: 9676 } })).toEqual({
      pill: "stopped",
      note: "9,676 not sent",
    });
    const failing = { statuses: { delivered: 73, failed: 27, queued: 9 }, errors: { rejected: 2, undeliverable: 25 } };
    expect(state(failing).pill).toBe("manyFailed");
    expect(state(failing).note).toMatch(/^27\.0% “.+”$/);
    expect(state({ statuses: { delivered: 9, failed: 9 } }).pill).toBe("done");
  });

  test("that waits says until when or for what, and how long it takes from its pace", () => {
    const queued = { delivered: 10, queued: 240 };
    const until = Date.parse("2026-11-20T20:00:00.000Z");
    expect(state({ statuses: queued, waitReason: { code: "waits_quiet_hours", until } })).toEqual({
      pill: "quiet",
      note: "goes on at 20:00",
    });
    expect(state({ statuses: queued, waitReason: { code: "waits_account_suspended" } }).pill).toBe("held");
    const minutes = [1, 2, 3, 4, 5].map((ago) => ({
      at: locale.format.now - ago * 60_000,
      delivered: 40,
      sent: 0,
      failed: 0,
    }));
    expect(
      state({
        statuses: queued,
        handedOver: { firstAt: "2026-11-20T11:00:00.000Z", lastAt: "2026-11-20T11:59:00.000Z", minutes },
      }),
    ).toEqual({ pill: "running", note: "about 6 minutes left" });
    expect(state({ statuses: { queued: 5 }, sendAt: "2026-11-21T09:00:00.000Z", handedOver: null }).pill).toBe(
      "scheduled",
    );
  });

  test("is named by its first words, or by its day and sender, never by its number", () => {
    const unnamed = { name: null, group: null, sender: "30001", createdAt: "2026-11-20T10:00:00.000Z" };
    const begins = firstWords("Your appointment\nis tomorrow at nine in the morning");
    expect(campaignTitle({ ...unnamed, begins }, locale)).toBe("“Your appointment is tomorrow at …”");
    expect(campaignTitle({ ...unnamed, begins: firstWords("نوبت شما فردا") }, locale)).toBe("«نوبت شما فردا»");
    expect(campaignTitle({ ...unnamed, begins: null }, locale)).toBe("20 Nov 2026, 30001");
    expect(firstWords("x".repeat(40))).toEqual({ words: "x".repeat(32), isCut: true });
  });
});
