/** "This month" is of the calendar of the settings: the same count for every reader, in either language. */
import { afterAll, describe, expect, test } from "bun:test";
import { calendars } from "../../src/domain/local-calendar.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { addAccounts, plainText, sendMessage } from "../support/console-traffic.ts";

/** The 20th of Aban 1405, and the 3rd of Azar: one month of the Gregorian calendar, two of the Persian. */
const [first, second] = [Date.UTC(2026, 10, 11, 9), Date.UTC(2026, 10, 24, 9)];

const languages = ["en", "fa"] as const;
type Language = (typeof languages)[number];

const expected = {
  gregory: {
    thisMonth: 5,
    csv: { month: ["2026-11,5"], lastMonth: [] },
    name: { en: "Nov 2026", fa: "نوامبر ۲۰۲۶" },
    month: { en: "Gregorian month", fa: "ماه میلادی" },
    months: { en: "Months are Gregorian.", fa: "ماه‌ها میلادی است." },
  },
  persian: {
    thisMonth: 2,
    csv: { month: ["1405-09,2"], lastMonth: ["1405-08,3"] },
    name: { en: "Azar 1405", fa: "آذر ۱۴۰۵" },
    month: { en: "Solar Hijri month", fa: "ماه هجری خورشیدی" },
    months: { en: "Months are Solar Hijri.", fa: "ماه‌ها هجری خورشیدی است." },
  },
};

const latin = (text: string) => text.replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0));
/** The first figure of a page. */
const figureOf = (html: string) => Number(latin(plainText(/class="figure-value">(.*?)<\/dd>/.exec(html)?.[1] ?? "")));

/** A page, and how often it names the calendar. */
async function read(client: FormClient, path: string, name: string) {
  const html = await (await client.get(path)).text();
  return { path, figure: figureOf(html), named: plainText(html).split(name).length - 1 };
}

async function csvOf(client: FormClient, path: string) {
  const [, ...lines] = (await (await client.get(path)).text()).trimEnd().split("\r\n");
  return lines.map((line) => line.split(",").slice(0, 2).join(","));
}

describe.each(calendars)("with the months of the calendar %s", (calendar) => {
  const { thisMonth, csv, name, month, months } = expected[calendar];
  let server: ConsoleProcess | null = null;
  afterAll(() => server?.stop());

  /** Three messages in Aban, two in Azar. */
  async function start(): Promise<ConsoleProcess> {
    let now = first;
    const clock = { now: () => now, monotonic: systemClock.monotonic, after: systemClock.after };
    server = await startConsole(() => ({ portalListen: "127.0.0.1:0", defaultCalendar: calendar }), { clock });
    await addAccounts(server);
    for (const index of [1, 2, 3]) await sendMessage(server, { recipient: `0912345070${index}` });
    now = second;
    for (const index of [4, 5]) await sendMessage(server, { recipient: `0912345070${index}` });
    return server;
  }

  async function speak(clients: readonly FormClient[], language: Language): Promise<void> {
    for (const client of clients) await client.post("/preferences", { language, back: "/" });
  }

  test("every page has the same count in both languages, and names the calendar once", async () => {
    const running = await start();
    const owner = await signedInAs(running, "owner");
    const portal = { name: "clinic", account: "acc_1", url: running.portalUrl ?? "" };
    const customer = await signedInAs(running, "customer", portal);
    for (const language of languages) {
      await speak([owner, customer], language);
      const once = { figure: thisMonth, named: 1 };
      // Of the last 30 days, as its chart.
      expect(await read(customer, "/", month[language])).toEqual({ path: "/", figure: 5, named: 0 });
      for (const [client, path, said] of [
        [customer, "/usage", months],
        [owner, "/reports", months],
        [owner, "/accounts/acc_1", month],
      ] as const) {
        expect({ language, ...(await read(client, path, said[language])) }).toEqual({ language, path, ...once });
      }
      for (const range of ["month", "lastMonth"] as const) {
        expect(await csvOf(customer, `/usage.csv?range=${range}&by=month`)).toEqual(csv[range]);
        expect(await csvOf(owner, `/reports.csv?range=${range}&by=month`)).toEqual(csv[range]);
      }
      const byMonth = plainText(await (await owner.get("/reports?range=month&by=month")).text());
      expect(byMonth).toContain(name[language]);
      for (const path of ["/accounts", "/accounts/acc_1/senders"]) {
        expect(plainText(await (await owner.get(path)).text())).toContain(months[language]);
      }
      const byDay = await csvOf(owner, "/reports.csv?range=today&by=day");
      expect(byDay).toEqual([language === "en" ? "2026-11-24,2" : "1405-09-03,2"]);
    }
  });
});
