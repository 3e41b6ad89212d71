/** How charts are drawn where figures are missing, and sparklines. */
import { expect, test } from "bun:test";
import { LiveChart } from "../../src/console/components/chart.tsx";
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

test("minutes without data are hatched between their neighbours, and no area spans them", () => {
  const page = drawn([4, 6, null, null, 3]);
  expect(areasIn(page)).toHaveLength(2);
  expect(page).toContain('points="0 ');
  expect(hatchesIn(page)).toEqual([expect.stringContaining('x="25%"')]);
  expect(hatchesIn(page)).toEqual([expect.stringContaining('width="75%"')]);
  expect(page.match(/No data/g)).toHaveLength(3);
});

test("nothing is hatched where all data is known, zero included", () => {
  const page = drawn([0, 2, 0]);
  expect(hatchesIn(page)).toEqual([]);
  expect(areasIn(page)).toHaveLength(1);
});

test("a sparkline has a point per two hours, oldest on the left, and describes what it shows", () => {
  const persian = createLocale({ language: "fa", zone: "UTC", now: 0 });
  const spark = <Sparkline hours={{ messages: [4, 6, 0, 0, 500, 500, 1, 0], failed: [5, 0, 0, 0, 0, 0, 1, 0] }} />;
  const page = renderPartial(locale, spark);
  expect(page).toContain("<title>1,011 messages, 6 failed</title>");
  expect(page).toContain('<path d="M0 15v-1l1 1l1-15l1 14V15">');
  expect(page).toContain('<path d="M0 15v-1l1 1h1l1-1V15">');
  expect(renderPartial(persian, spark)).toContain("<title>۱٬۰۱۱ پیام، ۶ ناموفق</title>");
});

test("nothing is drawn if there are no messages", () => {
  expect(renderPartial(locale, <Sparkline hours={undefined} />)).toBe("");
  expect(renderPartial(locale, <Sparkline hours={{ messages: [0, 0], failed: [0, 0] }} />)).toBe("");
});
