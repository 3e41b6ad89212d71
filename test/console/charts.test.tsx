/** How charts are drawn where figures are missing, and sparklines. */
import { expect, test } from "bun:test";
import { ChartCard, LiveChart } from "../../src/console/components/chart.tsx";
import { Sparkline } from "../../src/console/components/sparkline.tsx";
import { renderPartial } from "../../src/console/html.tsx";
import { createLocale } from "../../src/console/locale.ts";

const locale = createLocale({ language: "en", zone: "UTC", now: 0 });

/** Minutes of a chart; null where nothing is known. */
function drawn(values: readonly (number | null)[]): string {
  const times = values.map((_, index) => index * 60_000);
  const chart = <LiveChart title="A minute" times={times} step="minute" series={[{ outcome: "sent", values }]} />;
  return renderPartial(locale, chart);
}

const hatchesIn = (page: string) => page.match(/<rect [^>]*class="fill-unknown"/g) ?? [];
const areasIn = (page: string) => page.match(/<polygon/g) ?? [];
const momentsIn = (page: string) => page.match(/<rect[^>]*class="chart-moment"/g) ?? [];
const sumsIn = (page: string) => [...page.matchAll(/class="key-value">([^<]*)</g)].map(([, sum]) => sum);
const zeros = (count: number) => Array.from({ length: count }, () => 0);

test("minutes are bars, hatched where they are unknown between known ones, with the reason", () => {
  const page = drawn([4, 6, null, null, 3, 0, 0, 0, 0, 0]);
  expect(areasIn(page)).toHaveLength(0);
  expect(hatchesIn(page)).toEqual([expect.stringContaining('x="20%"')]);
  expect(hatchesIn(page)).toEqual([expect.stringContaining('width="20%"')]);
  // Two moments, and the word.
  expect(page.match(/No data/g)).toHaveLength(3);
});

test("more than sixty minutes are areas, none of which spans a gap", () => {
  const page = drawn([4, 6, null, null, 3, ...zeros(60)]);
  expect(areasIn(page)).toHaveLength(2);
  expect(page).toContain('points="0 ');
  expect(hatchesIn(page)).toHaveLength(1);
});

test("nothing is hatched where all data is known, zero included", () => {
  expect(hatchesIn(drawn([0, 2, ...zeros(10)]))).toEqual([]);
});

test("a chart begins with its first data, and has room for ten minutes at least", () => {
  const unknown = Array.from({ length: 40 }, () => null);
  expect(momentsIn(drawn([...unknown, ...zeros(15), 7]))).toHaveLength(16);
  const short = drawn([...unknown, 5, 6]);
  expect(momentsIn(short)).toEqual([
    expect.stringContaining('x="0%" width="10%"'),
    expect.stringContaining('x="10%" width="10%"'),
  ]);
  expect(hatchesIn(short)).toEqual([]);
});

test("on a narrow page the last minutes are drawn, and only these are summed up", () => {
  const page = drawn([...Array.from({ length: 30 }, () => 10), ...Array.from({ length: 24 }, () => 1)]);
  expect(sumsIn(page)).toEqual(["324", "24"]);
  const [wide = "", narrow = ""] = page.split('class="chart-narrow"');
  expect([momentsIn(wide).length, momentsIn(narrow).length]).toEqual([54, 0]);
  expect(sumsIn(drawn(zeros(24)))).toEqual(["0"]);
});

test("a card with a chart says since when it is drawn, and on a phone how much of it", () => {
  const days = Array.from({ length: 30 }, (_, day) => day * 86_400_000);
  const values = days.map((_, day) => (day < 20 ? null : 1));
  const card = <ChartCard chart={{ times: days, step: "day", series: [{ outcome: "sent", values }] }} />;
  const page = renderPartial(locale, card);
  expect(page).toContain("<h2>Messages a day</h2>");
  expect(page).toContain(">since 21 Jan<");
  expect(page).toContain(">last 7 days<");
});

test("a sparkline has a bar per two hours, oldest on the left, failed on top, and describes what it shows", () => {
  const persian = createLocale({ language: "fa", zone: "UTC", now: 0 });
  const spark = <Sparkline hours={{ messages: [4, 6, 0, 0, 500, 500, 1, 0], failed: [5, 0, 0, 0, 0, 0, 1, 0] }} />;
  const page = renderPartial(locale, spark);
  expect(page).toContain("<title>1,011 messages, 6 failed</title>");
  expect(page).toContain('<path d="M0 20h.7v1h-.7zM2 0h.7v21h-.7zM3 20h.7v1h-.7z">');
  expect(page).toContain('<path d="M0 20h.7v1h-.7zM3 20h.7v1h-.7z">');
  expect(renderPartial(persian, spark)).toContain("<title>۱٬۰۱۱ پیام، ۶ ناموفق</title>");
});

test("nothing is drawn if there are no messages", () => {
  expect(renderPartial(locale, <Sparkline hours={undefined} />)).toBe("");
  expect(renderPartial(locale, <Sparkline hours={{ messages: [0, 0], failed: [0, 0] }} />)).toBe("");
});
