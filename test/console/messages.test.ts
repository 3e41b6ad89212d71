/** Messages and sending in the console, over real HTTP against a running server with its simulator. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { parse } from "csv-parse/sync";
import { createLocale } from "../../src/console/locale.ts";
import { stepsOf } from "../../src/console/places/messages/message-steps.ts";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import {
  addAccounts,
  plainText,
  reaches,
  sendMessage,
  type TestMessage,
  tomorrow,
} from "../support/console-traffic.ts";
import { eventually } from "../support/peyk-process.ts";
import { replyOf } from "../support/reply.ts";

let server: ConsoleProcess;
let operator: FormClient;
beforeAll(async () => {
  server = await startConsole();
  await addAccounts(server);
  operator = await signedInAs(server, "operator", { name: "olga" });
});
afterAll(() => server.stop());

const textOf = async (response: Response) => plainText(await response.text());

async function pageText(client: FormClient, path: string): Promise<string> {
  const response = await client.get(path);
  if (response.status !== 200)
    throw new Error(`${path} answered ${response.status} ${response.headers.get("Location")}`);
  return textOf(response);
}

const sent = (recipient: string, more: Omit<TestMessage, "recipient"> = {}) =>
  sendMessage(server, { recipient, ...more });
const settled = (code: string, status: string) => reaches(server, code, status);

describe("the list of messages", () => {
  test("finds a message by its number in any spelling, its last digits, its code and its reference", async () => {
    const code = await sent("09123450000", { reference: "order-7" });
    await settled(code, "delivered");
    for (const q of ["0912 345 0000", "+98 912 345 0000", "۰۹۱۲۳۴۵۰۰۰۰", "450000", "order-7"]) {
      const page = await pageText(operator, `/messages?q=${encodeURIComponent(q)}`);
      expect({ q, found: page.includes("09123450000"), one: page.includes("1 shown") }).toEqual({
        q,
        found: true,
        one: true,
      });
    }
    // The direction of what is truncated is not sought inside a `bdi`.
    const list = await (await operator.get("/messages")).text();
    expect(list).toContain('<div class="clip" dir="auto">Clinic</div>');
    const answer = await operator.get(`/messages?q=${code.toLowerCase()}`);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/messages/${code}`]);
    expect(await pageText(operator, "/messages?q=nothing-like-it")).toContain("No message matches");
  });

  test("filters by status, error, route, account and time, and each filter can be removed", async () => {
    const failed = await sent("09123450001");
    await settled(failed, "failed");
    await sent("09123450100", { account: "acc_2", sender: "30002" });
    const page = await pageText(
      operator,
      "/messages?status=failed&error=undeliverable&account=acc_1&route=simulator&range=24h",
    );
    expect(page).toContain("09123450001");
    expect(page).toContain("Failed Not delivered");
    expect(page).not.toContain("09123450100");
    const html = await (await operator.get("/messages?status=failed&range=24h")).text();
    expect(html).toContain('href="/messages?range=24h"');
    expect(html).toContain('href="/messages.csv?status=failed&amp;range=24h"');
    expect(await pageText(operator, "/messages?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z")).toContain(
      "No message matches",
    );
  });

  test("filters by class, network, slowness, key and the day it is due, each told by a chip that can be taken off", async () => {
    const later = await sent("09123450440", { sendAt: tomorrow() });
    const chipsOf = async (query: string) => {
      const html = await (await operator.get(`/messages?${query}`)).text();
      return {
        isThere: html.includes(`/messages/${later}"`),
        chips: plainText(/<ul class="chips">.*?<\/ul>/.exec(html)?.[0] ?? ""),
      };
    };
    const at = Date.parse(tomorrow());
    const day = (from: number) =>
      new URLSearchParams({
        due: `${new Date(from - 3_600_000).toISOString()}/${new Date(from + 3_600_000).toISOString()}`,
      });
    expect(await chipsOf(`${day(at)}`)).toMatchObject({ isThere: true, chips: expect.stringContaining("Due on") });
    expect(await chipsOf(`${day(at + 86_400_000)}`)).toMatchObject({ isThere: false });
    expect(await chipsOf("class=bulk")).toMatchObject({
      isThere: true,
      chips: expect.stringContaining("Class Batch or group"),
    });
    expect(await chipsOf("class=otp")).toMatchObject({ isThere: false });
    expect(await chipsOf("network=IR-MCI")).toMatchObject({
      isThere: true,
      chips: expect.stringContaining("Network IR-MCI"),
    });
    expect(await chipsOf("network=Irancell")).toMatchObject({ isThere: false });
    expect(await chipsOf("slower=1h")).toMatchObject({
      isThere: false,
      chips: expect.stringContaining("Slower than 1 hour"),
    });
    const { id } = await server.api("POST /keys", { account: "acc_1", name: "till" });
    expect(await chipsOf(`via=${id}`)).toMatchObject({ isThere: false, chips: expect.stringContaining("till") });
    const html = await (await operator.get("/messages?class=bulk&network=IR-MCI")).text();
    expect(html).toContain('href="/messages?network=IR-MCI"');
    expect(html).toContain('href="#field-slower"');
    await server.api("POST /messages/cancel", { trackingCodes: [later] });
  });

  test("shows each day with its count and rate, short reasons and the first words of the text", async () => {
    const page = await pageText(operator, "/messages");
    expect(page).toMatch(/Today, \w+ \d+ \w+ \d+ · [\d.]+% delivered/);
    expect(page).toMatch(/Delivered After [\d.]+ m?s Hello simulator Clinic/);
  });

  test("accepts times in the reader's calendar and zone by its form, and for staff a sender", async () => {
    await sent("09123450300", { account: "acc_2", sender: "30002" });
    const html = await (await operator.get("/messages")).text();
    for (const name of ["from", "to", "sender"]) expect(html).toMatch(new RegExp(`<input[^>]* name="${name}"`));
    const submitted = (fields: Record<string, string>) =>
      operator.get(`/messages?${new URLSearchParams({ q: "", range: "", shown: "/", from: "", to: "", ...fields })}`);
    const addressOf = async (fields: Record<string, string>) => (await submitted(fields)).headers.get("Location");
    // A day alone means until its end, in the zone of Tehran.
    expect(await addressOf({ from: "2026-01-05 08:30", to: "2026-01-05" })).toBe(
      "/messages?from=2026-01-05T05%3A00%3A00.000Z&to=2026-01-05T20%3A30%3A00.000Z",
    );
    expect(await addressOf({ sender: "۳۰۰۰۲" })).toBe("/messages?sender=30002");
    expect(await addressOf({ range: "24h" })).toBe("/messages?range=24h");
    expect(await addressOf({ range: "24h", from: "2026-01-05" })).toBe("/messages?from=2026-01-04T20%3A30%3A00.000Z");
    const found = await pageText(operator, "/messages?sender=30002&from=2026-01-05T08:30:00Z");
    expect([found.includes("09123450300"), found.includes("09123450001")]).toEqual([true, false]);
    const wrong = await submitted({ from: "2026-02-30", to: "2026-01-05" });
    const again = await wrong.text();
    expect(wrong.status).toBe(422);
    expect(again).toContain("This is no time. One looks like 2026-11-22 08:00, or yesterday 17:50.");
    expect(again).toContain('value="2026-02-30"');
    expect(await (await submitted({ from: "2026-02-03", to: "2026-02-01" })).text()).toContain("after the start");
  });

  test("keeps the exact times of a link until a period is chosen instead", async () => {
    const exact = { from: "2026-01-05T08:30:15.250Z", to: "" };
    const html = await (await operator.get(`/messages?from=${exact.from}`)).text();
    expect(html).toContain('value="2026-01-05 12:00"');
    const shown = /name="shown" value="([^"]+)"/.exec(html)?.[1] ?? "";
    const form = (range: string) => new URLSearchParams({ q: "", shown, from: "2026-01-05 12:00", to: "", range });
    const addressOf = async (range: string) => (await operator.get(`/messages?${form(range)}`)).headers.get("Location");
    expect(await addressOf("")).toBe("/messages?from=2026-01-05T08%3A30%3A15.250Z");
    expect(await addressOf("7d")).toBe("/messages?range=7d");
  });

  test("is exported as CSV with the reader's times, and formulas are made harmless", async () => {
    await sent("09123450200", { reference: "=1+1" });
    await sent("09123450210", { reference: "889213" });
    // Digits that do not end a number are a reference, in the list and in its export.
    for (const path of ["/messages?q=889213", "/messages.csv?q=889213"]) {
      expect(await (await operator.get(path)).text()).toContain("9123450210");
    }
    const csv = await (await operator.get(`/messages.csv?q=${encodeURIComponent("09123450200")}`)).text();
    const [row]: Record<string, string>[] = parse(csv, { columns: true });
    expect(row).toMatchObject({ recipient: "+989123450200", clientReference: "'=1+1", route: "simulator" });
    expect(row?.submittedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|[+-]\d\d:\d\d)$/);
  });
});

describe("one message", () => {
  test("shows its history: who refused it and how, or who accepted it and when it arrived", async () => {
    const [refused, taken] = [await sent("09123450002"), await sent("09123450700")];
    await settled(refused, "failed");
    await settled(taken, "delivered");
    const { data } = await replyOf(server.api("GET /messages/:trackingCode", { trackingCode: refused }));
    expect(data?.timeline.map(({ detail }) => detail)).toEqual(["Simulated: refused at submit"]);
    const page = await pageText(operator, `/messages/${refused}`);
    expect(page).toMatch(
      /Accepted .*Refused · simulator Simulated: refused at submit\. .*Failed The network rejected the message\./,
    );
    expect(await pageText(operator, `/messages/${taken}`)).toMatch(
      /Accepted by simulator One part\. .*Delivered The receipt came/,
    );
  });

  test("shows callbacks between its own steps, and the gaps in time", async () => {
    const code = await sent("09123450710");
    await settled(code, "delivered");
    const { data } = await replyOf(server.api("GET /messages/:trackingCode", { trackingCode: code }));
    if (data === null) throw new Error("not found");
    const at = new Date(Date.parse(data.finalAt ?? "") + 3_000).toISOString();
    const url = "https://hooks.example:8443/sms?secret=1";
    const told = { webhook: "w", url, step: "delivered", at, outcome: "refused", status: 503, durationMs: 40 };
    const locale = createLocale({ language: "en", zone: "UTC", now: Date.now() });
    const steps = stepsOf({ ...data, callbacks: [told] }, "staff", locale);
    const before = ["Accepted", "Accepted by simulator", "Delivered"];
    expect(steps.slice(0, -1).map(({ what }) => what)).toEqual(before);
    expect(steps.at(-1)).toMatchObject({
      what: "hooks.example:8443 did not accept the callback",
      why: "Delivered: answer 503 after 40 ms.",
      end: "3 s",
    });
    // The refused calls of one state stand together, and the next call says of which state it is.
    const failed = { ...told, step: "sent" };
    const nextCallback = { url, step: "delivered", dueAt: new Date(Date.now() + 60_000).toISOString(), attempts: 1 };
    const called = { ...data, callbacks: [failed, failed, told], nextCallback };
    const telling = stepsOf(called, "staff", locale).map(({ what, why }) => `${what}. ${why}`);
    expect(telling.slice(-3)).toEqual([
      expect.stringMatching(/did not accept the callback 2 times, .*\. Sent: answer 503/),
      expect.stringMatching(/did not accept the callback\. Delivered: answer 503/),
      "Next: tell hooks.example:8443 “Delivered”. One attempt got no good answer.",
    ]);
  });

  test("that waits shows the same reason as peyk message show, in the reader's language too", async () => {
    const { data } = await replyOf(server.api("POST /accounts", { name: "Held" }));
    const account = data?.id ?? "";
    await server.api("POST /accounts/:id/senders", { id: account, sender: "30003" });
    const code = await sent("09123450300", { account, sender: "30003", sendAt: tomorrow() });
    expect(await pageText(operator, `/messages/${code}`)).toMatch(/Scheduled .*Goes out on/);
    await server.api("POST /accounts/:id/suspend", { id: account });
    expect(await pageText(operator, `/messages/${code}`)).toContain("Its account is suspended.");
    await operator.post("/preferences", { language: "fa", back: "/" });
    expect(await pageText(operator, `/messages/${code}`)).toContain("حساب آن معلق است.");
    await operator.post("/preferences", { language: "en", back: "/" });
  });

  test("waiting for its turn shows how many are ahead, in both languages", async () => {
    const code = await sent("09123450310", { sendAt: tomorrow() });
    const { data } = await replyOf(server.api("GET /messages/:trackingCode", { trackingCode: code }));
    if (data === null) throw new Error("not found");
    const waiting = { ...data, waitReason: { code: "waits_turn" as const, route: "a" } };
    const told = (language: "en" | "fa", messages: number, more = false) => {
      const locale = createLocale({ language, zone: "UTC", now: Date.now() });
      return stepsOf({ ...waiting, ahead: { messages, more } }, "staff", locale).at(-1)?.why ?? "";
    };
    expect(told("en", 1_203)).toBe("Its turn on route a comes. 1,203 messages of its sender are ahead of it.");
    expect(told("en", 1)).toEndWith("1 message of its sender is ahead of it.");
    expect(told("en", 0)).toEndWith("It is the next message of its sender.");
    expect(told("fa", 10_000, true)).toEndWith("بیش از ۱۰٬۰۰۰ پیام از همین فرستنده جلوتر از آن است.");
  });

  test("is cancelled after a question, and no more once it is too late", async () => {
    const code = await sent("09123450400", { sendAt: tomorrow() });
    expect(await pageText(operator, `/messages/${code}/cancel`)).toContain("Cancel the message to");
    const answer = await operator.post(`/messages/${code}/cancel`);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/messages/${code}`]);
    expect(await pageText(operator, `/messages/${code}`)).toMatch(/The message is cancelled.*Cancelled/);
    const gone = await sent("09123450500");
    await settled(gone, "delivered");
    await operator.post(`/messages/${gone}/cancel`);
    expect(await pageText(operator, `/messages/${gone}`)).toContain("It is too late to cancel");
  });

  test("that failed is sent again as a new message, once", async () => {
    const code = await sent("09123450101");
    await settled(code, "failed");
    expect(await pageText(operator, `/messages/${code}/resend`)).toContain("again?");
    const answer = await operator.post(`/messages/${code}/resend`);
    const to = answer.headers.get("Location") ?? "";
    expect(to).toMatch(/^\/messages\/\w{26}$/);
    expect(to).not.toBe(`/messages/${code}`);
    expect(await pageText(operator, to)).toMatch(/This is the new message.*Sent again from/);
    expect(await pageText(operator, `/messages/${code}`)).toContain("Sent again as");
    await operator.post(`/messages/${code}/resend`);
    expect(await pageText(operator, `/messages/${code}`)).toContain("it was already sent again");
  });
});

describe("all messages found by a search", () => {
  test("are sent again after a question with their number, and the list stays in place", async () => {
    const codes = await Promise.all(
      ["09125550001", "09125550101"].map((number) => sent(number, { reference: "lost" })),
    );
    for (const code of codes) await settled(code, "failed");
    const list = "status=failed&range=24h&q=lost";
    const html = await (await operator.get(`/messages?${list}`)).text();
    expect(html).toContain('href="/messages/resend?q=lost&amp;status=failed&amp;range=24h"');
    const question = await (await operator.get(`/messages/resend?${list}`)).text();
    expect(plainText(question)).toContain("Send 2 messages again?");
    const action = /action="(\/messages\/resend[^"]*)"/.exec(question)?.[1]?.replaceAll("&amp;", "&") ?? "";
    // Accepted after the question, so not meant.
    await settled(await sent("09125550201", { reference: "lost" }), "failed");
    const done = await operator.post(action);
    expect(await pageText(operator, done.headers.get("Location") ?? "")).toContain("2 messages are sent again.");
    expect(await pageText(operator, "/messages?q=lost")).toContain("5 shown");
  });

  test("are cancelled once their number was typed if there are many", async () => {
    const recipients = Array.from({ length: 101 }, (_, index) => `09126${String(100_000 + index)}`);
    const body = { account: "acc_1", sender: "30001", recipients, message: "Hello", clientReference: "sale" };
    await server.api("POST /messages", { ...body, sendAt: tomorrow(), idempotencyKey: "sale" });
    const list = "status=queued&q=sale";
    const asked = await operator.post(`/messages/cancel?${list}`, { typed: "100" });
    expect([asked.status, await textOf(asked)]).toEqual([422, expect.stringContaining("Type 101 to send them.")]);
    const done = await operator.post(`/messages/cancel?${list}`, { typed: "۱۰۱" });
    expect(await pageText(operator, done.headers.get("Location") ?? "")).toContain("101 messages are cancelled.");
    const again = await operator.get(`/messages/cancel?${list}`);
    expect(await pageText(operator, again.headers.get("Location") ?? "")).toContain("None of them is left.");
  });
});

describe("sending in the console", () => {
  const key = async (client: FormClient) =>
    /name="key" value="([^"]+)"/.exec(await (await client.get("/send")).text())?.[1] ?? "";
  const fields = async (client: FormClient, more: Record<string, string> = {}) => ({
    from: "acc_1/30001",
    recipients: "09120000000",
    text: "سلام",
    when: "",
    reference: "",
    key: await key(client),
    ...more,
  });

  test("shows the count first, and sends a form once, however often it is posted", async () => {
    const posted = await fields(operator, { recipients: "0912 000 0001\n۰۹۱۲۰۰۰۰۰۰۲\n09120000002\n0912" });
    const review = await textOf(await operator.post("/send/review", posted));
    expect(review).toMatch(/Recipients 2 Written twice 1 Left out 1 Parts in all 2/);
    expect(review).toContain("not a mobile number");
    expect(review).toContain("Sender 30001 Account Clinic");
    const confirmed = { ...posted, recipients: "+989120000001\n+989120000002" };
    const answers = await Promise.all([operator.post("/send", confirmed), operator.post("/send", confirmed)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    for (const recipient of ["09120000001", "09120000002"]) {
      expect(await pageText(operator, `/messages?q=${recipient}`)).toContain("1 shown");
    }
  });

  test("keeps what was typed after a mistake, and names the mistake", async () => {
    const wrong = await fields(operator, { recipients: "", text: "Kept text", when: "2026-02-30 08:00" });
    const answer = await operator.post("/send/review", wrong);
    const html = await answer.text();
    expect(answer.status).toBe(422);
    expect(html).toContain("Kept text");
    expect(html).toContain(wrong.key);
    expect(plainText(html)).toMatch(/Give at least one number\..*This is no time\./);
    const noSender = await operator.post("/send", await fields(operator, { from: "acc_1/99999" }));
    expect([noSender.status, await textOf(noSender)]).toEqual([
      422,
      expect.stringContaining("This sender is not active."),
    ]);
    expect(await textOf(await operator.post("/send/edit", wrong))).toContain("Kept text");
  });

  test("requires typing the number of many messages, and accepts a file", async () => {
    const numbers = Array.from({ length: 120 }, (_, index) => `09121${String(100_000 + index)}`);
    const posted = new FormData();
    for (const [name, value] of Object.entries(await fields(operator, { recipients: "" }))) posted.set(name, value);
    posted.set(
      "file",
      new File([`name;mobile\n${numbers.map((number) => `x;${number}`).join("\n")}\n`], "numbers.csv"),
    );
    posted.set("text", "");
    const wrong = await operator.postForm("/send/review", posted);
    expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringContaining(numbers.join("\n"))]);
    posted.set("text", "سلام");
    const review = await (await operator.postForm("/send/review", posted)).text();
    expect(plainText(review)).toContain("Send 120 messages");
    const recipients = numbers.map((number) => `+98${number.slice(1)}`).join("\n");
    expect(review).toContain(recipients);
    const confirmed = await fields(operator, { recipients });
    expect(await textOf(await operator.post("/send", { ...confirmed, typed: "12" }))).toContain(
      "Type 120 to send them.",
    );
    const done = await operator.post("/send", { ...confirmed, typed: "۱۲۰" });
    expect(done.headers.get("Location")).toBe("/messages?range=1h");
    expect(await pageText(operator, "/messages?range=1h")).toContain("120 messages are accepted.");
    // A page omits the count if counting takes long, as on a busy machine.
    await eventually(async () => /50 of about [1-9]\d\d/.test(await pageText(operator, "/messages?range=1h")));
  });

  test("shows the price, and refuses as a whole what a prepaid account cannot pay", async () => {
    const { api } = server;
    await api("POST /prices/:list", { list: "retail", prefix: "*", price: "120" });
    await api("PUT /accounts/:id/billing", { id: "acc_2", list: "retail", mode: "prepaid" });
    await api("POST /accounts/:id/topup", { id: "acc_2", amount: 300 });
    const paid = { from: "acc_2/30002", recipients: "09120000801\n09120000802" };
    const review = await textOf(await operator.post("/send/review", await fields(operator, paid)));
    expect(review).toMatch(/Cost 240 rials Balance after it 60 rials/);
    expect((await operator.post("/send", await fields(operator, paid))).status).toBe(303);
    const refused = await operator.post("/send", await fields(operator, paid));
    expect([refused.status, await textOf(refused)]).toEqual([
      422,
      expect.stringContaining("The account may not send this"),
    ]);
  });

  test("counts characters and parts while the user types", async () => {
    const counted = await textOf(await operator.post("/send/count", { text: "س".repeat(71) }));
    expect(counted).toMatch(/Characters 71 Parts 2 63 characters? left|Characters 71 Parts 2 63 left in this part/);
    expect(counted).not.toContain("Cost");
  });

  test("shows the cost and the balance while the user types", async () => {
    const { api } = server;
    const { data } = await replyOf(api("POST /accounts", { name: "Payer" }));
    const account = data?.id ?? "";
    await api("POST /accounts/:id/senders", { id: account, sender: "30009" });
    await api("POST /prices/:list", { list: "live", prefix: "*", price: "120" });
    await api("PUT /accounts/:id/billing", { id: account, list: "live", mode: "prepaid" });
    await api("POST /accounts/:id/topup", { id: account, amount: 500 });
    const typed = { from: `${account}/30009`, recipients: "09120000801\n0912 000 0802\n09120000802", text: "سلام" };
    const counted = async (more = {}) => textOf(await operator.post("/send/count", { ...typed, ...more }));
    expect(await counted()).toMatch(/Cost 240 rials to 2 recipients Balance after it 260 rials/);
    expect(await counted({ text: "س".repeat(71) })).toMatch(/Cost 480 rials .*Balance after it 20 rials/);
    expect(await counted({ text: "س".repeat(140) })).toMatch(
      /Cost 720 rials .*Balance after it \S*220 rials not enough/,
    );
    expect(await counted({ recipients: "0912" })).not.toContain("Cost");
    expect(await counted({ from: "acc_1/99999" })).not.toContain("Cost");
  });
});
