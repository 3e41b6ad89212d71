/** How charts are drawn where figures are missing. */
import { expect, test } from "bun:test";
import { LiveChart } from "../../src/console/components/chart.tsx";
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

test("minutes without figures are hatched between those before and after, and no area spans them", () => {
  const page = drawn([4, 6, null, null, 3]);
  expect(areasIn(page)).toHaveLength(2);
  expect(page).toContain('points="0 ');
  expect(hatchesIn(page)).toEqual([expect.stringContaining('x="25%"')]);
  expect(hatchesIn(page)).toEqual([expect.stringContaining('width="75%"')]);
  expect(page.match(/No data/g)).toHaveLength(3);
});

test("nothing is hatched where everything is known, also zero", () => {
  const page = drawn([0, 2, 0]);
  expect(hatchesIn(page)).toEqual([]);
  expect(areasIn(page)).toHaveLength(1);
});
