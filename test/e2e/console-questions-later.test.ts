/** Ten more of support's questions, about yesterday and last month, in a real browser and in both languages. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { type ConsoleProcess, LateClock, startConsole } from "../support/console.ts";
import { comeIn, journeyMs } from "../support/console-browser.ts";
import { addAccounts, reaches, sendMessage } from "../support/console-traffic.ts";
import { freePort } from "../support/free-ports.ts";
import { menu, Questions, row } from "../support/questions.ts";
import { bindFields, SmppCustomer, submitFields } from "../support/smpp-customer.ts";
import { describeWith } from "../support/wants.ts";

const day = 86_400_000;
const lastMonth = Date.UTC(2026, 9, 12, 9);
/** 12:30 in Tehran. */
const today = Date.UTC(2026, 10, 23, 9);
const yesterdayAtSix = Date.UTC(2026, 10, 22, 14, 30);

/** One for each language, as some questions change what they ask for. */
const of = {
  en: {
    account: "acc_1",
    sender: "30001",
    name: "Clinic",
    end: "1",
    late: "after it was accepted",
    throttled: /allowed: 1 a second/,
  },
  fa: { account: "acc_2", sender: "30002", name: "Bank", end: "2", late: "پس از پذیرش", throttled: /مجاز: 1 در ثانیه/ },
} as const;

describeWith("chromium")("in a browser", () => {
  const clock = new LateClock();
  let server: ConsoleProcess;
  let browser: Browser;

  async function seedMoney(language: keyof typeof of) {
    const { api } = server;
    const { account } = of[language];
    await api("POST /prices/:list", { list: `list-${language}`, prefix: "*", price: "120" });
    await api("PUT /accounts/:id/billing", { id: account, mode: "prepaid", list: `list-${language}` });
    await api("POST /accounts/:id/topup", { id: account, amount: 500_000 });
  }

  async function seedLate(language: keyof typeof of) {
    const { api, url } = server;
    const { account, sender, end } = of[language];
    const { apiKey } = await api("POST /keys", { account, name: "app" });
    await api("POST /routes/:name/disable", { name: "simulator" });
    const sent = await fetch(`${url}/v1/otp/codes`, {
      method: "POST",
      headers: { "X-API-Key": apiKey, "Idempotency-Key": `late-${end}`, "Content-Type": "application/json" },
      body: JSON.stringify({ sender, recipient: `0912345${end}100`, code: "482913", message: "{{code}}" }),
    });
    expect([sent.status, sent.status === 202 ? "" : await sent.text()]).toEqual([202, ""]);
    const { trackingCode }: { trackingCode?: string } = await sent.json();
    clock.pass(65_000);
    await api("POST /routes/:name/enable", { name: "simulator" });
    await reaches(server, String(trackingCode), "delivered");
  }

  async function seedLastNight(language: keyof typeof of) {
    const { account, sender, end } = of[language];
    const failed = await sendMessage(server, { recipient: `0912345${end}801`, account, sender });
    await reaches(server, failed, "failed");
  }

  async function seedRefusal(language: keyof typeof of, port: number) {
    const { api } = server;
    const { account, end } = of[language];
    const { rows } = await api("GET /keys", { account });
    const { name, password } = await api("POST /credentials", {
      key: rows[0]?.id ?? "",
      kind: "smpp",
      traffic: "single",
      name: `esme${end}`,
      rate: 1,
    });
    const customer = await SmppCustomer.connect(port);
    await customer.request("bind_transceiver", bindFields(name, password));
    const answers = Array.from({ length: 20 }, () =>
      customer.request("submit_sm", submitFields({ source_addr: of[language].sender })),
    );
    expect((await Promise.all(answers)).some(({ status }) => status === 0x58)).toBe(true);
    customer.close();
  }

  beforeAll(async () => {
    const smpp = await freePort();
    clock.pass(lastMonth - Date.now());
    server = await startConsole(
      ({ smppServer }) => ({
        portalListen: "127.0.0.1:0",
        timeZone: "Asia/Tehran",
        smppServer: { ...smppServer, listen: `127.0.0.1:${smpp}` },
      }),
      { clock },
    );
    await addAccounts(server);
    for (const language of ["en", "fa"] as const) await seedMoney(language);
    clock.pass(yesterdayAtSix - clock.now());
    for (const language of ["en", "fa"] as const) {
      await seedLate(language);
      await seedLastNight(language);
    }
    clock.pass(today - clock.now());
    await server.api("POST /clock/confirm", {});
    for (const language of ["en", "fa"] as const) {
      const { account, sender, end } = of[language];
      await seedRefusal(language, smpp);
      const sendAt = new Date(today + day).toISOString();
      const message = { account, sender, message: "Open at nine", idempotencyKey: `tomorrow-${end}`, sendAt };
      await server.api("POST /messages", { ...message, recipients: [`0912345${end}600`] });
    }
    await server.api("PUT /routes/:name", { name: "simulator", options: { partsPerSecond: 20 } });
    await server.api("POST /backups", {});
    browser = await openBrowser();
  }, journeyMs);
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  for (const language of ["en", "fa"] as const)
    test(
      `an owner answers ten questions in five clicks each at most: ${language}`,
      async () => {
        const { name, end, late, throttled } = of[language];
        const visit = { role: "owner", name: `leila-${language}`, options: { locale: language } } as const;
        const { page, complaints } = await comeIn(server, browser, visit);
        const questions = new Questions(page, server.consoleUrl);

        await questions.ask("an OTP late yesterday", menu("/messages"));
        await page.locator("#search").fill(`0912345${end}100`);
        await page.keyboard.press("Enter");
        await page.waitForURL(/q=/);
        await questions.click(`${row(`0912345${end}100`)} a`);
        await page.locator(".lead", { hasText: late }).waitFor();

        await questions.ask("numbers that fail on a network", menu("/reports"), 'a[href*="by=network"]');
        await questions.click('td a[href*="status=failed"]');
        await page
          .locator(row(`0912345${end}801`))
          .first()
          .waitFor();

        await questions.ask("SMPP customer gets 0x58", menu("/credentials"), `${row(`esme${end}`)} a`);
        await questions.shows("main", /0x00000058/);
        await questions.shows("main", throttled);

        await questions.ask("scheduled for tomorrow", menu("/messages"), ".filters > summary");
        await page.locator("[name=due]").fill(language === "en" ? "2026-11-24" : "1405/09/03");
        await page.keyboard.press("Enter");
        await page.waitForURL(/due=2/);
        await page.locator(row(`0912345${end}600`)).waitFor();

        await questions.ask("who has access", menu("/system"), 'a[href="/users"]');
        await page.locator(row(`leila-${language}`)).waitFor();

        await questions.ask("why the balance fell", menu("/money"), `${row(name)} a`);
        await questions.shows("main", /120/);

        await questions.ask("resend last night's failures", menu("/reports"), 'a[href*="by=route"]');
        await questions.click('td a[href*="status=failed"]', 'a[href^="/messages/resend"]', "main button[type=submit]");
        await page.locator(".notice").first().waitFor();

        await questions.ask("a month for the auditor", menu("/money"), `${row(name)} a`, 'a[rel="prev"]');
        const file = page.waitForEvent("download");
        await questions.click('a[href*="/money.csv"]');
        expect((await file).suggestedFilename()).toMatch(/csv$/);

        await questions.ask(
          "is the backup good",
          menu("/system"),
          'a[href="/backups"]',
          'form[action$="/check"] button',
        );
        await page.locator(".record .tint-ok").waitFor();

        await questions.ask("what changed since it got slow", menu("/system"), 'a[href="/audit"]');
        await page.locator(row("simulator")).first().waitFor();

        questions.tell(language);
        expect(Object.values(questions.clicks).every((clicks) => clicks <= 5)).toBe(true);
        expect({ questions: Object.keys(questions.clicks).length, complaints }).toEqual({
          questions: 10,
          complaints: [],
        });
      },
      journeyMs,
    );
});
